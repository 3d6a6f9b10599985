"""Multiplicative attention and its relatives.

Luong, Pham and Manning 2015, arXiv:1508.04025.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from figures.attention.dot_product import Attention
from figures.attention.masks import masked_softmax

Score = Literal["dot", "general", "concat"]


def luong_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    score: Score = "dot",
    w: Tensor | None = None,
    v: Tensor | None = None,
    mask: Tensor | None = None,
) -> Attention:
    """a_t(s) = softmax(score(h_t, h̄_s)), c_t = Σ_s a_t(s) h̄_s.

    Luong et al. 2015, eq. 7 and §3.1. query `[..., T_q, d_q]` holds h,
    keys `[..., T_k, d_k]` hold h̄; w and v are those of `general_score`
    and `concat_score`.
    """
    scores = luong_score(query, keys, score, w, v)  # [..., T_q, T_k]
    weights = masked_softmax(scores, mask)
    return Attention(scores, weights, weights @ values)


def dot_score(query: Tensor, keys: Tensor) -> Tensor:
    """The score hᵀ h̄, unscaled (Luong et al. 2015, eq. 8)."""
    return query @ keys.transpose(-2, -1)


def general_score(query: Tensor, keys: Tensor, w: Tensor) -> Tensor:
    """The score hᵀ W h̄ (Luong et al. 2015, eq. 8); w `[d_q, d_k]`."""
    return query @ w @ keys.transpose(-2, -1)


def concat_score(
    query: Tensor, keys: Tensor, w: Tensor, v: Tensor
) -> Tensor:
    """The score vᵀ tanh(W [h; h̄]) (Luong et al. 2015, eq. 8).

    w `[d_q + d_k, d_a]` is Wᵀ, v `[d_a]`. With the two matrices of
    additive attention one above the other as w, it is Bahdanau's.
    """
    T_q, T_k = query.shape[-2], keys.shape[-2]
    h = query.unsqueeze(-2).expand(*query.shape[:-1], T_k, -1)
    h_bar = keys.unsqueeze(-3).expand(*keys.shape[:-2], T_q, -1, -1)
    pairs = torch.cat([h, h_bar], dim=-1)  # [..., T_q, T_k, d_q+d_k]
    return torch.tanh(pairs @ w) @ v  # [..., T_q, T_k]


def luong_score(
    query: Tensor,
    keys: Tensor,
    score: Score = "dot",
    w: Tensor | None = None,
    v: Tensor | None = None,
) -> Tensor:
    """The score of that name; a missing w or v is a ValueError."""
    if score == "dot":
        return dot_score(query, keys)
    if score == "general" and w is not None:
        return general_score(query, keys, w)
    if score == "concat" and w is not None and v is not None:
        return concat_score(query, keys, w, v)
    raise ValueError(
        f"score {score!r}; it is dot, general (which needs w) "
        "or concat (which needs w and v)"
    )
