"""The three diagrams of the course on one page, small, from the same runs: look back, weigh, several heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from matplotlib.patches import Rectangle

from figures.canvas import LARGE, NORMAL, SMALL, Boxed, Canvas, Size, arrow, box, label, open_canvas, text_width
from figures.colours import (
    EXTRA,
    KEY,
    QUERY,
    VALUE,
    WARNING,
    WEIGHTS,
    Colour,
    hairline,
    ink,
    muted,
    ramp,
    signed,
    tint,
)
from figures.dependencies import each
from figures.diagrams.worked_example import WorkedExample, worked_example
from figures.exhibit import Exhibit
from figures.experiments.heads import TrainedReader, train_reader
from figures.experiments.sequences import AlignedSentence
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.heads import ROLES, shade
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words
from figures.matrices import Matrix, frame_row, matrix
from figures.numerals import shares

TEXT: Wording = {
    **ROLES,
    "title_1": ("① 回头看", "① look back"),
    "title_2": ("② 查询、键、值", "② query, key, value"),
    "title_3": ("③ 多头", "③ several heads"),
    "chapter_1": ("第 1–2 章", "ch. 1–2"),
    "chapter_2": ("第 3 章", "ch. 3"),
    "chapter_3": ("第 4 章", "ch. 4"),
    "say_1": ("不把整句压成一个向量，\n每写一步，现配一份上下文", "no single vector:\na context for each step"),
    "say_2": ("先打分，再遮盖、归一，\n最后按份额混合值", "score, mask, share out,\nthen mix the values"),
    "say_3": ("每个头都投影整个 X，\n各看各的，拼接后混合", "each head projects all of X;\nlay side by side, mix"),
    "squeezed": ("固定向量", "one vector"),
    "output": ("输出", "output"),
    "weights": ("权重", "weights"),
    "alt": (
        "三张小图：一，没有注意力时 {states} 个状态挤进一个向量，有注意力时“{token}”直接连回每个状态，最大权重 "
        "{strongest:.2f}；二，Q 乘 K 的转置得到 {T}×{T} 的权重（遮住 {hidden} 格），再乘 V 得到输出；三，整个 X "
        "送进 {heads} 个头，各有一张权重图，拼接后乘 W_O。",
        "Three small pictures: first, {states} states squeezed into one vector, and “{token}” joined to every state, "
        "the largest weight being {strongest:.2f}; second, Q times K transposed gives {T}×{T} weights ({hidden} "
        "masked), times V the output; third, all of X goes to {heads} heads with a map each, laid side by side and "
        "multiplied by W_O.",
    ),
}
FORMULAS = (
    r"$c_i = \sum_j \alpha_{ij}\, h_j$",
    r"$\mathrm{softmax}(QK^{\top} / \sqrt{d_k})\, V$",
    r"$[\mathrm{head}_1; \ldots; \mathrm{head}_h]\, W_O$",
)
COLOURS = (WARNING, QUERY, WEIGHTS)
FOLLOWED = 2
"""The query row that is framed in the second picture."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Where one picture may be drawn, in points."""

    left: float
    top: float
    width: float
    height: float


def summary(
    models: Annotated[tuple[TrainedTranslator, ...], each(train_translator, mechanism=("none", "additive"))],
    reader: Annotated[TrainedReader, train_reader],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The bottleneck and looking back, one scaled dot-product attention, and several heads, side by side."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 5.0))
    without, attending = (model.examples[0] for model in models)
    worked = worked_example()
    panels = [_panel(canvas, number, text) for number in range(3)]
    chosen = _draw_looking_back(canvas, panels[0], without, attending, text)
    _draw_attention(canvas, panels[1], worked, text)
    _draw_heads(canvas, panels[2], reader, text)
    assert attending.weights is not None
    facts: dict[str, Any] = {
        "states": len(attending.source),
        "token": attending.target[chosen],
        "strongest": float(attending.weights[chosen].max()),
        "T": len(worked.tokens),
        "hidden": int((~worked.mask).sum()),
        "heads": reader.num_heads,
    }
    values = facts | {
        "exact_without": models[0].quality.exact,
        "exact_with": models[1].quality.exact,
        "sentences": models[0].quality.sentences,
        "translator_steps": models[0].steps,
        "reader_steps": reader.steps,
        "least_accuracy": min(reader.accuracy),
    }
    return Exhibit(canvas.figure, text["alt"].format(**facts), values)


def _panel(canvas: Canvas, number: int, text: Mapping[str, str]) -> Panel:
    """The frame of a third: title and chapter above, formula and two lines below; what is left for the picture."""
    gap = 30.0 if canvas.wide else 14.0
    width = (canvas.width - 2 * gap) / 3
    left, step = number * (width + gap), f"step-{number + 1}"
    title, colour = text[f"title_{number + 1}"], COLOURS[number]
    if number:
        x = left - gap / 2
        canvas.axes.plot([x, x], [4, canvas.height - 4], color=hairline(), linewidth=0.8, label="_divider", gid=step)
    label(canvas, left, 9, title, size=LARGE, bold=True, colour=colour, align="left", gid=step)
    if canvas.wide:
        chapter = text[f"chapter_{number + 1}"]
        label(canvas, left + width, 9, chapter, size=SMALL, colour=muted(), align="right", gid=step)
    middle = left + width / 2
    label(canvas, middle, canvas.height - 52, FORMULAS[number], size=LARGE, colour=colour, gid=step)
    for line, said in enumerate(text[f"say_{number + 1}"].split("\n")):
        size = NORMAL if canvas.wide else SMALL
        label(canvas, middle, canvas.height - 27 + 17 * line, said, size=size, gid=step)
    return Panel(left, 24.0, width, canvas.height - 24 - 68)


def _draw_looking_back(
    canvas: Canvas, panel: Panel, without: AlignedSentence, attending: AlignedSentence, text: Mapping[str, str]
) -> int:
    """Above: all states through one vector. Below: one output token joined to every state; which one comes back."""
    assert attending.weights is not None
    half = (panel.height - 12) / 2
    upper = Panel(panel.left, panel.top, panel.width, half)
    lower = Panel(panel.left, panel.top + half + 12, panel.width, half)
    chosen = int(attending.weights.amax(-1).argmax())
    wrong = [
        place for place, pair in enumerate(zip(without.target, without.reference, strict=False)) if len({*pair}) > 1
    ]
    boxes, strips = _draw_ends(canvas, upper, without, wrong, WARNING)
    width, height = panel.width * 0.2, 10.0
    between = (boxes[0].get_y() + boxes[0].get_height() + strips[0].top) / 2
    vector = matrix(
        canvas, panel.left + (panel.width - width) / 2, between - height / 2, without.fixed_vector[None, :8],
        cell=(width / 8, height), colours=signed(WARNING), scale=(-1, 1), edge=WARNING, name="fixed vector",
        gid="step-1",
    )  # fmt: skip
    for strip in strips:
        _join(canvas, strip.outline, vector.outline, WARNING, 0.9, ("top", "bottom"))
    for one in boxes:
        _join(canvas, vector.outline, one, WARNING, 0.9, ("top", "bottom"))
    if canvas.wide:
        label(
            canvas, vector.right + 8, between, text["squeezed"], size=SMALL, colour=WARNING, bold=True, align="left",
            gid="step-1",
        ).set_bbox({"facecolor": "none", "edgecolor": "none", "pad": 1})  # fmt: skip
    boxes, strips = _draw_ends(canvas, lower, attending, [chosen], WEIGHTS)
    for strip, weight in zip(strips, attending.weights[chosen].tolist(), strict=True):
        _join(canvas, boxes[chosen], strip.outline, WEIGHTS, 0.8 + 5 * weight, ("bottom", "top"))
    return chosen


def _draw_ends(
    canvas: Canvas, panel: Panel, sentence: AlignedSentence, marked: Sequence[int], role: Colour
) -> tuple[list[Boxed], list[Matrix]]:
    """What was written on top, the states that were read at the foot."""
    own = [text_width(token, SMALL) + 2 for token in sentence.target]
    spare = (panel.width - sum(own)) / len(own)
    boxes: list[Boxed] = []
    left = panel.left
    for place, (token, room) in enumerate(zip(sentence.target, own, strict=True)):
        special = place in marked
        fill = role if special else tint(muted(), 0.1)
        boxes.append(
            box(
                canvas, left + 0.5, panel.top, room + spare - 1, 16, token, fill=fill,
                edge=role if special else muted(), line=1.0, bold=special, size=SMALL, name=f"output {token}",
                gid="step-1",
            )
        )  # fmt: skip
        left += room + spare
    pitch = panel.width / len(sentence.source)
    cell = (min(12.0, pitch * 0.6), min(6.0, panel.height / 20))
    top = panel.top + panel.height - 5 * cell[1]
    strips = [
        matrix(
            canvas, panel.left + pitch * (place + 0.5) - cell[0] / 2, top, state[:5, None], cell=cell,
            colours=signed(KEY), scale=(-1, 1), edge=KEY, name="state", gid="step-1",
        )
        for place, state in enumerate(sentence.encoder_states)
    ]  # fmt: skip
    return boxes, strips


def _join(canvas: Canvas, start: Boxed, end: Boxed, colour: Colour, line: float, sides: tuple[Any, Any]) -> None:
    arrow(canvas, start, end, sides=sides, colour=colour, line=line, alpha=0.7, head="none", gid="step-1")


def _draw_attention(canvas: Canvas, panel: Panel, worked: WorkedExample, text: Mapping[str, str]) -> None:
    """Products as one writes them by hand: the left factor beside the result, the right factor above it."""
    T, d = worked.q.shape
    gap = 16.0 if canvas.wide else 8.0
    side = (panel.width - 2 * gap - 2) / (T + 2 * d)
    high = min(side, (panel.height - 38) / (2 * T))
    top = panel.top + (panel.height - 2 * T * high - 38) / 2 + 16
    foot = top + T * high + 22
    lefts = (panel.left + 1, panel.left + 1 + d * side + gap, panel.left + 1 + (d + T) * side + 2 * gap)
    hidden = ~worked.mask.numpy()
    numbers = shares(worked.attention.weights) if side >= 20 else None
    drawn = {
        "Q": _block(canvas, lefts[0], foot, worked.q, QUERY, (side, high)),
        r"$K^{\top}$": _block(canvas, lefts[1], foot - 22 - d * high, worked.k.T, KEY, (side, high)),
        "V": _block(canvas, lefts[2], top, worked.v, VALUE, (side, high)),
        text["weights"]: matrix(
            canvas, lefts[1], foot, worked.attention.weights, cell=(side, high), colours=ramp(WEIGHTS), scale=(0, 1),
            written=numbers, hidden=hidden, edge=WEIGHTS, name="weights", gid="step-2",
        ),
        text["output"]: _block(canvas, lefts[2], foot, worked.attention.output, WEIGHTS, (side, high)),
    }  # fmt: skip
    roles = (QUERY, KEY, VALUE, WEIGHTS, WEIGHTS)
    for (name, part), role in zip(drawn.items(), roles, strict=True):
        label(
            canvas, part.middle[0], part.top - 9, name, size=SMALL, bold=True, colour=role, gid="step-2"
        )  # fmt: skip
    for name in ("Q", text["weights"], text["output"]):
        frame_row(canvas, drawn[name], FOLLOWED, colour=QUERY, gid="step-2")


def _block(canvas: Canvas, left: float, top: float, values: Any, role: Colour, cell: tuple[float, float]) -> Matrix:
    largest = float(values.abs().max())
    return matrix(
        canvas, left, top, values, cell=cell, colours=signed(role), scale=(-largest, largest), edge=role, name="matrix",
        gid="step-2",
    )  # fmt: skip


def _draw_heads(canvas: Canvas, panel: Panel, reader: TrainedReader, text: Mapping[str, str]) -> None:
    """All of X to every head, a map each, their outputs side by side, W_O, the output."""
    work, heads = reader.example, reader.num_heads
    T = len(work.tokens)
    lane = panel.height / heads
    side = (lane - (17 if canvas.wide else 6)) / T
    thin = panel.width / 75
    high = min(9.0, panel.height * 0.6 / T)
    top = panel.top + (panel.height - T * high) / 2
    scale = float(work.x.abs().max())
    x = matrix(
        canvas, panel.left + 1, top, work.x[:, :6], cell=(thin, high), colours=signed(muted()), scale=(-scale, scale),
        edge=muted(), name="X", gid="step-3",
    )  # fmt: skip
    label(canvas, x.middle[0], x.top - 9, "X", size=SMALL, bold=True, gid="step-3")
    joined = Rectangle((panel.left + panel.width * 0.57, top), 12 * thin, T * high)
    joined.set(facecolor="none", edgecolor=ink(), linewidth=1.2, gid="step-3", label="concatenated")
    for head in range(heads):
        role = shade(head, heads)
        y = panel.top + head * lane + (15 if canvas.wide else 3)
        drawn = matrix(
            canvas, panel.left + panel.width * 0.26, y, checked_weights(work.weights[head]), cell=(side, side),
            colours=ramp(WEIGHTS), scale=(0, 1), edge=role, name=f"head {head + 1}", gid="step-3",
        )  # fmt: skip
        arrow(canvas, x.outline, drawn.outline, gid="step-3")
        arrow(canvas, drawn.outline, joined, colour=role, gid="step-3")
        if canvas.wide:
            name = text[reader.roles[head]]
            label(canvas, drawn.left, y - 8, name, size=SMALL, bold=True, colour=role, align="left", gid="step-3")
        values = work.heads[head][:, :3]
        largest = float(values.abs().max())
        matrix(
            canvas, joined.get_x() + head * 3 * thin, top, values, cell=(thin, high), colours=signed(role),
            scale=(-largest, largest), edge=role, name=f"output of head {head + 1}", gid="step-3",
        )  # fmt: skip
    canvas.axes.add_artist(joined)
    width = 26.0 if canvas.wide else 22.0
    mixer = box(
        canvas, panel.left + panel.width * 0.835 - width / 2, top, width, T * high, "$W_O$", fill=tint(EXTRA, 0.12),
        edge=EXTRA, size=SMALL, rounded=True, name="W_O", gid="step-3",
    )  # fmt: skip
    largest = float(work.output.abs().max())
    output = matrix(
        canvas, panel.left + panel.width - 6 * thin * 0.8 - 1, top, work.output[:, :4], cell=(thin * 1.2, high),
        colours=signed(WEIGHTS), scale=(-largest, largest), edge=WEIGHTS, name="output", gid="step-3",
    )  # fmt: skip
    arrow(canvas, joined, mixer, gid="step-3")
    arrow(canvas, mixer, output.outline, gid="step-3")
