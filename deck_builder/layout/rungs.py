"""The ladder of heights that figures are given beside or under text: by a rough count of lines, two at a time.

A frame never follows from measured heights, so a changed word redraws no figure unless it changes the rung.
"""

from __future__ import annotations

from math import ceil

from deck_builder.layout.flow import GAP, column_widths
from deck_builder.layout.measure import SPARE
from deck_builder.layout.parts import Divider, Flow, Formula, Grid, Listing, Part, Prose, Row, Visual
from deck_builder.layout.prose import LINE_SPACING
from deck_builder.layout.setting import Area, Setting

RUNG = 2
"""Lines by which the ladder goes down."""
BETWEEN = 8.0
"""Space between paragraphs that is reckoned with, in points."""
LEAST = 0.45
"""Of the height: with less than this a figure does not stand under text."""
SURE = 1.1
"""A text this much shorter than its lines is counted as filling them."""
FORMULA, CODE, TABLE = 2.5, 0.7, 1.3
"""Lines of text that a formula, a line of code and a row of a table count for."""


def rough_lines(parts: Flow, width: float, setting: Setting) -> float:
    """About how many lines of text parts are worth in a column of `width` points."""
    return sum(_lines(part, width, setting) for part in parts)


def _lines(part: Part, width: float, setting: Setting) -> float:
    match part:
        case Prose():
            em = width / setting.theme.sizes.body[0]
            lines = sum(max(1, ceil(entry.measured.natural * SURE / em)) for entry in part.entries)
            return lines + (part.role != "body")
        case Formula():
            return FORMULA
        case Listing():
            return 1 + CODE * len(part.lines)
        case Grid():
            return TABLE * len(part.rows) + (part.caption is not None)
        case Row():
            columns = zip(part.columns, column_widths(part, width), strict=True)
            return max(rough_lines(stack.parts, column, setting) for stack, column in columns)
        case Visual() | Divider():
            return 1.0


def band(lines: float, setting: Setting) -> float:
    """Height kept for lines of text in the largest type, and the gap to what stands beside them."""
    line = setting.theme.sizes.body[0] * setting.metrics.east_asian_line_height * SPARE * LINE_SPACING
    return lines * line + max(0.0, lines - 1) * BETWEEN + GAP


def room_under(lines: float, area: Area, setting: Setting) -> float:
    """Height left for figures that share an area with text worth so many lines; 0 where it would be too little."""
    room = area.height - band(RUNG * ceil(lines / RUNG), setting)
    return room if room >= LEAST * area.height else 0.0
