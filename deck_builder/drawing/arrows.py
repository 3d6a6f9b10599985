"""Arrows between shapes: a straight one is glued to the connection sites of the shapes at its ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Annotation

from deck_builder.drawing.marks import Box, Freeform, Mark, Point, Preset, Segment, bounds
from deck_builder.values import dataclass, replace

_DIAGONAL = 0.5**0.5


@dataclass(frozen=True, slots=True)
class End:
    """One end of a glued arrow: the number of a mark and of its connection site."""

    mark: int
    site: int


@dataclass(frozen=True, slots=True)
class Bond:
    """What a straight arrow is glued to."""

    start: End | None
    end: End | None


def sites(mark: Mark) -> list[Point]:
    """A shape's connection sites in the order of the format: from the top anticlockwise, 8 on an ellipse, else 4."""
    match mark.outline:
        case Preset(kind="ellipse", box=box, angle=angle):
            return [_turned(box, point, angle) for point in _around_ellipse(box)]
        case Preset(box=box, angle=angle):
            return [_turned(box, point, angle) for point in _around_box(box)]
        case Freeform():
            return _around_box(bounds(mark.outline))
    return []


def bind(marks: Sequence[Mark]) -> tuple[list[Mark], dict[int, Bond]]:
    """The marks with every straight arrow drawn from site to site, and what it is glued to, by its number."""
    homes = _homes(marks)
    bound, bonds = list(marks), {}
    for number, mark in enumerate(marks):
        if isinstance(mark.artist, FancyArrowPatch) and isinstance(mark.outline, Segment):
            line = mark.outline
            start = _end(marks, _start_home(mark, homes), line.start)
            end = _end(marks, homes.get(id(mark.artist.patchB)), line.end)
            if start or end:
                glued = Segment(_place(marks, start, line.start), _place(marks, end, line.end))
                bound[number] = replace(mark, outline=glued)
                bonds[number] = Bond(start, end)
    return bound, bonds


def _homes(marks: Sequence[Mark]) -> dict[int, int]:
    """The number of the first shape that each artist drew, or of the shape that carries its text."""
    homes: dict[int, int] = {}
    for number, mark in enumerate(marks):
        for scopes in (mark.scopes, mark.lettering):
            if scopes and not isinstance(mark.outline, Segment):
                homes.setdefault(id(scopes[-1]), number)
    return homes


def _start_home(mark: Mark, homes: Mapping[int, int]) -> int | None:
    """Where an arrow begins: at its patch A if somebody draws that, else at the text that it belongs to.

    For a text without a box matplotlib invents a patch A that is never drawn.
    """
    arrow = mark.artist
    assert isinstance(arrow, FancyArrowPatch)
    home = homes.get(id(arrow.patchA))
    annotation = mark.scopes[-2] if len(mark.scopes) > 1 else None
    if home is None and isinstance(annotation, Annotation) and annotation.arrow_patch is arrow:
        return homes.get(id(annotation))
    return home


def _end(marks: Sequence[Mark], home: int | None, point: Point) -> End | None:
    if home is None:
        return None
    distances = [float(np.hypot(x - point[0], y - point[1])) for x, y in sites(marks[home])]
    return End(home, int(np.argmin(distances))) if distances else None


def _place(marks: Sequence[Mark], end: End | None, point: Point) -> Point:
    return sites(marks[end.mark])[end.site] if end else point


def _around_box(box: Box) -> list[Point]:
    x, y = box.middle
    return [(x, box.top), (box.left, y), (x, box.bottom), (box.right, y)]


def _around_ellipse(box: Box) -> list[Point]:
    x, y = box.middle
    across, up = box.width / 2 * _DIAGONAL, box.height / 2 * _DIAGONAL
    top, left, bottom, right = _around_box(box)
    return [
        top,
        (x - across, y + up),
        left,
        (x - across, y - up),
        bottom,
        (x + across, y - up),
        right,
        (x + across, y + up),
    ]


def _turned(box: Box, point: Point, angle: float) -> Point:
    if not angle:
        return point
    (x, y), turn = box.middle, np.radians(angle)
    along, up = point[0] - x, point[1] - y
    return (
        float(x + along * np.cos(turn) - up * np.sin(turn)),
        float(y + along * np.sin(turn) + up * np.cos(turn)),
    )
