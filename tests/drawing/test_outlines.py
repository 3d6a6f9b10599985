from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import (
    Arc,
    Circle,
    Ellipse,
    FancyBboxPatch,
    Patch,
    Polygon,
    Rectangle,
    RegularPolygon,
    Wedge,
)
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform, Transform

from deck_builder.drawing.marks import Box, Freeform, Outline, Preset, Segment, bounds
from deck_builder.drawing.outlines import freeform, outline, polylines

HERE = IdentityTransform()


def of(path: Path, transform: Transform | None = None) -> Outline | None:
    return outline(path, transform or HERE, simplify=False)


def of_patch(patch: Patch) -> Outline | None:
    return of(patch.get_path(), patch.get_patch_transform())


def rounded(left: float, bottom: float, width: float, height: float) -> Path:
    box = FancyBboxPatch((left, bottom), width, height, boxstyle="round,pad=0,rounding_size=6")
    return box.get_path()


@pytest.mark.parametrize(
    ("patch", "kind"),
    [
        (Rectangle((1, 2), 30, 40), "rect"),
        (Rectangle((1, 2), -30, -40), "rect"),
        (Rectangle((1, 2), 30, 40, angle=25), "rect"),
        (Circle((5, 5), 4), "ellipse"),
        (Ellipse((5, 5), 4, 9), "ellipse"),
        (Ellipse((5, 5), 4, 9, angle=30), "ellipse"),
        (Polygon([(0, 0), (10, 0), (10, 5), (0, 5)]), "rect"),
        (RegularPolygon((5, 5), 4, radius=5), "rect"),
    ],
)
def test_shapes_that_the_format_knows_keep_their_kind(patch: Patch, kind: str) -> None:
    found = of_patch(patch)
    assert isinstance(found, Preset)
    assert found.kind == kind


@pytest.mark.parametrize(
    "patch",
    [
        Polygon([(0, 0), (10, 0), (5, 5)]),
        Polygon([(0, 0), (10, 0), (12, 5), (2, 5)]),
        Polygon([(0, 0), (10, 10), (10, 0), (0, 10)]),
        Wedge((5, 5), 4, 0, 270),
        Arc((5, 5), 4, 4, theta1=0, theta2=350),
        RegularPolygon((5, 5), 5, radius=5),
    ],
)
def test_anything_else_is_a_freeform(patch: Patch) -> None:
    assert isinstance(of_patch(patch), Freeform)


@given(
    angle=st.floats(-400, 400),
    size=st.tuples(st.floats(1, 200), st.floats(1, 200)),
    place=st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
)
def test_a_turned_rectangle_covers_its_corners(
    angle: float, size: tuple[float, float], place: tuple[float, float]
) -> None:
    transform = Affine2D().scale(*size).rotate_deg(angle).translate(*place)
    found = of(Path.unit_rectangle(), transform)
    assert isinstance(found, Preset)
    assert abs(found.angle) <= 45.001
    assert {round(found.box.width, 4), round(found.box.height, 4)} == {round(side, 4) for side in size}
    corners = transform.transform(np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float))
    around = bounds(found)
    assert (around.left, around.bottom) == pytest.approx(corners.min(axis=0).tolist(), abs=0.05)
    assert (around.right, around.top) == pytest.approx(corners.max(axis=0).tolist(), abs=0.05)


@given(angle=st.floats(-180, 180), radii=st.tuples(st.floats(5, 60), st.floats(5, 60)), skew=st.floats(-60, 60))
def test_a_sheared_circle_is_an_ellipse_through_its_points(
    angle: float, radii: tuple[float, float], skew: float
) -> None:
    transform = Affine2D().scale(*radii).skew_deg(skew, 0).rotate_deg(angle)
    found = of(Path.unit_circle(), transform)
    assert isinstance(found, Preset)
    turns = np.linspace(0, 2 * np.pi, 30)
    points = transform.transform(np.column_stack([np.cos(turns), np.sin(turns)]))
    local = Affine2D().rotate_deg(-found.angle).transform(points)
    measured = np.hypot(local[:, 0] / (found.box.width / 2), local[:, 1] / (found.box.height / 2))
    assert measured == pytest.approx(np.ones(30), abs=0.01)


def test_a_rounded_box_keeps_its_radius() -> None:
    assert of(rounded(10, 20, 100, 40)) == Preset("roundRect", Box(10, 20, 110, 60), 0.0, 6.0)


def test_a_rounded_box_in_uneven_axes_takes_the_smaller_radius() -> None:
    found = of(rounded(10, 20, 100, 40), Affine2D().scale(2, 0.5))
    assert isinstance(found, Preset)
    assert found.radius == pytest.approx(3)


def test_two_points_are_a_straight_line() -> None:
    assert of(Path([(0, 0), (3, 4)])) == Segment((0, 0), (3, 4))


def test_a_curve_without_a_bend_is_a_straight_line() -> None:
    codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3]
    assert of(Path([(0, 0), (5, 5), (10, 10)], codes)) == Segment((0, 0), (10, 10))
    assert isinstance(of(Path([(0, 0), (5, 9), (10, 10)], codes)), Freeform)


def test_what_is_not_finite_is_a_gap() -> None:
    found = of(Path([(0, 0), (1, 1), (math.nan, 2), (3, 3), (4, 4), (math.inf, 0)]))
    assert isinstance(found, Freeform)
    assert [line.tolist() for line in polylines(found)] == [[[0, 0], [1, 1]], [[3, 3], [4, 4]]]


@pytest.mark.parametrize("path", [Path(np.empty((0, 2))), Path([(1, 1)]), Path([(math.nan, 0), (math.nan, 1)])])
def test_nothing_to_draw_is_nothing(path: Path) -> None:
    assert of(path) is None


def test_a_long_line_is_thinned_where_no_eye_sees_it() -> None:
    x = np.linspace(0, 300, 20_000)
    y = np.sin(x / 20) * 100
    thinned = freeform(Path(np.column_stack([x, y])), HERE, simplify=True)
    assert thinned is not None
    assert len(thinned.vertices) < 2_000
    nearest = np.abs(np.interp(thinned.vertices[:, 0], x, y) - thinned.vertices[:, 1])
    assert nearest.max() < 0.2
