"""A sheet measured in points on which diagrams are composed of boxes, matrices and arrows.

One data unit is one point of the frame, x runs right and y runs *down* from the upper left corner, so a diagram is laid
out like text on a page and its sizes are those seen on the slide.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.text import Text

from figures.colours import Colour, ink, muted, readable_on

POINTS = 72
Side = Literal["left", "right", "top", "bottom"]
Align = Literal["left", "center", "right"]
Head = Literal["end", "both", "none"]
_STYLES = {"end": "-|>", "both": "<|-|>", "none": "-"}
Size = tuple[float, float]
Boxed = Rectangle | FancyBboxPatch
"""What an arrow can be glued to."""

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


def open_canvas(size: Size | None, wish: Size) -> Canvas:
    """An empty sheet of `size` inches, or of the wished size where the frame is not known yet."""
    width, height = size or wish
    figure = Figure(figsize=(width, height), layout=None)
    figure.set_layout_engine("none")
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
    align: Align = "center",
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
) -> Boxed:
    """A rectangle with its text centred in it; the text's colour is readable on the fill unless given."""
    radius = min(6.0, height / 4)
    corners = f"round,pad=0,rounding_size={radius}" if rounded else "square,pad=0"
    patch: Boxed = (
        FancyBboxPatch((x, y), width, height, boxstyle=corners) if rounded else Rectangle((x, y), width, height)
    )
    patch.set(
        facecolor=fill or "none",
        edgecolor=edge or "none",
        linewidth=line if edge else 0.0,
        linestyle="--" if dashed else "-",
        hatch=hatch,
        gid=gid,
        label=name or text or "_box",
    )
    canvas.axes.add_artist(patch)
    if text:
        shown = colour or (readable_on(fill) if fill else ink())
        label(canvas, x + width / 2, y + height / 2, text, size=size, colour=shown, bold=bold, gid=gid)
    return patch


def arrow(
    canvas: Canvas,
    start: Boxed,
    end: Boxed,
    *,
    sides: tuple[Side, Side] = ("right", "left"),
    colour: Colour | None = None,
    line: float = 1.2,
    alpha: float | None = None,
    head: Head = "end",
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
        arrowstyle=_STYLES[head],
        mutation_scale=9 + line,
        linewidth=line,
        linestyle="--" if dashed else "-",
        color=colour or muted(),
        alpha=alpha,
        gid=gid,
        label=name or "_arrow",
    )
    canvas.axes.add_artist(patch)
    return patch


def pointer(
    canvas: Canvas,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    colour: Colour | None = None,
    line: float = 1.2,
    head: Head = "end",
    gid: str | None = None,
) -> FancyArrowPatch:
    """A straight arrow between two points that belong to no box."""
    patch = FancyArrowPatch(
        start,
        end,
        shrinkA=0,
        shrinkB=0,
        arrowstyle=_STYLES[head],
        mutation_scale=9 + line,
        linewidth=line,
        color=colour or muted(),
        gid=gid,
        label="_pointer",
    )
    canvas.axes.add_artist(patch)
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


FULL_WIDTH = "“”‘’…—·"
"""Marks that a Chinese face sets one em wide, although they are no Han characters."""


def text_width(text: str, size: float = NORMAL) -> float:
    """About how wide a line is in points: one em for Han characters and marks of Chinese, about half of one for others.

    Between Han and Latin comes the little space that office programs add.
    """
    wide = [ord(character) >= 0x2E80 or character in FULL_WIDTH for character in text]
    borders = sum(one != other for one, other in pairwise(wide))
    return size * (sum(1.0 if each else 0.53 for each in wide) + 0.15 * borders)


def _side(patch: Boxed, side: Side) -> tuple[float, float]:
    left, top, width, height = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
    return {
        "left": (left, top + height / 2),
        "right": (left + width, top + height / 2),
        "top": (left + width / 2, top),
        "bottom": (left + width / 2, top + height),
    }[side]
