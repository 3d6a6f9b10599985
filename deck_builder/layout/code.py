"""Listings: wrapped only where no width is enough, set as large as their longest line allows, cut between lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from deck_builder.layout.measure import SPARE, holds_han
from deck_builder.layout.parts import Listing
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.model import Code, FigureCall, Notice, SnippetCall, TableCall
from deck_builder.pages import CODE_CAPTION_PT, CODE_INSET_PT, CODE_LINE_SPACING, CodeBox
from deck_builder.theming.metrics import CODE_ADVANCE, SCRIPT_GAP
from deck_builder.values import replace

TAB = 4
CONTINUATION = 4
"""Columns by which the further parts of a broken line are indented more than the line."""
BREAKS = (
    re.compile(r"(?<=[,;]) ?|(?<=[(\[{])(?=\S)"),
    re.compile(r"(?<= )(?=\S)"),
    re.compile(r"(?<=\w)(?=\.[A-Za-z_])|(?<=[/_&|])"),
)
"""Where a line of code may be broken, best first: after a separator or bracket, after a space, in a long name."""
PREFERRED = 0.5
"""A sensible break is taken when it leaves the line at least this full; otherwise the line is cut where it is full."""
LEAST_LINES = 3
"""Fewer lines than this do not begin a listing at the foot of a page."""
BLANK_SEARCH = 0.34
"""A page break moves up to a blank line if that gives away no more than this part of the page."""


def listing(block: Code, setting: Setting) -> Listing:
    """A listing with tabs expanded and indentation common to all lines taken off; emphasis and numbers by line."""
    from textwrap import dedent

    text = dedent("\n".join(line.expandtabs(TAB).rstrip() for line in block.text.rstrip("\n").split("\n")))
    lines = tuple(text.split("\n"))
    first = block.first_number
    return Listing(
        lines=lines,
        language=block.language,
        name=block.label or "",
        filename=block.filename,
        highlight=highlighted(block.highlight, len(lines)),
        numbers=tuple(range(first, first + len(lines))) if first is not None else (),
        longest=max(line_width(line, setting) for line in lines),
        fingerprint=block.fingerprint,
        source=block.source,
    )


def call_listing(call: FigureCall | TableCall | SnippetCall, setting: Setting) -> Listing:
    """The call itself, for a figure, table or snippet that has no result."""
    arguments = {} if isinstance(call, SnippetCall) else call.arguments
    text = f"{call.function}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    return listing(Code(text, "python", label=call.label, source=call.source), setting)


def line_width(line: str, setting: Setting) -> float:
    """Width of a line of code in em."""
    return len(line) * CODE_ADVANCE if line.isascii() else setting.metrics.advance(line, code=True)


def highlighted(spec: str, count: int) -> frozenset[int]:
    """Line numbers of `1|3-4`; steps are shown at once; everything (or nothing) emphasised is no emphasis."""
    numbers: set[int] = set()
    for piece in re.split(r"[|,\s]+", spec.strip()):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
        if match:
            numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    return frozenset(number for number in numbers if number <= count)


def gutter_em(block: Listing) -> float:
    """Width of the numbers beside the lines, in em."""
    if not block.numbers:
        return 0.0
    columns = len(str(max(block.numbers))) + 2
    return columns * CODE_ADVANCE + (0.0 if all(line.isascii() for line in block.lines) else SCRIPT_GAP)


def fits_unwrapped(block: Listing, width: float, setting: Setting) -> bool:
    """Whether the longest line fits in a box of `width` points at the floor size."""
    return _em_room(block, width, setting.theme.sizes.code[-1]) >= block.longest


def _em_room(block: Listing, width: float, size: float) -> float:
    return (width - 2 * CODE_INSET_PT) / size - gutter_em(block)


def listing_size(block: Listing, width: float, step: Step, setting: Setting) -> float:
    """The largest size up to the step's at which no line is too long; the smallest where there is none."""
    if block.size_pt is not None:
        return block.size_pt
    sizes = [size for size in setting.theme.sizes.code if size <= step.code] or [step.code]
    return next((size for size in sizes if _em_room(block, width, size) >= block.longest), sizes[-1])


def listing_height(block: Listing, width: float, step: Step, setting: Setting) -> float:
    """Height of its box in points."""
    size = listing_size(block, width, step, setting)
    lines = wrapped(block, width, size, setting).lines
    strip = CODE_CAPTION_PT if block.filename else 0.0
    return 2 * CODE_INSET_PT + strip + sum(line_height(line, size, setting) for line in lines)


def line_height(line: str, size: float, setting: Setting) -> float:
    """Height of a line of code in points, spare included."""
    metrics = setting.metrics
    if not holds_han(line):
        return metrics.code_line_height * size * CODE_LINE_SPACING
    return max(metrics.code_line_height, metrics.east_asian_line_height) * size * CODE_LINE_SPACING * SPARE


def place_listing(block: Listing, area: Area, step: Step, setting: Setting) -> Iterator[CodeBox | Notice]:
    """Its box; a notice where lines were too long for the page."""
    size = listing_size(block, area.width, step, setting)
    shown = wrapped(block, area.width, size, setting)
    if shown.broken:
        yield Notice(
            f"a line of code is too long for the slide at {size:g} pt and continues on the next; shorten it",
            block.source,
        )
    before = (None, *shown.numbers)
    yield CodeBox(
        frame=area.frame,
        text="\n".join(shown.lines),
        language=block.language,
        size_pt=size,
        name=block.name,
        highlight=shown.highlight,
        first_number=shown.numbers[0] if shown.numbers else None,
        numbers=tuple(None if number == last else number for number, last in zip(shown.numbers, before, strict=False)),
        before=block.before,
        filename=block.filename,
        fingerprint=block.fingerprint,
        source=block.source,
    )


def wrapped(block: Listing, width: float, size: float, setting: Setting) -> Listing:
    """The same listing with lines that are too long broken; each part keeps its line's number and emphasis."""
    room = _em_room(block, width, size)
    if block.longest <= room:
        return block
    pieces = [list(wrap_line(line, room, setting)) for line in block.lines]
    origins = [index for index, parts in enumerate(pieces) for _ in parts]
    return replace(
        block,
        lines=tuple(part for parts in pieces for part in parts),
        numbers=tuple(block.numbers[index] for index in origins) if block.numbers else (),
        highlight=frozenset(at + 1 for at, index in enumerate(origins) if index + 1 in block.highlight),
        longest=room,
        broken=True,
    )


def wrap_line(line: str, room: float, setting: Setting) -> Iterator[str]:
    """Parts of a line, each at most `room` em wide, further ones indented more."""
    indent = " " * min(_indent(line) + CONTINUATION, int(room / CODE_ADVANCE) // 3)
    while line_width(line, setting) > room and len(line.lstrip()) > 1:
        reach = list(accumulate(setting.metrics.advances(line, code=True)))
        full = max(_indent(line) + 1, bisect_right(reach, room))
        stop = _break(line, max(len(indent) + 1, int(PREFERRED * full)), full)
        yield line[:stop].rstrip()
        line = indent + line[stop:].lstrip()
    yield line


def _break(line: str, least: int, full: int) -> int:
    """The best place to break a line between two columns; where there is none, as late as possible."""
    for pattern in BREAKS:
        stops = [match.end() for match in pattern.finditer(line, least, full) if match.end() <= full]
        if stops:
            return stops[-1]
    return full


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def split_listing(
    block: Listing, width: float, room: float, step: Step, setting: Setting, *, fresh: bool
) -> tuple[Listing | None, Listing | None]:
    """What fits and what does not, cut at a blank line where one is near."""
    size = listing_size(block, width, step, setting)
    block = replace(block, size_pt=size)
    count = _fitting(block, width, room, size, setting)
    if count == 0 and fresh:  # a single line that is longer than the page
        block = wrapped(block, width, size, setting)
        count = max(1, _fitting(block, width, room, size, setting))
    if count == len(block.lines):
        return block, None
    count = max(_at_blank(block.lines, count), 1 if fresh else 0)
    if count == 0 or (count < LEAST_LINES and not fresh):
        return None, block
    return _lines(block, 0, count, setting), _lines(block, count, len(block.lines), setting)


def _fitting(block: Listing, width: float, room: float, size: float, setting: Setting) -> int:
    """How many lines fit, each with its further parts."""
    used = 2 * CODE_INSET_PT + (CODE_CAPTION_PT if block.filename else 0.0)
    for count, line in enumerate(block.lines):
        parts = wrap_line(line, _em_room(block, width, size), setting)
        used += sum(line_height(part, size, setting) for part in parts)
        if used > room:
            return count
    return len(block.lines)


def _at_blank(lines: tuple[str, ...], count: int) -> int:
    for stop in range(count, max(1, int(count * (1 - BLANK_SEARCH))), -1):
        if not lines[stop].strip():
            return stop
    return count - 1 if len(lines) - count == 1 and count > LEAST_LINES else count


def _lines(block: Listing, start: int, stop: int, setting: Setting) -> Listing | None:
    """Some of the lines; blank ones at the cut are left out."""
    while start < stop and start and not block.lines[start].strip():
        start += 1
    while stop > max(start, 1) and stop < len(block.lines) and not block.lines[stop - 1].strip():
        stop -= 1
    if start == stop:
        return None
    lines = block.lines[start:stop]
    before = "\n".join(filter(None, (block.before, *block.lines[:start])))
    return replace(
        block,
        before=before,
        lines=lines,
        numbers=block.numbers[start:stop],
        highlight=frozenset(number - start for number in block.highlight if start < number <= stop),
        longest=max(line_width(line, setting) for line in lines),
    )
