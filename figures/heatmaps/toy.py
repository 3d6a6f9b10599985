"""The toy task in one map: whether the digit occurs, and whether the attention lies on it."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import SMALL, Size, label, open_canvas
from figures.colours import VALUE, muted
from figures.exhibit import Exhibit
from figures.experiments.injected_bugs import DIGIT, BugTable, measure_bugs
from figures.heatmaps.weight_map import Area, draw_weight_map, outline_cells
from figures.language import Wording, words

TEXT: Wording = {
    "keys": ("键", "keys"),
    "queries": ("查询", "queries"),
    "note": (
        "绿框：数字 {digit}；平均 {inside:.0%} 的权重在上面（均匀是 {uniform:.0%}）",
        "green: digit {digit}; {inside:.0%} of the weight on it (uniform {uniform:.0%})",
    ),
    "alt": (
        "玩具任务“数字 {digit} 在不在”的自注意力热力图，序列 {tokens}：每个查询平均把 {inside:.0%} 的权重放在 "
        "{digit} 上，均匀时是 {uniform:.0%}。",
        "Self-attention map of the toy task “does digit {digit} occur”, sequence {tokens}: the queries put "
        "{inside:.0%} of their weight on the {digit}; uniform would be {uniform:.0%}.",
    ),
}


def toy(table: Annotated[BugTable, measure_bugs], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """The weights of the right code on one sequence, with the digit in question framed."""
    text = words(TEXT, lang)
    tokens = table.example_tokens
    places = [position for position, token in enumerate(tokens) if token == str(DIGIT)]
    weights = table.example_weights
    inside = float(weights[:, places].sum(-1).mean())
    facts: dict[str, Any] = {
        "seed": table.seed,
        "steps": table.steps,
        "digit": DIGIT,
        "tokens": "".join(tokens),
        "inside": inside,
        "uniform": len(places) / len(tokens),
        "digit_accuracy": table.reports[0].digit_accuracy,
        "digit_weight": table.reports[0].digit_weight,
    }
    canvas = open_canvas(size, (7.0, 4.6))
    area = Area(0, 2, canvas.width, canvas.height - 22)
    drawn = draw_weight_map(canvas, area, weights, tokens, tokens, names=(text["queries"], text["keys"]))
    outline_cells(canvas, drawn, [places] * len(tokens), colour=VALUE)
    note = text["note"].format(**facts)
    label(canvas, canvas.width / 2, canvas.height - 9, note, size=SMALL, colour=muted())
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)
