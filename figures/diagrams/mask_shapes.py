"""How a padding mask must be shaped for several heads, and the shape that hides the wrong sentences in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.attention import causal_mask, padding_mask
from figures.canvas import SMALL, Canvas, Size, label, open_canvas
from figures.colours import KEY, VALUE, WARNING, muted, tint
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.matrices import flat, matrix

TEXT: Wording = {
    "right": ("对：mask[:, None, None, :]", "right: mask[:, None, None, :]"),
    "wrong": ("错而不报：mask[:, None, :]", "silently wrong: mask[:, None, :]"),
    "sentence": ("句 {number}（{length} 词）", "s. {number}, {length} long"),
    "head": ("头 {number}", "head {number}"),
    "right_note": ("每句话的每个头都只留真词", "every head keeps the real tokens of its sentence"),
    "wrong_note": ("B 被当成了头：{wrong} 格错（红框）", "B is taken for heads: {wrong} cells wrong (red)"),
    "error": ("B = {other} 时 h = {h}：{error}", "with B = {other}, h = {h}: {error}"),
    "alt": (
        "{B} 句话（长度 {lengths}，补到 {T}）× {h} 个头，每格是一个键，彩色保留、斜线遮住。形状 [B,1,1,T] "
        "时每个头遮住自己那句的 pad；形状 [B,1,T] 时批次维对到了头上，{wrong} 格遮错：{seen} 个 pad 被看见，{lost} "
        "个真词丢失。B ≠ h 时报 {error}。",
        "{B} sentences (lengths {lengths}, padded to {T}) by {h} heads, one cell a key, coloured kept and hatched "
        "hidden. With shape [B,1,1,T] each head hides the pads of its own sentence; with [B,1,T] the batch lands on "
        "the heads and {wrong} cells are wrong: {seen} pads seen, {lost} tokens lost. With B ≠ h it raises {error}.",
    ),
}


def mask_shapes(
    lengths: tuple[int, ...] = (3, 5, 4), max_length: int = 5, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """What each head of each sentence may see under both shapes, for as many heads as sentences."""
    B = h = len(lengths)
    keep = padding_mask(lengths, max_length)  # [B, T]
    scores = torch.zeros(B, h, 1, max_length)
    right = (scores == 0) & keep[:, None, None, :]
    wrong = (scores == 0) & keep[:, None, :]
    facts: dict[str, Any] = {
        "B": B,
        "h": h,
        "T": max_length,
        "lengths": ", ".join(map(str, lengths)),
        "pads": [max_length - length for length in lengths],
        "wrong": int((right != wrong).sum()),
        "seen": int((wrong & ~right).sum()),
        "lost": int((right & ~wrong).sum()),
        "causal_kept": int(causal_mask(max_length).sum()),
        "other": B - 1,
        "error": _error_of_other_batch(keep[:-1], h),
    }
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, lengths, (right[:, :, 0], wrong[:, :, 0]), facts, text)
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)


def _error_of_other_batch(keep: Tensor, h: int) -> str:
    """The name of what torch raises where the batch is not as large as the number of heads."""
    try:
        torch.zeros(len(keep), h, 1, keep.shape[1]).masked_fill(~keep[:, None, :], 0.0)
    except RuntimeError as error:
        return type(error).__name__
    return ""


def _draw(
    canvas: Canvas,
    lengths: tuple[int, ...],
    kept: tuple[Tensor, Tensor],
    facts: Mapping[str, Any],
    text: Mapping[str, str],
) -> None:
    """Two panels of B rows and h columns of strips, beside each other where the frame is wide, else stacked."""
    B, h, T = kept[0].shape
    beside = canvas.wide
    width = canvas.width / 2 - 10 if beside else canvas.width
    height = canvas.height if beside else canvas.height / 2
    row = min(44.0 if beside else 34.0, (height - 74) / B)
    cell = (min(22.0, (width - 90 - 16 * h) / (h * T)), row - 8)
    for number, name in enumerate(("right", "wrong")):
        left, top = (number * (width + 20), (height - 74 - B * row) / 2) if beside else (0.0, number * height)
        role, step = (VALUE, "step-1") if name == "right" else (WARNING, "step-2")
        label(canvas, left, top + 10, text[name], bold=True, colour=role, align="left", gid=step)
        for b in range(B):
            y = top + 46 + b * row
            title = text["sentence"].format(number=b + 1, length=lengths[b])
            label(canvas, left, y + cell[1] / 2, title, size=SMALL, align="left", gid=step)
            for head in range(h):
                x = left + 88 + head * (T * cell[0] + 16)
                if b == 0:
                    title = text["head"].format(number=head + 1)
                    label(canvas, x, y - 11, title, size=SMALL, colour=muted(), align="left", gid=step)
                _strip(canvas, x, y, kept[number][b, head], kept[0][b, head], cell, step)
        note = text[f"{name}_note"].format(**facts)
        if name == "wrong" and canvas.wide:
            note += "；" + text["error"].format(**facts)
        label(
            canvas, left, top + 46 + B * row + 4, note, size=SMALL, colour=muted(), align="left", anchor="top", gid=step
        )


def _strip(
    canvas: Canvas, x: float, y: float, keep: Tensor, truth: Tensor, cell: tuple[float, float], gid: str
) -> None:
    """The keys of one head of one sentence; those treated wrongly are framed in the warning colour."""
    hidden = (~keep)[None].numpy()
    kept = flat(tint(KEY, 0.28))
    drawn = matrix(
        canvas, x, y, keep.double(), cell=cell, colours=kept, scale=(0, 1), hidden=hidden, name="keys", gid=gid
    )
    for position in (keep != truth).nonzero().flatten().tolist():
        place = drawn.cells[0][position]
        frame = Rectangle((place.get_x() + 1, place.get_y() + 1), cell[0] - 2, cell[1] - 2)
        frame.set(facecolor="none", edgecolor=WARNING, linewidth=2.0, gid=gid, label="_wrong")
        canvas.axes.add_artist(frame)
