"""Where a token stands: sinusoidal, rotary, linear-bias positions."""

from __future__ import annotations

import torch
from torch import Tensor


def sinusoidal_encoding(T: int, d_model: int) -> Tensor:
    """PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos(the same).

    Vaswani et al. 2017, §3.5: `[T, d_model]`, d_model even. Added to
    the embeddings, before any attention.
    """
    p = torch.arange(T)[:, None]  # [T, 1]
    two_i = torch.arange(0, d_model, 2)  # [d_model / 2]
    angle = p / 10000 ** (two_i / d_model)  # [T, d_model / 2]
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)


def rotary(x: Tensor, positions: Tensor) -> Tensor:
    """Turn each pair (x_2i, x_2i+1) by the angle p · 10000^(−2i/d).

    Su et al. 2021, arXiv:2104.09864, eq. 34. x `[..., T, d]`, d even,
    holds queries or keys, never values; positions `[..., T]`. The dot
    product of two turned vectors depends on their distance only.
    """
    d = x.shape[-1]
    theta = 10000 ** (-torch.arange(0, d, 2) / d)  # [d / 2]
    angle = positions[..., None] * theta  # [..., T, d / 2]
    even, odd = x[..., 0::2], x[..., 1::2]
    turned_even = even * angle.cos() - odd * angle.sin()
    turned_odd = even * angle.sin() + odd * angle.cos()
    return torch.stack([turned_even, turned_odd], dim=-1).flatten(-2)


def alibi_bias(num_heads: int, T_q: int, T_k: int) -> Tensor:
    """−m_h · |i − j|, added to the scores: `[h, T_q, T_k]`.

    Press et al. 2022, arXiv:2108.12409, §3; m_h = 2^(−8h/H) for the
    heads h = 1 … H. The queries are the last T_q positions, as in
    `causal_mask`.
    """
    i = torch.arange(T_k - T_q, T_k)[:, None]  # [T_q, 1]
    j = torch.arange(T_k)[None, :]  # [1, T_k]
    m = 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)  # [h]
    return -m[:, None, None] * (i - j).abs()
