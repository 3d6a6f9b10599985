from __future__ import annotations

import re

import pytest
from lxml import etree

from deck_builder.elements.colour import Colour, gradient_fill, pattern_fill, solid_fill
from deck_builder.elements.connector import Glue, connector
from deck_builder.elements.geometry import custom_geometry, group_transform, preset_geometry, transform
from deck_builder.elements.group import group
from deck_builder.elements.line import Head, Stroke, line
from deck_builder.elements.picture import picture
from deck_builder.elements.shape import shape
from deck_builder.pages import Frame

FRAME = Frame(10, 20, 300, 400)
INK = Colour("tx1")


def plain(node: etree._Element) -> str:
    """The element without its namespace declarations."""
    return re.sub(r' xmlns:\w+="[^"]*"', "", etree.tostring(node).decode())


def attributes(node: etree._Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in node.attrib.items()}


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        (Colour("accent3"), '<a:solidFill><a:schemeClr val="accent3"/></a:solidFill>'),
        (Colour("12ABFF"), '<a:solidFill><a:srgbClr val="12ABFF"/></a:solidFill>'),
        (
            Colour("bg1", 0.25),
            '<a:solidFill><a:schemeClr val="bg1"><a:alpha val="25000"/></a:schemeClr></a:solidFill>',
        ),
        (None, "<a:noFill/>"),
    ],
)
def test_a_fill_names_a_theme_slot_or_a_colour(colour: Colour | None, expected: str) -> None:
    assert plain(solid_fill(colour)) == expected


def test_a_gradient_lists_its_stops_and_its_direction() -> None:
    node = gradient_fill([(0.0, Colour("FFFFFF")), (0.5, INK), (1.0, Colour("000000"))], 90)
    assert node.xpath("string(//*[local-name()='lin']/@ang)") == "5400000"
    assert node.xpath("//*[local-name()='gs']/@pos") == ["0", "50000", "100000"]


def test_a_pattern_has_foreground_before_background() -> None:
    node = pattern_fill("wdUpDiag", INK, Colour("bg1"))
    assert [etree.QName(child).localname for child in node] == ["fgClr", "bgClr"]
    assert node.get("prst") == "wdUpDiag"


def test_no_line_is_said_and_not_left_to_the_theme() -> None:
    assert plain(line(None)) == "<a:ln><a:noFill/></a:ln>"


def test_dashes_are_thousandths_of_a_percent_of_the_width() -> None:
    node = line(Stroke(INK, 2.0, dashes=(3.7, 1.6)))
    (dash,) = node.iter("{*}ds")
    assert (dash.get("d"), dash.get("sp")) == ("370000", "160000")
    assert node.get("w") == "25400"


def test_dashes_that_the_format_names_are_named() -> None:
    assert [node.get("val") for node in line(Stroke(INK, 1.0, dashes=(4.0, 3.0))).iter("{*}prstDash")] == ["dash"]


def test_the_parts_of_a_line_stand_in_the_order_of_the_schema() -> None:
    node = line(Stroke(INK, 1.0, "rnd", "miter", (1.0, 2.0), Head("arrow"), Head("triangle", "lg")))
    names = [etree.QName(child).localname for child in node]
    assert names == ["solidFill", "custDash", "miter", "headEnd", "tailEnd"]
    assert node[-1].get("type") == "triangle"
    assert node[-1].get("len") == "lg"


@pytest.mark.parametrize(("degrees", "written"), [(0, None), (90, "5400000"), (-30, "19800000"), (360, None)])
def test_a_rotation_is_written_clockwise_within_one_turn(degrees: float, written: str | None) -> None:
    assert transform(FRAME, rotation=degrees).get("rot") == written


def test_a_group_places_its_children_in_its_own_coordinates() -> None:
    off, ext, child_off, child_ext = group_transform(FRAME)
    assert attributes(off) == attributes(child_off)
    assert attributes(ext) == attributes(child_ext)


def test_adjustments_become_guides() -> None:
    (guide,) = preset_geometry("roundRect", {"adj": 16667}).iter("{*}gd")
    assert (guide.get("name"), guide.get("fmla")) == ("adj", "val 16667")


def test_a_path_says_when_it_has_no_area() -> None:
    verbs = [("moveTo", [(0, 0)]), ("cubicBezTo", [(1, 2), (3, 4), (5, 6)]), ("close", [])]
    drawn = custom_geometry(verbs, (5, 6), filled=False, sites=[(2, 3)])  # type: ignore[arg-type]
    (path,) = drawn.iter("{*}path")
    assert attributes(path) == {"w": "5", "h": "6", "fill": "none"}
    assert [etree.QName(child).localname for child in path] == ["moveTo", "cubicBezTo", "close"]
    assert [(pos.get("x"), pos.get("y")) for pos in drawn.iter("{*}pos")] == [("2", "3")]


def test_a_shape_names_no_theme_style() -> None:
    node = shape(7, 'a "name"', transform(FRAME), preset_geometry("rect"), solid_fill(INK), line(None))
    assert not list(node.iter("{*}style"))
    assert [(item.get("id"), item.get("name")) for item in node.iter("{*}cNvPr")] == [("7", 'a "name"')]


def test_a_connector_names_the_shapes_it_is_glued_to() -> None:
    node = connector(3, "arrow", transform(FRAME), line(Stroke(INK, 1.0)), start=Glue(5, 3), end=Glue(9, 1))
    (start,), (end,) = node.iter("{*}stCxn"), node.iter("{*}endCxn")
    assert (start.get("id"), start.get("idx"), end.get("id"), end.get("idx")) == ("5", "3", "9", "1")


def test_a_group_and_a_picture_carry_their_alternative_text() -> None:
    inner = picture(2, "photo", transform(FRAME), "image-0", alpha=0.5, alt="a cat")
    outer = group(1, "all", FRAME, [inner], alt="everything")
    assert [node.get("descr") for node in outer.iter("{*}cNvPr")] == ["everything", "a cat"]
    assert [node.get("amt") for node in outer.iter("{*}alphaModFix")] == ["50000"]
