"""What a toy task reveals of a faulty attention, and what it hides."""

from __future__ import annotations

from typing import Annotated, Any

from figures.exhibit import MeasuredTable
from figures.experiments.injected_bugs import BugTable, measure_bugs
from figures.language import Wording, words
from figures.numerals import decimals

TEXT: Wording = {
    "bug": ("代码里的错", "bug"),
    "digit": ("数字在不在", "does the digit occur"),
    "weight": ("数字上的权重", "weight on the digit"),
    "recall": ("联想回忆", "associative recall"),
    "difference": ("与 torch 相差", "difference from torch"),
    "none": ("没有错", "none"),
    "no scale": ("没有缩放", "no scaling"),
    "times √d": ("乘 √d 而不是除", "times √d, not over it"),
    "no mask": ("没有遮盖", "no mask"),
    "fill -1e-9": ("填 −1e−9（少了个零）", "filled with −1e−9"),
    "mask inverted": ("遮盖反了", "mask inverted"),
    "softmax over queries": ("softmax 维度错", "softmax over queries"),
    "uniform weights": ("权重一律均匀", "uniform weights"),
    "weights transposed": ("权重转置", "weights transposed"),
    "k as v": ("把 K 当 V", "K used as V"),
    "context dropped": ("没用上下文", "context dropped"),
}
REVEALED = 0.05
"""An accuracy this far below that of the right code counts as noticed."""


def injected_bugs(table: Annotated[BugTable, measure_bugs], lang: str = "zh") -> MeasuredTable:
    """Ten bugs and the right code on a toy task, on a stricter one, and against torch's own function."""
    text = words(TEXT, lang)
    right = table.reports[0]
    rows = []
    values: dict[str, Any] = {
        "steps": table.steps,
        "digit_chance": table.digit_chance,
        "recall_chance": table.recall_chance,
        "bugs": len(table.reports) - 1,
        "digit_reveals": 0,
        "recall_reveals": 0,
        "torch_reveals": 0,
    }
    for report in table.reports:
        noticed = {
            "digit": report.digit_accuracy < right.digit_accuracy - REVEALED,
            "recall": report.recall_accuracy < right.recall_accuracy - REVEALED,
            "torch": report.difference > 1e-4,
        }
        rows.append(
            (
                text[report.bug],
                _marked(f"{report.digit_accuracy:.1%}", noticed["digit"]),
                decimals(report.digit_weight, 2),
                _marked(f"{report.recall_accuracy:.1%}", noticed["recall"]),
                _marked(f"{report.difference:.1g}", noticed["torch"]),
            )
        )
        values |= {f"{check}_reveals": values[f"{check}_reveals"] + seen for check, seen in noticed.items()}
        name = report.bug.replace(" -", " minus ").replace(" ", "_").replace("-", "_").replace("√", "root_")
        values |= {f"{name}_digit": report.digit_accuracy, f"{name}_recall": report.recall_accuracy}
        values |= {f"{name}_weight": report.digit_weight, f"{name}_difference": report.difference}
    header = tuple(text[name] for name in ("bug", "digit", "weight", "recall", "difference"))
    return MeasuredTable(header, tuple(rows), ("left", "right", "right", "right", "right"), values)


def _marked(written: str, noticed: bool) -> str:
    """Bold where the bug shows."""
    return f"**{written}**" if noticed else written
