"""Pages of placed boxes: what layout hands to drawing and writing. Values only; lengths are EMU integers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deck_builder.model import Alignment, Notice, Run, Source, nothing, place
from deck_builder.values import dataclass, field

EMU_PER_POINT = 12_700
EMU_PER_INCH = 914_400

HANG_EM = 1.3
"""How far a list mark stands out to the left of its text, and each level further in, in em of the line's size."""
CODE_INSET_PT = 11.0
"""Padding of a code box on all four sides."""
CODE_LINE_SPACING = 1.1
"""Line spacing in a code box, as a multiple of the face's own."""
CODE_CAPTION_PT = 20.0
"""Height of the strip at the top of a code box that names its file, where it names one (12 pt, above the padding)."""
CELL_INSET_PT = (7.2, 4.0)
"""Padding of a table cell, left and right, top and bottom."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle on the slide, in EMU."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One paragraph of set text: its runs (formulas already runs), list mark, size and spacing."""

    runs: tuple[Run, ...]
    level: int = 0
    mark: Literal["none", "bullet", "number", "open", "done"] = "none"
    """`open` and `done` are task boxes."""
    number: int = 1
    """The number shown when `mark` is number; the writer emits `startAt` from the first of a row."""
    size_pt: float = 20.0
    space_before_pt: float = 0.0
    space_after_pt: float = 0.0
    alignment: Alignment | None = None
    indent: bool = False
    """A further paragraph of a list item: set under the item's text, without a mark."""
    heading: bool = False
    hang_em: float = HANG_EM
    """Room for the mark: wider in a list whose numbers have two digits."""
    outer_em: float | None = None
    """Where the mark's room begins; None is by level, all marks as wide as usual."""

    @property
    def indent_pt(self) -> tuple[float, float]:
        """Left margin of the text, and how far its mark hangs out to the left of that; measured and written alike."""
        outer = self.level * HANG_EM if self.outer_em is None else self.outer_em
        hang = self.hang_em * self.size_pt
        if self.mark != "none":
            return outer * self.size_pt + hang, hang
        return outer * self.size_pt + self.indent * hang, 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBox:
    """Text in a frame: a placeholder of the layout, or a free box."""

    frame: Frame
    lines: tuple[Line, ...]
    name: str = ""
    placeholder: int | None = None
    """`idx` of the layout's placeholder that it fills (0 is the title); None for a free text box."""
    role: Literal["title", "body", "caption", "callout", "quote", "subtitle", "footnote", "section-number"] = "body"
    fill: str | None = None
    """Theme slot of the background, e.g. `lt2`."""
    bar: str | None = None
    """Theme slot of the vertical bar at the left edge (callouts, quotes)."""
    inset_pt: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Left, top, right, bottom."""
    anchor: Literal["top", "middle", "bottom"] = "top"
    line_spacing: float = 1.0
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBox:
    """A listing, coloured by the writer."""

    frame: Frame
    text: str
    language: str
    size_pt: float
    name: str = ""
    highlight: frozenset[int] = frozenset()
    """1-based lines to emphasise; empty emphasises none."""
    first_number: int | None = None
    numbers: tuple[int | None, ...] = ()
    """The number beside each line of a numbered listing, None where a line continues the one above (it was too long).
    Numbers are set before their line, right-aligned in the width of the widest, and followed by two spaces."""
    before: str = ""
    """What stands before `text` on the pages that it continues: a string that began there is still a string."""
    filename: str | None = None
    fingerprint: str = field(default="", compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBox:
    """A table with whole-EMU columns that add up to the frame's width; row 0 is the header when `header`."""

    frame: Frame
    rows: tuple[tuple[tuple[Run, ...], ...], ...]
    alignments: tuple[Alignment, ...]
    column_widths: tuple[int, ...]
    row_heights: tuple[int, ...]
    size_pt: float
    header: bool = True
    name: str = ""
    alt: str = ""
    fingerprint: str = field(default="", compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationBox:
    """A display formula alone in a shape of its natural size."""

    frame: Frame
    tex: str
    size_pt: float
    name: str = ""
    alt: str = ""
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBox:
    """A picture file in its own aspect."""

    frame: Frame
    path: str
    name: str = ""
    alt: str = ""
    decorative: bool = False
    link: str | None = None
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingBox:
    """The place of a figure: drawn for this frame, native shapes in one group."""

    frame: Frame
    label: str
    alt: str = ""
    fingerprint: str = field(default="", compare=False)
    source: Source = place()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBox:
    """A horizontal line."""

    frame: Frame
    name: str = ""
    source: Source = place()


Box = TextBox | CodeBox | TableBox | EquationBox | PictureBox | DrawingBox | RuleBox


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One slide of the finished deck."""

    layout: str
    """Name of the template's layout."""
    title: TextBox
    boxes: tuple[Box, ...] = ()
    notes: tuple[Line, ...] = ()
    section: str = ""
    identifier: str | None = None
    """Anchor that links `#id` jump to; only on the first page of a slide."""
    hidden: bool = False
    background: str | None = None
    footer: str = ""
    show_number: bool = True
    source: Source = place()


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure drawn for its frame: one DrawingML group, with the pictures it refers to.

    `group` is a serialised `p:grpSp` whose origin is the frame's top left corner (0, 0) and whose unit is EMU. Shape
    ids in it count from 1 and connectors refer to them; the writer shifts both. Picture relations are named `image-0`,
    `image-1`, …, keys of `media`.
    """

    group: bytes
    media: Mapping[str, bytes] = field(default_factory=nothing, hash=False, repr=False)
    shapes: int = 0
    notices: tuple[str, ...] = ()
    """What a reader of the slide should know: text moved inside the figure, too small, very many shapes."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The deck laid out."""

    pages: tuple[Page, ...]
    notices: tuple[Notice, ...] = ()
    drawings: Mapping[str, Drawing] = field(default_factory=nothing, hash=False, repr=False)
    """Label → drawing; filled by the draw stage."""
    fitted: tuple[Notice, ...] = ()
    """What was set smaller or continued on further pages to fit, and where: a report, not something missing."""
