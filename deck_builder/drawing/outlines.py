"""Which outline a path is: a preset shape, a straight line, or a freeform; and the straight stretches of a freeform."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Transform

from deck_builder.drawing.marks import Freeform, Outline, Segment
from deck_builder.drawing.presets import CLOSE, LINE, MOVE, QUADRATIC, TOLERANCE_PT, Codes, Vertices, preset

MOST_CORNERS = 60
"""A path with more vertices is no preset shape."""


def outline(path: Path, transform: Transform, *, simplify: bool) -> Outline | None:
    """The path as the plainest shape that it is, or None where it has nothing finite to draw."""
    vertices = np.asarray(path.vertices, dtype=float)
    if 2 <= len(vertices) <= MOST_CORNERS and np.isfinite(vertices).all():
        codes = _codes(path, len(vertices))
        if found := _segment(vertices, codes, transform) or preset(vertices, codes, transform):
            return found
    return freeform(path, transform, simplify=simplify)


def freeform(path: Path, transform: Transform, *, simplify: bool = False, curves: bool = True) -> Freeform | None:
    """The path in the frame's coordinates: gaps for what is not finite, superfluous vertices left out if `simplify`."""
    cleaned = path.cleaned(transform, remove_nans=True, simplify=simplify and path.should_simplify, curves=curves)
    vertices, codes = np.asarray(cleaned.vertices, dtype=float), np.asarray(cleaned.codes, dtype=np.uint8)
    drawn = codes != Path.STOP
    if not np.isin(codes[drawn], (MOVE, CLOSE), invert=True).any():
        return None
    return Freeform(vertices[drawn], codes[drawn])


def _codes(path: Path, length: int) -> Codes:
    if path.codes is None:
        return (MOVE, *[LINE] * (length - 1))
    return tuple(np.asarray(path.codes).tolist())


def _segment(vertices: Vertices, codes: Codes, transform: Transform) -> Segment | None:
    if codes not in ((MOVE, LINE), (MOVE, QUADRATIC, QUADRATIC)):
        return None
    ends = transform.transform(vertices)
    if len(ends) == 3 and not _is_between(ends[1], ends[0], ends[2]):
        return None
    (x0, y0), (x1, y1) = ends[0].tolist(), ends[-1].tolist()
    return Segment((x0, y0), (x1, y1))


def _is_between(point: Vertices, start: Vertices, end: Vertices) -> bool:
    (along_x, along_y), (to_x, to_y) = end - start, point - start
    length = np.hypot(along_x, along_y)
    return bool(length > 0 and abs(along_x * to_y - along_y * to_x) / length < TOLERANCE_PT)


# ---------------------------------------------------------------- straight stretches


def polygons(flat: Freeform) -> list[Vertices]:
    """The areas of an outline without curves."""
    return [vertices for vertices, _ in _subpaths(flat) if len(vertices) > 2]


def polylines(flat: Freeform) -> list[Vertices]:
    """The drawn lines of an outline without curves; a closed one ends where it began."""
    return [np.vstack([vertices, vertices[:1]]) if closed else vertices for vertices, closed in _subpaths(flat)]


def _subpaths(flat: Freeform) -> list[tuple[Vertices, bool]]:
    """The polylines of an outline, and whether each is closed."""
    starts = [*np.flatnonzero(flat.codes == MOVE).tolist(), len(flat.vertices)]
    parts = []
    for start, stop in pairwise(starts):
        closed = flat.codes[start:stop] == CLOSE
        vertices = flat.vertices[start:stop][~closed]
        if len(vertices) > 1:
            parts.append((vertices, bool(closed.any())))
    return parts


def area(parts: list[Vertices]) -> Freeform:
    """A freeform of closed polygons."""
    codes = [[MOVE, *[LINE] * (len(part) - 1), CLOSE] for part in parts]
    rings = [np.vstack([part, part[:1]]) for part in parts]
    return Freeform(np.vstack(rings), np.concatenate(codes).astype(np.uint8))


def strokes(parts: list[Vertices]) -> Outline:
    """A straight line where there is but one, else a freeform of open polylines."""
    if len(parts) == 1 and len(parts[0]) == 2:
        (x0, y0), (x1, y1) = parts[0].tolist()
        return Segment((x0, y0), (x1, y1))
    codes = [[MOVE, *[LINE] * (len(part) - 1)] for part in parts]
    return Freeform(np.vstack(parts), np.concatenate(codes).astype(np.uint8))
