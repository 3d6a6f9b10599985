"""A path as outlines: one where it can be seen whole, else the seen parts of its area and of its line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform, Transform

from deck_builder.drawing.clipping import Region, clip_area, clip_line
from deck_builder.drawing.marks import Freeform, Outline, Paint, Preset, Raster, Segment, bounds
from deck_builder.drawing.outlines import area, freeform, outline, polygons, polylines, strokes
from deck_builder.drawing.presets import CLOSE, LINE, MOVE
from deck_builder.values import replace

Traced = tuple[Outline, Paint]
Source = tuple[Path, Transform]


def trace(path: Path, transform: Transform, paint: Paint, region: Region) -> Iterator[Traced]:
    """What is seen of a painted path in the region: nothing, one outline, or a clipped area and a clipped line."""
    found = outline(path, transform, simplify=paint.fill is None)
    if found is not None:
        yield from clipped(found, paint, region, source=(path, transform))


def clipped(found: Outline, paint: Paint, region: Region, *, source: Source | None = None) -> Iterator[Traced]:
    """What is seen of an outline; `source` is the path that it was, if it was one."""
    box = bounds(found)
    if region.holds(box):
        yield found, Paint(None, paint.stroke) if isinstance(found, Segment) else paint
    elif region.meets(box):
        yield from _parts(found, paint, region, source)


def _parts(found: Outline, paint: Paint, region: Region, source: Source | None) -> Iterator[Traced]:
    flat = _flat(found, source)
    if flat is None:
        return
    if (paint.fill is not None or paint.stroke is None) and (seen := _seen_area(found, flat, region)):
        yield seen, Paint(paint.fill, None)
    if paint.stroke is not None and (lines := [part for line in polylines(flat) for part in clip_line(region, line)]):
        # What is cut off has no arrow head where it is cut.
        yield strokes(lines), Paint(None, replace(paint.stroke, start=None, end=None))


def _seen_area(found: Outline, flat: Freeform, region: Region) -> Outline | None:
    if isinstance(found, Preset) and found.kind == "rect" and not found.angle and region.upright:
        return Preset("rect", region.box.common(found.box)) if region.box.meets(found.box) else None
    seen = [part for ring in polygons(flat) for part in clip_area(region, ring)]
    return area(seen) if seen else None


def _flat(found: Outline, source: Source | None) -> Freeform | None:
    """The outline as straight stretches in the frame's coordinates."""
    match found:
        case Segment():
            return Freeform(np.array([found.start, found.end]), np.array([MOVE, LINE], dtype=np.uint8))
        case Freeform():
            return freeform(found.path, IdentityTransform(), curves=False)
        case Preset():
            return freeform(*source, curves=False) if source else _rectangle(found)
        case Raster():
            return None


def _rectangle(found: Preset) -> Freeform:
    box, (x, y) = found.box, found.box.middle
    corners = [(box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top)]
    turned = Affine2D().rotate_deg_around(x, y, found.angle).transform(np.array([*corners, corners[0]]))
    return Freeform(turned, np.array([MOVE, LINE, LINE, LINE, CLOSE], dtype=np.uint8))
