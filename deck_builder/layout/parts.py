"""What a slide is composed of, before sizes are chosen: a closed union of parts that flow down a column."""

from __future__ import annotations

from typing import Literal

from deck_builder.layout.measure import Measured
from deck_builder.model import Alignment, Figure, Image, Run, Source, place
from deck_builder.pages import HANG_EM
from deck_builder.values import dataclass, field

Mark = Literal["none", "bullet", "number", "open", "done"]
Insets = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One paragraph of a text; lengths are in em of its size, so that any size can be tried."""

    runs: tuple[Run, ...]
    measured: Measured = field(compare=False, repr=False)
    level: int = 0
    mark: Mark = "none"
    number: int = 1
    indent: bool = False
    heading: bool = False
    hang: float = HANG_EM
    outer: float | None = None
    alignment: Alignment | None = None
    scale: float = 1.0
    """Size relative to the body's; never set below the floor."""
    before: float = 0.0
    after: float = 0.5
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Paragraphs set together in one box."""

    entries: tuple[Entry, ...]
    role: Literal["body", "callout", "quote", "caption"] = "body"
    fill: str | None = None
    bar: str | None = None
    inset: Insets = (0.0, 0.0, 0.0, 0.0)
    """Left, top, right, bottom, in points."""
    joined: bool = False
    """Belongs to the box above it and follows without a gap (a callout that something else interrupts)."""
    size_pt: float | None = None
    """A size of its own (captions); None follows the body."""
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Code, tabs expanded."""

    lines: tuple[str, ...]
    language: str
    name: str = ""
    filename: str | None = None
    highlight: frozenset[int] = frozenset()
    """1-based, among `lines`."""
    numbers: tuple[int, ...] = ()
    """The number beside each line; empty shows none."""
    longest: float = 0.0
    """Width of the longest line in em."""
    broken: bool = False
    """Lines were too long for any size and continue on the next."""
    size_pt: float | None = None
    """Fixed once the listing is continued, so that its parts look alike; None is chosen by its longest line."""
    joined: bool = False
    before: str = ""
    """The lines of the listing that stand on earlier pages."""
    fingerprint: str = field(default="", compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    runs: tuple[Run, ...]
    measured: Measured = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: row 0 is the header when `header`."""

    rows: tuple[tuple[Cell, ...], ...]
    header: bool
    alignments: tuple[Alignment, ...]
    widths: tuple[float, ...] = ()
    """Relative; empty is by content."""
    size_pt: float | None = None
    """Fixed once the table is continued, as are the widths; None is chosen by its content."""
    caption: Prose | None = None
    name: str = ""
    alt: str = ""
    joined: bool = False
    fingerprint: str = field(default="", compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A display formula; `width` and `height` are its natural size in em."""

    tex: str
    width: float
    height: float
    alt: str = ""
    name: str = ""
    number: int | None = None
    body_size: bool = False
    """Was written inside a sentence: set no larger than the text around it."""
    joined: bool = False
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Visual:
    """A figure or picture in a frame of the ladder; the height is fixed, the width that of its column."""

    block: Figure | Image
    caption: Prose | None = None
    height: float
    """Of the frame, caption included, in points."""
    limit: tuple[float, float] = (float("inf"), float("inf"))
    """Greatest width and height of the drawing in points that its author asked for."""
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Divider:
    """A drawn line."""

    joined: bool = False
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts one under another in a column of a row; `share` is its part of the row's width, all adding up to 1."""

    parts: tuple[Part, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Row:
    """Columns side by side."""

    columns: tuple[Stack, ...]
    source: Source = place()


Part = Prose | Listing | Grid | Formula | Visual | Divider | Row
Flow = tuple[Part, ...]
