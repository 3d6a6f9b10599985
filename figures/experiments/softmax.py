"""The softmax of attention scores: how spread, width and number of keys shape the weights, before any training."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import median

import torch
from torch import Generator, Tensor, nn

from figures.attention import MultiHeadAttention, additive_attention, concat_score, scaled_dot_product_attention
from figures.models.training import initialise

SPREADS = (0.1, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class SpreadFacts:
    """Weights over `keys` keys whose scores are normal with each standard deviation in `spreads`.

    `entropy` is divided by ln(keys): 1 is uniform, 0 is one key. `largest` is the mean largest weight.
    """

    keys: int
    spreads: tuple[float, ...]
    entropy: tuple[float, ...]
    largest: tuple[float, ...]


def measure_spread(
    spreads: tuple[float, ...] = SPREADS, keys: int = 16, samples: int = 20_000, seed: int = 0
) -> SpreadFacts:
    """Draw `samples` rows of scores for each spread."""
    generator = Generator().manual_seed(seed)
    rows = [(spread * torch.randn(samples, keys, generator=generator)).softmax(-1) for spread in spreads]
    return SpreadFacts(
        keys,
        spreads,
        tuple(float(entropy(weights).mean()) / math.log(keys) for weights in rows),
        tuple(float(weights.amax(-1).mean()) for weights in rows),
    )


def entropy(weights: Tensor) -> Tensor:
    """−Σ a ln a of each row, in nats."""
    weighted: Tensor = torch.special.xlogy(weights, weights)
    return -weighted.sum(-1)


@dataclass(frozen=True, slots=True)
class PeakFacts:
    """Mean largest weight of unscaled scores q·k, entries N(0, 1): `[widths][lengths]`."""

    widths: tuple[int, ...]
    lengths: tuple[int, ...]
    largest: Tensor


def measure_peaks(
    widths: tuple[int, ...] = (16, 64, 256, 1024),
    lengths: tuple[int, ...] = (16, 128, 1024),
    samples: int = 200,
    seed: int = 0,
) -> PeakFacts:
    """Without the scale, for growing widths d_k and growing numbers of keys T."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    largest = torch.empty(len(widths), len(lengths))
    for i, width in enumerate(widths):
        for j, length in enumerate(lengths):
            q = torch.randn(samples, width, generator=generator)
            k = torch.randn(length, width, generator=generator)
            largest[i, j] = (q @ k.T).softmax(-1).amax(-1).mean()
    return PeakFacts(widths, lengths, largest)


@dataclass(frozen=True, slots=True)
class InitialSpread:
    """Standard deviation of scaled scores in a fresh layer fed with standard normal vectors, by its initialisation.

    `torch_default` is torch's own `nn.MultiheadAttention`; `narrow` has normal weights of deviation 0.02.
    """

    d_model: int
    num_heads: int
    torch_default: float
    narrow: float


def measure_initial_spread(d_model: int = 512, num_heads: int = 8, seed: int = 0) -> InitialSpread:
    """Both layers on the same 64 vectors; torch's initialisation draws from a global generator that is put back."""
    generator = Generator().manual_seed(seed)
    x = torch.randn(1, 64, d_model, generator=generator)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        fresh = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
    layer = MultiHeadAttention(d_model, num_heads)
    initialise(layer, generator)
    with torch.no_grad():
        parts = (layer.w_q, layer.w_k, layer.w_v)
        for part, weight in zip(parts, fresh.in_proj_weight.chunk(3), strict=True):
            part.weight.copy_(weight)
            part.bias.zero_()
        default = float(layer(x)[1].scores.std())
        for part in parts:
            part.weight.normal_(0, 0.02, generator=generator)
        narrow = float(layer(x)[1].scores.std())
    return InitialSpread(d_model, num_heads, default, narrow)


@dataclass(frozen=True, slots=True)
class GateFacts:
    """Three "attentions" over 64 channels or keys: sums of their weights, and how many weights are not 0.

    A softmax sums to 1; the sigmoid gate of squeeze-and-excitation (Hu et al. 2018, arXiv:1709.01507) does not have to;
    a hard choice has one weight.
    """

    channels: int
    softmax_sum: float
    gate_sum: float
    hard_nonzero: int


def measure_gates(channels: int = 64, seed: int = 0) -> GateFacts:
    """The same random scores through softmax, sigmoid and argmax."""
    scores = torch.randn(channels, generator=Generator().manual_seed(seed))
    hard = nn.functional.one_hot(scores.argmax(), channels)
    return GateFacts(
        channels, float(scores.double().softmax(0).sum()), float(scores.sigmoid().sum()), int((hard != 0).sum())
    )


@dataclass(frozen=True, slots=True)
class PremiseFacts:
    """Variance of q·k / √d_k by what is drawn: both standard normal, both with mean 1, or k = q."""

    d_k: int
    samples: int
    independent: float
    shifted: float
    same: float


def measure_premises(d_k: int = 64, samples: int = 100_000, seed: int = 0) -> PremiseFacts:
    """1, (1 + 1)² − 1 = 3 and 2 are expected (Vaswani et al. 2017, footnote 4, and what it leaves out)."""
    generator = Generator().manual_seed(seed)
    q, k = torch.randn(2, samples, d_k, generator=generator)

    def variance(one: Tensor, other: Tensor) -> float:
        return float(((one * other).sum(-1) / math.sqrt(d_k)).var())

    return PremiseFacts(d_k, samples, variance(q, k), variance(q + 1, k + 1), variance(q, q))


@dataclass(frozen=True, slots=True)
class SameFunction:
    """Largest differences between functions that are the same on paper.

    `concat`: Luong's concat score against Bahdanau's additive one, with W = [W₁; W₂]. `torch`: the output of this
    course's scaled dot-product attention against torch's own, q, k, v `[2, 8, 64, 64]`.
    """

    concat: float
    torch: float


def measure_same_function(seed: int = 0) -> SameFunction:
    """Both on random numbers in single precision."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    q, k, v = torch.randn(3, 2, 8, 64, 64, generator=generator)
    w_q, w_k = torch.randn(2, 64, 32, generator=generator) / 8
    vector = torch.randn(32, generator=generator) / 8
    additive = additive_attention(q[:, 0], k[:, 0], v[:, 0], w_q, w_k, vector).scores
    concat = concat_score(q[:, 0], k[:, 0], torch.cat([w_q, w_k]), vector)
    ours = scaled_dot_product_attention(q, k, v).output
    return SameFunction(
        float((additive - concat).abs().max()),
        float((ours - nn.functional.scaled_dot_product_attention(q, k, v)).abs().max()),
    )


@dataclass(frozen=True, slots=True)
class ScoreTime:
    """How many times longer additive attention takes than the dot product, at batch 64, T = 64, d = 64.

    A clock time on one thread, so it differs between runs.
    """

    ratio: float


def measure_score_time(size: int = 64, seed: int = 0) -> ScoreTime:
    """The median of five runs each."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    q, k, v = (torch.randn(size, size, size, generator=generator) for _ in range(3))
    w_q, w_k = (torch.randn(size, size, generator=generator) for _ in range(2))
    vector = torch.randn(size, generator=generator)
    additive, dot = [], []
    with torch.no_grad():
        for _ in range(6):
            start = time.perf_counter()
            additive_attention(q, k, v, w_q, w_k, vector)
            middle = time.perf_counter()
            scaled_dot_product_attention(q, k, v)
            additive.append(middle - start)
            dot.append(time.perf_counter() - middle)
    return ScoreTime(median(additive[1:]) / median(dot[1:]))
