"""Additive attention.

Bahdanau, Cho and Bengio 2015, arXiv:1409.0473.
"""

from __future__ import annotations

import torch
from torch import Tensor

from figures.attention.dot_product import Attention
from figures.attention.masks import masked_softmax


def additive_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
) -> Attention:
    """e_ij = vᵀ tanh(W s_i−1 + U h_j), c_i = Σ_j α_ij h_j.

    Bahdanau et al. 2015, eq. 5, 6 and A.1.2. query `[..., T_q, d_q]`
    holds s, keys `[..., T_k, d_k]` hold h; w_q `[d_q, d_a]` is Wᵀ,
    w_k `[d_k, d_a]` is Uᵀ, v `[d_a]`.
    """
    q = (query @ w_q).unsqueeze(-2)  # [..., T_q, 1, d_a]
    k = (keys @ w_k).unsqueeze(-3)  # [..., 1, T_k, d_a]
    scores = torch.tanh(q + k) @ v  # [..., T_q, T_k]
    weights = masked_softmax(scores, mask)
    return Attention(scores, weights, weights @ values)
