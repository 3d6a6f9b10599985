"""Attention that never holds the whole T_q × T_k matrix.

In blocks of keys (the same function) or linear (another one).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import elu


def chunked_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    block: int = 64,
) -> Tensor:
    """softmax(QKᵀ / √d_k) V, one block of keys after the other.

    Online softmax (Milakov and Gimelshein 2018, arXiv:1805.02867), the
    idea of FlashAttention (Dao et al. 2022, arXiv:2205.14135). Exact;
    the largest intermediate is `[..., T_q, block]`. Comes back as
    `[..., T_q, d_v]`; a row that keeps no key is 0.
    """
    T_k, scale = k.shape[-2], 1 / math.sqrt(q.shape[-1])
    if mask is not None:
        mask = mask.expand(*mask.shape[:-1], T_k)
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)  # highest so far
    total = torch.zeros_like(top)  # sum of exp(score - top)
    output = torch.zeros_like(top)  # sum of exp(score - top) · v
    for start in range(0, T_k, block):
        part = slice(start, start + block)
        scores = q @ k[..., part, :].transpose(-2, -1) * scale
        if mask is not None:
            scores = scores.masked_fill(~mask[..., part], -torch.inf)
        highest = scores.detach().amax(dim=-1, keepdim=True)
        new_top = torch.maximum(top, highest)
        base = new_top.nan_to_num(neginf=0.0)  # no key kept so far
        e = torch.exp(scores - base)  # [..., T_q, block]
        shrink = torch.exp(top - base)  # rescales the earlier sums
        total = total * shrink + e.sum(dim=-1, keepdim=True)
        output = output * shrink + e @ v[..., part, :]
        top = new_top
    return output / total.masked_fill(total == 0.0, 1.0)


def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """φ(Q)(φ(K)ᵀ V) / (φ(Q) Σ φ(k)), where φ(x) = elu(x) + 1.

    Katharopoulos et al. 2020, arXiv:2006.16236, eq. 5 and 7. It costs
    T·d·d_v instead of T²·d, and is another function than softmax
    attention, not an approximation of its weights.
    """
    q, k = elu(q) + 1, elu(k) + 1  # positive features
    memory = k.transpose(-2, -1) @ v  # [..., d_k, d_v]
    total = q @ k.sum(dim=-2).unsqueeze(-1)  # [..., T_q, 1]
    return q @ memory / total
