"""Runs of equations: letters, words and operators, with size, face and colour.

LibreOffice reads the text of a run as a formula of its own language, where `in` is ∈ and `|` is ∨. `m:lit` (literal,
ECMA-376 part 1, section 22.1.2.59) keeps it from that; it is written only where LibreOffice would err.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from types import MappingProxyType

from lxml import etree

from deck_builder.elements.operators import APPLICATION, AROUND_FUNCTIONS, NOTHING
from deck_builder.elements.text import solid
from deck_builder.elements.xml import element
from deck_builder.theming.metrics import is_wide
from deck_builder.values import dataclass

FACE = "Cambria Math"
"""The only face with which PowerPoint sets equations."""

PLACE = "\u200b"
"""Holds a place that must not be empty: PowerPoint would draw a dotted box, LibreOffice an error mark."""

_TAKEN = frozenset('/#&|%^_~`\\"@?⟨⟩⌊⌋⌈⌉⟦⟧')
"""Single characters that LibreOffice takes for commands, or would slant."""
_STYLES = MappingProxyType({"italic": "i", "normal": "p", "bold": "b", "bold-italic": "bi"})
_SCRIPTS = ("monospace", "sans-serif")
_SPACES = ((2.0, "\u2003\u2003"), (1.0, "\u2003"), (0.5, "\u2002"), (0.25, "\u2005"), (0.2, "\u205f"), (0.1, "\u2009"))
_PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass(frozen=True, slots=True)
class Pen:
    """How runs are set: size, language of words, colour as a theme slot or RRGGBB."""

    size_pt: float
    lang: str
    colour: str | None = None


def properties(pen: Pen, text: str = "", *, italic: bool = False, bold: bool = False) -> etree._Element:
    """`a:rPr` as PowerPoint writes it into equations: without it the size would be that of the text around."""
    return deepcopy(_properties(pen, pen.lang if any(map(is_wide, text)) else "en-US", italic, bold))


@lru_cache(maxsize=256)
def _properties(pen: Pen, lang: str, italic: bool, bold: bool) -> etree._Element:
    attributes = {"lang": lang, "sz": round(pen.size_pt * 100), "b": bold or None, "i": italic}
    faces = (element("a:latin", {"typeface": FACE}), element("a:ea", {"typeface": "+mn-ea"}))
    return element("a:rPr", attributes, solid(pen.colour) if pen.colour else None, *faces)


def control(pen: Pen) -> etree._Element:
    """`m:ctrlPr`: the same for what a structure draws itself (bars, signs, fences)."""
    return element("m:ctrlPr", None, properties(pen, italic=True))


def math_run(
    text: str, pen: Pen, *, style: str = "p", script: str | None = None, literal: bool = False
) -> etree._Element:
    """`m:r` of mathematics; `style` is p (upright), i, b or bi."""
    literal = literal or text in _TAKEN
    math = element(
        "m:rPr",
        None,
        element("m:lit") if literal else None,
        element("m:scr", {"m:val": script}) if script else None,
        element("m:sty", {"m:val": style}) if style != "i" else None,
    )
    look = properties(pen, text, italic=style in ("i", "bi"), bold=style in ("b", "bi"))
    return element("m:r", None, math if len(math) else None, look, _text(text))


def word_run(text: str, pen: Pen, *, italic: bool = False, bold: bool = False) -> etree._Element:
    """`m:r` of words."""
    normal = element("m:rPr", None, element("m:nor"))
    return element("m:r", None, normal, properties(pen, text, italic=italic, bold=bold), _text(text))


def _text(text: str) -> etree._Element:
    node = element("m:t", text=text)
    if text != text.strip():
        node.set(_PRESERVE, "preserve")
    return node


def identifier(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """`mi`: single letters slant unless they say otherwise."""
    text = node.text or ""
    if any(map(is_wide, text)):
        return [word_run(text, pen)]
    variant = node.get("mathvariant", "italic" if len(text) == 1 and text.isalpha() else "normal")
    style = _STYLES.get(variant, "b" if "bold" in variant else "p")
    script = next((script for script in _SCRIPTS if script in variant), None)
    return [
        math_run(
            text, pen, style=style, script=script, literal=len(text) > 1 or (style in ("p", "b") and text.isalpha())
        )
    ]


def number(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """`mn`."""
    return [math_run(node.text or "", pen, style="b" if "bold" in node.get("mathvariant", "") else "p")]


def operator(node: etree._Element, pen: Pen, *, literal: bool = False) -> list[etree._Element]:
    """`mo`; the invisible ones leave nothing."""
    text = (node.text or "").replace(APPLICATION, "").replace(NOTHING, "")
    return [math_run(text, pen, literal=literal or len(text) > 1)] if text else []


def words(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """`mtext`."""
    variant = node.get("mathvariant", "")
    return [word_run(node.text or "", pen, italic="italic" in variant, bold="bold" in variant)] if node.text else []


def space(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """`mspace` as a character about as wide; equations have no other space."""
    if node.get("width") == AROUND_FUNCTIONS:
        return []
    width = float(node.get("width", "0em").removesuffix("em"))
    text = next((space for least, space in _SPACES if width >= least), "")
    return [word_run(text, pen)] if text else []
