"""What every part of the layout needs to know: the theme, the language, formulas, picture sizes, and sizes of text."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Protocol

from deck_builder.model import Run, Style
from deck_builder.pages import EMU_PER_POINT, Frame
from deck_builder.theming.metrics import Metrics
from deck_builder.theming.theme import Theme
from deck_builder.values import dataclass


class Formulas(Protocol):
    """What layout asks of whoever sets formulas, the deck's macros bound."""

    def runs(self, tex: str, style: Style) -> tuple[Run, ...] | None:
        """An inline formula as text runs, or None where it needs two dimensions."""

    def linear(self, tex: str) -> tuple[Run, ...]:
        """The nearest text on one line, for places where nothing else can stand."""

    def size(self, tex: str, size_pt: float) -> tuple[float, float]:
        """Natural width and height of the display formula in points."""

    def spoken(self, tex: str) -> str:
        """What a screen reader says."""


class Sized(Protocol):
    """A picture as far as layout is concerned."""

    @property
    def width(self) -> int:
        """In pixels."""

    @property
    def height(self) -> int:
        """In pixels."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The surroundings of one deck's layout."""

    theme: Theme
    formulas: Formulas
    pictures: Mapping[str, Sized]
    """By path."""
    lang: str

    @property
    def metrics(self) -> Metrics:
        """The theme's tables."""
        return self.theme.metrics

    @property
    def chinese(self) -> bool:
        """Whether the deck is in Chinese, for the words that layout adds."""
        return self.lang.lower().startswith("zh")


@dataclass(frozen=True, slots=True)
class Step:
    """One rung of the ladder of sizes, in points, and how airy the text is set (1 is tight)."""

    body: float
    code: float
    table: float
    equation: float
    air: float = 1.0


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in points."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    @property
    def frame(self) -> Frame:
        """The same in EMU; edges are rounded, so that what touches in points touches in EMU."""
        left, top = round(self.left * EMU_PER_POINT), round(self.top * EMU_PER_POINT)
        right, bottom = round((self.left + self.width) * EMU_PER_POINT), round(self.bottom * EMU_PER_POINT)
        return Frame(left, top, right - left, bottom - top)


def sized_frame(area: Area) -> Frame:
    """A rectangle whose size in EMU does not depend on where it stands, as what is drawn for it must not."""
    place = (round(area.left * EMU_PER_POINT), round(area.top * EMU_PER_POINT))
    return Frame(*place, floor(area.width * EMU_PER_POINT), floor(area.height * EMU_PER_POINT))


def area_of(frame: Frame) -> Area:
    """A frame in points."""
    return Area(*(length / EMU_PER_POINT for length in (frame.left, frame.top, frame.width, frame.height)))
