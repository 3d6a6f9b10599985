"""Paths that the format knows by name: rectangles, rounded ones, ellipses, whichever way they are turned."""

from __future__ import annotations

from typing import Literal

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Transform
from numpy.typing import NDArray

from deck_builder.drawing.marks import Box, Preset, around
from deck_builder.values import dataclass

Kind = Literal["rect", "roundRect", "ellipse"]
Vertices = NDArray[np.float64]
Codes = tuple[int, ...]

MOVE, LINE, QUADRATIC, CUBIC, CLOSE = (
    int(code) for code in (Path.MOVETO, Path.LINETO, Path.CURVE3, Path.CURVE4, Path.CLOSEPOLY)
)
_OPEN_RECTANGLE = (MOVE, LINE, LINE, LINE)
_CORNER = (LINE, QUADRATIC, QUADRATIC)
_ROUNDED = (MOVE, *_CORNER, *_CORNER, *_CORNER, *_CORNER, CLOSE)
TOLERANCE_PT = 0.02
"""Deviation that no screen shows."""


@dataclass(frozen=True, slots=True)
class _Local:
    """A preset shape before the transform: upright, in the path's own units."""

    kind: Kind
    box: Box
    radii: tuple[float, float] = (0.0, 0.0)


def preset(vertices: Vertices, codes: Codes, transform: Transform) -> Preset | None:
    """The preset shape that a path of these vertices and codes is once transformed; None where it is none."""
    corners = _four_corners(vertices, codes)
    local = _rectangle(corners) if corners is not None else _ellipse(vertices, codes) or _rounded(vertices, codes)
    if local and (placed := _placed(local, transform)):
        return placed
    return None if corners is None else _turned_rectangle(transform.transform(corners))


# ---------------------------------------------------------------- before the transform


def _four_corners(vertices: Vertices, codes: Codes) -> Vertices | None:
    if len(vertices) != 5 or codes[:4] != _OPEN_RECTANGLE:
        return None
    closed = codes[4] == CLOSE or (codes[4] == LINE and np.array_equal(vertices[0], vertices[4]))
    return vertices[:4] if closed else None


def _rectangle(corners: Vertices) -> _Local | None:
    (left, bottom), (right, top) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    slack = max(right - left, top - bottom) * 1e-9
    steps = np.abs(np.roll(corners, -1, axis=0) - corners) <= slack
    # Level and plumb sides in turn.
    if not (steps[[0, 2], 1].all() and steps[[1, 3], 0].all()) and not (
        steps[[0, 2], 0].all() and steps[[1, 3], 1].all()
    ):
        return None
    return _Local("rect", Box(left, bottom, right, top))


def _ellipse(vertices: Vertices, codes: Codes) -> _Local | None:
    """A closed run of cubic curves whose ends and middles all lie on one upright ellipse."""
    if codes[-1] == CLOSE:
        codes, vertices = codes[:-1], vertices[:-1]
    if len(codes) < 13 or codes[0] != MOVE or set(codes[1:]) != {CUBIC}:
        return None
    if not np.allclose(vertices[0], vertices[-1], atol=1e-9):
        return None
    starts, ends = vertices[0:-1:3], vertices[3::3]
    middles = (starts + 3 * vertices[1::3] + 3 * vertices[2::3] + ends) / 8
    points = np.vstack([ends, middles])
    low, high = points.min(axis=0), points.max(axis=0)
    radii = (high - low) / 2
    if not (radii > 0).all():
        return None
    distance = np.hypot(*((points - (low + high) / 2) / radii).T)
    if np.abs(distance - 1).max() > 0.004:
        return None
    return _Local("ellipse", Box(*low.tolist(), *high.tolist()))


def _rounded(vertices: Vertices, codes: Codes) -> _Local | None:
    """What `matplotlib.patches.BoxStyle.Round` draws: four sides with a curve between each two."""
    if codes != _ROUNDED:
        return None
    low, high = vertices[:-1].min(axis=0), vertices[:-1].max(axis=0)
    corners = vertices[[2, 5, 8, 11]]
    if not (np.isclose(corners, low) | np.isclose(corners, high)).all() or not (high > low).all():
        return None
    radii = abs(float(vertices[0, 0] - corners[3, 0])), abs(float(vertices[10, 1] - corners[3, 1]))
    return _Local("roundRect", Box(*low.tolist(), *high.tolist()), radii)


# ---------------------------------------------------------------- after it


def _placed(local: _Local, transform: Transform) -> Preset | None:
    """The shape after the transform, if that leaves it a shape of its kind."""
    x, y = local.box.middle
    reach = np.array([(x, y), (x + local.box.width, y), (x, y + local.box.height)])
    middle, right, top = transform.transform(reach)
    along, up = right - middle, top - middle
    if local.kind == "ellipse":
        return _placed_ellipse(middle, along, up)
    width, height = float(np.hypot(*along)), float(np.hypot(*up))
    if not max(width, height) > 0 or abs(float(along @ up)) > 1e-6 * width * height:
        return None
    radius = 0.0
    if local.kind == "roundRect" and min(width, height) > 0:
        # Of an elliptic corner the smaller radius.
        radius = min(local.radii[0] * width / local.box.width, local.radii[1] * height / local.box.height)
    kind: Kind = "roundRect" if radius > 0 else "rect"
    direction = _direction(along) if width > 0 else _direction(up) - 90
    return _upright(kind, middle, width, height, direction, min(radius, width / 2, height / 2))


def _placed_ellipse(middle: Vertices, along: Vertices, up: Vertices) -> Preset | None:
    """An affine image of a circle is an ellipse; its axes are the singular vectors."""
    directions, lengths, _ = np.linalg.svd(np.column_stack([along, up]))
    if not lengths[1] > 0:
        return None
    angle = _direction(directions[:, 0]) if lengths[0] - lengths[1] > TOLERANCE_PT else 0.0
    return _upright("ellipse", middle, float(lengths[0]), float(lengths[1]), angle, 0.0)


def _turned_rectangle(corners: Vertices) -> Preset | None:
    a, b, c, d = corners
    along, up = b - a, d - a
    width, height = float(np.hypot(*along)), float(np.hypot(*up))
    if not min(width, height) > TOLERANCE_PT or np.abs(a + c - b - d).max() > TOLERANCE_PT:
        return None
    if abs(float(along @ up)) / max(width, height) > TOLERANCE_PT:
        return None
    return _upright("rect", (a + c) / 2, width, height, _direction(along), 0.0)


def _upright(kind: Kind, middle: Vertices, width: float, height: float, angle: float, radius: float) -> Preset:
    """The same shape with the smallest angle: a rectangle turned by 90 degrees is an upright one, by 180 itself."""
    quarters = round(angle / 90)
    angle -= 90 * quarters
    if quarters % 2:
        width, height = height, width
    box = around((float(middle[0]), float(middle[1])), width, height)
    return Preset(kind, box, 0.0 if abs(angle) < 1e-3 else angle, radius)


def _direction(along: Vertices) -> float:
    return float(np.degrees(np.arctan2(along[1], along[0])))
