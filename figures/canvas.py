"""A sheet measured in points on which diagrams are composed of boxes, matrices and arrows.

One data unit is one point of the frame, x runs right and y runs *down* from the upper left corner, so a diagram is laid
out like text on a page and its sizes are those seen on the slide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Rectangle
from matplotlib.text import Text
from numpy.typing import ArrayLike, NDArray

from figures.colours import Colour, hairline, ink, muted, paper, readable_on, tint

POINTS = 72
Side = Literal["left", "right", "top", "bottom"]
Size = tuple[float, float]

SMALL = 11.0
"""Points: the smallest text of any figure, as it appears on the slide."""
NORMAL = 12.0
LARGE = 13.0


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure of `width` × `height` points with axes that cover all of it."""

    figure: Figure
    axes: Axes
    width: float
    height: float

    @property
    def wide(self) -> bool:
        """Whether the frame is that of a whole slide rather than a column beside text."""
        return self.width >= 700


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


def open_canvas(size: Size | None, wish: Size) -> Canvas:
    """An empty sheet of `size` inches, or of the wished size where the frame is not known yet."""
    width, height = size or wish
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, width * POINTS)
    axes.set_ylim(height * POINTS, 0)
    return Canvas(figure, axes, width * POINTS, height * POINTS)


def label(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    *,
    size: float = NORMAL,
    colour: Colour | None = None,
    bold: bool = False,
    align: Literal["left", "center", "right"] = "center",
    anchor: Literal["top", "center", "bottom"] = "center",
    gid: str | None = None,
) -> Text:
    """Text at a point; `anchor` says which part of it lies at `y`."""
    return canvas.axes.text(
        x,
        y,
        text,
        fontsize=size,
        color=colour or ink(),
        fontweight="bold" if bold else "normal",
        ha=align,
        va=anchor,
        gid=gid,
    )


def box(
    canvas: Canvas,
    x: float,
    y: float,
    width: float,
    height: float,
    text: str = "",
    *,
    fill: Colour | None = None,
    edge: Colour | None = None,
    line: float = 1.2,
    size: float = NORMAL,
    bold: bool = False,
    colour: Colour | None = None,
    rounded: bool = False,
    hatch: str | None = None,
    dashed: bool = False,
    name: str = "",
    gid: str | None = None,
) -> Patch:
    """A rectangle with its text centred in it; the text's colour is readable on the fill unless given."""
    face = fill or "none"
    style = {
        "facecolor": face,
        "edgecolor": edge or "none",
        "linewidth": line if edge else 0.0,
        "linestyle": "--" if dashed else "-",
        "hatch": hatch,
        "gid": gid,
        "label": name or text or "_box",
    }
    patch: Patch
    if rounded:
        radius = min(6.0, height / 4)
        patch = FancyBboxPatch((x, y), width, height, boxstyle=f"round,pad=0,rounding_size={radius}", **style)
    else:
        patch = Rectangle((x, y), width, height, **style)
    canvas.axes.add_patch(patch)
    if text:
        shown = colour or (readable_on(fill) if fill else ink())
        label(canvas, x + width / 2, y + height / 2, text, size=size, colour=shown, bold=bold, gid=gid)
    return patch


def arrow(
    canvas: Canvas,
    start: Patch,
    end: Patch,
    *,
    sides: tuple[Side, Side] = ("right", "left"),
    colour: Colour | None = None,
    line: float = 1.2,
    alpha: float | None = None,
    head: bool = True,
    dashed: bool = False,
    name: str = "",
    gid: str | None = None,
) -> FancyArrowPatch:
    """A straight arrow between the middles of two sides, glued to both boxes."""
    patch = FancyArrowPatch(
        _side(start, sides[0]),
        _side(end, sides[1]),
        patchA=start,
        patchB=end,
        shrinkA=0,
        shrinkB=0,
        arrowstyle="-|>" if head else "-",
        mutation_scale=9 + line,
        linewidth=line,
        linestyle="--" if dashed else "-",
        color=colour or muted(),
        alpha=alpha,
        gid=gid,
        label=name or "_arrow",
    )
    canvas.axes.add_patch(patch)
    return patch


def pointer(
    canvas: Canvas,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    colour: Colour | None = None,
    line: float = 1.2,
    head: bool = True,
    gid: str | None = None,
) -> FancyArrowPatch:
    """A straight arrow between two points that belong to no box."""
    patch = FancyArrowPatch(
        start,
        end,
        shrinkA=0,
        shrinkB=0,
        arrowstyle="-|>" if head else "-",
        mutation_scale=9 + line,
        linewidth=line,
        color=colour or muted(),
        gid=gid,
        label="_pointer",
    )
    canvas.axes.add_patch(patch)
    return patch


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
    shade = Normalize(*scale, clip=True)
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
                facecolor=colours(shade(numbers[row, column])),
                edgecolor=hairline(),
                linewidth=0.6,
                gid=gid,
                label=where,
            )
            canvas.axes.add_patch(patch)
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
    canvas.axes.add_patch(outline)
    cells = tuple(tuple(row_cells) for row_cells in grid)
    return Matrix(outline, cells, x, y, x + columns * cell[0], y + rows * cell[1])


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
    canvas.axes.add_patch(patch)
    return patch


def brace(
    canvas: Canvas,
    left: float,
    right: float,
    y: float,
    text: str,
    *,
    colour: Colour | None = None,
    gid: str | None = None,
) -> None:
    """A flat bracket under `left`..`right` with its text below: how wide something is."""
    shown = colour or muted()
    tick = 4.0
    canvas.axes.plot(
        [left, left, right, right], [y, y + tick, y + tick, y], color=shown, linewidth=1.0, gid=gid, label="_brace"
    )
    label(canvas, (left + right) / 2, y + tick + 2, text, size=SMALL, colour=shown, anchor="top", gid=gid)


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
    canvas.axes.add_patch(patch)
    return patch


def _write(canvas: Canvas, patch: Rectangle, text: str, size: float, gid: str | None) -> None:
    x, y = patch.get_x() + patch.get_width() / 2, patch.get_y() + patch.get_height() / 2
    label(canvas, x, y, text, size=size, colour=readable_on(patch.get_facecolor()[:3]), gid=gid)


def _side(patch: Patch, side: Side) -> tuple[float, float]:
    bounds = patch.get_extents() if not isinstance(patch, Rectangle | FancyBboxPatch) else None
    if bounds is not None:
        raise TypeError(f"arrows are glued to rectangles, not to {type(patch).__name__}")
    assert isinstance(patch, Rectangle | FancyBboxPatch)
    left, top, width, height = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
    return {
        "left": (left, top + height / 2),
        "right": (left + width, top + height / 2),
        "top": (left + width / 2, top),
        "bottom": (left + width / 2, top + height),
    }[side]
