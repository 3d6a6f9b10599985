"""The lesson as values: what was written, block by block, each with its place. No behaviour lives here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from deck_builder.values import dataclass, field

EMPTY: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """The empty mapping, as a default factory (Python 3.11 takes a mapping proxy for a mutable default)."""
    return EMPTY


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A place in a lesson; prints as `content/03-masks.md:41`, which editors can open."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


NOWHERE = Source("", 0)


def place() -> Any:
    """The `source` field of a block: left out of comparison and repr, so tests compare what the author said."""
    return field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader of the deck would miss or should know; `--strict` makes it an error."""

    message: str
    source: Source = NOWHERE

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" if self.source.path else self.message


# ---------------------------------------------------------------- inline


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How inline text is set."""

    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    underline: bool = False
    baseline: int = 0
    """-1 subscript, 0 on the line, 1 superscript."""
    role: str | None = None
    """q, k, v, w, warn, muted, mark, small: one meaning, one theme colour."""
    colour: str | None = None
    r"""RRGGBB that the author asks for by name (`\color{red}`); a role is stronger."""
    link: str | None = None
    """A URL, or `#id` of a slide."""
    math: bool = False
    """Part of a formula: symbols beside Han keep the Latin face."""


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one style. A newline in `text` is a hard line break."""

    text: str
    style: Style = PLAIN


@dataclass(frozen=True, slots=True)
class Value:
    """A measured value quoted in prose: `{value} label.name[index]:format`; an empty label means the own figure."""

    label: str
    name: str
    index: int | None = None
    format: str = ""
    style: Style = PLAIN
    written: str = field(default="", compare=False, repr=False, kw_only=True)
    """What stands between the backticks, letter by letter."""
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Math:
    """An inline formula, `$…$`."""

    tex: str
    style: Style = PLAIN
    values: tuple[Value, ...] = field(default=(), kw_only=True)
    """Values quoted in `tex`, in order, as long as they stand there between backticks."""


@dataclass(frozen=True, slots=True)
class Reference:
    """`@fig-id`, `@tbl-id`, `@eq-id`: becomes "图 3" and a link to it."""

    target: str
    style: Style = PLAIN
    source: Source = place()


Inline = Run | Math | Value | Reference
Inlines = tuple[Inline, ...]


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of prose."""

    inlines: Inlines
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the slide level: a heading inside a slide."""

    level: int
    inlines: Inlines
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its blocks, nested lists among them. `checked` is set for task lists."""

    blocks: tuple[Block, ...]
    checked: bool | None = None
    source: Source = place()


@dataclass(frozen=True, slots=True)
class List:
    """A bullet or numbered list; `start` is kept when it is continued."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote."""

    blocks: tuple[Block, ...]
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Rule:
    """`***`: a line drawn on the slide."""

    source: Source = place()


Alignment = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: header row, body rows, an alignment and a relative width per column (0 = by content)."""

    header: tuple[Inlines, ...]
    rows: tuple[tuple[Inlines, ...], ...]
    alignments: tuple[Alignment, ...]
    widths: tuple[float, ...] = field(default=(), kw_only=True)
    caption: Inlines = field(default=(), kw_only=True)
    label: str | None = field(default=None, kw_only=True)
    alt: str | None = field(default=None, kw_only=True)
    number: int | None = field(default=None, kw_only=True)
    """Set by numbering, for captioned or referable tables."""
    fingerprint: str = field(default="", kw_only=True, compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Code:
    """A listing."""

    text: str
    language: str = ""
    label: str | None = field(default=None, kw_only=True)
    filename: str | None = field(default=None, kw_only=True)
    highlight: str = field(default="", kw_only=True)
    """Lines to emphasise, `1|3-4`; all shown at once until decks learn steps."""
    first_number: int | None = field(default=None, kw_only=True)
    """Line numbers are shown from here; None shows none."""
    fingerprint: str = field(default="", kw_only=True, compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Equation:
    """A display formula, `$$…$$ {#eq-id}`."""

    tex: str
    label: str | None = None
    number: int | None = None
    values: tuple[Value, ...] = field(default=(), kw_only=True)
    """Values quoted in `tex`, in order, as long as they stand there between backticks."""
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Image:
    """A picture file. `path` is absolute on this machine and never reaches the deck."""

    path: str
    caption: Inlines = ()
    alt: str = ""
    label: str | None = field(default=None, kw_only=True)
    width: str | None = field(default=None, kw_only=True)
    """`50%`, `3in`, `5cm`, `200px`."""
    height: str | None = field(default=None, kw_only=True)
    decorative: bool = field(default=False, kw_only=True)
    link: str | None = field(default=None, kw_only=True)
    number: int | None = field(default=None, kw_only=True)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `width` is its share of the row in percent (0 = equal share of the rest)."""

    blocks: tuple[Block, ...]
    width: float = 0.0
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns side by side, as written."""

    columns: tuple[Column, ...]
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Callout:
    """A framed remark: note, tip, warning, important, caution."""

    kind: str
    title: Inlines
    blocks: tuple[Block, ...]
    source: Source = place()


@dataclass(frozen=True, slots=True)
class FigureCall:
    """```{figure} dotted.path```: a function that draws, its arguments, how the result is shown."""

    function: str
    arguments: Mapping[str, Any] = field(default_factory=nothing, hash=False)
    label: str = ""
    """Given by the author, or the function's name (a second one `alignment-2`)."""
    caption: Inlines = field(default=(), kw_only=True)
    alt: str | None = field(default=None, kw_only=True)
    width: float | None = field(default=None, kw_only=True)
    """Percent of the body area."""
    height: float | None = field(default=None, kw_only=True)
    lines: Mapping[str, int] = field(default_factory=nothing, kw_only=True, compare=False, repr=False, hash=False)
    """Argument or key → its line, for errors that name it."""
    source: Source = place()


@dataclass(frozen=True, slots=True)
class TableCall:
    """```{table} dotted.path```: a function that returns header, rows, alignment."""

    function: str
    arguments: Mapping[str, Any] = field(default_factory=nothing, hash=False)
    label: str = ""
    caption: Inlines = field(default=(), kw_only=True)
    alt: str | None = field(default=None, kw_only=True)
    lines: Mapping[str, int] = field(default_factory=nothing, kw_only=True, compare=False, repr=False, hash=False)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class SnippetCall:
    """```{snippet} dotted.path```: the source of a function or class that runs."""

    function: str
    lines: str = "all"
    """all, body, signature, or a range `3-9` counted from the definition's first line."""
    highlight: str = ""
    label: str | None = field(default=None, kw_only=True)
    caption: Inlines = field(default=(), kw_only=True)
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure whose function ran: evidence instead of a call. Drawn later, for the frame that layout gives it."""

    label: str
    caption: Inlines
    alt: str
    aspect: float
    """Width over height that the author wished."""
    values: Mapping[str, Any] = field(default_factory=nothing, hash=False)
    call: FigureCall | None = field(default=None, compare=False, repr=False)
    fingerprint: str = field(default="", compare=False)
    """Code, arguments, data and versions that made it; the drawing adds frame and theme."""
    number: int | None = field(default=None, kw_only=True)
    source: Source = place()


Block = (
    Paragraph
    | Heading
    | List
    | Quote
    | Rule
    | Table
    | Code
    | Equation
    | Image
    | Columns
    | Callout
    | FigureCall
    | TableCall
    | SnippetCall
    | Figure
)


# ---------------------------------------------------------------- slides


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide as written. Layout may continue it on further pages."""

    kind: Literal["cover", "section", "content"]
    title: Inlines
    blocks: tuple[Block, ...] = ()
    notes: tuple[Block, ...] = field(default=(), kw_only=True)
    identifier: str | None = field(default=None, kw_only=True)
    """`{#id}` or one made from the title; unique in the deck."""
    classes: tuple[str, ...] = field(default=(), kw_only=True)
    attributes: Mapping[str, str] = field(default_factory=nothing, kw_only=True, hash=False)
    """layout, background-color, background-image, fit, transition, notes …"""
    title_hidden: bool = field(default=False, kw_only=True)
    """A slide begun by `---`: the title is kept above the slide for navigation."""
    hidden: bool = field(default=False, kw_only=True)
    section: str = field(default="", kw_only=True)
    """Plain text of the section it belongs to."""
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Deck front matter."""

    title: Inlines = ()
    subtitle: Inlines = ()
    author: str = ""
    institute: str = ""
    date: str = ""
    lang: str = "en-US"
    template: str | None = None
    footer: str | None = None
    toc: bool = False
    toc_notes: tuple[Block, ...] = ()
    """Speaker notes of the agenda."""
    slide_level: int | None = None
    incremental: bool = False
    fit: Literal["auto", "shrink", "split", "error"] = "auto"
    math_fallback: Literal["picture", "text"] = "picture"
    seed: int | None = None
    macros: Mapping[str, str] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Deck:
    """A whole lesson, cover slide included."""

    settings: Settings
    slides: tuple[Slide, ...]
    notices: tuple[Notice, ...] = ()
    folder: str = field(default="", compare=False, repr=False)
    """The lesson's folder, absolute."""
