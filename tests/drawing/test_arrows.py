from __future__ import annotations

from collections.abc import Callable

import pytest
from drawn import Drawn, ask, draw, sheet
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse, FancyArrowPatch, Patch, Polygon, Rectangle

Maker = Callable[[float, float, str], Patch]


def rectangle(x: float, y: float, name: str) -> Patch:
    return Rectangle((x - 30, y - 20), 60, 40, label=name)


def ellipse(x: float, y: float, name: str) -> Patch:
    return Ellipse((x, y), 60, 40, label=name)


def diamond(x: float, y: float, name: str) -> Patch:
    return Polygon([(x - 30, y), (x, y + 20), (x + 30, y), (x, y - 20)], label=name)


def two_shapes(make: Maker = rectangle, end: tuple[float, float] = (300, 100)) -> tuple[Figure, Patch, Patch]:
    figure = sheet()
    first, second = make(100, 100, "first"), make(*end, "second")
    figure.axes[0].add_patch(first)
    figure.axes[0].add_patch(second)
    return figure, first, second


def ends(drawn: Drawn, name: str = "arrow") -> tuple[tuple[float, float], tuple[float, float]]:
    """Start and end of a connector in points from the upper left corner."""
    left, top, width, height = drawn.box(name)
    (place,) = ask(drawn.shape(name), "./*/a:xfrm")
    x, y = (left, left + width), (top, top + height)
    if place.get("flipH"):
        x = x[::-1]
    if place.get("flipV"):
        y = y[::-1]
    return (x[0], y[0]), (x[1], y[1])


def glue(drawn: Drawn, name: str = "arrow") -> dict[str, tuple[str, int]]:
    """The name of the shape and the site at each glued end."""
    names = {node.get("id"): str(node.get("name")) for node in drawn.group.iter("{*}cNvPr")}
    found = drawn.shape(name)
    return {
        tag: (names[node.get("id")], int(node.get("idx") or -1))
        for tag in ("stCxn", "endCxn")
        for node in found.iter("{*}" + tag)
    }


@pytest.mark.parametrize(
    ("end", "sites", "places"),
    [
        ((300, 100), (3, 1), ((130, 188), (270, 188))),
        ((100, 250), (0, 2), ((100, 168), (100, 58))),
        ((40, 30), (2, 0), ((100, 208), (40, 238))),
    ],
)
def test_an_arrow_between_boxes_is_glued_to_their_nearest_sites(
    end: tuple[float, float], sites: tuple[int, int], places: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    figure, first, second = two_shapes(end=end)
    figure.axes[0].add_patch(
        FancyArrowPatch((100, 100), end, patchA=first, patchB=second, arrowstyle="-|>", label="arrow")
    )
    drawn = draw(figure)
    assert glue(drawn) == {"stCxn": ("first", sites[0]), "endCxn": ("second", sites[1])}
    assert [value for point in ends(drawn) for value in point] == pytest.approx(
        [value for place in places for value in place], abs=0.01
    )
    assert drawn.values(".//p:cxnSp//a:prstGeom/@prst") == ["straightConnector1"]


@pytest.mark.parametrize(
    ("end", "sites", "start"), [((300, 100), (6, 2), (130, 188)), ((180, 180), (7, 3), (121.21, 173.86))]
)
def test_an_ellipse_has_eight_sites(
    end: tuple[float, float], sites: tuple[int, int], start: tuple[float, float]
) -> None:
    figure, first, second = two_shapes(ellipse, end)
    figure.axes[0].add_patch(
        FancyArrowPatch((100, 100), end, patchA=first, patchB=second, arrowstyle="-|>", label="arrow")
    )
    drawn = draw(figure)
    assert glue(drawn) == {"stCxn": ("first", sites[0]), "endCxn": ("second", sites[1])}
    assert ends(drawn)[0] == pytest.approx(start, abs=0.01)


def test_another_outline_is_given_sites_of_its_own() -> None:
    figure, first, second = two_shapes(diamond)
    figure.axes[0].add_patch(
        FancyArrowPatch((100, 100), (300, 100), patchA=first, patchB=second, arrowstyle="-|>", label="arrow")
    )
    drawn = draw(figure)
    assert glue(drawn) == {"stCxn": ("first", 3), "endCxn": ("second", 1)}
    assert len(list(drawn.shape("first").iter("{*}cxn"))) == 4
    assert ends(drawn)[0] == pytest.approx((130, 188), abs=0.01)


def test_an_arrow_drawn_before_its_boxes_is_glued_too() -> None:
    figure, first, second = two_shapes()
    arrow = FancyArrowPatch(
        (100, 100), (300, 100), patchA=first, patchB=second, arrowstyle="-|>", label="arrow", zorder=0
    )
    figure.axes[0].add_patch(arrow)
    drawn = draw(figure)
    assert drawn.names[0] == "arrow"
    assert set(glue(drawn)) == {"stCxn", "endCxn"}


def test_an_annotation_is_glued_like_an_arrow() -> None:
    figure, first, second = two_shapes()
    settings = {"arrowstyle": "-|>", "patchA": first, "patchB": second, "label": "arrow"}
    figure.axes[0].annotate("", (300, 100), (100, 100), arrowprops=settings)
    assert set(glue(draw(figure))) == {"stCxn", "endCxn"}


def test_an_arrow_from_a_text_follows_the_text() -> None:
    figure = sheet()
    settings = {"arrowstyle": "->", "label": "arrow"}
    figure.axes[0].annotate("look here", (300, 100), (100, 200), arrowprops=settings)
    drawn = draw(figure)
    assert list(glue(drawn)) == ["stCxn"]
    assert glue(drawn)["stCxn"][0] == "text look here"
    assert ends(drawn)[1] == pytest.approx((300, 188), abs=3)


def test_an_arrow_without_boxes_is_a_straight_line_with_a_head() -> None:
    figure = sheet()
    figure.axes[0].add_patch(
        FancyArrowPatch((100, 100), (300, 50), shrinkA=0, shrinkB=0, arrowstyle="-|>", label="arrow")
    )
    drawn = draw(figure)
    assert glue(drawn) == {}
    start, end = ends(drawn)
    assert start == pytest.approx((100, 188), abs=0.01)
    assert end == pytest.approx((300, 238), abs=0.01)


@pytest.mark.parametrize(
    ("style", "start", "end"),
    [
        ("-", [], []),
        ("->", [], ["arrow"]),
        ("<-", ["arrow"], []),
        ("<->", ["arrow"], ["arrow"]),
        ("-|>", [], ["triangle"]),
        ("<|-", ["triangle"], []),
        ("<|-|>", ["triangle"], ["triangle"]),
    ],
)
def test_arrow_styles_become_native_heads(style: str, start: list[str], end: list[str]) -> None:
    figure = sheet()
    figure.axes[0].add_patch(FancyArrowPatch((100, 100), (300, 50), arrowstyle=style, label="arrow"))
    drawn = draw(figure)
    assert drawn.names == ["arrow"]
    assert drawn.values(".//a:headEnd/@type") == start
    assert drawn.values(".//a:tailEnd/@type") == end


def test_a_curved_arrow_is_a_curve_with_a_head() -> None:
    figure, first, second = two_shapes()
    arrow = FancyArrowPatch(
        (100, 100),
        (300, 100),
        patchA=first,
        patchB=second,
        connectionstyle="arc3,rad=0.4",
        arrowstyle="->",
        label="arc",
    )
    figure.axes[0].add_patch(arrow)
    drawn = draw(figure)
    assert len(list(drawn.shape("arc").iter("{*}quadBezTo"))) == 1
    assert [node.get("type") for node in drawn.shape("arc").iter("{*}tailEnd")] == ["arrow"]


@pytest.mark.parametrize("style", ["simple", "fancy", "wedge", "|-|", "]-["])
def test_other_arrow_styles_are_drawn_as_outlines(style: str) -> None:
    figure = sheet()
    figure.axes[0].add_patch(FancyArrowPatch((100, 100), (300, 50), arrowstyle=style, mutation_scale=20, label="arrow"))
    drawn = draw(figure)
    assert drawn.names[0] == "arrow"
    assert not drawn.values(".//a:headEnd | .//a:tailEnd")


def test_an_arrow_cut_off_has_no_head_where_it_is_cut() -> None:
    figure = sheet()
    figure.axes[0].add_patch(FancyArrowPatch((100, 100), (900, 100), arrowstyle="-|>", label="arrow"))
    drawn = draw(figure)
    assert ends(drawn)[1] == pytest.approx((432, 188), abs=0.05)
    assert not drawn.values(".//a:tailEnd/@type")


def test_the_arrow_keeps_its_style_after_drawing() -> None:
    figure = sheet()
    arrow = FancyArrowPatch((100, 100), (300, 50), arrowstyle="-|>")
    figure.axes[0].add_patch(arrow)
    style = arrow.get_arrowstyle()
    draw(figure)
    assert arrow.get_arrowstyle() is style


def test_the_glue_survives_inside_groups() -> None:
    figure, first, second = two_shapes()
    figure.axes[0].set_gid("diagram")
    figure.axes[0].add_patch(
        FancyArrowPatch((100, 100), (300, 100), patchA=first, patchB=second, arrowstyle="-|>", label="arrow")
    )
    figure.axes[0].add_patch(Circle((200, 200), 20, label="other"))
    drawn = draw(figure)
    assert drawn.names == ["diagram", "first", "second", "arrow", "other"]
    assert glue(drawn) == {"stCxn": ("first", 3), "endCxn": ("second", 1)}
