"""One query, four keys: scores become weights, weights mix values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from figures.canvas import SMALL, Canvas, Size, box, label, open_canvas
from figures.colours import EXTRA, KEY, QUERY, VALUE, WEIGHTS, hairline, muted, signed, tint
from figures.diagrams.worked_example import WorkedExample, worked_example
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.matrices import matrix
from figures.numerals import decimals, grid, listed, share

TEXT: Wording = {
    "query": ("查询 q：“{token}”", "query q: “{token}”"),
    "key": ("键", "key"),
    "score": ("① 分数 q·k/√{d_k}", "① score q·k/√{d_k}"),
    "weight": ("② 权重", "② weight"),
    "value": ("③ 值 v", "③ value v"),
    "mixed": ("④ 权重 × v", "④ weight × v"),
    "sum": ("相加", "sum"),
    "alt": (
        "一个查询“{token}”对 {T} 个键的加权求和：分数 {scores}，softmax 后权重 {weights}，和为 {total}；"
        "权重乘各自的值再相加，得到 [{output}]。",
        "One query “{token}” against {T} keys as a weighted sum: scores {scores}, weights after softmax {weights}, "
        "in all {total}; each weight times its value, added up: [{output}].",
    ),
}
HEAD = 44.0


def weighted_sum(
    tokens: tuple[str, ...] = ("我", "爱", "读", "书"),
    query: int = 3,
    example: int = 2318,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The last query of the worked example, which sees every key: its scores, its weights, and the values it mixes."""
    worked = worked_example(tokens, example=example)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, worked, query, text)
    weights, scores = worked.attention.weights[query], worked.attention.scores[query]
    output = worked.attention.output[query]
    facts = {
        "token": worked.tokens[query],
        "T": len(tokens),
        "scores": listed(scores.tolist()),
        "weights": listed(weights.tolist()),
        "total": decimals(float(weights.sum()), 2),
        "output": listed(output.tolist()),
    }
    values: dict[str, Any] = {
        "query": worked.tokens[query],
        "scores": scores.tolist(),
        "weights": weights.tolist(),
        "weight_sum": float(weights.sum()),
        "strongest": worked.tokens[int(weights.argmax())],
        "strongest_weight": float(weights.max()),
        "output": output.tolist(),
    }
    return Exhibit(canvas.figure, text["alt"].format(**facts), values)


def _draw(canvas: Canvas, worked: WorkedExample, query: int, text: Mapping[str, str]) -> None:
    T = len(worked.tokens)
    pitch = min(48.0, (canvas.height - HEAD - 4) / (T + 1))
    top = HEAD + (canvas.height - HEAD - pitch * (T + 1)) / 2
    columns = _columns(canvas)
    scores, weights = worked.attention.scores[query], worked.attention.weights[query]
    mixed = weights[:, None] * worked.v
    label(canvas, 2, top - 32, text["query"].format(token=worked.tokens[query]), bold=True, colour=QUERY, align="left")
    for name, colour in (("key", KEY), ("score", EXTRA), ("weight", WEIGHTS), ("value", VALUE), ("mixed", WEIGHTS)):
        title = text[name].format(d_k=worked.q.shape[-1])
        step = _STEPS.get(name)
        label(canvas, columns[name], top - 10, title, bold=True, colour=colour, align="left", gid=step)
    for row, token in enumerate(worked.tokens):
        middle = top + (row + 0.5) * pitch
        box(canvas, 2, middle - 13, 26, 26, token, fill=tint(KEY, 0.14), edge=KEY, name=f"key {token}")
        _score_bar(canvas, columns["score"], middle, scores, row)
        _weight_bar(canvas, columns["weight"], middle, float(weights[row]), columns["value"] - columns["weight"] - 24)
        _values(canvas, columns["value"], middle, worked.v[row], VALUE, float(worked.v.abs().max()), 1, "step-3")
        _values(canvas, columns["mixed"], middle, mixed[row], WEIGHTS, float(mixed.abs().max()), 2, "step-4")
    line = top + T * pitch + 2
    canvas.axes.plot([2, columns["mixed"] + 3 * 34], [line, line], color=hairline(), linewidth=1.0, label="_line")
    middle = top + (T + 0.5) * pitch + 2
    total = f"{decimals(float(weights.sum()), 2)}"
    label(canvas, 2, middle, text["sum"], bold=True, align="left")
    x = columns["value"] - 24 - 30 + 5
    label(canvas, x, middle, total, bold=True, colour=WEIGHTS, align="left", gid="step-2")
    output = worked.attention.output[query]
    _values(canvas, columns["mixed"], middle, output, WEIGHTS, float(output.abs().max()), 2, "step-4")


_STEPS = {"score": "step-1", "weight": "step-2", "value": "step-3", "mixed": "step-4"}


def _columns(canvas: Canvas) -> dict[str, float]:
    """Left edges, the weights taking what room there is."""
    mixed = canvas.width - 3 * 34 - 4
    value = mixed - 3 * 30 - 22
    return {"key": 2.0, "score": 46.0, "weight": 46 + 2 * _reach(canvas) + 56, "value": value, "mixed": mixed}


def _reach(canvas: Canvas) -> float:
    """Length of the longest score bar."""
    return 84.0 if canvas.wide else 34.0


def _score_bar(canvas: Canvas, x: float, middle: float, scores: Tensor, row: int) -> None:
    """A score as its number and a bar to the right or left of a common zero."""
    largest = float(scores.abs().max())
    reach, score = _reach(canvas), float(scores[row])
    zero = x + reach
    width = reach * abs(score) / largest
    left = zero if score >= 0 else zero - width
    canvas.axes.plot(
        [zero, zero], [middle - 12, middle + 12], color=hairline(), linewidth=0.8, label="_zero", gid="step-1"
    )
    box(canvas, left, middle - 7, width, 14, fill=EXTRA if score >= 0 else muted(), name="score", gid="step-1")
    label(canvas, x + 2 * reach + 4, middle, decimals(score, 2), size=SMALL, align="left", gid="step-1")


def _weight_bar(canvas: Canvas, x: float, middle: float, weight: float, room: float) -> None:
    """A weight as a bar whose full length is 1, and its number."""
    length = room - 30
    box(canvas, x, middle - 7, length, 14, edge=hairline(), line=0.8, name="whole", gid="step-2")
    box(canvas, x, middle - 7, length * weight, 14, fill=WEIGHTS, name="weight", gid="step-2")
    label(canvas, x + length + 5, middle, share(weight), bold=True, colour=WEIGHTS, align="left", gid="step-2")


def _values(
    canvas: Canvas, x: float, middle: float, row: Tensor, role: str, largest: float, places: int, gid: str
) -> None:
    """A row vector with its numbers."""
    width = 30.0 if places == 1 else 34.0
    matrix(
        canvas, x, middle - 10, row, cell=(width, 20), colours=signed(role), scale=(-largest, largest),
        written=grid(row, places), edge=role, name="vector", gid=gid,
    )  # fmt: skip
