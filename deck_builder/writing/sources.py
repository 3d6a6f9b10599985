"""What the slides of a deck are printed from beside their pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lxml import etree

from deck_builder.model import Run
from deck_builder.pages import Drawing
from deck_builder.pictures import Pictures
from deck_builder.values import dataclass, field
from deck_builder.writing.listings import Listings


class Formulas(Protocol):
    """Formulas with the deck's macros bound."""

    def omml(self, tex: str, size_pt: float) -> etree._Element:
        """`m:oMathPara` of a display formula."""

    def png(self, tex: str, size_pt: float) -> bytes:
        """Its picture, in its natural proportions."""

    def linear(self, tex: str) -> tuple[Run, ...]:
        """Its text on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What all slides of a deck share. Of fields left out of comparisons, a slide depends on its own entries alone."""

    lang: str
    colour_map: Mapping[str, str] | None
    """What the colours of slides stand for, where that is not what the master says."""
    math_fallback: str
    notes_master: str
    """Name of its part."""
    formulas: Formulas
    anchors: Mapping[str, int] = field(compare=False)
    """Identifier → number of the slide that links to it jump to."""
    drawings: Mapping[str, Drawing] = field(compare=False)
    pictures: Pictures = field(compare=False)
    listings: Listings = field(compare=False)
