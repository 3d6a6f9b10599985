"""Where a shape is and what outline it has. All lengths are EMU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from lxml import etree

from deck_builder.elements.xml import element
from deck_builder.pages import Frame

Verb = Literal["moveTo", "lnTo", "quadBezTo", "cubicBezTo", "close"]
Point = tuple[int, int]

FULL_TURN = 21_600_000
"""360 degrees in the format's 60,000ths."""


def transform(
    frame: Frame, *, tag: str = "a:xfrm", rotation: float = 0.0, flip_h: bool = False, flip_v: bool = False
) -> etree._Element:
    """`a:xfrm`: the unrotated frame, turned clockwise by `rotation` degrees about its middle."""
    attributes = {
        "rot": round(rotation * 60_000) % FULL_TURN or None,
        "flipH": True if flip_h else None,
        "flipV": True if flip_v else None,
    }
    return element(
        tag,
        attributes,
        element("a:off", {"x": frame.left, "y": frame.top}),
        element("a:ext", {"cx": frame.width, "cy": frame.height}),
    )


def group_transform(frame: Frame) -> etree._Element:
    """`a:xfrm` of a group whose children are placed in the same coordinates as the group itself."""
    node = transform(frame)
    node.append(element("a:chOff", {"x": frame.left, "y": frame.top}))
    node.append(element("a:chExt", {"cx": frame.width, "cy": frame.height}))
    return node


def preset_geometry(name: str, adjustments: Mapping[str, int] | None = None) -> etree._Element:
    """`a:prstGeom` with its adjustments, e.g. `{"adj": 16667}` for `roundRect`."""
    guides = (element("a:gd", {"name": key, "fmla": f"val {value}"}) for key, value in (adjustments or {}).items())
    return element("a:prstGeom", {"prst": name}, element("a:avLst", None, *guides))


def custom_geometry(
    verbs: Iterable[tuple[Verb, Sequence[Point]]], size: Point, *, filled: bool, sites: Sequence[Point] = ()
) -> etree._Element:
    """`a:custGeom` with one path in a box of `size`; `sites` are the points that connectors can be glued to."""
    path = element("a:path", {"w": size[0], "h": size[1], "fill": None if filled else "none"})
    for verb, points in verbs:
        path.append(element(f"a:{verb}", None, *(element("a:pt", {"x": x, "y": y}) for x, y in points)))
    connections = (element("a:cxn", {"ang": 0}, element("a:pos", {"x": x, "y": y})) for x, y in sites)
    return element(
        "a:custGeom",
        None,
        element("a:avLst"),
        element("a:gdLst"),
        element("a:ahLst"),
        element("a:cxnLst", None, *connections),
        element("a:rect", {"l": "0", "t": "0", "r": "r", "b": "b"}),
        element("a:pathLst", None, path),
    )
