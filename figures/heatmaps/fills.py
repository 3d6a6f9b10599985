"""Why a mask writes −∞ over a score and not 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from figures.canvas import LARGE, SMALL, Canvas, Size, arrow, label, open_canvas
from figures.colours import EXTRA, KEY, VALUE, WARNING, WEIGHTS, muted, ramp, signed
from figures.exhibit import Exhibit
from figures.experiments.mask_fills import SCORES, MaskFill, measure_mask_fills
from figures.language import Wording, words
from figures.matrices import matrix
from figures.numerals import decimals, share

TEXT: Wording = {
    "zero": ("填 0：被遮住的键还拿走 {weight}", "filled with 0: the hidden key still takes {weight}"),
    "infinite": ("填 −∞：权重恰好是 0", "filled with −∞: its weight is exactly 0"),
    "scores": ("分数，第 {last} 个应遮住", "scores; number {last} is to be hidden"),
    "filled": ("填入以后", "filled"),
    "weights": ("softmax 权重", "softmax weights"),
    "key": ("键 {number}", "key {number}"),
    "alt": (
        "三个键的分数 {scores}，最后一个应遮住。填 0 时权重是 {zero}，被遮住的键还有 {leak}；填 −∞ 时是 {infinite}。",
        "Scores {scores} of three keys, the last to be hidden. Filled with 0 the weights are {zero} and the hidden key "
        "keeps {leak}; filled with −∞ they are {infinite}.",
    ),
}


def mask_fills(lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Scores, filled scores and weights of one row whose last key is masked, filled with 0 and with −∞."""
    by_fill = {fill.fill: fill for fill in measure_mask_fills()}
    zero, infinite = by_fill[0.0], by_fill[-math.inf]
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, zero, infinite, text)
    facts = {
        "scores": ", ".join(decimals(score) for score in SCORES),
        "zero": ", ".join(share(weight, 4) for weight in zero.weights),
        "infinite": ", ".join(share(weight, 4) for weight in infinite.weights),
        "leak": share(zero.weights[-1], 4),
    }
    values: dict[str, Any] = {"scores": list(SCORES)}
    for name, fill in (("zero", zero), ("infinite", infinite)):
        values |= {name: list(fill.weights), f"{name}_hidden": fill.weights[-1], f"{name}_first": fill.weights[0]}
    return Exhibit(canvas.figure, text["alt"].format(**facts), values)


def _draw(canvas: Canvas, zero: MaskFill, infinite: MaskFill, text: Mapping[str, str]) -> None:
    count = len(SCORES)
    gap = 40.0
    cell = (min(64.0, (canvas.width - 2 * gap - 4) / (3 * count)), min(40.0, canvas.height / 2 - 70))
    left = (canvas.width - 3 * count * cell[0] - 2 * gap) / 2
    columns = [left + number * (count * cell[0] + gap) for number in range(3)]
    for lane, (name, fill, role) in enumerate((("zero", zero, WARNING), ("infinite", infinite, VALUE))):
        step = f"step-{lane + 1}"
        top = lane * canvas.height / 2 + (canvas.height / 2 - 52 - cell[1]) / 2 + 46
        title = text[name].format(weight=share(fill.weights[-1], 4))
        label(canvas, left, top - 36, title, size=LARGE, bold=True, colour=role, align="left", gid=step)
        filled = (*SCORES[:-1], fill.fill)
        written = [*map(decimals, SCORES[:-1]), "−∞" if math.isinf(fill.fill) else decimals(fill.fill)]
        shown = (*SCORES[:-1], 0.0)  # neither filling is a score: no colour
        weights = [share(weight, 4) if weight else "0" for weight in fill.weights]
        steps = (
            ("scores", SCORES, [*map(decimals, SCORES)], signed(EXTRA), (-max(SCORES), max(SCORES))),
            ("filled", shown, written, signed(EXTRA), (-max(SCORES), max(SCORES))),
            ("weights", fill.weights, weights, ramp(WEIGHTS), (0.0, 1.0)),
        )
        drawn = []
        for x, (part, values, labels, colours, scale) in zip(columns, steps, strict=True):
            drawn.append(
                matrix(canvas, x, top, values, cell=cell, colours=colours, scale=scale, written=[labels], gid=step)
            )
            subtitle = text[part].format(last=len(filled))
            label(canvas, x, top - 12, subtitle, size=SMALL, colour=muted(), align="left", gid=step)
        for number, place in enumerate(drawn[0].cells[0], start=1):
            centre = place.get_x() + cell[0] / 2
            key = text["key"].format(number=number)
            label(canvas, centre, drawn[0].bottom + 10, key, size=SMALL, colour=KEY, gid=step)
        arrow(canvas, drawn[0].outline, drawn[1].outline, gid=step)
        arrow(canvas, drawn[1].outline, drawn[2].outline, gid=step)
        drawn[2].cells[0][-1].set(edgecolor=role, linewidth=2.4, zorder=3)
