"""Matrices drawn cell by cell with their numbers, hatched where a mask hides them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from matplotlib.colors import Colormap, ListedColormap, Normalize, to_hex, to_rgb
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from figures.canvas import SMALL, Canvas, label
from figures.colours import Colour, hairline, muted, paper, readable_on, tint


@dataclass(frozen=True, slots=True)
class Matrix:
    """A drawn matrix: its outline (to which arrows are glued), its cells, and its corners in points."""

    outline: Rectangle
    cells: tuple[tuple[Rectangle, ...], ...]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def matrix(
    canvas: Canvas,
    x: float,
    y: float,
    values: ArrayLike,
    *,
    cell: tuple[float, float],
    colours: Colormap,
    scale: tuple[float, float],
    written: Sequence[Sequence[str]] | None = None,
    hidden: NDArray[np.bool_] | None = None,
    edge: Colour | None = None,
    size: float = SMALL,
    name: str = "",
    gid: str | None = None,
) -> Matrix:
    """A matrix of cells with its upper left corner at a point.

    `scale` are the values at both ends of `colours`; `written` holds the text of each cell; cells that are `hidden` are
    hatched and never coloured, so they cannot be taken for a value of 0.
    """
    numbers = np.atleast_2d(np.asarray(values, dtype=float))
    rows, columns = numbers.shape
    faces = colours(Normalize(*scale, clip=True)(numbers))
    grid: list[list[Rectangle]] = [[] for _ in range(rows)]
    for row, column in product(range(rows), range(columns)):
        left, top = x + column * cell[0], y + row * cell[1]
        where = f"{name} [{row + 1}, {column + 1}]"
        if hidden is not None and hidden[row, column]:
            patch = _hatched(canvas, left, top, cell, where, gid)
        else:
            patch = Rectangle(
                (left, top),
                *cell,
                facecolor=faces[row, column],
                edgecolor=hairline(),
                linewidth=0.6,
                gid=gid,
                label=where,
            )
            canvas.axes.add_artist(patch)
            if written is not None and written[row][column]:
                _write(canvas, patch, written[row][column], size, gid)
        grid[row].append(patch)
    outline = Rectangle(
        (x, y),
        columns * cell[0],
        rows * cell[1],
        facecolor="none",
        edgecolor=edge or muted(),
        linewidth=1.2,
        gid=gid,
        label=name or "_matrix",
    )
    canvas.axes.add_artist(outline)
    cells = tuple(tuple(row_cells) for row_cells in grid)
    return Matrix(outline, cells, x, y, x + columns * cell[0], y + rows * cell[1])


def flat(colour: Colour) -> Colormap:
    """One colour whatever the value: for masks, where a cell is there or not."""
    return ListedColormap([to_rgb(colour)])


def frame_row(
    canvas: Canvas, drawn: Matrix, row: int, *, colour: Colour, line: float = 2.2, gid: str | None = None
) -> Rectangle:
    """A frame around one row of a drawn matrix, so that the eye can follow it."""
    height = (drawn.bottom - drawn.top) / len(drawn.cells)
    patch = Rectangle(
        (drawn.left, drawn.top + row * height),
        drawn.right - drawn.left,
        height,
        facecolor="none",
        edgecolor=colour,
        linewidth=line,
        gid=gid,
        label="_followed row",
    )
    canvas.axes.add_artist(patch)
    return patch


def _hatched(
    canvas: Canvas, left: float, top: float, cell: tuple[float, float], name: str, gid: str | None
) -> Rectangle:
    patch = Rectangle(
        (left, top),
        *cell,
        facecolor=paper(),
        edgecolor=tint(muted(), 0.55),
        linewidth=0.6,
        hatch="////",
        gid=gid,
        label=name,
    )
    canvas.axes.add_artist(patch)
    return patch


def _write(canvas: Canvas, patch: Rectangle, text: str, size: float, gid: str | None) -> None:
    x, y = patch.get_x() + patch.get_width() / 2, patch.get_y() + patch.get_height() / 2
    label(canvas, x, y, text, size=size, colour=readable_on(to_hex(patch.get_facecolor())), gid=gid)
