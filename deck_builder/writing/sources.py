"""What writing needs of whoever sets formulas."""

from __future__ import annotations

from typing import Protocol

from lxml import etree

from deck_builder.model import Run


class Formulas(Protocol):
    """Formulas with the deck's macros bound."""

    def omml(self, tex: str, size_pt: float) -> etree._Element:
        """`m:oMathPara` of a display formula."""

    def png(self, tex: str, size_pt: float) -> bytes:
        """Its picture, in its natural proportions."""

    def linear(self, tex: str) -> tuple[Run, ...]:
        """Its text on one line."""
