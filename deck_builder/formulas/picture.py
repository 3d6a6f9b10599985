"""TeX → a picture of the formula, for viewers without equations. Only here and in `han.py` is ziamath known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from lxml import etree

from deck_builder.formulas.conversion import Macros, tree
from deck_builder.formulas.extent import size
from deck_builder.model import EMPTY

if TYPE_CHECKING:
    from ziamath.zmath import Math

INK = "1B2A41"
PALETTE: Mapping[str, str] = MappingProxyType(
    {"q": "2A66CF", "k": "AB5500", "v": "247F57", "w": "7A4FC9", "warn": "C93C3C", "muted": "5C6B7F"}
)
"""Colours of the roles where the theme says nothing else."""

REFERENCE_PT = 24.0
"""Every formula is drawn at this size and scaled, so that its proportions are the same at all sizes."""

PIXELS_PER_POINT = 3
"""216 dpi: above what a projector shows of a slide, and sharp when zoomed to double."""

MARGIN_PT = 1.0
_EM = 0.75
"""ziamath takes an em for 4/3 of the size; widths given in em are shortened to what they say."""


def png(
    tex: str,
    size_pt: float,
    *,
    colour: str = INK,
    macros: Macros = EMPTY,
    palette: Mapping[str, str] = PALETTE,
) -> bytes:
    """The formula drawn in `colour` (RRGGBB) on nothing, in the proportions of `extent.size`.

    Same bytes for same input. `palette` says in which colours the roles q, k, v, w, warn and muted are drawn.
    """
    from xml.etree import ElementTree

    from resvg_py import svg_to_bytes

    width_pt, height_pt = size(tex, size_pt, macros=macros)
    math = _drawn(tex, macros, colour, palette)
    ink = math.node.bbox
    # Points of the drawing per point of the shape: all of the ink is shown, however tight the shape.
    scale = max(
        REFERENCE_PT / size_pt,
        (ink.xmax - ink.xmin + 2 * MARGIN_PT) / width_pt,
        (ink.ymax - ink.ymin + 2 * MARGIN_PT) / height_pt,
    )
    width, height = width_pt * scale, height_pt * scale
    left, top = (ink.xmin + ink.xmax - width) / 2, -(ink.ymin + ink.ymax + height) / 2
    svg = math.svgxml()
    svg.set("width", f"{width_pt:.3f}")
    svg.set("height", f"{height_pt:.3f}")
    svg.set("viewBox", f"{left:.3f} {top:.3f} {width:.3f} {height:.3f}")
    markup = ElementTree.tostring(svg, encoding="unicode")
    return bytes(svg_to_bytes(svg_string=markup, zoom=PIXELS_PER_POINT, skip_system_fonts=True))


def _drawn(tex: str, macros: Macros, colour: str, palette: Mapping[str, str]) -> Math:
    from xml.etree import ElementTree

    from ziamath.zmath import Math

    math = tree(tex, display=True, macros=macros)
    math.set("mathcolor", f"#{colour}")
    for node in list(math.iter()):
        _adapt(node, palette)
        _space(node)
    _register_font()
    return Math(ElementTree.fromstring(etree.tostring(math)), size=REFERENCE_PT, font=_FONT, margin=MARGIN_PT)


# ---------------------------------------------------------------- what ziamath reads otherwise


def _adapt(node: etree._Element, palette: Mapping[str, str]) -> None:
    tag = str(node.tag)
    if variant := node.get("mathvariant"):
        family = "sans" if "sans" in variant else "mono" if "mono" in variant else ""
        weight = "bold" if "bold" in variant else ""
        slope = "italic" if "italic" in variant else "normal"
        node.set("mathvariant", " ".join(part for part in (family, weight, slope) if part))
    elif tag == "mn":
        node.set("mathvariant", "normal")
    if role := node.get("class"):
        node.set("mathcolor", f"#{palette[role]}")
    if tag == "mi" and len(node.text or "") > 1:
        node.tag = "mtext"
    if tag == "mo" and node.text == "\u2061":
        width = node.get("lspace", "0em")
        node.tag, node.text = "mspace", None
        node.attrib.clear()
        node.set("width", width)
    elif (tag == "mo" and node.text == "\u2063") or (tag == "mtext" and not node.text):
        node.tag, node.text = "mrow", None
    elif tag == "mtable":
        aligned = node.get("displaystyle") == "true" and "right" in node.get("columnalign", "")
        node.set("columnspacing", f"0em {2 * _EM}em" if aligned else f"{_EM}em")
        node.set("rowspacing", f"{0.35 * _EM}em")


def _space(node: etree._Element) -> None:
    """Widths as they are meant; what the converter leaves to the reader is looked up as ziamath would."""
    from ziamath.operators import get_params

    if node.tag in ("mo", "mi"):
        known = get_params((node.text or "").strip(), node.get("form", "infix")) if node.tag == "mo" else {}
        for side in ("lspace", "rspace"):
            node.set(side, node.get(side, _SPACES.get(known.get(side, ""), "0em")))
        if node.text in ("∀", "∃", ","):
            node.set("rspace", f"{3 / 18 if node.text == ',' else 0}em")
    for name in ("width", "lspace", "rspace", "minsize", "maxsize"):
        if (length := node.get(name, "")).endswith("em"):
            node.set(name, f"{float(length[:-2]) * _EM:.4f}em")


_SPACES = {
    f"{name}mathspace": f"{width}em"
    for name, width in (
        ("veryverythin", 1 / 18),
        ("verythin", 2 / 18),
        ("thin", 3 / 18),
        ("medium", 4 / 18),
        ("thick", 5 / 18),
        ("verythick", 6 / 18),
    )
}
_FONT = "deckbuild"


@cache
def _register_font() -> None:
    """STIX Two Math, with Han from the face that ships with the templates: ziamath finds it by the name `_FONT`."""
    from ziamath.zmath import loadedfonts

    from deck_builder.formulas.han import FontWithHan

    loadedfonts[_FONT] = FontWithHan(str(loadedfonts["default"].fname), REFERENCE_PT)
