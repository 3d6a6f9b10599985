"""Where the heads of a real transformer look: all of them in one table, and one query under several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import SMALL, Canvas, Size, label, open_canvas, text_width
from figures.colours import QUERY, WEIGHTS, ink, muted, ramp
from figures.exhibit import Exhibit
from figures.experiments.head_roles import CHINESE, Role, StudiedHeads, study_heads
from figures.heatmaps.weight_map import LABELLED, Area, checked_weights, head_height, write_tokens
from figures.language import Wording, words
from figures.matrices import matrix
from figures.models.minilm import NAME
from figures.numerals import share

CLEAR = 0.25
"""Heads whose strongest role has less weight than this are given none."""
Place = tuple[int, int]
"""Layer and head, from 0 on."""
AHEAD = 3
"""Keys drawn beyond the query where a causal mask hides all of them."""

TEXT: Wording = {
    "minilm": (f"预训练的 {NAME}", f"the pretrained {NAME}"),
    "copier": ("本课自己训练的字母模型", "this course's own model of letters"),
    "minilm_samples": ("{samples} 句日常英语", "{samples} sentences of everyday English"),
    "copier_samples": ("{samples} 串字母", "{samples} sequence of letters"),
    "minilm_chinese": (
        "“{text}”切出来 {unknown:.0%} 是 [UNK]，“{one}”和“{other}”成了同一个输入：不画",
        "“{text}” comes out as {unknown:.0%} [UNK], “{one}” and “{other}” as one and the same input: not drawn",
    ),
    "copier_chinese": (
        "没有装附加包 [pretrained]，这里是本课自己的模型；预训练模型认不认得中文，没有量",
        "the extra [pretrained] is not installed, this is the course's own model; Chinese was not tried",
    ),
    "previous": ("前一个", "previous"),
    "next": ("后一个", "next"),
    "first": ("开头", "first"),
    "last": ("结尾", "last"),
    "itself": ("自己", "itself"),
    "repeat": ("上次的下一个", "after the last one"),
    "previous_letter": ("前", "P"),
    "next_letter": ("后", "N"),
    "first_letter": ("首", "F"),
    "last_letter": ("尾", "L"),
    "itself_letter": ("己", "S"),
    "repeat_letter": ("抄", "R"),
    "layer": ("第 {layer} 层", "layer {layer}"),
    "place": ("第 {layer} 层头 {head}", "layer {layer} head {head}"),
    "mean": ("第 {layer} 层平均", "layer {layer}, mean"),
    "mean_of": ("{heads} 个头", "{heads} heads"),
    "finds": ("找 {target}", "finds {target}"),
    "key": ("{letter} = {name}", "{letter} = {name}"),
    "comma": ("，", ", "),
    "colon": ("：", ": "),
    "head": ("头", "head"),
    "note": (
        "不到 {clear} 的留空；黑框里的头，取一个查询细看",
        "under {clear} left out; framed heads: one query in detail",
    ),
    "query": ("查询：{token}", "query: {token}"),
    "and": ("；", "; "),
    "alt": (
        "{model}，{layers} 层 × {heads} 个头：每格写着这个头最常看的位置和平均权重，{each}。"
        "同一个查询“{token}”在几个头里的权重，每行和为 1，各行最大处：{rows}。",
        "{model}, {layers} layers by {heads} heads: each cell names the position with most weight, {each}. "
        "Weights of one query “{token}” under several heads, rows add up to 1, largest: {rows}.",
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the query's map: its names and its weights `[T]`."""

    name: str
    role: str
    weights: Tensor


def head_roles(study: Annotated[StudiedHeads, study_heads], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """A table with the position that each head looks at most, and one query under the heads that stand out."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.8))
    if canvas.wide:
        middle = canvas.width / 2
        table, query = Area(0, 0, middle - 12, canvas.height), Area(middle + 12, 0, canvas.width, canvas.height)
    else:
        border = canvas.height * 0.54
        table, query = Area(0, 0, canvas.width, border - 4), Area(0, border + 4, canvas.width, canvas.height)
    seen = _draw_table(canvas, table, study, text)
    rows = _rows(study, text)
    _draw_query(canvas, query, study, rows, text)
    layers, heads = study.shares.shape[1:]
    most = [(row.name, study.tokens[int(row.weights.argmax())], share(float(row.weights.max()))) for row in rows]
    alt = text["alt"].format(
        model=text[study.model],
        layers=layers,
        heads=heads,
        each=text["and"].join(f"{_named(strongest(study, r), text)} {text[r]} {share(_share(study, r))}" for r in seen),
        token=study.tokens[study.query],
        rows=text["and"].join(" ".join(each) for each in most),
    )
    return Exhibit(canvas.figure, alt, _values(study, text))


def _draw_table(canvas: Canvas, area: Area, study: StudiedHeads, text: Mapping[str, str]) -> list[Role]:
    """A cell for each head, and below it which letter is which role; these roles are returned."""
    best, role = study.shares.max(0)
    layers, heads = best.shape
    left, head, foot = 50.0, 18.0, 38.0
    width, height = area.right - area.left - left - 2, area.bottom - area.top - head - foot
    cell = min(width / heads, 72.0), min(height / layers, 40.0)
    x, y = area.left + left + (width - heads * cell[0]) / 2, area.top + head + (height - layers * cell[1]) / 2
    between = " " if cell[0] >= 36 else "\n"
    written = [
        [
            f"{text[f'{study.roles[r]}_letter']}{between}{share(w)}" if w >= CLEAR else ""
            for w, r in zip(*row, strict=True)
        ]
        for row in zip(best.tolist(), role.tolist(), strict=True)
    ]
    drawn = matrix(
        canvas, x, y, best, cell=cell, colours=ramp(WEIGHTS), scale=(0, 1), written=written, edge=muted(), name="roles"
    )  # fmt: skip
    for layer, cells in enumerate(drawn.cells):
        name = text["layer"].format(layer=layer + 1)
        label(canvas, x - 6, cells[0].get_y() + cell[1] / 2, name, size=SMALL, align="right")
    for number, each in enumerate(drawn.cells[0], start=1):
        label(canvas, each.get_x() + cell[0] / 2, y - 9, str(number), size=SMALL, colour=muted())
    label(canvas, x - 6, y - 9, text["head"], size=SMALL, colour=muted(), align="right")
    for layer, number in chosen(study):
        _frame(canvas, drawn.cells[layer][number])
    seen = [each for n, each in enumerate(study.roles) if bool(((role == n) & (best >= CLEAR)).any())]
    key = text["comma"].join(text["key"].format(letter=text[f"{each}_letter"], name=text[each]) for each in seen)
    middle = drawn.middle[0]
    label(canvas, middle, drawn.bottom + 11, key, size=SMALL)
    label(canvas, middle, drawn.bottom + 27, text["note"].format(clear=share(CLEAR)), size=SMALL, colour=muted())
    return seen


def _draw_query(canvas: Canvas, area: Area, study: StudiedHeads, rows: Sequence[Row], text: Mapping[str, str]) -> None:
    """The weights of one query, a row for each head and the last for the mean of a layer."""
    tokens = study.tokens[: study.query + 1 + AHEAD] if study.causal else study.tokens
    hidden = np.zeros((len(rows), len(tokens)), dtype=bool)
    hidden[:, study.query + 1 :] = study.causal
    weights = checked_weights(torch.stack([row.weights[: len(tokens)] for row in rows]), hidden)
    names = [f"{row.name}{text['colon']}{row.role}" for row in rows]
    left = max(text_width(name, SMALL) for name in names) + 12
    head = head_height(tokens, "", "")
    height = area.bottom - area.top - head - 2
    cell = (area.right - area.left - left - 2) / len(tokens), min(height / len(rows), 34.0)
    x, y = area.left + left, area.top + head + (height - len(rows) * cell[1]) / 2
    written = [[share(w) if w >= LABELLED and cell[0] >= 20 else "" for w in row] for row in weights]
    drawn = matrix(
        canvas, x, y, weights, cell=cell, colours=ramp(WEIGHTS), scale=(0, 1), written=written, hidden=hidden,
        edge=muted(), name="weights",
    )  # fmt: skip
    write_tokens(canvas, drawn, (), tokens)
    for name, cells in zip(names, drawn.cells, strict=True):
        label(canvas, x - 8, cells[0].get_y() + cell[1] / 2, name, size=SMALL, align="right")
    query = text["query"].format(token=tokens[study.query])
    label(canvas, x - 8, y - 11, query, colour=QUERY, bold=True, align="right")


def strongest(study: StudiedHeads, role: Role) -> Place:
    """The head with most weight on the positions of a role, among those that look nowhere more, if there are any."""
    number = study.roles.index(role)
    its_own = study.shares.argmax(0) == number
    shares = study.shares[number].where(its_own, 0.0) if its_own.any() else study.shares[number]
    layer, head = divmod(int(shares.argmax()), shares.shape[1])
    return layer, head


def finder(study: StudiedHeads) -> Place:
    """The head in which the query gives most weight to its target."""
    weights = torch.stack(study.weights)[:, :, study.query, study.target]
    layer, head = divmod(int(weights.argmax()), weights.shape[1])
    return layer, head


def chosen(study: StudiedHeads) -> dict[Place, Role | None]:
    """The heads that are worth a close look, each with its role: the best of each clear role, and the finder."""
    found: dict[Place, Role | None] = {}
    for role in study.roles:
        if role != "repeat" and _share(study, role) >= CLEAR:
            found.setdefault(strongest(study, role), role)
    found.setdefault(finder(study), None)
    return found


def _rows(study: StudiedHeads, text: Mapping[str, str]) -> list[Row]:
    finds = text["finds"].format(target=study.tokens[study.target])
    rows = [
        Row(_named((layer, head), text), text[role] if role else finds, study.weights[layer][head, study.query])
        for (layer, head), role in chosen(study).items()
    ]
    layer, _ = strongest(study, "previous")
    maps = study.weights[layer]
    name, of = text["mean"].format(layer=layer + 1), text["mean_of"].format(heads=len(maps))
    return [*rows, Row(name, of, maps.mean(0)[study.query])]


def _frame(canvas: Canvas, cell: Rectangle) -> None:
    x, y, width, height = cell.get_x(), cell.get_y(), cell.get_width(), cell.get_height()
    frame = Rectangle((x + 1, y + 1), width - 2, height - 2, facecolor="none", edgecolor=ink(), linewidth=1.8)
    frame.set_label("_chosen head")
    canvas.axes.add_artist(frame)


def _named(place: Place, text: Mapping[str, str]) -> str:
    return text["place"].format(layer=place[0] + 1, head=place[1] + 1)


def _share(study: StudiedHeads, role: Role) -> float:
    layer, head = strongest(study, role)
    return float(study.shares[study.roles.index(role), layer, head])


def _values(study: StudiedHeads, text: Mapping[str, str]) -> dict[str, Any]:
    layers, heads = study.shares.shape[1:]
    layer, _ = strongest(study, "previous")
    found = finder(study)
    values: dict[str, Any] = {
        "model": text[study.model],
        "pretrained": study.model == "minilm",
        "layers": layers,
        "heads": heads,
        "count": layers * heads,
        "parameters": study.parameters,
        "samples": text[f"{study.model}_samples"].format(samples=study.samples),
        "half_first": int((study.shares[study.roles.index("first")] > 0.5).sum()),
        "layer_entropy": study.entropy[layer],
        "layer_entropy_averaged": study.averaged_entropy[layer],
        "sentence": " ".join(study.tokens),
        "query": study.tokens[study.query],
        "target": study.tokens[study.target],
        "finder": _named(found, text),
        "found": float(study.weights[found[0]][found[1], study.query, study.target]),
        "row_sum": float(torch.stack(study.weights).sum(-1).mean()),
        "chinese": _chinese(study, text),
    }
    for role in study.roles:
        place = strongest(study, role)
        values |= {
            f"{role}_head": _named(place, text),
            f"{role}": _share(study, role),
            f"{role}_averaged": float(study.averaged[study.roles.index(role), place[0]]),
        }
    if study.unknown is not None and study.twins is not None:
        values |= {"unknown": max(study.unknown), "twins": study.twins}
    return values


def _chinese(study: StudiedHeads, text: Mapping[str, str]) -> str:
    """What may be said about Chinese: what was measured, or that nothing was."""
    if study.unknown is None:
        return text["copier_chinese"]
    return text["minilm_chinese"].format(text=CHINESE[0], one=CHINESE[1], other=CHINESE[2], unknown=study.unknown[0])
