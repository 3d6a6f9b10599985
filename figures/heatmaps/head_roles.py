"""Where the heads of a real transformer look: all of them in one table, and the same query under several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import NORMAL, SMALL, Canvas, Size, label, open_canvas
from figures.colours import KEY, QUERY, WEIGHTS, ink, muted, ramp
from figures.exhibit import Exhibit
from figures.experiments.head_roles import CHINESE, Role, StudiedHeads, study_heads
from figures.heatmaps.weight_map import LABELLED, checked_weights, head_height, write_tokens
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
        "“{texts}”切出来 {unknown:.0%} 是 [UNK]，“{one}”和“{other}”成了同一个输入：画出来也没有意义，所以拒绝画",
        "“{texts}” comes out as {unknown:.0%} [UNK], and “{one}” and “{other}” as the same input: refused, not drawn",
    ),
    "copier_chinese": (
        "附加包 [pretrained] 没有装，看的是本课自己的模型；预训练模型认不认得中文，这一次没有量",
        "the extra [pretrained] is not installed: this is the course's own model; Chinese was not tried",
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
    "left_out": ("不到 {clear} 的留空；黑框：另一图细看", "under {clear} left out; framed: see the other figure"),
    "query": ("查询：{token}", "query: {token}"),
    "keys": ("键", "keys"),
    "roles_alt": (
        "{model}的 {layers} 层 × {heads} 个头：每格写着这个头最常看的位置和平均权重。{each}。",
        "{layers} layers by {heads} heads of {model}: each cell names the position with most weight. {each}.",
    ),
    "query_alt": (
        "{model}里同一个查询“{token}”在几个头里的权重，每行和为 1，各行最大处：{each}。",
        "Weights of one query “{token}” under several heads of {model}, rows add up to 1, largest: {each}.",
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of `one_query`: its names and its weights `[T]`."""

    name: str
    role: str
    weights: Tensor


def head_roles(study: Annotated[StudiedHeads, study_heads], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """A cell for each head: the position that it looks at most, and the mean weight there."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (5.8, 3.4))
    layers, heads = study.shares.shape[1:]
    best, role = study.shares.max(0)
    left, top, foot = 50.0, 18.0, 40.0
    pitch = min((canvas.width - left - 2) / heads, 56.0), min((canvas.height - top - foot) / layers, 46.0)
    x = left + (canvas.width - left - 2 - heads * pitch[0]) / 2
    y = top + (canvas.height - top - foot - layers * pitch[1]) / 2
    written = [
        [_written(study.roles[r], w, text) for w, r in zip(*row, strict=True)]
        for row in zip(best.tolist(), role.tolist(), strict=True)
    ]
    drawn = matrix(
        canvas, x, y, best, cell=pitch, colours=ramp(WEIGHTS), scale=(0, 1), written=written, edge=muted(), name="roles"
    )  # fmt: skip
    for layer, cells in enumerate(drawn.cells):
        centre = cells[0].get_y() + pitch[1] / 2
        label(canvas, x - 6, centre, text["layer"].format(layer=layer + 1), size=SMALL, align="right")
    for head, cell in enumerate(drawn.cells[0]):
        label(canvas, cell.get_x() + pitch[0] / 2, y - 9, str(head + 1), size=SMALL, colour=muted())
    for layer, head in chosen(study):
        _frame(canvas, drawn.cells[layer][head])
    seen = [r for number, r in enumerate(study.roles) if bool(((role == number) & (best >= CLEAR)).any())]
    legend = "  ".join(text["key"].format(letter=text[f"{r}_letter"], name=text[r]) for r in seen)
    label(canvas, canvas.width / 2, drawn.bottom + 12, legend, size=NORMAL)
    note = text["left_out"].format(clear=share(CLEAR))
    label(canvas, canvas.width / 2, drawn.bottom + 29, note, size=SMALL, colour=muted())
    every = [f"{_named(strongest(study, r), text)} {text[r]} {share(_share(study, r))}" for r in seen]
    alt = text["roles_alt"].format(model=text[study.model], layers=layers, heads=heads, each="；".join(every))
    return Exhibit(canvas.figure, alt, _values(study, text))


def one_query(study: Annotated[StudiedHeads, study_heads], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """One query under the heads that stand out, and under the mean of all heads of a layer."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (5.8, 3.4))
    rows = _rows(study, text)
    tokens = study.tokens[: study.query + 1 + AHEAD] if study.causal else study.tokens
    left = 92.0
    head = head_height(tokens, text["keys"], "")
    cell = (canvas.width - left - 2) / len(tokens), min((canvas.height - head - 4) / len(rows), 36.0)
    top = head + (canvas.height - head - 4 - len(rows) * cell[1]) / 2
    hidden = np.zeros((len(rows), len(tokens)), dtype=bool)
    hidden[:, study.query + 1 :] = study.causal
    weights = checked_weights(torch.stack([row.weights[: len(tokens)] for row in rows]), hidden)
    written = [[share(w) if w >= LABELLED and cell[0] >= 20 else "" for w in row] for row in weights]
    drawn = matrix(
        canvas, left, top, weights, cell=cell, colours=ramp(WEIGHTS), scale=(0, 1), written=written, hidden=hidden,
        edge=muted(), name="weights",
    )  # fmt: skip
    write_tokens(canvas, drawn, (), tokens)
    label(canvas, drawn.middle[0], top - head + 4, text["keys"], colour=KEY, anchor="top")
    token = tokens[study.query]
    label(canvas, left - 8, top - 12, text["query"].format(token=token), colour=QUERY, bold=True, align="right")
    for row, cells in zip(rows, drawn.cells, strict=True):
        middle = cells[0].get_y() + cell[1] / 2
        label(canvas, left - 8, middle - 8, row.name, size=SMALL, align="right")
        label(canvas, left - 8, middle + 8, row.role, size=SMALL, colour=muted(), align="right")
    most = [f"{row.name} {tokens[int(row.weights.argmax())]} {share(float(row.weights.max()))}" for row in rows]
    alt = text["query_alt"].format(model=text[study.model], token=token, each="；".join(most))
    return Exhibit(canvas.figure, alt, _values(study, text))


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


def _written(role: Role, weight: float, text: Mapping[str, str]) -> str:
    return f"{text[f'{role}_letter']}\n{share(weight)}" if weight >= CLEAR else ""


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
    return text["minilm_chinese"].format(texts=CHINESE[0], one=CHINESE[1], other=CHINESE[2], unknown=study.unknown[0])
