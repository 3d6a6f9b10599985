"""Associative recall: each question beside the pairs of its sequence, tinted by the weight that it gave them."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import SMALL, Canvas, Size, box, label, open_canvas
from figures.colours import KEY, QUERY, VALUE, WARNING, WEIGHTS, muted, ramp, tint
from figures.exhibit import Exhibit
from figures.experiments.recall import Question, RecallReport, measure_recall
from figures.heatmaps.weight_map import checked_weights, outline_cells
from figures.language import Wording, words
from figures.matrices import matrix

TEXT: Wording = {
    "question": ("问", "asks"),
    "pairs": ("键→值", "key→value"),
    "answer": ("答", "answer"),
    "note": ("颜色越深，权重越大；绿框是该看的那一对", "the darker, the more weight; green: the right pair"),
    "alt": (
        "联想回忆：{count} 个序列，每行左边是问题里的键，中间是各对“键→值”，按权重着色，右边是答案。"
        "最大权重落在正确那一对上的比例是 {looked:.1%}，答对 {accuracy:.1%}。",
        "Associative recall: {count} sequences, each with the key in question, its pairs key→value tinted by weight, "
        "and the answer. The strongest weight is on the right pair in {looked:.1%}, the answer is right in "
        "{accuracy:.1%}.",
    ),
}


def recall(report: Annotated[RecallReport, measure_recall], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """The first new sequences that a trained reader is asked about."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 3.6))
    most = max(len(question.pairs) for question in report.questions)
    cell = min(44.0, (canvas.width - 8) / (most + 3.1))
    lane = min(44.0, (canvas.height - 44) / len(report.questions))
    left = (canvas.width - cell * (most + 3.1)) / 2
    head = (canvas.height - 22 - lane * len(report.questions)) / 2 + 2
    starts = {"question": left, "pairs": left + 1.4 * cell, "answer": left + (most + 2.1) * cell}
    for name, colour in (("question", QUERY), ("pairs", KEY), ("answer", VALUE)):
        at = starts[name] + (0.5 * cell if name != "pairs" else most * cell / 2)
        label(canvas, at, head - 4, text[name], bold=True, colour=colour)
    for number, question in enumerate(report.questions):
        _draw(canvas, question, starts, head + 8 + number * lane, (cell, min(30.0, lane - 6)))
    label(canvas, canvas.width / 2, canvas.height - 9, text["note"], size=SMALL, colour=muted())
    values: dict[str, Any] = {
        "seed": report.seed, "steps": report.steps, "sequences": report.sequences, "accuracy": report.accuracy,
        "looked": report.looked, "weight": report.weight, "uniform": report.uniform, "chance": report.chance,
    }  # fmt: skip
    alt = text["alt"].format(count=len(report.questions), looked=report.looked, accuracy=report.accuracy)
    return Exhibit(canvas.figure, alt, values)


def _draw(canvas: Canvas, question: Question, starts: dict[str, float], top: float, cell: tuple[float, float]) -> None:
    """One sequence: the question, its pairs, the answer in green where it is right."""
    weights = checked_weights(question.weights)[:, 1:]
    width, height = cell
    box(canvas, starts["question"], top, width, height, str(question.key), fill=tint(QUERY, 0.14), edge=QUERY)
    written = [[f"{key}→{value}" for key, value in question.pairs]]
    drawn = matrix(
        canvas, starts["pairs"], top, weights, cell=cell, colours=ramp(WEIGHTS), scale=(0, 1), written=written,
        edge=muted(), name="weights",
    )  # fmt: skip
    outline_cells(canvas, drawn, [[question.place]])
    role = VALUE if question.answered == question.right else WARNING
    box(canvas, starts["answer"], top, width, height, str(question.answered), fill=tint(role, 0.14), edge=role)
