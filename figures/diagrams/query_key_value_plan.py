"""Where everything lies in the picture of Q, K and V, for a whole slide and beside text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from figures.canvas import Canvas, Side

ROUTES: Mapping[tuple[str, str], tuple[Side, Side]] = {
    ("x", "q"): ("right", "left"),
    ("x", "k"): ("right", "left"),
    ("x", "v"): ("right", "left"),
    ("q", "product"): ("right", "left"),
    ("k", "product"): ("right", "bottom"),
    ("product", "scaled"): ("right", "left"),
    ("scaled", "masked"): ("right", "left"),
    ("masked", "weights"): ("right", "left"),
    ("weights", "output"): ("bottom", "top"),
    ("v", "output"): ("right", "left"),
}
"""Which sides the arrows join when the score matrices stand in one row."""

FOLDED: Mapping[tuple[str, str], tuple[Side, Side]] = {
    **ROUTES,
    ("k", "product"): ("right", "left"),
    ("scaled", "masked"): ("bottom", "top"),
    ("masked", "weights"): ("left", "right"),
}
"""The same where they fold into two columns."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything lies in one kind of frame: upper left corners of the cells, in points."""

    narrow_cell: tuple[float, float]
    wide_cell: tuple[float, float]
    places: Mapping[str, tuple[float, float]]
    routes: Mapping[tuple[str, str], tuple[Side, Side]]
    notes: tuple[float, float]
    """Where the worked row is written."""
    leading: float
    """From line to line of it."""
    below: frozenset[str]
    """Matrices whose shape is written under them; the others carry it beside their title."""


def plan_for(canvas: Canvas) -> Plan:
    """The arrangement that suits the frame."""
    return _slide(canvas) if canvas.wide else _column(canvas)


def _slide(canvas: Canvas) -> Plan:
    """Q, K, V one above the other; the score matrices in a row; V runs along the foot to the output."""
    tall = canvas.height > 300
    height = 18.0 if tall else 13.6
    first = 34.0 if tall else 19.0
    last = canvas.height - 4 * height - (18 if tall else 2)
    tops = [first + i * (last - first) / 2 for i in range(3)]
    columns = [284.0 + i * 147 for i in range(4)]
    places = {
        "x": (20.0, tops[1]),
        "q": (164.0, tops[0]),
        "k": (164.0, tops[1]),
        "v": (164.0, tops[2]),
        "product": (columns[0], 34.0),
        "scaled": (columns[1], 34.0),
        "masked": (columns[2], 34.0),
        "weights": (columns[3], 34.0),
        "output": (columns[3] + 14.5, tops[2]),
    }
    below = frozenset(places if tall else {"product", "scaled", "masked", "weights"})
    notes = (columns[0] + 92, 34 + 4 * height + (44 if tall else 24))
    return Plan((26, height), (29, height), places, ROUTES, notes, 22.0 if tall else 16.0, below)


def _column(canvas: Canvas) -> Plan:
    """The same beside text: the score matrices fold into two columns, read like a snake."""
    height, first = 15.0, 34.0
    pitch = (canvas.height - first - 4 * height - 18) / 2
    tops = [first + i * pitch for i in range(3)]
    left, right = canvas.width - 254, canvas.width - 118
    places = {
        "x": (18.0, tops[1]),
        "q": (150.0, tops[0]),
        "k": (150.0, tops[1]),
        "v": (150.0, tops[2]),
        "product": (left, tops[0]),
        "scaled": (right, tops[0]),
        "masked": (right, tops[1]),
        "weights": (left, tops[1]),
        "output": (left + 14, tops[2]),
    }
    notes = (left + 110, tops[2] + 24)
    return Plan((24, height), (28, height), places, FOLDED, notes, 18.0, frozenset(places))
