from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import NDArray

from deck_builder.drawing.clipping import Region, box_region, clip_area, clip_line, polygon_region
from deck_builder.drawing.marks import Box

FRAME = Box(0, 0, 100, 100)
COORDINATE = st.floats(-50, 150).map(lambda value: round(value, 3))
POINT = st.tuples(COORDINATE, COORDINATE)
TRIANGLES = st.lists(POINT, min_size=3, max_size=3).map(np.array)
LINES = st.lists(POINT, min_size=2, max_size=8).map(np.array)
L_SHAPE = np.array([(10, 10), (90, 10), (90, 40), (40, 40), (40, 90), (10, 90)], dtype=float)


def region(*outlines: NDArray[np.float64]) -> Region:
    found = polygon_region(FRAME, outlines)
    assert found is not None
    return found


CIRCLE = Path.unit_circle().to_polygons(Affine2D().scale(35).translate(50, 50))
REGIONS = {
    "box": box_region(Box(20, 30, 80, 70)),
    "circle": region(*map(np.asarray, CIRCLE)),
    "turned box": region(np.array([(50, 10), (90, 50), (50, 90), (10, 50)], dtype=float)),
    "L": region(L_SHAPE),
    "L clockwise": region(L_SHAPE[::-1]),
    "two": region(
        np.array([(0, 0), (40, 0), (0, 40)], dtype=float), np.array([(60, 60), (90, 60), (60, 90)], dtype=float)
    ),
}
SAMPLES = np.random.default_rng(0).uniform(-20, 120, (400, 2))


def area(polygon: NDArray[np.float64]) -> float:
    following = np.roll(polygon, -1, axis=0)
    return abs(float((polygon[:, 0] * following[:, 1] - following[:, 0] * polygon[:, 1]).sum() / 2))


def distance_to_edges(polygon: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    starts, ends = polygon, np.roll(polygon, -1, axis=0)
    along = ends - starts
    lengths = (along**2).sum(axis=1)
    share = np.clip(((points[:, None] - starts) * along).sum(axis=2) / np.where(lengths > 0, lengths, 1), 0, 1)
    nearest = starts + share[..., None] * along
    found: NDArray[np.float64] = np.hypot(*np.moveaxis(points[:, None] - nearest, 2, 0)).min(axis=1)
    return found


@pytest.mark.parametrize("where", REGIONS.values(), ids=REGIONS.keys())
@given(triangle=TRIANGLES)
def test_a_clipped_area_holds_the_points_that_are_in_both(where: Region, triangle: NDArray[np.float64]) -> None:
    parts = clip_area(where, triangle)
    clear = distance_to_edges(triangle, SAMPLES) > 1e-6
    clear &= where.contains(SAMPLES + 1e-6) == where.contains(SAMPLES - 1e-6)
    wanted = Path(triangle).contains_points(SAMPLES) & where.contains(SAMPLES)
    found = np.zeros(len(SAMPLES), dtype=bool)
    for part in parts:
        # Winding in either direction is inside.
        found |= Path(part).contains_points(SAMPLES, radius=1e-7) | Path(part).contains_points(SAMPLES, radius=-1e-7)
    assert (wanted == found)[clear].all()


@given(triangle=TRIANGLES)
def test_areas_clipped_to_a_box_are_those_of_matplotlib(triangle: NDArray[np.float64]) -> None:
    box = Bbox.from_extents(20, 30, 80, 70)
    rings = Path([*triangle, triangle[0]]).clip_to_bbox(box).to_polygons()
    theirs = sum(area(np.asarray(ring, dtype=float)) for ring in rings)
    ours = sum(area(part) for part in clip_area(REGIONS["box"], triangle))
    assert ours == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("where", REGIONS.values(), ids=REGIONS.keys())
@given(line=LINES)
def test_a_clipped_line_is_the_stretch_inside(where: Region, line: NDArray[np.float64]) -> None:
    parts = clip_line(where, line)
    length = sum(float(np.hypot(*np.diff(part, axis=0).T).sum()) for part in parts)
    shares = (np.arange(2000) + 0.5) / 2000
    sampled = 0.0
    for start, end in pairwise(line):
        points = start + shares[:, None] * (end - start)
        sampled += float(where.contains(points).mean() * np.hypot(*(end - start)))
    assert length == pytest.approx(sampled, abs=0.01 * len(line) * 100)
    for part in parts:
        assert where.box.holds(Box(*part.min(axis=0), *part.max(axis=0)), 1e-6)


def test_a_line_that_stays_inside_is_left_in_one_piece() -> None:
    line = np.array([(15, 15), (80, 20), (30, 30), (20, 80)], dtype=float)
    (part,) = clip_line(REGIONS["L"], line)
    assert np.allclose(part[[0, -1]], line[[0, -1]])


def test_a_region_without_corners_in_convex_position_keeps_its_area() -> None:
    everything = np.array([(0, 0), (100, 0), (100, 100), (0, 100)], dtype=float)
    assert sum(area(part) for part in clip_area(REGIONS["L"], everything)) == pytest.approx(area(L_SHAPE))


def test_what_is_inside_needs_no_clipping() -> None:
    assert REGIONS["circle"].holds(Box(40, 40, 60, 60))
    assert not REGIONS["circle"].holds(Box(20, 20, 80, 80))


def test_a_region_outside_of_the_frame_is_none() -> None:
    assert polygon_region(FRAME, [np.array([(200, 0), (300, 0), (200, 50)], dtype=float)]) is None
