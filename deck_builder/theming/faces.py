"""The typefaces of a theme, and how much wider than Calibri they run."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from deck_builder.theming.package import NAMESPACES

LATIN, EAST_ASIAN, CODE = "Calibri", "Microsoft YaHei", "Consolas"

STRETCH: Mapping[str, float] = {
    "calibri": 1.0,
    "calibri light": 1.0,
    "carlito": 1.0,
    "aptos narrow": 1.0,
    "arial narrow": 1.0,
    "times new roman": 1.02,
    "liberation serif": 1.02,
    "garamond": 1.0,
    "cambria": 1.1,
    "verdana": 1.3,
    "dejavu sans": 1.28,
    "bookman old style": 1.25,
    "century gothic": 1.25,
}
"""Width of English text against Calibri's. Measured with Carlito: Liberation Sans (as wide as Arial) 1.09, bold 1.14;
DejaVu Sans 1.24, bold 1.37; Liberation Serif (as wide as Times New Roman) 0.99, bold 1.02."""
USUAL_STRETCH = 1.15
"""Of any other face: about Arial's bold, wider than most."""


def stretch(latin: str) -> float:
    """How wide a face may run, in widths of Calibri; never less than it does."""
    return STRETCH.get(latin.casefold(), USUAL_STRETCH)


def read_faces(theme: etree._Element) -> tuple[str, str]:
    """The body faces of a theme part, Latin and East Asian. An empty East Asian slot means the one for Chinese."""
    minor = theme.find(".//a:fontScheme/a:minorFont", NAMESPACES)
    if minor is None:
        return LATIN, EAST_ASIAN
    slots = {etree.QName(face).localname: face.get("typeface", "") for face in minor if face.get("script") is None}
    chinese = minor.find("a:font[@script='Hans']", NAMESPACES)
    east_asian = slots.get("ea") or (chinese.get("typeface") if chinese is not None else None)
    return slots.get("latin") or LATIN, east_asian or EAST_ASIAN
