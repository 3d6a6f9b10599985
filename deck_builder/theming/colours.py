"""A theme's colours by the part they play on a slide: ink and paper, and a second one of each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from deck_builder.errors import DeckError
from deck_builder.theming.package import NAMESPACES

SLOTS = {"tx1": "dk1", "bg1": "lt1", "tx2": "dk2", "bg2": "lt2"}
"""A colour as slides name it → the part it plays: dk1 is the text's, lt1 the background's, each with a second one."""

_RGB = re.compile("[0-9A-F]{6}")


def read_values(theme: etree._Element) -> Mapping[str, str]:
    """The twelve slots of a theme part → RRGGBB."""
    scheme = theme.find(".//a:clrScheme", NAMESPACES)
    if scheme is None:
        raise DeckError("the template's theme has no colours; save it again in PowerPoint")
    values = {etree.QName(slot).localname: slot[0].get("lastClr") or slot[0].get("val") or "" for slot in scheme}
    return {slot: value.upper() for slot, value in values.items()}


def read_map(master: etree._Element) -> Mapping[str, str]:
    """What the colours of slides (`bg1`, `tx1`, …) stand for by the master: slots of the theme."""
    mapping = master.find("p:clrMap", NAMESPACES)
    return {str(name): str(slot) for name, slot in mapping.items()} if mapping is not None else {}


def better_map(mapping: Mapping[str, str], values: Mapping[str, str]) -> Mapping[str, str] | None:
    """The map with the second ink and the second paper exchanged, where it has the darker of them for paper.

    Google Slides maps `bg2` to the dark one even on white slides: a tinted box would be dark behind dark text. None
    where the map is right as it is.
    """
    colours = [values.get(mapping.get(name, ""), "") for name in ("bg1", "bg2", "tx2")]
    if not all(_RGB.fullmatch(colour) for colour in colours):
        return None
    paper, second_paper, second_ink = map(_brightness, colours)
    if abs(second_paper - paper) <= abs(second_ink - paper):
        return None
    return {**mapping, "bg2": mapping["tx2"], "tx2": mapping["bg2"]}


def _brightness(colour: str) -> float:
    """0 for black to 255 for white, as the eye weighs red, green and blue."""
    red, green, blue = bytes.fromhex(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def by_part(mapping: Mapping[str, str], values: Mapping[str, str]) -> Mapping[str, str]:
    """The twelve slots by the part they play: dk1 is the colour of text even where the map gives text `lt1`."""
    played = {part: values[slot] for name, part in SLOTS.items() if (slot := mapping.get(name, part)) in values}
    return {**values, **played}
