"""Axes as the course draws them: light horizontal grid, lines named at their end, room left for the names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures.canvas import NORMAL, POINTS, SMALL, Size
from figures.colours import Colour, hairline, ink, muted


@dataclass(frozen=True, slots=True)
class Line:
    """A curve with the name that stands at its end."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: Colour
    dashed: bool = False
    marker: bool = True
    width: float = 2.2
    end: float | None = None
    """Where the name stands, if not at the last y: a noisy line ends where its last stretch lies on average."""


def open_plot(
    size: Size | None, wish: Size, *, columns: int = 1, rows: int = 1, share: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure with a grid of plots, listed row by row; `share` gives all of them the same x and y."""
    figure = Figure(figsize=size or wish, layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=share, sharey=share)
    axes: list[Axes] = list(grid.flat)
    for each in axes:
        style_axes(each)
    return figure, axes


def style_axes(axes: Axes, *, grid: bool = True) -> None:
    """Left and lower spine in the muted colour, numbers at 11 pt, horizontal lines only."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(hairline())
    axes.tick_params(labelsize=SMALL, labelcolor=muted(), color=hairline(), which="both")
    axes.xaxis.label.set(fontsize=NORMAL, color=muted())
    axes.yaxis.label.set(fontsize=NORMAL, color=muted())
    axes.title.set(fontsize=NORMAL, color=ink())
    if grid:
        axes.grid(visible=True, axis="y", color=hairline(), linewidth=0.7)
        axes.set_axisbelow(True)


def name_axes(axes: Axes, x: str, y: str) -> None:
    """Axis names; that of y lies along its axis."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def powers(axes: Axes, which: Literal["x", "y", "both"] = "both") -> None:
    """Logarithmic axes, for claims about a power."""
    if which in ("x", "both"):
        axes.set_xscale("log", base=10)
    if which in ("y", "both"):
        axes.set_yscale("log", base=10)


def plain_numbers(axes: Axes) -> None:
    """0.1, 1, 10 rather than powers of ten on a logarithmic y axis of a moderate range."""
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def ticks_at(axes: Axes, positions: Sequence[float], labels: Sequence[str] | None = None) -> None:
    """Ticks of x where something was measured, none between them."""
    axes.set_xticks(list(positions), list(labels) if labels else [f"{position:g}" for position in positions])
    axes.minorticks_off()


def draw_lines(
    axes: Axes, lines: Sequence[Line], *, gap: float = 15.0, low: float | None = None, high: float | None = None
) -> None:
    """Draw the lines and name each at the right edge; names that would touch are pushed apart by `gap` points.

    `low` and `high` are ends of y that belong to what is measured, such as 0 and 1 of a share; a little room is added.
    """
    for line in lines:
        axes.plot(
            line.x,
            line.y,
            color=line.colour,
            linewidth=line.width,
            linestyle="--" if line.dashed else "-",
            marker="o" if line.marker else None,
            markersize=5,
            label=line.name,
        )
    if low is not None and high is not None:
        room = 0.03 * (high - low)
        axes.set_ylim(low - room, high + room)
    name_ends(axes, lines, gap=gap)


def name_ends(axes: Axes, lines: Sequence[Line], *, gap: float = 15.0) -> None:
    """The names of lines in their colours at the right edge of the axes."""
    axes.set_ylim(axes.get_ylim())
    to_share = axes.transData + axes.transAxes.inverted()
    ends = [float(to_share.transform((line.x[-1], line.y[-1] if line.end is None else line.end))[1]) for line in lines]
    height = axes.bbox.height / axes.figure.dpi * POINTS
    for line, place in zip(lines, spread(ends, gap / height), strict=True):
        axes.annotate(
            line.name,
            (1.0, place),
            xycoords="axes fraction",
            xytext=(6, 0),
            textcoords="offset points",
            fontsize=NORMAL,
            fontweight="bold",
            color=line.colour,
            va="center",
            annotation_clip=False,
        )


def spread(places: Sequence[float], gap: float, low: float = 0.0, high: float = 1.0) -> list[float]:
    """Positions in the same order, at least `gap` apart and inside `low`..`high` where possible, moved little."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = [places[i] for i in order]
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    if moved and moved[-1] > high:
        moved[-1] = high
        for i in range(len(moved) - 2, -1, -1):
            moved[i] = min(moved[i], moved[i + 1] - gap)
    if moved and moved[0] < low:
        shift = low - moved[0]
        moved = [place + shift for place in moved]
    found = [0.0] * len(places)
    for rank, i in enumerate(order):
        found[i] = moved[rank]
    return found
