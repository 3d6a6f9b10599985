"""Diagram 3: the whole input to every head, each head with a map of its own, their outputs side by side, W_O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import LARGE, NORMAL, SMALL, Canvas, Size, arrow, box, brace, label, open_canvas
from figures.colours import EXTRA, WEIGHTS, Colour, ink, muted, ramp, signed, tint
from figures.exhibit import Exhibit
from figures.experiments.heads import HeadsAtWork, TrainedReader, train_reader
from figures.heads import ROLES, role_share, shade
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words
from figures.matrices import Matrix, matrix
from figures.numerals import share

SHOWN = 8
"""Components of x and of the output that are drawn."""
SHOWN_OF_HEAD = 4
"""Components of each head's output that are drawn."""

TEXT: Wording = {
    **ROLES,
    "input": ("整个 X", "all of X"),
    "fan": ("每个头投影{}整个 X，不是切片", "each head projects{} all of X"),
    "concat": ("拼接", "concatenate"),
    "output": ("输出", "output"),
    "axes": ("行是查询，列是键", "rows: queries, columns: keys"),
    "alt": (
        "多头注意力：{T} 个字“{tokens}”的整个 X（{d_model} 维）送进 {h} 个头，各自投影到 {d_k} 维。训练好的模型里："
        "{heads}。{h} 段输出沿 {d_model} 维拼接，再乘 W_O 得到输出。",
        "Multi-head attention: all of X, {T} tokens “{tokens}” of {d_model} numbers, goes to {h} heads that project "
        "it to {d_k} each. In the trained model: {heads}. The {h} outputs are laid side by side along {d_model} and "
        "multiplied by W_O.",
    ),
    "one": ("头 {number} {role}（权重 {share}）", "head {number}: {role} (weight {share})"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Left edges of what stands from left to right, and the sizes of cells, in points."""

    x: float
    project: float
    project_width: float
    map: float
    strip: float
    concat: float
    w_o: float
    w_o_width: float
    output: float
    cell: float
    """Width of the cells of x, of a head and of the output."""
    row: float
    """Height of the rows of x, of the concatenation and of the output."""
    side: float
    """Side of the cells of a map."""
    lane: float
    """Height for each head."""


def multi_head(model: Annotated[TrainedReader, train_reader], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """One sentence through a trained layer of several heads, every matrix from the same pass."""
    work = model.example
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 5.0))
    columns = _columns(canvas, len(work.tokens), model.num_heads)
    x = _draw_input(canvas, columns, work, text)
    strips = [_draw_head(canvas, columns, model, head, x, text) for head in range(model.num_heads)]
    joined = _draw_concatenation(canvas, columns, work, strips, text)
    _draw_output(canvas, columns, work, joined, text)
    label(
        canvas, canvas.width - 4, canvas.height - 4, text["axes"], size=SMALL, colour=muted(), align="right",
        anchor="bottom", gid="step-2",
    )  # fmt: skip
    return Exhibit(canvas.figure, _describe(model, text, lang), _values(model))


def _columns(canvas: Canvas, T: int, heads: int) -> Columns:
    lane = canvas.height / heads
    side = (lane - 22) / T
    if canvas.wide:
        row = min(13.0, (canvas.height - 110) / T)
        return Columns(22, 150, 76, 268, 398, 492, 672, 48, 768, 9.0, row, side, lane)
    return Columns(18, 94, 34, 150, 226, 284, 398, 26, 446, 6.0, 12.6, side, lane)


def _draw_input(canvas: Canvas, columns: Columns, work: HeadsAtWork, text: Mapping[str, str]) -> Matrix:
    """X in the middle of the left edge, its tokens beside it."""
    drawn = _signed(canvas, columns, columns.x, work.x[:, :SHOWN], muted(), "X", "step-1")
    _title(canvas, drawn, text["input"], "step-1")
    for row, token in enumerate(work.tokens):
        label(canvas, drawn.left - 10, drawn.top + (row + 0.5) * columns.row, token, size=SMALL, gid="step-1")
    _shape(canvas, drawn, r"$[T, d_{model}]$", "step-1")
    note = text["fan"].format("" if canvas.wide else "\n")
    label(canvas, 2, canvas.height - 4, note, size=SMALL, colour=muted(), align="left", anchor="bottom", gid="step-1")
    return drawn


def _draw_head(
    canvas: Canvas, columns: Columns, model: TrainedReader, head: int, x: Matrix, text: Mapping[str, str]
) -> Matrix:
    """One lane: the projections of the whole input, the map of weights with its role, the head's output."""
    role, work = shade(head, model.num_heads), model.example
    top = head * columns.lane + 17
    height = columns.side * len(work.tokens)
    number = head + 1
    written = rf"$W_Q^{number}\ W_K^{number}\ W_V^{number}$" if canvas.wide else rf"$W^{number}$"
    y = top + height / 2 - 14
    project = box(
        canvas, columns.project, y, columns.project_width, 28, written, fill=tint(role, 0.12), edge=role, size=SMALL,
        rounded=True, name=f"projections of head {number}", gid="step-1",
    )  # fmt: skip
    arrow(canvas, x.outline, project, gid="step-1")
    weights = checked_weights(work.weights[head])
    name = f"head {number}"
    drawn = matrix(
        canvas, columns.map, top, weights, cell=(columns.side, columns.side), colours=ramp(WEIGHTS), scale=(0, 1),
        edge=role, name=name, gid="step-2",
    )  # fmt: skip
    title = f"{text['head'].format(number=number)} {text[model.roles[head]]}"
    label(canvas, drawn.left, top - 9, title, size=NORMAL, bold=True, colour=role, align="left", gid="step-2")
    arrow(canvas, project, drawn.outline, colour=role, gid="step-2")
    strip = matrix(
        canvas, columns.strip, top, work.heads[head][:, :SHOWN_OF_HEAD], cell=(columns.cell, columns.side),
        colours=signed(role), scale=_scale(work.heads[head]), edge=role, name=f"output of {name}", gid="step-2",
    )  # fmt: skip
    arrow(canvas, drawn.outline, strip.outline, colour=role, gid="step-2")
    return strip


def _draw_concatenation(
    canvas: Canvas, columns: Columns, work: HeadsAtWork, strips: Sequence[Matrix], text: Mapping[str, str]
) -> Rectangle:
    """The strips side by side: each d_k wide, together h · d_k; the outline of all of them comes back."""
    heads, T, d_k = work.heads.shape
    width = SHOWN_OF_HEAD * columns.cell
    top = canvas.height / 2 - T * columns.row / 2
    for head, values in enumerate(work.heads):
        role = shade(head, heads)
        matrix(
            canvas, columns.concat + head * width, top, values[:, :SHOWN_OF_HEAD], cell=(columns.cell, columns.row),
            colours=signed(role), scale=_scale(values), edge=role, name=f"head {head + 1} side by side", gid="step-3",
        )  # fmt: skip
    whole = Rectangle((columns.concat, top), heads * width, T * columns.row)
    whole.set(facecolor="none", edgecolor=ink(), linewidth=1.4, gid="step-3", label="concatenated")
    canvas.axes.add_artist(whole)
    for head, strip in enumerate(strips):
        arrow(canvas, strip.outline, whole, colour=shade(head, heads), gid="step-3")
    foot = top + T * columns.row + 4
    brace(canvas, columns.concat, columns.concat + width, foot, f"$d_k={d_k}$", gid="step-3")
    total = rf"$h \cdot d_k={heads * d_k}$"
    brace(canvas, columns.concat, columns.concat + heads * width, foot + 26, total, gid="step-3")
    label(
        canvas, columns.concat + heads * width, top - 4, text["concat"], size=LARGE, bold=True, align="right",
        anchor="bottom", gid="step-3",
    )  # fmt: skip
    return whole


def _draw_output(
    canvas: Canvas, columns: Columns, work: HeadsAtWork, joined: Rectangle, text: Mapping[str, str]
) -> None:
    """W_O mixes the heads; what comes out is as wide as X."""
    height = joined.get_height()
    mixer = box(
        canvas, columns.w_o, joined.get_y(), columns.w_o_width, height, "$W_O$", fill=tint(EXTRA, 0.12), edge=EXTRA,
        size=LARGE, rounded=True, name="W_O", gid="step-4",
    )  # fmt: skip
    arrow(canvas, joined, mixer, gid="step-4")
    drawn = _signed(canvas, columns, columns.output, work.output[:, :SHOWN], WEIGHTS, "output", "step-4")
    arrow(canvas, mixer, drawn.outline, gid="step-4")
    _title(canvas, drawn, text["output"], "step-4")
    _shape(canvas, drawn, r"$[T, d_{model}]$", "step-4")


def _signed(canvas: Canvas, columns: Columns, x: float, values: Tensor, role: Colour, name: str, gid: str) -> Matrix:
    """A matrix as high as the concatenation, in the middle of the frame."""
    top = canvas.height / 2 - len(values) * columns.row / 2
    return matrix(
        canvas, x, top, values, cell=(columns.cell, columns.row), colours=signed(role), scale=_scale(values), edge=role,
        name=name, gid=gid,
    )  # fmt: skip


def _title(canvas: Canvas, drawn: Matrix, title: str, gid: str) -> None:
    label(canvas, drawn.left, drawn.top - 4, title, size=LARGE, bold=True, align="left", anchor="bottom", gid=gid)


def _shape(canvas: Canvas, drawn: Matrix, shape: str, gid: str) -> None:
    label(canvas, drawn.left, drawn.bottom + 4, shape, size=SMALL, colour=muted(), align="left", anchor="top", gid=gid)


def _scale(values: Tensor) -> tuple[float, float]:
    largest = float(values.abs().max())
    return -largest, largest


def _describe(model: TrainedReader, text: Mapping[str, str], lang: str) -> str:
    separator = "，" if lang.startswith("zh") else ", "
    heads = [
        text["one"].format(
            number=head + 1,
            role=text[role],
            share="–" if role_share(model, head) is None else share(_share(model, head)),
        )
        for head, role in enumerate(model.roles)
    ]
    return text["alt"].format(
        T=len(model.example.tokens),
        tokens="".join(model.example.tokens),
        d_model=model.d_model,
        h=model.num_heads,
        d_k=model.d_model // model.num_heads,
        heads=separator.join(heads),
    )


def _share(model: TrainedReader, head: int) -> float:
    return role_share(model, head) or 0.0


def _values(model: TrainedReader) -> dict[str, Any]:
    work = model.example
    again = work.concatenated @ work.w_o + work.bias
    values: dict[str, Any] = {
        "tokens": "".join(work.tokens),
        "heads": model.num_heads,
        "d_model": model.d_model,
        "d_k": model.d_model // model.num_heads,
        "parameters": model.parameters,
        "steps": model.steps,
        "seed": model.seed,
        "output_difference": float((again - work.output).abs().max()),
        "least_accuracy": min(model.accuracy),
    }
    for head, role in enumerate(model.roles):
        values |= {
            f"role_{head + 1}": role,
            f"share_{head + 1}": _share(model, head),
            f"entropy_{head + 1}": model.entropy[head],
        }
    for question, accuracy in zip(model.questions, model.accuracy, strict=True):
        values[f"accuracy_{question}"] = accuracy
    return values
