"""Why the scores are divided by √d_k: variance of dot products, saturation of the softmax, size of its gradient."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

WIDTHS = (4, 16, 64, 256, 1024)


@dataclass(frozen=True, slots=True)
class Scaling:
    """Statistics for each key width of raw scores q·k and scaled scores q·k / √d_k; entries of q and k are N(0, 1)."""

    widths: tuple[int, ...]
    keys: int
    samples: int
    variance_raw: tuple[float, ...]
    variance_scaled: tuple[float, ...]
    peak_raw: tuple[float, ...]
    """Mean of the largest weight of a row."""
    peak_scaled: tuple[float, ...]
    gradient_raw: tuple[float, ...]
    """Median Frobenius norm of the Jacobian of the softmax, diag(a) − a aᵀ."""
    gradient_scaled: tuple[float, ...]


def measure_scaling(widths: tuple[int, ...] = WIDTHS, keys: int = 16, samples: int = 6000, seed: int = 0) -> Scaling:
    """Draw `samples` queries against `keys` keys each for every width (Vaswani et al. 2017, §3.2.1 and footnote 4)."""
    generator = torch.Generator().manual_seed(seed)
    pairs = [_pair(width, random_scores(width, keys, samples, generator)) for width in widths]
    weights = [[scores.softmax(-1) for scores in pair] for pair in pairs]
    return Scaling(
        widths,
        keys,
        samples,
        variance_raw=tuple(float(raw.var()) for raw, _ in pairs),
        variance_scaled=tuple(float(scaled.var()) for _, scaled in pairs),
        peak_raw=tuple(float(raw.amax(-1).mean()) for raw, _ in weights),
        peak_scaled=tuple(float(scaled.amax(-1).mean()) for _, scaled in weights),
        gradient_raw=tuple(float(jacobian_norm(raw).median()) for raw, _ in weights),
        gradient_scaled=tuple(float(jacobian_norm(scaled).median()) for _, scaled in weights),
    )


def _pair(width: int, raw: Tensor) -> tuple[Tensor, Tensor]:
    return raw, raw / math.sqrt(width)


def random_scores(width: int, keys: int, samples: int, generator: Generator) -> Tensor:
    """q·k of independent standard normal vectors: `[samples, keys]`; drawn in pieces so that memory stays small."""
    pieces = []
    for start in range(0, samples, 500):
        count = min(500, samples - start)
        q = torch.randn(count, 1, width, generator=generator)
        k = torch.randn(count, keys, width, generator=generator)
        pieces.append((q * k).sum(-1))
    return torch.cat(pieces)


def jacobian_norm(weights: Tensor) -> Tensor:
    """Frobenius norm of ∂a/∂e = diag(a) − a aᵀ for weights a `[..., T]`: how much of the gradient passes the softmax.

    Σ_i a_i² − 2 Σ_i a_i³ + (Σ_i a_i²)², taken in double precision, since it is the difference of nearly equal numbers.
    """
    a = weights.double()
    squares = (a**2).sum(-1)
    return (squares - 2 * (a**3).sum(-1) + squares**2).clamp_min(0).sqrt()
