"""The ladder of heights that figures are given beside or under text: by a rough count of lines, two at a time.

A frame never follows from measured heights, so a changed word redraws no figure unless it changes the rung.
"""

from __future__ import annotations

from math import ceil

from deck_builder.layout.code import listing_height
from deck_builder.layout.equations import formula_height
from deck_builder.layout.fit import ladder
from deck_builder.layout.flow import GAP, column_widths
from deck_builder.layout.measure import SPARE
from deck_builder.layout.parts import Divider, Flow, Formula, Grid, Listing, Part, Prose, Row, Visual
from deck_builder.layout.prose import LINE_SPACING
from deck_builder.layout.setting import Area, Setting

RUNG = 2
"""Lines by which the ladder goes down."""
BETWEEN = 8.0
"""Space between paragraphs that is reckoned with, in points."""
LEAST = 90.0
"""Points: with less than this a figure does not stand under text."""
SURE = 1.1
"""Text is taken to be this much longer than it is, so that what fits narrowly is not counted on."""
ROW_LINES = 1.2
"""Lines of text that a table's row is worth."""
FRAME_PT = 20.0
"""Padding of a callout or quote, above and below."""


def rough_lines(parts: Flow, width: float, setting: Setting) -> int:
    """About how many lines texts make in a column of `width` points."""
    em = width / setting.theme.sizes.body[0]
    entries = (entry for part in parts if isinstance(part, Prose) for entry in part.entries)
    return sum(max(1, ceil(entry.measured.natural * SURE / em)) for entry in entries)


def room_under(parts: Flow, area: Area, setting: Setting) -> float:
    """Height left for figures that share an area with other parts; 0 where it would be too little."""
    room = area.height - _stack_room(parts, area.width, setting) - GAP
    return room if room >= LEAST else 0.0


def _stack_room(parts: Flow, width: float, setting: Setting) -> float:
    """Height kept for parts one under another: their texts by the rung, all else as large as it can become."""
    lines = RUNG * ceil(rough_lines(parts, width, setting) / RUNG)
    others = sum(_room(part, width, setting) for part in parts)
    return lines * _line_pt(setting) + max(0, lines - 1) * BETWEEN + others + GAP * max(0, len(parts) - 1)


def _line_pt(setting: Setting) -> float:
    return setting.theme.sizes.body[0] * setting.metrics.east_asian_line_height * SPARE * LINE_SPACING


def _room(part: Part, width: float, setting: Setting) -> float:
    """What a part needs besides its lines of text."""
    step = ladder(setting.theme.sizes, "auto")[0]
    match part:
        case Prose():
            return FRAME_PT if part.role != "body" else 0.0
        case Formula():
            return formula_height(part, width, step, setting)
        case Listing():
            return listing_height(part, width, step, setting)
        case Grid():
            return ROW_LINES * _line_pt(setting) * len(part.rows)
        case Row():
            columns = zip(part.columns, column_widths(part, width), strict=True)
            return max(_stack_room(stack.parts, column, setting) for stack, column in columns)
        case Visual() | Divider():
            return 0.0
