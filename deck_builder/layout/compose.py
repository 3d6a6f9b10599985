"""Which arrangement a slide's parts take. Frames of figures follow from kinds and counts of parts, never from heights.

Several arrangements may be offered; fitting takes the one that needs the fewest pages and the largest type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from deck_builder.layout.code import fits_unwrapped
from deck_builder.layout.flow import COLUMN_GAP, GAP, column_widths
from deck_builder.layout.parts import Divider, Flow, Formula, Grid, Listing, Part, Prose, Row, Stack, Visual
from deck_builder.layout.setting import Area, Setting
from deck_builder.layout.tables import fits_unbroken
from deck_builder.layout.visuals import aspect_of, framed, wished

TEXT_SHARE = 0.4
"""Of the width, for text beside a figure."""
HALF = 0.5
WIDE = 2.4
"""From this aspect on a figure is shown under its text, not beside it."""
LINE_ONLY = 1.3
"""So is any figure at least this wide whose text is a single line."""
LOWER = 2 / 3
WITH_TEXT = 0.62
"""Of its column's height, for a figure in a written column that holds text too."""
UNDER_ROW = 0.72
"""Of the height, for figures in columns that have other parts above or below them."""
TEXT_LINES = 4
"""Lines of full width that count as short text."""
MOST_IN_GRID = 6
LEAST_COLUMN = 110.0
"""A written column narrower than this, in points, cannot be read."""
LEAST_CELL = 36.0
"""Nor can a table whose columns are narrower than this."""
NARROWEST, WIDEST = 0.2, 0.8


def compose(parts: Flow, area: Area, setting: Setting) -> tuple[Flow, ...]:
    """Arrangements to choose from, the preferred first; every figure framed."""
    parts = tuple(_readable(parts, area.width))
    visuals = tuple(part for part in parts if isinstance(part, Visual))
    others = tuple(part for part in parts if not isinstance(part, Visual))
    if any(isinstance(part, Row) for part in parts):
        return (_written(parts, area, setting),)
    if not visuals:
        return _without_figures(parts, setting, area)
    if not others:
        return (_gallery(visuals, area.width, area.height, area, setting),)
    if len(visuals) > MOST_IN_GRID:
        return ((*others, *_gallery(visuals, area.width, area.height, area, setting)),)
    if any(isinstance(part, Listing | Grid) for part in others):
        return (_beside_exhibit(parts, others, visuals, area, setting),)
    return (_with_text(parts, others, visuals, area, setting),)


def _readable(parts: Flow, width: float) -> Iterator[Part]:
    """Parts in which no column is too narrow to be read: columns that would be are set one under another."""
    for part in parts:
        if not isinstance(part, Row):
            yield part
            continue
        columns = [
            (replace(stack, parts=tuple(_readable(stack.parts, column))), column)
            for stack, column in zip(part.columns, column_widths(part, width), strict=True)
        ]
        if any(_least_width(stack.parts) > column for stack, column in columns):
            for stack in part.columns:
                yield from _readable(stack.parts, width)
        else:
            yield replace(part, columns=tuple(stack for stack, _ in columns))


def _least_width(parts: Flow) -> float:
    """Of a column that holds these parts, in points."""
    tables = (LEAST_CELL * len(part.alignments) for part in parts if isinstance(part, Grid))
    return max(LEAST_COLUMN, *tables, 0.0) if parts else 0.0


# ---------------------------------------------------------------- figures with text


def _with_text(parts: Flow, others: Flow, visuals: tuple[Visual, ...], area: Area, setting: Setting) -> Flow:
    lines = text_lines(others, area, setting)
    aspect = min(aspect_of(part, setting) for part in visuals)
    single = len(visuals) == 1
    if lines <= 1 and (aspect >= LINE_ONLY or not single):
        return _stacked(parts, others, visuals, area.height - _band(2, setting), area, setting)
    if lines <= TEXT_LINES and (aspect >= WIDE or len(visuals) > 2):
        return _stacked(parts, others, visuals, area.height * LOWER - GAP, area, setting)
    return (_beside(parts, others, visuals, 1 - TEXT_SHARE, area, setting),)


def text_lines(parts: Flow, area: Area, setting: Setting) -> int:
    """About how many lines text takes over the full width: a rough count, so that few words change an arrangement."""
    em = area.width / setting.theme.sizes.body[0]
    entries = (entry for part in parts if isinstance(part, Prose) for entry in part.entries)
    lines = sum(max(1, ceil(entry.measured.natural * 1.1 / em)) for entry in entries)
    framed_parts = sum(isinstance(part, Prose) and part.role != "body" for part in parts)
    return lines + framed_parts + 2 * sum(isinstance(part, Formula) for part in parts)


def _band(lines: int, setting: Setting) -> float:
    """Height kept for some lines of text, and the gap to what stands beside them."""
    return lines * setting.theme.sizes.body[0] * setting.metrics.east_asian_line_height * 1.1 + GAP


def _stacked(
    parts: Flow, others: Flow, visuals: tuple[Visual, ...], height: float, area: Area, setting: Setting
) -> Flow:
    """Text above (or below, as written), figures over the full width."""
    shown = _gallery(visuals, area.width, height, area, setting)
    return (*shown, *others) if isinstance(parts[0], Visual) else (*others, *shown)


def _beside(parts: Flow, others: Flow, visuals: tuple[Visual, ...], share: float, area: Area, setting: Setting) -> Row:
    """Text on one side, figures on the other: in the order in which they were written."""
    asked = wished(visuals[0], area)[0] if len(visuals) == 1 else None
    if asked:
        share = min(WIDEST, max(NARROWEST, asked / (area.width - COLUMN_GAP)))
    width = (area.width - COLUMN_GAP) * share
    shown = Stack(_gallery(visuals, width, area.height, area, setting), share)
    text = Stack(others, 1 - share)
    columns = (shown, text) if isinstance(parts[0], Visual) else (text, shown)
    return Row(columns, source=parts[0].source)


def _beside_exhibit(parts: Flow, others: Flow, visuals: tuple[Visual, ...], area: Area, setting: Setting) -> Flow:
    """Code or a table with a figure: side by side where its longest line allows, else one after the other."""
    for share in (HALF, 1 - TEXT_SHARE):
        if _fits(others, (area.width - COLUMN_GAP) * share, setting):
            return (_beside(parts, others, visuals, 1 - share, area, setting),)
    return _stacked(parts, others, visuals, area.height, area, setting)


def _fits(parts: Flow, width: float, setting: Setting) -> bool:
    """Whether no line of code is wrapped and no word of a table broken in a column."""
    return all(
        fits_unwrapped(part, width, setting)
        if isinstance(part, Listing)
        else not isinstance(part, Grid) or fits_unbroken(part, width, setting)
        for part in parts
    )


# ---------------------------------------------------------------- figures alone


def _gallery(visuals: tuple[Visual, ...], width: float, height: float, whole: Area, setting: Setting) -> Flow:
    """Figures in a grid of equal cells, as many columns as show them largest; more than a page holds are carried on."""
    flow: list[Part] = []
    for start in range(0, len(visuals), MOST_IN_GRID):
        chunk = visuals[start : start + MOST_IN_GRID]
        columns = max(range(1, len(chunk) + 1), key=lambda count: _shown(chunk, count, width, height, setting))
        rows = ceil(len(chunk) / columns)
        cell = (height - GAP * (rows - 1)) / rows
        wide = (width - COLUMN_GAP * (columns - 1)) / columns
        cells = [framed(part, wide, cell, whole, setting) for part in chunk]
        for at in range(0, len(cells), columns):
            flow += _grid_row(cells[at : at + columns], columns)
    return tuple(flow)


def _grid_row(cells: list[tuple[Visual | Prose, ...]], columns: int) -> Flow:
    if columns == 1:
        return cells[0]
    return (Row(tuple(Stack(cell, 1 / columns) for cell in cells), source=cells[0][0].source),)


def _shown(visuals: tuple[Visual, ...], columns: int, width: float, height: float, setting: Setting) -> float:
    """Area that figures of these aspects fill in a grid with so many columns."""
    rows = ceil(len(visuals) / columns)
    wide = (width - COLUMN_GAP * (columns - 1)) / columns
    high = (height - GAP * (rows - 1)) / rows - _band(1, setting)
    if wide <= 0 or high <= 0:
        return 0.0
    aspects = [aspect_of(part, setting) for part in visuals]
    return sum(min(wide, high * aspect) * min(high, wide / aspect) for aspect in aspects)


# ---------------------------------------------------------------- no figures


def _without_figures(parts: Flow, setting: Setting, area: Area) -> tuple[Flow, ...]:
    """Parts one under another; code may also stand beside its explanation, or beside other code."""
    listings = [part for part in parts if isinstance(part, Listing)]
    rest = tuple(part for part in parts if not isinstance(part, Listing))
    half = (area.width - COLUMN_GAP) * HALF
    if len(listings) == 1 and rest and all(isinstance(part, Prose | Formula | Divider) for part in rest):
        wide = (area.width - COLUMN_GAP) * (1 - TEXT_SHARE)
        if not _fits(parts, wide, setting):
            return (parts,)
        code, text = Stack((listings[0],), 1 - TEXT_SHARE), Stack(rest, TEXT_SHARE)
        columns = (code, text) if isinstance(parts[0], Listing) else (text, code)
        beside = (Row(columns, source=parts[0].source),)
        return (parts, beside) if text_lines(rest, area, setting) <= 2 else (beside, parts)
    pair = _adjacent_listings(parts)
    if pair is not None and all(
        fits_unwrapped(part, half, setting) for part in parts[pair : pair + 2] if isinstance(part, Listing)
    ):
        row = Row(tuple(Stack((part,), HALF) for part in parts[pair : pair + 2]), source=parts[pair].source)
        return (parts, (*parts[:pair], row, *parts[pair + 2 :]))
    return (parts,)


def _adjacent_listings(parts: Flow) -> int | None:
    """Where exactly two listings follow each other."""
    at = [index for index, part in enumerate(parts) if isinstance(part, Listing)]
    return at[0] if len(at) == 2 and at[1] == at[0] + 1 else None


# ---------------------------------------------------------------- columns as written


def _written(parts: Flow, area: Area, setting: Setting) -> Flow:
    """Columns as the author wrote them; figures in them and around them are framed by kind of place."""
    alone = len(parts) == 1
    height = area.height if alone else area.height * UNDER_ROW
    inner = replace(area, height=height)
    return tuple(item for part in parts for item in _framed_part(part, inner, setting, alone=alone))


def _framed_part(part: Part, area: Area, setting: Setting, *, alone: bool) -> Flow:
    if isinstance(part, Visual):
        return framed(part, area.width, area.height if alone else area.height * HALF, area, setting)
    if isinstance(part, Row):
        widths = column_widths(part, area.width)
        columns = zip(part.columns, widths, strict=True)
        stacks = tuple(_framed_stack(stack, replace(area, width=width), setting) for stack, width in columns)
        return (replace(part, columns=stacks),)
    return (part,)


def _framed_stack(stack: Stack, area: Area, setting: Setting) -> Stack:
    """A column: its figures share its height, less where text stands there too."""
    visuals = sum(isinstance(part, Visual) for part in stack.parts)
    rows = sum(isinstance(part, Row) for part in stack.parts)
    if not visuals and not rows:
        return stack
    others = len(stack.parts) - visuals
    room = area.height * (WITH_TEXT if others else 1.0)
    each = (room - GAP * (visuals - 1)) / visuals if visuals else room
    inner = replace(area, height=max(each, area.height / 8))
    return replace(
        stack, parts=tuple(item for part in stack.parts for item in _framed_part(part, inner, setting, alone=True))
    )
