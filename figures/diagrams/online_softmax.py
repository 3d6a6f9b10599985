"""Softmax in blocks: a running maximum and a running sum give the same weights without the whole row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from figures.canvas import LARGE, SMALL, Boxed, Canvas, Size, arrow, box, label, open_canvas
from figures.colours import EXTRA, VALUE, WEIGHTS, muted, signed, tint
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.matrices import matrix
from figures.numerals import decimals, grid, scientific, shares

TEXT: Wording = {
    "block": ("第 {number} 块", "block {number}"),
    "top": ("目前最大 m = {top}", "so far max m = {top}"),
    "sum": ("目前总和 ℓ = {total}", "so far sum ℓ = {total}"),
    "shrink": ("旧总和 × {factor}", "old sum × {factor}"),
    "start": ("从 0 开始", "from 0"),
    "weights": ("权重 exp(e − m) / ℓ，和为 {total}", "weights exp(e − m) / ℓ, in all {total}"),
    "same": ("与整行 softmax 最多差 {difference}", "off the softmax by {difference}"),
    "alt": (
        "在线 softmax：{count} 个分数 {scores} 分成 {blocks} 块依次读入，"
        "每块后更新最大值（{tops}）和总和（{sums}），旧的总和按最大值的变化缩小；最后的权重与整行 softmax 最多差 "
        "{difference:.0e}。",
        "Online softmax: {count} scores {scores} read in {blocks} blocks; after each the maximum ({tops}) and the "
        "sum ({sums}) are updated, the old sum shrunk by the change of the maximum; the final weights differ from "
        "the whole softmax by at most {difference:.0e}.",
    ),
}
SCORES = (1.0, 2.0, 0.5, 3.0, -1.0, 2.5)


@dataclass(frozen=True, slots=True)
class Stage:
    """After one block: its scores, the maximum and the sum so far, and what the old sum was multiplied with."""

    scores: Tensor
    top: float
    total: float
    shrink: float


def online_softmax(
    scores: tuple[float, ...] = SCORES, block: int = 2, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """One row of scores in blocks (Milakov and Gimelshein 2018), with its running numbers and the final weights."""
    row = torch.tensor(scores, dtype=torch.double)
    stages = stages_of(row, block)
    weights = (row - stages[-1].top).exp() / stages[-1].total
    difference = float((weights - row.softmax(-1)).abs().max())
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 3.3))
    _draw(canvas, stages, weights, difference, text)
    tops, sums = [stage.top for stage in stages], [stage.total for stage in stages]
    facts: dict[str, Any] = {
        "count": len(scores),
        "blocks": len(stages),
        "scores": ", ".join(map(decimals, scores)),
        "tops": ", ".join(map(decimals, tops)),
        "sums": ", ".join(decimals(total, 3) for total in sums),
        "difference": difference,
    }
    values = {**facts, "tops": tops, "sums": sums, "weights": weights.tolist(), "shrink": [s.shrink for s in stages]}
    return Exhibit(canvas.figure, text["alt"].format(**facts), values)


def stages_of(row: Tensor, block: int) -> list[Stage]:
    """Read the row block by block."""
    top, total = float("-inf"), 0.0
    stages = []
    for part in torch.split(row, block):
        new_top = max(top, float(part.max()))
        shrink = math.exp(top - new_top)
        total = total * shrink + float((part - new_top).exp().sum())
        top = new_top
        stages.append(Stage(part, top, total, shrink))
    return stages


def _draw(canvas: Canvas, stages: Sequence[Stage], weights: Tensor, difference: float, text: Mapping[str, str]) -> None:
    """One column a block from left to right, arrows between the running numbers, the weights below."""
    count = len(stages)
    gap = 44.0 if canvas.wide else 22.0
    width = (canvas.width - gap * (count - 1) - 4) / count
    pitch = min(1.5, max(1.0, (canvas.height - 8) / 176))  # more air where there is more height
    top = (canvas.height - 172 * pitch) / 2
    cell = (min(52.0, width / len(stages[0].scores)), 26.0)
    boxes = []
    for number, stage in enumerate(stages):
        x, step = 2 + number * (width + gap), f"step-{number + 1}"
        title = text["block"].format(number=number + 1)
        label(canvas, x, top + 8 * pitch, title, size=LARGE, bold=True, align="left", gid=step)
        note = text["start"] if number == 0 else text["shrink"].format(factor=decimals(stage.shrink, 3))
        label(canvas, x + width, top + 8 * pitch, note, size=SMALL, colour=muted(), align="right", gid=step)
        matrix(
            canvas, x, top + 20 * pitch, stage.scores, cell=cell, colours=signed(EXTRA), scale=(-4, 4),
            written=grid(stage.scores), edge=EXTRA, name=title, gid=step,
        )  # fmt: skip
        high = text["top"].format(top=decimals(stage.top))
        low = text["sum"].format(total=decimals(stage.total, 3))
        boxes.append(
            (
                _running(canvas, x, top + 53 * pitch, width, high, EXTRA, step),
                _running(canvas, x, top + 86 * pitch, width, low, WEIGHTS, step),
            )
        )
    for number, (one, other) in enumerate(pairwise(boxes), start=2):
        for before, after in zip(one, other, strict=True):
            arrow(canvas, before, after, gid=f"step-{number}")
    _draw_weights(canvas, top + 138 * pitch, weights, difference, f"step-{count + 1}", cell, text)


def _draw_weights(
    canvas: Canvas,
    y: float,
    weights: Tensor,
    difference: float,
    gid: str,
    cell: tuple[float, float],
    text: Mapping[str, str],
) -> None:
    """The final weights, and beside or below them how far they are from those of the whole row."""
    title = text["weights"].format(total=decimals(float(weights.sum()), 2))
    label(canvas, 2, y - 10, title, size=LARGE, bold=True, colour=WEIGHTS, align="left", gid=gid)
    drawn = matrix(
        canvas, 2, y + 2, weights, cell=cell, colours=signed(WEIGHTS), scale=(-1, 1), written=shares(weights),
        edge=WEIGHTS, name="weights", gid=gid,
    )  # fmt: skip
    same = text["same"].format(difference=scientific(difference))
    label(canvas, drawn.right + 12, y + 15, same, size=SMALL, colour=VALUE, align="left", gid=gid)


def _running(canvas: Canvas, x: float, y: float, width: float, written: str, role: str, gid: str) -> Boxed:
    return box(
        canvas,
        x,
        y,
        width,
        26,
        written,
        fill=tint(role, 0.12),
        edge=role,
        size=SMALL,
        rounded=True,
        name=written,
        gid=gid,
    )
