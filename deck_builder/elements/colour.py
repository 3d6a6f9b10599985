"""Colours and fills: a theme slot or RRGGBB, plain, in gradients and in patterns."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from deck_builder.elements.xml import element
from deck_builder.values import dataclass

SLOTS = {"dk1": "tx1", "lt1": "bg1", "dk2": "tx2", "lt2": "bg2"}
"""What slides call the theme's ink and paper; the other slots keep their names."""

_SCHEME = frozenset(
    ("tx1", "tx2", "bg1", "bg2", "hlink", "folHlink", *(f"accent{number}" for number in range(1, 7))),
)


@dataclass(frozen=True, slots=True)
class Colour:
    """`value` is a theme slot as slides name it (`tx1`, `accent3`) or RRGGBB; `alpha` 0 is clear, 1 is solid."""

    value: str
    alpha: float = 1.0

    @property
    def themed(self) -> bool:
        """Whether it follows the theme."""
        return self.value in _SCHEME


def colour(value: Colour) -> etree._Element:
    """`a:schemeClr` or `a:srgbClr`, with its alpha where it is not solid."""
    opacity = element("a:alpha", {"val": round(value.alpha * 100_000)}) if value.alpha < 1 else None
    return element("a:schemeClr" if value.themed else "a:srgbClr", {"val": value.value}, opacity)


def no_fill() -> etree._Element:
    """`a:noFill`."""
    return element("a:noFill")


def solid_fill(value: Colour | None) -> etree._Element:
    """`a:solidFill`, or `a:noFill` for None."""
    return no_fill() if value is None else element("a:solidFill", None, colour(value))


def gradient_fill(stops: Sequence[tuple[float, Colour]], angle: float) -> etree._Element:
    """`a:gradFill` along a line; positions 0 to 1 in rising order, `angle` in degrees clockwise from left-to-right."""
    listed = (element("a:gs", {"pos": round(position * 100_000)}, colour(value)) for position, value in stops)
    direction = element("a:lin", {"ang": round(angle * 60_000), "scaled": False})
    return element("a:gradFill", {"rotWithShape": True}, element("a:gsLst", None, *listed), direction)


def pattern_fill(preset: str, foreground: Colour, background: Colour) -> etree._Element:
    """`a:pattFill`: one of the preset patterns in two colours."""
    return element(
        "a:pattFill",
        {"prst": preset},
        element("a:fgClr", None, colour(foreground)),
        element("a:bgClr", None, colour(background)),
    )
