"""Softmax attention beside a sliding window and linear attention: what each one weighs."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor

from figures.attention import (
    causal_mask,
    chunked_attention,
    linear_attention,
    scaled_dot_product_attention,
    sliding_window_mask,
)
from figures.canvas import SMALL, Size, label, open_canvas
from figures.colours import muted
from figures.exhibit import Exhibit
from figures.heatmaps.weight_map import Area, draw_weight_map
from figures.language import Wording, words

TEXT: Wording = {
    "softmax": ("softmax", "softmax"),
    "window": ("滑动窗口 {window}", "window of {window}"),
    "linear": ("线性", "linear"),
    "peak": ("每行最大平均 {peak:.2f}", "largest of a row, mean {peak:.2f}"),
    "keys": ("键", "key"),
    "queries": ("查询", "query"),
    "alt": (
        "同一组随机查询与键（T = {T}）的三张因果权重图。softmax：每行最大权重平均 {softmax_peak:.2f}；"
        "滑动窗口 {window}：只看最近 {window} 个键，窗口外斜线；线性：最大权重平均 {linear_peak:.2f}，平得多。",
        "Three causal maps of the same random queries and keys, T = {T}. Softmax: largest weight of a row "
        "{softmax_peak:.2f} on average; a window of {window} keys, hatched outside; linear: {linear_peak:.2f}, much "
        "flatter.",
    ),
}


def other_functions(
    T: int = 8, d_k: int = 16, window: int = 3, seed: int = 0, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Causal weights of softmax, sliding-window and linear attention over one set of random vectors.

    `window_difference`, `linear_difference` and `chunked_difference` are the largest deviations of outputs from causal
    softmax attention.
    """
    q, k, v = torch.randn(3, T, d_k, generator=Generator().manual_seed(seed))
    keep, near = causal_mask(T), sliding_window_mask(T, window)
    full = scaled_dot_product_attention(q, k, v, keep)
    banded = scaled_dot_product_attention(q, k, v, near)
    linear = causal_linear_weights(q, k)
    maps = {"softmax": (full.weights, keep), "window": (banded.weights, near), "linear": (linear, keep)}
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 3.4))
    width = (canvas.width - 44) / len(maps)
    values: dict[str, Any] = {"T": T, "d_k": d_k, "window": window}
    for number, (name, (weights, kept)) in enumerate(maps.items()):
        left = 44 + number * width
        peak = float(weights[1:].amax(-1).mean())  # the first row has one key
        numbers = [str(i + 1) if i in (0, T - 1) else "" for i in range(T)]
        area = Area(left - (22 if number == 0 else 0), 6, left + width - 6, canvas.height - 22)
        drawn = draw_weight_map(
            canvas, area, weights, numbers, numbers, hidden=(~kept).numpy(), rows_named=False,
            names=(text["queries"] if number == 0 else "", text["keys"]), title=text[name].format(window=window),
        )  # fmt: skip
        note = text["peak"].format(peak=peak)
        label(canvas, drawn.middle[0], drawn.bottom + 11, note, size=SMALL, colour=muted())
        values[f"{name}_peak"] = peak
    chunked = chunked_attention(q, k, v, keep, block=4)
    values |= {
        "window_difference": largest(banded.output, full.output),
        "linear_difference": largest(linear @ v, full.output),
        "chunked_difference": largest(chunked, full.output),
        "entropy": mean_entropy(full.weights),
        "linear_entropy": mean_entropy(linear),
    }
    return Exhibit(canvas.figure, text["alt"].format(**values), values)


def causal_linear_weights(q: Tensor, k: Tensor) -> Tensor:
    """The weights φ(q_i)·φ(k_j) / Σ φ(q_i)·φ(k_j') over j' ≤ i, row by row from `linear_attention` itself `[T, T]`."""
    T = len(q)
    weights = torch.zeros(T, T)
    for i in range(T):
        weights[i, : i + 1] = linear_attention(q[i : i + 1], k[: i + 1], torch.eye(i + 1))
    return weights


def largest(one: Tensor, other: Tensor) -> float:
    """The largest absolute difference."""
    return float((one - other).abs().max())


def mean_entropy(weights: Tensor) -> float:
    """Entropy of the last row over its keys, divided by that of the uniform one."""
    row = weights[-1]
    return float(-torch.special.xlogy(row, row).sum()) / math.log(len(row))
