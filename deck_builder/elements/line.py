"""Lines: colour, width, caps, joins, dashes and arrow heads."""

from __future__ import annotations

from typing import Literal

from lxml import etree

from deck_builder.elements.colour import Colour, no_fill, solid_fill
from deck_builder.elements.xml import element
from deck_builder.pages import EMU_PER_POINT
from deck_builder.values import dataclass

Cap = Literal["flat", "sq", "rnd"]
Join = Literal["round", "bevel", "miter"]
WIDEST_EMU = 20_116_800
"""The widest line that the format holds."""

_PRESET_DASHES = {
    (4.0, 3.0): "dash",
    (1.0, 3.0): "dot",
    (3.0, 1.0): "sysDash",
    (1.0, 1.0): "sysDot",
    (8.0, 3.0): "lgDash",
    (4.0, 3.0, 1.0, 3.0): "dashDot",
    (8.0, 3.0, 1.0, 3.0): "lgDashDot",
}


@dataclass(frozen=True, slots=True)
class Head:
    """An arrow head: `triangle` (filled) or `arrow` (open); its size is told relative to the line's width."""

    kind: Literal["triangle", "arrow"]
    size: Literal["sm", "med", "lg"] = "med"


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn. `dashes` are lengths on and off in turn, in widths of the line; empty is solid."""

    colour: Colour
    width_pt: float
    cap: Cap = "flat"
    join: Join = "round"
    dashes: tuple[float, ...] = ()
    start: Head | None = None
    end: Head | None = None


def line(stroke: Stroke | None) -> etree._Element:
    """`a:ln`; None says that there is no line."""
    if stroke is None:
        return element("a:ln", None, no_fill())
    return element(
        "a:ln",
        {"w": min(WIDEST_EMU, round(stroke.width_pt * EMU_PER_POINT)), "cap": stroke.cap},
        solid_fill(stroke.colour),
        _dashes(stroke.dashes),
        element(f"a:{stroke.join}", {"lim": 800_000} if stroke.join == "miter" else None),
        _head("a:headEnd", stroke.start),
        _head("a:tailEnd", stroke.end),
    )


def _dashes(dashes: tuple[float, ...]) -> etree._Element | None:
    if not dashes:
        return None
    if preset := _PRESET_DASHES.get(dashes):
        return element("a:prstDash", {"val": preset})
    pairs = zip(dashes[::2], dashes[1::2], strict=True)
    # The format counts in thousandths of a percent of the line's width.
    listed = (element("a:ds", {"d": round(on * 100_000), "sp": round(off * 100_000)}) for on, off in pairs)
    return element("a:custDash", None, *listed)


def _head(tag: str, head: Head | None) -> etree._Element | None:
    return None if head is None else element(tag, {"type": head.kind, "w": head.size, "len": head.size})
