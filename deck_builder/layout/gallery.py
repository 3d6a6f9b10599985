"""Figures in a grid of equal cells."""

from __future__ import annotations

from math import ceil

from deck_builder.layout.flow import COLUMN_GAP, GAP
from deck_builder.layout.parts import Flow, Part, Prose, Row, Stack, Visual
from deck_builder.layout.setting import Area, Setting
from deck_builder.layout.visuals import aspect_of, framed

MOST = 6
"""Figures on one page."""
CAPTION_ROOM = 42.0
"""About what captions take of a cell, in points, when grids are compared."""


def gallery(visuals: tuple[Visual, ...], width: float, height: float, whole: Area, setting: Setting) -> Flow:
    """Figures in a grid of equal cells, as many columns as show them largest; more than a page holds are carried on."""
    flow: list[Part] = []
    for start in range(0, len(visuals), MOST):
        chunk = visuals[start : start + MOST]
        columns = max(range(1, len(chunk) + 1), key=lambda count: shown_area(chunk, count, width, height, setting))
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


def shown_area(visuals: tuple[Visual, ...], columns: int, width: float, height: float, setting: Setting) -> float:
    """Area that figures of these aspects fill in a grid with so many columns."""
    rows = ceil(len(visuals) / columns)
    wide = (width - COLUMN_GAP * (columns - 1)) / columns
    high = (height - GAP * (rows - 1)) / rows - CAPTION_ROOM
    if wide <= 0 or high <= 0:
        return 0.0
    aspects = [aspect_of(part, setting) for part in visuals]
    return sum(min(wide, high * aspect) * min(high, wide / aspect) for aspect in aspects)


def best_area(visuals: tuple[Visual, ...], width: float, height: float, setting: Setting) -> float:
    """Area that figures fill in the best of all grids."""
    counts = range(1, len(visuals) + 1)
    return max(shown_area(visuals, count, width, height, setting) for count in counts)
