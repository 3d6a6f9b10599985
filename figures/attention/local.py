"""Local attention: only a window of the source is looked at.

Luong, Pham and Manning 2015, arXiv:1508.04025, §3.2.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from figures.attention.dot_product import Attention
from figures.attention.luong import Score, luong_score
from figures.attention.masks import masked_softmax

Alignment = Literal["monotonic", "predictive"]


def local_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    alignment: Alignment = "monotonic",
    window: int = 2,
    *,
    positions: Tensor | None = None,
    lengths: Tensor | None = None,
    score: Score = "dot",
    w: Tensor | None = None,
    v: Tensor | None = None,
    w_p: Tensor | None = None,
    v_p: Tensor | None = None,
    mask: Tensor | None = None,
) -> Attention:
    """a_t(s) = align(h_t, h̄_s), only for s in [p_t − D, p_t + D].

    Luong et al. 2015, §3.2; D is the `window`. local-m: p_t = t, or
    `positions` `[..., T_q]`. local-p: p_t is predicted with w_p
    `[d_q, d_a]`, v_p `[d_a]` and the source `lengths` S `[...]`; a
    Gaussian around it, σ = D/2, multiplies the weights after the
    softmax (eq. 10), so they may sum to less than 1. `score`, w and v
    as in `luong_attention`.
    """
    T_q, T_k = query.shape[-2], keys.shape[-2]
    if alignment == "predictive":
        S = T_k if lengths is None else lengths
        p = predicted_position(query, S, w_p, v_p)  # [..., T_q]
    else:
        p = torch.arange(T_q) if positions is None else positions
    distance = torch.arange(T_k) - p.unsqueeze(-1)  # [..., T_q, T_k]
    near = distance.abs() <= window
    keep = near if mask is None else near & mask
    scores = luong_score(query, keys, score, w, v)
    weights = masked_softmax(scores, keep)
    if alignment == "predictive":
        sigma = window / 2
        weights = weights * torch.exp(-(distance**2) / (2 * sigma**2))
    return Attention(scores, weights, weights @ values)


def predicted_position(
    query: Tensor,
    S: Tensor | int,
    w_p: Tensor | None,
    v_p: Tensor | None,
) -> Tensor:
    """p_t = S · sigmoid(vᵀ tanh(W h_t)), `[..., T_q]` (eq. 9)."""
    if w_p is None or v_p is None:
        raise ValueError("predictive alignment needs w_p and v_p")
    ratio = torch.sigmoid(torch.tanh(query @ w_p) @ v_p)  # [..., T_q]
    return torch.as_tensor(S).unsqueeze(-1) * ratio
