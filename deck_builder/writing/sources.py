"""What writing needs from outside: formulas set by somebody, pictures read by somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture file's content; without `blob` a stand-in is shown that gives the reason."""

    width: int
    height: int
    blob: bytes | None = field(default=None, repr=False)
    svg: bytes | None = field(default=None, repr=False)
    """The original, beside its rendering in `blob`."""
    reason: str = ""


Pictures = Mapping[str, Picture]
