"""Clipping by geometry, for the format has none: areas by Sutherland and Hodgman, lines by Cyrus and Beck.

Sutherland, Hodgman, "Reentrant polygon clipping", CACM 17(1), 1974; Cyrus, Beck, "Generalized two- and
three-dimensional clipping", Computers & Graphics 3(1), 1978. A region that is not convex is taken apart into
triangles first; holes in a region are not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deck_builder.drawing.marks import Box
from deck_builder.values import dataclass, field

Points = NDArray[np.float64]
"""(N, 2)"""
HalfPlanes = NDArray[np.float64]
"""(E, 3): rows a, b, c; a point is inside where a·x + b·y ≤ c for every row."""

SLACK_PT = 0.02
"""What may stick out of a region without being clipped: less than any screen shows."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where drawing shows: the box around it, and its convex pieces."""

    box: Box
    pieces: tuple[HalfPlanes, ...] = field(repr=False)
    upright: bool = True
    """Whether the region is the box itself."""

    def holds(self, box: Box) -> bool:
        """Whether nothing inside `box` needs to be clipped."""
        if self.upright or not self.box.holds(box, SLACK_PT):
            return self.box.holds(box, SLACK_PT)
        corners = np.array([(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)])
        return any(bool((_outside(piece, corners) <= SLACK_PT).all()) for piece in self.pieces)

    def contains(self, points: Points) -> NDArray[np.bool_]:
        """(N,): which points lie in the region."""
        inside = [(_outside(piece, points) <= 0).all(axis=1) for piece in self.pieces]
        return np.asarray(np.any(inside, axis=0))

    def meets(self, box: Box) -> bool:
        """Whether something of `box`, which may be as thin as a line, can show."""
        return (
            box.left <= self.box.right
            and box.right >= self.box.left
            and box.bottom <= self.box.top
            and box.top >= self.box.bottom
        )


def region_of(frame: Box, rectangle: Any, path: Any, transform: Any) -> Region | None:
    """Where this clip rectangle and clip path let drawing show, within the frame; None where that is nowhere."""
    box = frame
    if rectangle is not None:
        clip = Box(*np.asarray(rectangle.extents, dtype=float).tolist())
        if not box.meets(clip):
            return None
        box = box.common(clip)
    return box_region(box) if path is None else polygon_region(box, path.to_polygons(transform))


def box_region(box: Box) -> Region:
    """The region of an upright box."""
    rows = [(-1.0, 0.0, -box.left), (1.0, 0.0, box.right), (0.0, -1.0, -box.bottom), (0.0, 1.0, box.top)]
    return Region(box, (np.array(rows),))


def polygon_region(box: Box, outlines: Iterable[Points]) -> Region | None:
    """What lies in `box` and in one of the simple polygons; None where nothing does."""
    pieces: list[HalfPlanes] = []
    corners: list[Points] = []
    frame = box_region(box).pieces[0]
    for outline in outlines:
        ring = _ring(outline)
        for piece in [ring] if _convex(ring) else _triangles(ring):
            seen = _clip_area(frame, piece)
            if len(seen):
                corners.append(seen)
                pieces.append(np.vstack([frame, _half_planes(piece)]))
    if not corners:
        return None
    (left, bottom), (right, top) = np.vstack(corners).min(axis=0), np.vstack(corners).max(axis=0)
    return Region(Box(float(left), float(bottom), float(right), float(top)), tuple(pieces), upright=False)


def clip_area(region: Region, polygon: Points) -> list[Points]:
    """The parts of a closed polygon that lie in the region, one for each convex piece of it."""
    parts = (_clip_area(piece, polygon) for piece in region.pieces)
    return [part for part in parts if len(part) >= 3]


def clip_line(region: Region, line: Points) -> list[Points]:
    """The parts of an open polyline that lie in the region."""
    start, step = line[:-1], np.diff(line, axis=0)
    spans = [_spans(piece, start, step) for piece in region.pieces]
    parts: list[Points] = []
    for index in range(len(start)):
        inside = _united([(low[index], high[index]) for low, high in spans if low[index] < high[index]])
        for low, high in inside:
            ends = start[index] + np.array([[low], [high]]) * step[index]
            if parts and low == 0.0 and np.array_equal(parts[-1][-1], ends[0]):
                parts[-1] = np.vstack([parts[-1], ends[1:]])
            else:
                parts.append(ends)
    return parts


# ---------------------------------------------------------------- half-planes


def _outside(piece: HalfPlanes, points: Points) -> NDArray[np.float64]:
    """(N, E): how far each point is beyond each edge; not above 0 is inside."""
    return np.asarray(points @ piece[:, :2].T - piece[:, 2])


def _clip_area(piece: HalfPlanes, polygon: Points) -> Points:
    for edge in piece:
        if len(polygon) < 3:
            break
        beyond = _outside(edge[np.newaxis], polygon)[:, 0]
        if (beyond <= 0).all():
            continue
        polygon = _cut(polygon, beyond)
    return polygon if len(polygon) >= 3 else np.empty((0, 2))


def _cut(polygon: Points, beyond: NDArray[np.float64]) -> Points:
    following, beyond_next = np.roll(polygon, -1, axis=0), np.roll(beyond, -1)
    inside = beyond <= 0
    crossing = inside != (beyond_next <= 0)
    share = np.where(crossing, beyond / np.where(crossing, beyond - beyond_next, 1.0), 0.0)
    # Each corner may be followed by the point where its edge crosses the border.
    both = np.stack([polygon, polygon + share[:, np.newaxis] * (following - polygon)], axis=1).reshape(-1, 2)
    kept: Points = both[np.stack([inside, crossing], axis=1).ravel()]
    return kept


def _spans(piece: HalfPlanes, start: Points, step: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each stretch, from and to which share of it the piece holds it; low ≥ high where it does not."""
    room, speed = -_outside(piece, start), step @ piece[:, :2].T
    still = np.abs(speed) < 1e-12
    at = room / np.where(still, 1.0, speed)
    low = np.where((speed < 0) & ~still, at, 0.0).max(axis=1).clip(0.0)
    high = np.where((speed > 0) & ~still, at, 1.0).min(axis=1).clip(max=1.0)
    return low, np.where((still & (room < -1e-9)).any(axis=1), -1.0, high)


def _united(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    united: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if united and low <= united[-1][1] + 1e-9:
            united[-1] = (united[-1][0], max(high, united[-1][1]))
        else:
            united.append((float(low), float(high)))
    return united


# ---------------------------------------------------------------- polygons


def _ring(outline: Points) -> Points:
    """Anticlockwise, without repeated corners."""
    following = np.roll(outline, -1, axis=0)
    ring: Points = outline[np.abs(following - outline).max(axis=1) > 1e-9]
    return ring[::-1] if _area(ring) < 0 else ring


def _area(ring: Points) -> float:
    following = np.roll(ring, -1, axis=0)
    return float((ring[:, 0] * following[:, 1] - following[:, 0] * ring[:, 1]).sum() / 2)


def _turns(ring: Points) -> NDArray[np.float64]:
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    return np.asarray(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])


def _convex(ring: Points) -> bool:
    """Whether the ring turns left everywhere, and only once around."""
    if len(ring) < 3 or (_turns(ring) < -1e-9).any():
        return False
    edges = np.roll(ring, -1, axis=0) - ring
    angles = np.diff(np.unwrap(np.arctan2(edges[:, 1], edges[:, 0])))
    return bool(angles.sum() < 2 * np.pi + 1e-6)


def _half_planes(ring: Points) -> HalfPlanes:
    edges = np.roll(ring, -1, axis=0) - ring
    normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.hypot(edges[:, 0], edges[:, 1])[:, np.newaxis]
    return np.asarray(np.column_stack([normals, (normals * ring).sum(axis=1)]))


def _triangles(ring: Points) -> list[Points]:
    """A simple anticlockwise polygon cut into triangles, ear by ear (Meisters, 1975)."""
    triangles: list[Points] = []
    while len(ring) > 3:
        ear = next((index for index in range(len(ring)) if _is_ear(ring, index)), None)
        if ear is None:  # the ring crosses itself
            break
        triangles.append(ring[[ear - 1, ear, (ear + 1) % len(ring)]])
        ring = np.delete(ring, ear, axis=0)
    return [triangle for triangle in [*triangles, ring] if _area(triangle) > 1e-9]


def _is_ear(ring: Points, index: int) -> bool:
    corners = [index - 1 if index else len(ring) - 1, index, (index + 1) % len(ring)]
    triangle = ring[corners]
    if _area(triangle) <= 0:
        return _area(triangle) == 0
    others = np.delete(ring, corners, axis=0)
    return not bool((_outside(_half_planes(triangle), others) <= -1e-12).all(axis=1).any())
