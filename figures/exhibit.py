"""What a figure or table function hands back: the picture or the rows, what they say, and the numbers behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Alignment = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A drawn figure with its evidence.

    `alt` says what is shown, made from the data. `values` are the measured numbers, strings, or lists of these that
    prose may quote by name.
    """

    figure: Figure
    alt: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """A table of measured results.

    A cell is a string (inline Markdown, formulas among it) or a number; `alignment` is one word for each column, or
    empty for numbers right and text left. `values` are quoted by prose like those of an `Exhibit`.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    alignment: tuple[Alignment, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    caption: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.header):
                raise ValueError(f"row {number} has {len(row)} cells; the header has {len(self.header)}")
        if self.alignment and len(self.alignment) != len(self.header):
            raise ValueError(f"{len(self.alignment)} alignments for {len(self.header)} columns")
