"""Four Chinese tokens through one attention with numbers small enough to follow by hand."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from figures.attention import Attention, causal_mask, scaled_dot_product_attention


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """Every matrix of one self-attention: x `[T, d_model]`, w_q w_k w_v `[d_model, d_k]`, mask `[T, T]`."""

    tokens: tuple[str, ...]
    x: Tensor
    w_q: Tensor
    w_k: Tensor
    w_v: Tensor
    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor
    attention: Attention

    @property
    def products(self) -> Tensor:
        """QKᵀ before scaling, `[T, T]`."""
        return self.q @ self.k.T


def worked_example(
    tokens: tuple[str, ...] = ("我", "爱", "读", "书"), d_model: int = 4, d_k: int = 3, example: int = 2318
) -> WorkedExample:
    """A causal self-attention over random embeddings.

    Embeddings are multiples of 1/2 and projections multiples of 1/5, so Q, K and V have exactly one decimal and
    QKᵀ two; `example` seeds them.
    """
    generator = torch.Generator().manual_seed(example)
    x = torch.randint(-3, 4, (len(tokens), d_model), generator=generator) / 2
    w_q, w_k, w_v = (torch.randint(-4, 5, (d_model, d_k), generator=generator) / 5 for _ in range(3))
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    mask = causal_mask(len(tokens))
    return WorkedExample(tokens, x, w_q, w_k, w_v, q, k, v, mask, scaled_dot_product_attention(q, k, v, mask))
