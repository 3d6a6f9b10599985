"""Dropout on attention weights: single cells vanish, the others grow, and rows no longer add up to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import torch
from torch import Generator, Tensor

from figures.attention import drop_weights, scaled_dot_product_attention
from figures.canvas import LARGE, SMALL, Canvas, Size, label, open_canvas
from figures.colours import WARNING, WEIGHTS, muted, ramp
from figures.exhibit import Exhibit
from figures.experiments.dropout import DropoutFacts, measure_dropout
from figures.heatmaps.weight_map import write_tokens
from figures.language import Wording, words
from figures.matrices import matrix
from figures.numerals import decimals, shares

TEXT: Wording = {
    "before": ("softmax 之后", "after softmax"),
    "after": ("dropout 之后（p = {p:g}）", "after dropout (p = {p:g})"),
    "sum": ("行和", "row sum"),
    "note": ("0 = 这次被扔掉；其余乘 {factor:.2f}", "0 = dropped this time; the rest × {factor:.2f}"),
    "alt": (
        "“{tokens}”的注意力权重，dropout 前后并排，p = {p:g}。{cells} 个权重里扔掉 {dropped} 个，其余乘 "
        "{factor:.2f}；行和从全是 1 变成 {sums}。",
        "Attention weights over “{tokens}” before and after dropout with p = {p:g}: {dropped} of {cells} weights "
        "are dropped, the rest grow by {factor:.2f}; row sums, all 1 before, are {sums}.",
    ),
}


def dropped_weights(
    facts: Annotated[DropoutFacts, measure_dropout],
    tokens: tuple[str, ...] = ("床", "前", "明", "月", "光"),
    probability: float = 0.3,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """One matrix of weights over random vectors before and after dropout, with the sums of its rows."""
    generator = Generator().manual_seed(seed)
    q, k = torch.randn(2, len(tokens), 16, generator=generator)
    before = scaled_dot_product_attention(q, k, k).weights
    after = drop_weights(before, probability, generator)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, before, after, tokens, probability, text)
    sums = after.sum(-1).tolist()
    gone = after == 0
    said: dict[str, Any] = {
        "p": probability,
        "cells": gone.numel(),
        "dropped": int(gone.sum()),
        "factor": 1 / (1 - probability),
    }
    values = {
        **said,
        "row_sums": sums,
        "whole_columns": int(gone.all(0).sum()),
        "many_p": facts.p,
        "lowest": facts.row_sum_lowest,
        "mean": facts.row_sum_mean,
        "highest": facts.row_sum_highest,
        "draws": facts.draws,
        "bias": facts.bias,
        "column_p": facts.column_p,
        "weights": facts.weights,
        "weights_dropped": facts.dropped,
        "columns": facts.columns,
        "columns_dropped": facts.columns_dropped,
    }
    listed = ", ".join(decimals(total, 2) for total in sums)
    return Exhibit(canvas.figure, text["alt"].format(tokens=" ".join(tokens), sums=listed, **said), values)


def _draw(
    canvas: Canvas, before: Tensor, after: Tensor, tokens: Sequence[str], p: float, text: Mapping[str, str]
) -> None:
    """Two matrices side by side where there is room for their numbers, else one below the other."""
    T = len(tokens)
    beside = canvas.width / canvas.height > 1.2
    parts = (canvas.width / 2, canvas.height) if beside else (canvas.width, canvas.height / 2)
    side, head, sums, foot = 26.0, 48.0, 46.0, 22.0
    cell = min((parts[0] - side - sums - 6) / T, (parts[1] - head - foot) / T, 46.0)
    for number, (name, weights) in enumerate((("before", before), ("after", after))):
        left, top = (number * parts[0], 0.0) if beside else (0.0, number * parts[1])
        x = left + side + (parts[0] - side - sums - T * cell) / 2
        y = top + head + (parts[1] - head - foot - T * cell) / 2
        step = f"step-{number + 1}"
        written = [["0" if w == 0 else s for w, s in zip(row, line, strict=True)]
                   for row, line in zip(weights.tolist(), shares(weights), strict=True)]  # fmt: skip
        drawn = matrix(
            canvas, x, y, weights, cell=(cell, cell), colours=ramp(WEIGHTS), scale=(0, 1), written=written,
            edge=WEIGHTS if name == "before" else WARNING, name=name, gid=step,
        )  # fmt: skip
        write_tokens(canvas, drawn, tokens, tokens, gid=step)
        title = text[name].format(p=p)
        label(canvas, drawn.middle[0], y - 36, title, size=LARGE, bold=True, gid=step)
        right = drawn.right + 10
        label(canvas, right, y - 11, text["sum"], size=SMALL, colour=muted(), align="left", gid=step)
        for row, total in enumerate(weights.sum(-1).tolist()):
            colour = muted() if name == "before" else WARNING
            place = y + (row + 0.5) * cell
            label(canvas, right, place, decimals(total, 2), bold=True, colour=colour, align="left", gid=step)
        if name == "after":
            note = text["note"].format(factor=1 / (1 - p))
            label(canvas, drawn.middle[0], drawn.bottom + 13, note, size=SMALL, colour=muted(), gid=step)
