"""Splitting features into heads: the right order of view and transpose, and the one that scrambles in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from matplotlib.colors import ListedColormap
from torch import Tensor

from figures.attention import split_heads
from figures.canvas import SMALL, Canvas, Size, arrow, label, open_canvas
from figures.colours import EXTRA, QUERY, VALUE, WARNING, WEIGHTS, muted, tint
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.matrices import Matrix, matrix

HEADS = (QUERY, EXTRA, WEIGHTS)

TEXT: Wording = {
    "input": ("投影的结果", "projected"),
    "right": ("对：.view(B, T, h, d).transpose(1, 2)", "right: .view(B, T, h, d).transpose(1, 2)"),
    "wrong": ("错而不报：.view(B, h, T, d)", "silently wrong: .view(B, h, T, d)"),
    "head": ("头 {number}", "head {number}"),
    "right_note": ("每个头拿到每个词的一段特征", "each head has a part of every token"),
    "wrong_note": ("头 1 只看见“{tokens}”，{same:.0%} 的格子在原位", "head 1 sees only {tokens}; {same:.0%} in place"),
    "alt": (
        "{T} 个词、{width} 个特征的矩阵分成 {h} 个头。正确：先 view 再 transpose，每个头得到全部 {T} 个词各 {d} "
        "个特征。错误：直接 view 成 [B, h, T, d] 不报错，但头 1 只含 {tokens} 的特征，只有 {same:.0%} "
        "的格子在原来的位置；先 transpose 再 view 则报错 {error}。",
        "A matrix of {T} tokens by {width} features split into {h} heads. Right: view, then transpose; each head "
        "has {d} features of all {T} tokens. Wrong: view as [B, h, T, d] raises nothing, yet head 1 holds features "
        "of {tokens} only and {same:.0%} of the cells are in place; transpose, then view raises {error}.",
    ),
}


def head_split(
    tokens: tuple[str, ...] = ("我", "爱", "读", "书"),
    heads: int = 2,
    d_head: int = 3,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Numbered features through both ways of splitting; a cell keeps the colour of the head it belongs to."""
    T, width = len(tokens), heads * d_head
    x = torch.arange(T * width).view(1, T, width)
    right = split_heads(x, heads)[0]  # [h, T, d]
    wrong = x.view(1, heads, T, d_head)[0]
    seen = sorted({int(n) // width for n in wrong[0].flatten()})
    facts: dict[str, Any] = {
        "T": T,
        "h": heads,
        "d": d_head,
        "width": width,
        "same": float((right == wrong).double().mean()),
        "tokens": "".join(tokens[i] for i in seen),
        "tokens_seen": len(seen),
        "error": _error_of_the_other_order(x, heads, d_head),
    }
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, tokens, x[0], (right, wrong), facts, text)
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)


def _error_of_the_other_order(x: Tensor, heads: int, d_head: int) -> str:
    """The name of what torch raises for transpose, then view."""
    try:
        x.transpose(1, 2).view(x.shape[0], heads, x.shape[1], d_head)
    except RuntimeError as error:
        return type(error).__name__
    return ""


def _draw(
    canvas: Canvas,
    tokens: Sequence[str],
    x: Tensor,
    splits: tuple[Tensor, Tensor],
    facts: Mapping[str, Any],
    text: Mapping[str, str],
) -> None:
    T, h, d = facts["T"], facts["h"], facts["d"]
    lane = canvas.height / 2
    cell = (min(46.0 if canvas.wide else 34.0, (canvas.width - 110) / (2 * h * d + 1)), min(24.0, (lane - 64) / T))
    belongs = (x % facts["width"]) // d  # the head of each feature
    whole = _numbered(canvas, 20, canvas.height / 2 - T * cell[1] / 2 + 8, x, belongs, cell, "x", "step-1")
    label(canvas, whole.left, whole.top - 11, text["input"], bold=True, align="left", gid="step-1")
    shape = r"$[T,\ h \cdot d]$"
    label(
        canvas,
        whole.left,
        whole.bottom + 4,
        shape,
        size=SMALL,
        colour=muted(),
        align="left",
        anchor="top",
        gid="step-1",
    )
    for row, token in enumerate(tokens):
        label(canvas, 10, whole.top + (row + 0.5) * cell[1], token, gid="step-1")
    left = whole.right + (60 if canvas.wide else 44)
    gap = min(60.0, (canvas.width - left - h * d * cell[0] - 4) / max(h - 1, 1))
    for lane_number, (name, split) in enumerate(zip(("right", "wrong"), splits, strict=True)):
        step, role = f"step-{lane_number + 2}", VALUE if name == "right" else WARNING
        top = lane_number * lane + 46
        label(canvas, left, top - 36, text[name], bold=True, colour=role, align="left", gid=step)
        parts = []
        for head in range(h):
            place = left + head * (d * cell[0] + gap)
            owners = (split[head] % facts["width"]) // d
            parts.append(_numbered(canvas, place, top, split[head], owners, cell, text["head"], step))
            title = text["head"].format(number=head + 1)
            label(canvas, place, top - 11, title, size=SMALL, bold=True, colour=HEADS[head % 3], align="left", gid=step)
        arrow(canvas, whole.outline, parts[0].outline, colour=role, gid=step)
        note = text[f"{name}_note"].format(**facts)
        label(canvas, left, parts[0].bottom + 4, note, size=SMALL, colour=muted(), align="left", anchor="top", gid=step)


def _numbered(
    canvas: Canvas, x: float, y: float, values: Tensor, owners: Tensor, cell: tuple[float, float], name: str, gid: str
) -> Matrix:
    """Cells with their numbers in the tint of the head that owns them."""
    colours = ListedColormap([tint(role, 0.22) for role in HEADS])
    written = [[str(int(number)) for number in row] for row in values]
    return matrix(
        canvas, x, y, owners, cell=cell, colours=colours, scale=(0, len(HEADS) - 1), written=written, name=name, gid=gid
    )
