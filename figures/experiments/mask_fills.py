"""What may be written over a masked score: 0, finite numbers, −∞, in single and in half precision."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

SCORES = (2.0, 1.0, 0.5)
FILLS = (0.0, -1e4, -1e9, torch.finfo(torch.float32).min, -math.inf)


@dataclass(frozen=True, slots=True)
class MaskFill:
    """One filling: weights of a row whose last key is masked, and of a row with all keys masked (NaN where undefined).

    `half` is the weight of the masked key in half precision, None where torch refuses the number.
    """

    fill: float
    weights: tuple[float, ...]
    empty_row: tuple[float, ...]
    half: float | None


def measure_mask_fills(scores: tuple[float, ...] = SCORES, fills: tuple[float, ...] = FILLS) -> tuple[MaskFill, ...]:
    """Softmax over `scores` with the last key masked by each filling."""
    row = torch.tensor(scores)
    last = torch.arange(len(scores)) == len(scores) - 1
    everything = torch.ones_like(last)
    return tuple(
        MaskFill(
            fill,
            tuple(filled(row, last, fill).tolist()),
            tuple(filled(row, everything, fill).tolist()),
            _half(row, last, fill),
        )
        for fill in fills
    )


def filled(scores: Tensor, hidden: Tensor, fill: float) -> Tensor:
    """Softmax after the hidden scores were overwritten by `fill`, whatever comes of it."""
    return scores.masked_fill(hidden, fill).softmax(-1)


def _half(scores: Tensor, hidden: Tensor, fill: float) -> float | None:
    try:
        return float(filled(scores.half(), hidden, fill)[-1])
    except RuntimeError:  # "value cannot be converted to type at::Half without overflow"
        return None
