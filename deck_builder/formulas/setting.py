"""Formulas with the macros, language and cache of one deck: what layout and writing hold."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from deck_builder.elements.colour import SLOTS
from deck_builder.elements.equation import equation
from deck_builder.elements.text import ROLE_COLOURS
from deck_builder.formulas.cache import FormulaCache
from deck_builder.formulas.conversion import Macros, tree
from deck_builder.formulas.extent import even_columns, size
from deck_builder.formulas.picture import INK, PALETTE
from deck_builder.formulas.text import linear as as_text
from deck_builder.formulas.text import runs as as_runs
from deck_builder.formulas.text import spoken as as_spoken
from deck_builder.model import EMPTY, PLAIN, Run, Style, nothing
from deck_builder.values import dataclass, field


def omml(tex: str, size_pt: float, *, macros: Macros = EMPTY, lang: str = "en-US") -> etree._Element:
    """`m:oMathPara` of a display formula, letters `size_pt` high. Raises `DeckError` on TeX that cannot be read."""
    math = tree(tex, display=True, macros=macros)
    even_columns(math)
    return equation(math, size_pt=size_pt, lang=lang)


def picture_palette(colours: Mapping[str, str]) -> Mapping[str, str]:
    """The colours of the roles in pictures, from a theme's slots."""
    slots = {name: slot for slot, name in SLOTS.items()}
    return {role: colours[slots.get(name, name)] for role, name in ROLE_COLOURS.items()}


@dataclass(frozen=True, slots=True)
class Formulas:
    """Everything that a deck asks of its formulas. All methods raise `DeckError` on TeX that cannot be read."""

    macros: Mapping[str, str] = field(default_factory=nothing, hash=False)
    cache: FormulaCache = field(default=FormulaCache(), compare=False)
    lang: str = field(default="en-US", kw_only=True)
    ink: str = field(default=INK, kw_only=True)
    """Colour of pictures, RRGGBB."""
    palette: Mapping[str, str] = field(default_factory=lambda: PALETTE, kw_only=True, hash=False)
    """Colours of the roles in pictures."""

    def runs(self, tex: str, style: Style = PLAIN) -> tuple[Run, ...] | None:
        """An inline formula as text runs, or None where it needs two dimensions."""
        return as_runs(tex, macros=self.macros, style=style)

    def linear(self, tex: str, style: Style = PLAIN) -> tuple[Run, ...]:
        """The nearest text on one line, for places where nothing else can stand."""
        return as_text(tex, macros=self.macros, style=style)

    def spoken(self, tex: str) -> str:
        """What a screen reader says."""
        return as_spoken(tex, self.lang, macros=self.macros)

    def size(self, tex: str, size_pt: float) -> tuple[float, float]:
        """Width and height of a display formula's shape, in points; they grow in proportion to `size_pt`."""
        return size(tex, size_pt, macros=self.macros)

    def omml(self, tex: str, size_pt: float) -> etree._Element:
        """`m:oMathPara` of a display formula."""
        return omml(tex, size_pt, macros=self.macros, lang=self.lang)

    def png(self, tex: str, size_pt: float) -> bytes:
        """Its picture, in the proportions of its shape."""
        return self.cache.png(tex, size_pt, colour=self.ink, macros=self.macros, palette=self.palette)
