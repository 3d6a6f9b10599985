"""Scaled dot-product attention.

Vaswani et al. 2017, arXiv:1706.03762.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from figures.attention.masks import masked_softmax


class Attention(NamedTuple):
    """Every step of one attention."""

    scores: Tensor
    """`[..., T_q, T_k]`, scaled, before the mask."""
    weights: Tensor
    """`[..., T_q, T_k]`, after mask, softmax and dropout."""
    output: Tensor
    """`[..., T_q, d_v]`, the weighted sum of the values, or context."""


def scaled_dot_product_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    scale: float | None = None,
    dropout_p: float = 0.0,
    generator: Generator | None = None,
) -> Attention:
    """Attention(Q, K, V) = softmax(QKᵀ / √d_k) V.

    Vaswani et al. 2017, eq. 1. q `[..., T_q, d_k]`,
    k `[..., T_k, d_k]`, v `[..., T_k, d_v]`; True in `mask` keeps a
    key; a row that keeps none has output 0.
    """
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) * scale  # [..., T_q, T_k]
    weights = masked_softmax(scores, mask)  # rows sum to 1
    weights = drop_weights(weights, dropout_p, generator)
    output = weights @ v  # [..., T_q, d_v]
    return Attention(scores, weights, output)


def drop_weights(
    weights: Tensor, p: float, generator: Generator | None = None
) -> Tensor:
    """Inverted dropout (Srivastava et al. 2014) on attention weights.

    Each weight becomes 0 with probability p, the rest grow by
    1 / (1 − p): the expected weight is unchanged, and the sum of a row
    is 1 only on average.
    """
    if p == 0.0:
        return weights
    if not 0.0 < p < 1.0:
        raise ValueError(f"dropout probability {p}; it lies in [0, 1)")
    noise = torch.rand(weights.shape, generator=generator)
    return weights * (noise >= p) / (1 - p)
