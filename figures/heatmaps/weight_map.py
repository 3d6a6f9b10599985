"""A map of attention weights: queries down the side, keys along the top, one square cell for each weight.

What is drawn obeys one contract: every live row sums to 1, what is masked is exactly 0 and hatched, the scale is 0..1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from figures.canvas import NORMAL, SMALL, Canvas, label, text_width
from figures.colours import KEY, QUERY, VALUE, WEIGHTS, Colour, ink, muted, ramp
from figures.matrices import Matrix, matrix
from figures.numerals import share

Mask = NDArray[np.bool_]
LABELLED = 0.1
"""Weights from here on are written into their cell."""
COLUMN = 14.0
"""Points: keys wider than this do not stand side by side."""
ROW = 15.0
"""Points from one named row to the next, at least."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a canvas in points."""

    left: float
    top: float
    right: float
    bottom: float


def checked_weights(weights: ArrayLike, hidden: Mask | None = None, *, partial: bool = False) -> NDArray[np.float64]:
    """The weights `[T_q, T_k]` if they are weights: in 0..1, rows sum to 1 (to 0 where all is hidden), hidden ones 0.

    `partial` allows rows that sum to less than 1, as local-p's do. ValueError says which row is wrong.
    """
    numbers = np.atleast_2d(np.asarray(weights, dtype=float))
    if numbers.min() < 0 or numbers.max() > 1 + 1e-5:
        raise ValueError(f"weights lie between {numbers.min():g} and {numbers.max():g}; they belong to 0..1")
    for row, total in enumerate(numbers.sum(-1)):
        empty = hidden is not None and bool(hidden[row].all())
        if not (total <= 1 + 1e-5 if partial or empty else abs(total - 1) <= 1e-5):
            raise ValueError(f"row {row + 1} of the weights sums to {total:g}; softmax gives 1")
    if hidden is not None and numbers[hidden].any():
        raise ValueError("a masked key has weight; the mask belongs before the softmax")
    return numbers


def draw_weight_map(
    canvas: Canvas,
    area: Area,
    weights: ArrayLike,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    hidden: Mask | None = None,
    partial: bool = False,
    rows_named: bool = True,
    names: tuple[str, str] = ("", ""),
    title: str = "",
    colour: Colour = WEIGHTS,
    gid: str | None = None,
) -> Matrix:
    """Draw checked weights as large as the area allows, in its middle.

    `names` are those of rows and columns; without `rows_named` the queries are left out, as beside another map of them.
    """
    numbers = checked_weights(weights, hidden, partial=partial)
    rows, columns = numbers.shape
    room = (max(text_width(query) for query in queries) + 8 if rows_named else 0) + (18 if names[0] else 0)
    width, height = area.right - area.left - room - 2, area.bottom - area.top - 2
    deep = (height - head_height(keys, names[1], title)) / rows
    side = min(width / columns, deep)
    tall = min(deep, max(side, ROW))  # rows keep room for their tokens where columns are narrow
    left = area.left + room + (width - columns * side) / 2
    head = head_height(keys, names[1], title)
    start = area.top + max(0.0, (height - head - rows * tall) / 2)
    top = start + head
    written = [[fitting_share(w, side) if w >= LABELLED else "" for w in row] for row in numbers]
    drawn = matrix(
        canvas, left, top, numbers, cell=(side, tall), colours=ramp(colour), scale=(0, 1), written=written,
        hidden=hidden, edge=muted(), name=title or "weights", gid=gid,
    )  # fmt: skip
    write_tokens(canvas, drawn, queries if rows_named else (), keys, gid=gid)
    centre, middle = drawn.middle
    if names[1]:
        y = start + (18 if title else 0)
        label(canvas, centre, y, names[1], colour=KEY, anchor="top", gid=gid)
    if names[0]:
        label(canvas, left - room + 7, middle, names[0], colour=QUERY, gid=gid).set_rotation(90)
    if title:
        label(canvas, centre, start, title, bold=True, anchor="top", gid=gid)
    return drawn


def fitting_share(weight: float, width: float) -> str:
    """The weight with two places, with one where `1.00` is wider than its cell, nothing where no number fits."""
    if width < text_width(".00", SMALL) + 3:
        return ""
    written = share(weight)
    return written if text_width(written, SMALL) + 1 <= width else share(weight, 1)


def write_tokens(
    canvas: Canvas, drawn: Matrix, queries: Sequence[str], keys: Sequence[str], *, gid: str | None = None
) -> None:
    """Tokens at the left and on top; where one is wider than its column, all longer than a letter stand upright."""
    for query, cells in zip(queries, drawn.cells, strict=False):
        y = cells[0].get_y() + cells[0].get_height() / 2
        size = NORMAL if cells[0].get_height() >= 18 else SMALL
        label(canvas, drawn.left - 6, y, query, align="right", size=size, gid=gid)
    for key, cell in zip(keys, drawn.cells[0], strict=True):
        size = NORMAL if cell.get_width() >= 18 else SMALL
        text = label(
            canvas, cell.get_x() + cell.get_width() / 2, drawn.top - 4, key, anchor="bottom", size=size, gid=gid
        )
        if upright(key, keys):
            text.set_rotation(90)


def upright(key: str, keys: Sequence[str]) -> bool:
    """Whether a key is written from below upwards: every key longer than a letter, once there is a long one."""
    return len(key) > 1 and max(text_width(each) for each in keys) > COLUMN


def outline_cells(canvas: Canvas, drawn: Matrix, marked: Sequence[Sequence[int]], *, colour: Colour = VALUE) -> None:
    """Frame the cells `marked[row]`, so that what is known to be right can be compared with what is dark."""
    for cells, columns in zip(drawn.cells, marked, strict=True):
        for first, last in runs(sorted(columns)):
            start, end = cells[first], cells[last]
            canvas.axes.add_artist(
                Rectangle(
                    (start.get_x() + 1, start.get_y() + 1),
                    end.get_x() + end.get_width() - start.get_x() - 2,
                    start.get_height() - 2,
                    facecolor="none",
                    edgecolor=colour,
                    linewidth=1.8,
                    label="_known alignment",
                )
            )


def runs(columns: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers as (first, last): 1 2 3 7 → (1, 3), (7, 7)."""
    found: list[tuple[int, int]] = []
    for column in columns:
        if found and column == found[-1][1] + 1:
            found[-1] = (found[-1][0], column)
        else:
            found.append((column, column))
    return found


def draw_scale(
    canvas: Canvas, x: float, y: float, height: float, name: str, *, colour: Colour = WEIGHTS, low: float = 0.0
) -> None:
    """A scale from 1 down to `low` for the colours of a map."""
    steps = 10
    colours = ramp(colour)
    for step in range(steps):
        canvas.axes.add_artist(
            Rectangle(
                (x, y + height * step / steps),
                12,
                height / steps,
                facecolor=colours(1 - (step + 0.5) / steps),
                edgecolor="none",
                linewidth=0,
                label="_scale",
            )
        )
    canvas.axes.add_artist(
        Rectangle((x, y), 12, height, facecolor="none", edgecolor=muted(), linewidth=0.6, label="_scale")
    )
    for written, share_of_height in (("1", 0.0), (f"{(1 + low) / 2:.2g}", 0.5), (f"{low:.2g}", 1.0)):
        label(canvas, x + 18, y + height * share_of_height, written, size=SMALL, colour=muted(), align="left")
    label(canvas, x, y - 9, name, size=SMALL, colour=ink(), align="left", anchor="bottom")


def head_height(keys: Sequence[str], name: str, title: str) -> float:
    """Room above the cells for the title, the name of the axis, and the tokens."""
    tokens = max(text_width(key) if upright(key, keys) else NORMAL for key in keys)
    return tokens + 8 + (18 if name else 0) + (18 if title else 0)
