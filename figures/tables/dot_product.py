"""Scaled dot-product attention in figures: shapes of a run, fillings of a mask, what scaling keeps."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator

from figures.attention import padding_mask, scaled_dot_product_attention
from figures.exhibit import MeasuredTable
from figures.experiments.mask_fills import measure_mask_fills
from figures.experiments.scaling import WIDTHS, measure_scaling
from figures.language import Wording, words
from figures.numerals import decimals, power_of_ten

TEXT: Wording = {
    "tensor": ("张量", "tensor"),
    "shape": ("形状", "shape"),
    "measured": ("这次运行", "this run"),
    "query": ("查询 q", "query q"),
    "key": ("键 k", "key k"),
    "value": ("值 v", "value v"),
    "mask": ("遮盖", "mask"),
    "scores": ("分数", "scores"),
    "weights": ("权重", "weights"),
    "output": ("输出", "output"),
    "fill": ("填入", "filling"),
    "first": ("权重 1", "weight 1"),
    "second": ("权重 2", "weight 2"),
    "hidden": ("被遮住的权重", "weight of the hidden key"),
    "half": ("半精度", "half precision"),
    "empty": ("整行被遮住", "whole row hidden"),
    "refused": ("报错", "error"),
    "unscaled": ("不缩放", "unscaled"),
    "scaled": ("缩放后", "scaled"),
    "variance": ("方差", "variance"),
    "peak": ("最大权重", "largest weight"),
    "gradient": ("雅可比范数", "Jacobian norm"),
}


def shapes(
    B: int = 2, T_q: int = 3, T_k: int = 4, d_k: int = 8, d_v: int = 5, seed: int = 0, lang: str = "zh"
) -> MeasuredTable:
    """The shape of every tensor of one scaled dot-product attention, read off a run."""
    text = words(TEXT, lang)
    generator = Generator().manual_seed(seed)
    q = torch.randn(B, T_q, d_k, generator=generator)
    k = torch.randn(B, T_k, d_k, generator=generator)
    v = torch.randn(B, T_k, d_v, generator=generator)
    mask = padding_mask([T_k, T_k - 1][:B] + [T_k] * (B - 2), T_k)[:, None, :]
    attention = scaled_dot_product_attention(q, k, v, mask)
    tensors = (
        ("query", "$[B, T_q, d_k]$", q),
        ("key", "$[B, T_k, d_k]$", k),
        ("value", "$[B, T_k, d_v]$", v),
        ("mask", "$[B, 1, T_k]$", mask),
        ("scores", "$[B, T_q, T_k]$", attention.scores),
        ("weights", "$[B, T_q, T_k]$", attention.weights),
        ("output", "$[B, T_q, d_v]$", attention.output),
    )
    rows = tuple((text[name], shape, f"`{list(tensor.shape)}`") for name, shape, tensor in tensors)
    values: dict[str, Any] = {name: list(tensor.shape) for name, _, tensor in tensors}
    values["row_sum"] = float(attention.weights.sum(-1).mean())
    values["masked_weight"] = float(attention.weights[1, :, -1].abs().max()) if B > 1 else 0.0
    return MeasuredTable((text["tensor"], text["shape"], text["measured"]), rows, ("left", "left", "left"), values)


def mask_fills(lang: str = "zh") -> MeasuredTable:
    """What five fillings leave of a masked key in single and half precision, and of a row that keeps no key."""
    text = words(TEXT, lang)
    rows: list[tuple[str | int | float, ...]] = []
    values: dict[str, Any] = {}
    for number, fill in enumerate(measure_mask_fills()):
        name = (
            "−∞" if math.isinf(fill.fill) else decimals(fill.fill, 0) if fill.fill > -1e5 else power_of_ten(fill.fill)
        )
        empty = fill.empty_row[0]
        rows.append(
            (
                name,
                decimals(fill.weights[0], 4),
                decimals(fill.weights[1], 4),
                decimals(fill.weights[2], 4) if fill.weights[2] else "0",
                text["refused"] if fill.half is None else decimals(fill.half, 4) if fill.half else "0",
                "NaN" if math.isnan(empty) else decimals(empty, 4),
            )
        )
        values |= {f"hidden_{number}": fill.weights[2], f"empty_{number}": "NaN" if math.isnan(empty) else empty}
    header = tuple(text[name] for name in ("fill", "first", "second", "hidden", "half", "empty"))
    return MeasuredTable(header, tuple(rows), ("right",) * 6, values)


def scaling(widths: tuple[int, ...] = WIDTHS, samples: int = 6000, seed: int = 0, lang: str = "zh") -> MeasuredTable:
    """Variance of the scores, largest weight and gradient for each key width, without and with scaling."""
    text = words(TEXT, lang)
    measured = measure_scaling(widths, samples=samples, seed=seed)
    columns = ("variance", "peak", "gradient")
    comma = ", " if lang.startswith("en") else "，"
    header = ["$d_k$", *(f"{text[name]}{comma}{text[kind]}" for name in columns for kind in ("unscaled", "scaled"))]
    rows = []
    values: dict[str, Any] = {}
    for i, width in enumerate(widths):
        numbers = (
            measured.variance_raw[i], measured.variance_scaled[i], measured.peak_raw[i], measured.peak_scaled[i],
            measured.gradient_raw[i], measured.gradient_scaled[i],
        )  # fmt: skip
        rows.append((str(width), *(f"{number:.4g}" for number in numbers)))
        values |= {f"variance_{width}": numbers[0], f"peak_{width}": numbers[2], f"gradient_{width}": numbers[4]}
    return MeasuredTable(tuple(header), tuple(rows), ("right",) * 7, values)
