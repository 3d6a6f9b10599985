"""Masks side by side: who may see whom."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from figures.attention import causal_mask, padding_mask, sliding_window_mask
from figures.canvas import LARGE, SMALL, Canvas, Size, label, open_canvas
from figures.colours import KEY, QUERY, WEIGHTS, muted, tint
from figures.exhibit import Exhibit
from figures.experiments.padding import combine_masks
from figures.language import Wording, words
from figures.matrices import flat, matrix

TEXT: Wording = {
    "full": ("全部可见", "everything"),
    "padding": ("填充", "padding"),
    "causal": ("因果", "causal"),
    "both": ("填充 且 因果", "padding AND causal"),
    "window": ("滑动窗口 {window}", "window of {window}"),
    "kept": ("{kept} / {cells} 格", "{kept} of {cells} cells"),
    "keys": ("键 →", "keys →"),
    "queries": ("查询 ↓", "queries ↓"),
    "alt": (
        "{count} 种遮盖并排，{T} 个查询 × {T} 个键，彩色可见、斜线遮住：{each}。",
        "{count} masks side by side, {T} queries by {T} keys, coloured visible, hatched hidden: {each}.",
    ),
}


def mask_gallery(T: int = 8, length: int = 6, window: int = 3, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Five masks over T positions: none, padding of a sentence of `length`, causal, both, and a sliding window.

    The values that begin with `batch` are those of `combine_masks`: what a wrong conjunction hides in a whole batch.
    """
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    masks = _masks(T, length, window)
    areas = _places(canvas, len(masks))
    batch = combine_masks()
    values: dict[str, Any] = {
        "T": T, "length": length, "window": window, "batch_lengths": list(batch.lengths), "batch_hidden": batch.hidden,
        "batch_hidden_by_and": batch.hidden_by_and, "batch_rows": batch.rows, "batch_empty_rows": batch.empty_rows,
        "batch_agree": batch.agree,
    }  # fmt: skip
    phrases = []
    for (name, keep), (x, y, side) in zip(masks.items(), areas, strict=True):
        title = text[name].format(window=window)
        kept = text["kept"].format(kept=int(keep.sum()), cells=keep.numel())
        _draw(canvas, x, y, side, keep, title, kept)
        values |= {f"{name}_kept": int(keep.sum()), f"{name}_share": float(keep.double().mean())}
        phrases.append(f"{title} {kept}")
    x, y, _ = areas[0]
    label(canvas, x - 2, y + 10, text["queries"], size=SMALL, colour=QUERY, align="right", anchor="top").set_rotation(
        90
    )
    label(canvas, x, y - 8, text["keys"], size=SMALL, colour=KEY, align="left")
    separator = "；" if lang.startswith("zh") else "; "
    return Exhibit(canvas.figure, text["alt"].format(count=len(masks), T=T, each=separator.join(phrases)), values)


def _masks(T: int, length: int, window: int) -> dict[str, Tensor]:
    columns = padding_mask([length], T).expand(T, T)
    causal = causal_mask(T)
    return {
        "full": torch.ones(T, T, dtype=torch.bool),
        "padding": columns,
        "causal": causal,
        "both": columns & causal,
        "window": sliding_window_mask(T, window),
    }


def _places(canvas: Canvas, count: int) -> list[tuple[float, float, float]]:
    """Upper left corner and side of each square: one row where the frame is wide, else three and the rest."""
    columns = count if canvas.wide else 3
    rows = -(-count // columns)
    margin, gap, head, foot = 20.0, 22.0, 42.0, 20.0
    width = (canvas.width - margin - gap * (columns - 1) - 2) / columns
    height = canvas.height / rows - head - foot
    side = min(width, height)
    spare = max(0.0, canvas.height / rows - head - foot - side) / 2
    return [
        (
            margin + (number % columns) * (width + gap) + (width - side) / 2,
            (number // columns) * canvas.height / rows + head + spare,
            side,
        )
        for number in range(count)
    ]


def _draw(canvas: Canvas, x: float, y: float, side: float, keep: Tensor, title: str, kept: str) -> None:
    cell = side / len(keep)
    colours = flat(tint(WEIGHTS, 0.55))
    drawn = matrix(
        canvas,
        x,
        y,
        keep.double(),
        cell=(cell, cell),
        colours=colours,
        scale=(0, 1),
        hidden=(~keep).numpy(),
        name=title,
    )
    label(canvas, drawn.middle[0], y - 27, title, size=LARGE, bold=True)
    label(canvas, drawn.middle[0], drawn.bottom + 10, kept, size=SMALL, colour=muted())
