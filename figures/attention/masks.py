"""Which keys a query may see.

True means keep; masks broadcast to `[..., T_q, T_k]`.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def masked_softmax(
    scores: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Softmax over the keys that `mask` keeps; others get exactly 0.

    `scores` `[..., T_q, T_k]` is left unchanged. A row without any
    key to keep comes back as zeros, and its gradient is zero too.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    hidden = ~mask
    scores = scores.masked_fill(hidden, -torch.inf)  # exp(-inf) = 0
    weights = scores.softmax(dim=-1)  # each row sums to 1
    return weights.masked_fill(hidden, 0.0)  # empty row: NaN -> 0


def padding_mask(
    lengths: Tensor | Sequence[int], max_length: int
) -> Tensor:
    """Keep the first `lengths[b]` positions of row b: `[B, T]`.

    Unsqueeze it to `[B, 1, T]` for scores `[B, T_q, T]` and to
    `[B, 1, 1, T]` for scores of several heads `[B, h, T_q, T]`.
    """
    positions = torch.arange(max_length)  # [T]
    return positions < torch.as_tensor(lengths)[:, None]  # [B, T]


def causal_mask(T_q: int, T_k: int | None = None) -> Tensor:
    """Keep the keys up to each query's own position: `[T_q, T_k]`.

    Aligned lower right: the last query sees all keys, so a single
    query over a cache of T_k keys sees all of them.
    """
    T_k = T_q if T_k is None else T_k
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q)


def sliding_window_mask(T: int, window: int) -> Tensor:
    """Keep the own position and the `window - 1` before it: `[T, T]`.

    The causal band of Longformer and Mistral; cost T·window, not T².
    """
    i, j = torch.arange(T)[:, None], torch.arange(T)[None, :]
    return (j <= i) & (i - j < window)
