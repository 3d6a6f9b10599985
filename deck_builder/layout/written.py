"""Columns as the author wrote them: readable widths, and figures in and around them framed by kind of place."""

from __future__ import annotations

from collections.abc import Iterator

from deck_builder.layout.flow import GAP, column_widths
from deck_builder.layout.parts import Flow, Grid, Part, Row, Stack, Visual
from deck_builder.layout.rungs import room_under
from deck_builder.layout.setting import Area, Setting
from deck_builder.layout.visuals import framed
from deck_builder.values import replace

LEAST_COLUMN = 110.0
"""A column narrower than this, in points, cannot be read."""
LEAST_CELL = 36.0
"""Nor can a table whose columns are narrower than this."""
LEAST_FRAME = 90.0
"""Height of a figure in points; what does not fit so goes on over further pages."""
LEAST = 0.45
"""Of the height, for figures whatever stands with them."""
WITH_TEXT = 0.62
"""Of its column's height, for a figure in a column that holds text too."""


def readable(parts: Flow, width: float) -> Iterator[Part]:
    """Parts in which no column is too narrow to be read: columns that would be are set one under another."""
    for part in parts:
        if not isinstance(part, Row):
            yield part
            continue
        columns = [
            (replace(stack, parts=tuple(readable(stack.parts, column))), column)
            for stack, column in zip(part.columns, column_widths(part, width), strict=True)
        ]
        if any(_least_width(stack.parts) > column for stack, column in columns):
            for stack in part.columns:
                yield from readable(stack.parts, width)
        else:
            yield replace(part, columns=tuple(stack for stack, _ in columns))


def _least_width(parts: Flow) -> float:
    """Of a column that holds these parts, in points."""
    tables = (LEAST_CELL * len(part.alignments) for part in parts if isinstance(part, Grid))
    return max(LEAST_COLUMN, *tables, 0.0) if parts else 0.0


def written(parts: Flow, area: Area, setting: Setting) -> Flow:
    """Every figure framed: those beside the columns share what the text leaves, those in them their column's height."""
    loose = sum(isinstance(part, Visual) for part in parts)
    rest = tuple(part for part in parts if not isinstance(part, Visual))
    inside = any(holds_visual(part) for part in rest)
    others = tuple(part for part in rest if not holds_visual(part))
    room = max(room_under(others, area, setting) if others else area.height, LEAST * area.height)
    inner = replace(area, height=_each(room, loose + inside))
    return tuple(item for part in parts for item in _framed_part(part, inner, setting))


def _each(room: float, count: int) -> float:
    """Height of each of some figures that share a room one under another."""
    return max(LEAST_FRAME, (room - GAP * (count - 1)) / count) if count else room


def holds_visual(part: Part) -> bool:
    """Whether a figure stands in a part's columns."""
    if isinstance(part, Row):
        return any(isinstance(item, Visual) or holds_visual(item) for stack in part.columns for item in stack.parts)
    return False


def _framed_part(part: Part, area: Area, setting: Setting) -> Flow:
    if isinstance(part, Visual):
        return framed(part, area.width, area.height, area, setting)
    if isinstance(part, Row):
        columns = zip(part.columns, column_widths(part, area.width), strict=True)
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
    inner = replace(area, height=_each(room, visuals))
    parts = tuple(item for part in stack.parts for item in _framed_part(part, inner, setting))
    return replace(stack, parts=parts)
