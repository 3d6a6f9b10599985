"""The maps of the heads of one trained layer of self-attention, one by one and never averaged unasked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from figures.canvas import Canvas, Size, open_canvas
from figures.exhibit import Exhibit
from figures.experiments.heads import TrainedReader, train_reader
from figures.heads import ROLES, role_share
from figures.heatmaps.weight_map import Area, draw_scale, draw_weight_map
from figures.language import Wording, words
from figures.numerals import share

Role = Literal["", "previous", "next", "first", "earliest"]

TEXT: Wording = {
    **ROLES,
    "keys": ("键", "keys"),
    "queries": ("查询", "queries"),
    "weight": ("权重", "weight"),
    "mean": ("{heads} 个头的平均", "mean of {heads} heads"),
    "one": ("头 {number} {role}（该处平均权重 {share}）", "head {number}: {role} (mean weight there {share})"),
    "all_alt": (
        "{heads} 个头的自注意力热力图，句子“{tokens}”，每行一个查询、每列一个键，每行和为 1。{each}。",
        "Self-attention maps of {heads} heads over “{tokens}”, a row for each query, a column for each key, rows "
        "adding up to 1. {each}.",
    ),
    "average_alt": (
        "{heads} 个头平均后的自注意力热力图，句子“{tokens}”：最大权重只有 {peak:.2f}，各头单独看时是 {single:.2f}；"
        "平均稀释了每个头的模式。",
        "Self-attention over “{tokens}” averaged over {heads} heads: the largest weight is {peak:.2f}, that of "
        "single heads {single:.2f}; averaging dilutes every pattern.",
    ),
}


def self_attention(
    model: Annotated[TrainedReader, train_reader],
    head: int = 0,
    role: Role = "",
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Every head of the layer on one sentence; `head` (from 1 on) or `role` shows one alone.

    ValueError if training gave no head that role.
    """
    text = words(TEXT, lang)
    head = head or _head_of(model, role)
    shown = range(model.num_heads) if head == 0 else [head - 1]
    canvas = open_canvas(size, (7.0, 4.6))
    for number, area in zip(shown, _areas(canvas, len(shown)), strict=True):
        title = f"{text['head'].format(number=number + 1)} {text[model.roles[number]]}"
        _draw(canvas, area, model, number, title, text, scaled=len(shown) == 1)
    separator = "；" if lang.startswith("zh") else "; "
    every = separator.join(_one(model, number, text) for number in shown)
    alt = text["all_alt"].format(heads=len(shown), tokens="".join(model.example.tokens), each=every)
    values = _values(model)
    if head:
        values |= {"shown": head, "shown_share": role_share(model, head - 1)}
    return Exhibit(canvas.figure, alt, values)


def _head_of(model: TrainedReader, role: Role) -> int:
    """The first head with this role, from 1 on; 0 if no role is asked for."""
    if role and role not in model.roles:
        raise ValueError(f"no head has the role {role!r}; their roles are {', '.join(model.roles)}")
    return model.roles.index(role) + 1 if role else 0


def average_of_heads(
    model: Annotated[TrainedReader, train_reader], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """The mean over heads, which is what some libraries hand out: every pattern in it, each one pale."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    tokens = model.example.tokens
    mean = model.example.weights.mean(0)
    names = (text["queries"], text["keys"])
    area = Area(0, 2, canvas.width - 60, canvas.height)
    title = text["mean"].format(heads=model.num_heads)
    drawn = draw_weight_map(canvas, area, mean, tokens, tokens, names=names, title=title)
    draw_scale(canvas, drawn.right + 20, drawn.top + 16, 100, text["weight"])
    peak = float(mean.max())
    single = float(model.example.weights.amax((1, 2)).min())
    alt = text["average_alt"].format(heads=model.num_heads, tokens="".join(tokens), peak=peak, single=single)
    values = _values(model) | {"peak": peak, "single_peak": single}
    values |= {f"average_{name}": share for name, share in zip(model.questions, model.average_share, strict=True)}
    return Exhibit(canvas.figure, alt, values)


def _areas(canvas: Canvas, count: int) -> list[Area]:
    """One area each: beside each other where the frame is wide, else in two columns."""
    columns = count if canvas.wide or count == 1 else 2
    rows = -(-count // columns)
    width, height = canvas.width / columns, canvas.height / rows
    return [
        Area(column * width, row * height + 1, (column + 1) * width - 8, (row + 1) * height - 4)
        for row in range(rows)
        for column in range(columns)
    ][:count]


def _draw(
    canvas: Canvas, area: Area, model: TrainedReader, head: int, title: str, text: Mapping[str, str], *, scaled: bool
) -> None:
    tokens = model.example.tokens
    names = (text["queries"], text["keys"]) if scaled else ("", "")
    inner = Area(area.left, area.top, area.right - (56 if scaled else 0), area.bottom)
    drawn = draw_weight_map(canvas, inner, model.example.weights[head], tokens, tokens, names=names, title=title)
    if scaled:
        draw_scale(canvas, drawn.right + 20, drawn.top + 16, 100, text["weight"])


def _one(model: TrainedReader, head: int, text: Mapping[str, str]) -> str:
    weight = role_share(model, head)
    written = "–" if weight is None else share(weight)
    return text["one"].format(number=head + 1, role=text[model.roles[head]], share=written)


def _values(model: TrainedReader) -> dict[str, Any]:
    values: dict[str, Any] = {
        "tokens": "".join(model.example.tokens),
        "heads": model.num_heads,
        "steps": model.steps,
        "seed": model.seed,
        "least_accuracy": min(model.accuracy),
        "row_sum": float(model.example.weights.sum(-1).mean()),
    }
    for head, role in enumerate(model.roles):
        values |= {
            f"role_{head + 1}": role,
            f"share_{head + 1}": role_share(model, head),
            f"entropy_{head + 1}": model.entropy[head],
        }
        for question, accuracy in zip(model.questions, model.without[head].tolist(), strict=True):
            values[f"without_{head + 1}_{question}"] = accuracy
    return values
