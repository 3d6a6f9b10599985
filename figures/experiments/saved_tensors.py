"""What a computation keeps in memory until its backward pass, by counting the tensors that autograd saves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from figures.attention import MultiHeadAttention, additive_attention, scaled_dot_product_attention

MIB = 2**20
LENGTHS = (64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Kept:
    """Bytes kept for the backward pass: by tensors whose last two axes are T × T, and by all others."""

    square: int
    other: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.square + self.other


@dataclass(frozen=True, slots=True)
class ScoreCost:
    """Additive against dot-product attention of T queries on T keys of width `d`."""

    lengths: tuple[int, ...]
    d: int
    additive: tuple[int, ...]
    """Bytes kept for the backward pass."""
    dot: tuple[int, ...]
    additive_products: tuple[int, ...]
    """Multiplications of the scores: projections and vᵀ tanh(…)."""
    dot_products: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LengthCost:
    """Memory of one multi-head self-attention for growing T, split into what is T × T and what is not."""

    lengths: tuple[int, ...]
    d_model: int
    heads: int
    square: tuple[int, ...]
    other: tuple[int, ...]


def kept_bytes(compute: Callable[[], Tensor], length: int, matrices: int = 1) -> Kept:
    """Run `compute` and count each storage that autograd saves once, parameters and their views apart.

    A tensor of `matrices` times length × length numbers counts as square.
    """
    seen: dict[int, tuple[int, bool]] = {}

    def pack(tensor: Tensor) -> Tensor:
        source = tensor if tensor._base is None else tensor._base
        if not (source.is_leaf and source.requires_grad):
            square = tensor.shape[-2:] == (length, length) and tensor.numel() == matrices * length**2
            size = tensor.untyped_storage().nbytes()
            seen[tensor.untyped_storage().data_ptr()] = (size, square)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = compute()
    del result
    return Kept(
        sum(size for size, square in seen.values() if square), sum(size for size, square in seen.values() if not square)
    )


def measure_score_cost(lengths: tuple[int, ...] = LENGTHS, d: int = 64, seed: int = 0) -> ScoreCost:
    """Both scores on the same random queries and keys (Vaswani et al. 2017, §3.2.1)."""
    generator = Generator().manual_seed(seed)
    additive, dot = [], []
    for length in lengths:
        q, k, v = (torch.randn(length, d, generator=generator).requires_grad_() for _ in range(3))
        w_q, w_k = (torch.randn(d, d, generator=generator).requires_grad_() for _ in range(2))
        vector = torch.randn(d, generator=generator).requires_grad_()
        additive.append(
            kept_bytes(lambda: additive_attention(q, k, v, w_q, w_k, vector).output, length).total  # noqa: B023
        )
        dot.append(kept_bytes(lambda: scaled_dot_product_attention(q, k, v).output, length).total)  # noqa: B023
    return ScoreCost(
        lengths,
        d,
        tuple(additive),
        tuple(dot),
        tuple(2 * length * d * d + length * length * d for length in lengths),
        tuple(length * length * d for length in lengths),
    )


def measure_length_cost(
    lengths: tuple[int, ...] = LENGTHS, d_model: int = 128, heads: int = 4, seed: int = 0
) -> LengthCost:
    """One multi-head self-attention, one sequence, for each length."""
    generator = Generator().manual_seed(seed)
    attention = MultiHeadAttention(d_model, heads)
    kept = []
    for length in lengths:
        x = torch.randn(1, length, d_model, generator=generator)
        kept.append(kept_bytes(lambda: attention(x)[0], length, heads))  # noqa: B023
    return LengthCost(lengths, d_model, heads, tuple(each.square for each in kept), tuple(each.other for each in kept))
