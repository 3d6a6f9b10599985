"""What a computation keeps in memory until its backward pass, by counting the tensors that autograd saves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from figures.attention import (
    MultiHeadAttention,
    additive_attention,
    chunked_attention,
    scaled_dot_product_attention,
)
from figures.experiments.memory import saved, total

MIB = 2**20
LENGTHS = (64, 128, 256, 512)


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


def measure_score_cost(lengths: tuple[int, ...] = LENGTHS, d: int = 64, seed: int = 0) -> ScoreCost:
    """Both scores on the same random queries and keys (Vaswani et al. 2017, §3.2.1)."""
    generator = Generator().manual_seed(seed)
    additive, dot = [], []
    for length in lengths:
        q, k, v = (nn.Parameter(torch.randn(length, d, generator=generator)) for _ in range(3))
        w_q, w_k = (nn.Parameter(torch.randn(d, d, generator=generator)) for _ in range(2))
        vector = nn.Parameter(torch.randn(d, generator=generator))
        additive.append(total(saved(lambda: additive_attention(q, k, v, w_q, w_k, vector).output)))  # noqa: B023
        dot.append(total(saved(lambda: scaled_dot_product_attention(q, k, v).output)))  # noqa: B023
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
    """One multi-head self-attention, one sequence, for each length, none of which may be the size of a head."""
    if d_model // heads in lengths:
        raise ValueError(f"T = {d_model // heads} is the size of a head: keys and weights would look alike")
    generator = Generator().manual_seed(seed)
    attention = MultiHeadAttention(d_model, heads)
    square, other = [], []
    for length in lengths:
        x = torch.randn(1, length, d_model, generator=generator)
        kept = saved(lambda: attention(x)[0])  # noqa: B023
        squares = sum(size for size, shape in kept.values() if shape[-3:] == (heads, length, length))
        square.append(squares)
        other.append(total(kept) - squares)
    return LengthCost(lengths, d_model, heads, tuple(square), tuple(other))


@dataclass(frozen=True, slots=True)
class ChunkCost:
    """Attention of `length` queries on as many keys, all keys at once and in blocks of each size in `blocks`.

    `whole` and `largest[i]` are how many numbers the largest tensor that was made holds; `difference[i]` is the largest
    deviation of the output from that of all keys at once.
    """

    length: int
    d_k: int
    blocks: tuple[int, ...]
    whole: int
    largest: tuple[int, ...]
    difference: tuple[float, ...]


def measure_chunks(
    length: int = 1024, d_k: int = 64, blocks: tuple[int, ...] = (256, 128, 64), seed: int = 0
) -> ChunkCost:
    """Run each way on the same q, k, v `[T, d_k]`."""
    torch.set_num_threads(1)
    q, k, v = torch.randn(3, length, d_k, generator=Generator().manual_seed(seed))
    exact, whole = largest_tensor(lambda: scaled_dot_product_attention(q, k, v).output)
    runs = [largest_tensor(lambda: chunked_attention(q, k, v, block=block)) for block in blocks]  # noqa: B023
    differences = tuple(float((output - exact).abs().max()) for output, _ in runs)
    return ChunkCost(length, d_k, blocks, whole, tuple(size for _, size in runs), differences)


class _Largest(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Remembers the size of the largest tensor that an operation returned."""

    numbers = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor):
            self.numbers = max(self.numbers, result.numel())
        return result


def largest_tensor(run: Callable[[], Tensor]) -> tuple[Tensor, int]:
    """What `run` returns, and how many numbers the largest tensor holds that it makes."""
    with _Largest() as mode:  # type: ignore[no-untyped-call]
        result = run()
    return result, mode.numbers
