"""Parts in a column: how high they are, where their boxes go, and what fits on this page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from deck_builder.layout.code import listing_height, place_listing, split_listing
from deck_builder.layout.equations import formula_height, place_formula
from deck_builder.layout.parts import Divider, Flow, Formula, Grid, Listing, Part, Prose, Row, Stack, Visual
from deck_builder.layout.prose import keeps_with_next, prose_box, prose_height, split_prose
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.layout.tables import grid_height, place_grid, split_grid
from deck_builder.layout.visuals import caption_room, drawing_height, drawing_offset, place_visual
from deck_builder.model import Notice
from deck_builder.pages import Box, RuleBox
from deck_builder.values import replace

GAP = 14.0
"""Between parts of a column, in points."""
CALLOUT_GAP = 10.0
ALIKE = 1.5
"""Callouts that differ in height by no more than this factor are made equal."""
COLUMN_GAP = 32.0
MOST_DOWN = 36.0
"""How far below the top of the body a small figure and the text beside it may begin, in points."""
RULE_HEIGHT = 10.0
HAIR = 0.01
"""Rounding that no eye and no box minds, in points."""

Placed = Box | Notice


def gap(part: Part, step: Step) -> float:
    """Space above a part that follows another."""
    if isinstance(part, Prose | Listing | Grid | Formula | Divider) and part.joined:
        return 0.0
    return (CALLOUT_GAP if isinstance(part, Prose) and part.role == "callout" else GAP) * step.air


# ---------------------------------------------------------------- heights


def part_height(part: Part, width: float, step: Step, setting: Setting) -> float:
    """Height of a part in a column of `width` points."""
    match part:
        case Prose():
            return prose_height(part, width, step, setting)
        case Listing():
            return listing_height(part, width, step, setting)
        case Grid():
            return grid_height(part, width, step, setting)
        case Formula():
            return formula_height(part, width, step, setting)
        case Visual():
            return part.height
        case Divider():
            return RULE_HEIGHT
        case Row():
            return max(
                stack_height(stack.parts, column, step, setting)
                for stack, column in zip(part.columns, column_widths(part, width), strict=True)
            )
    assert_never(part)


def stack_height(parts: Flow, width: float, step: Step, setting: Setting) -> float:
    """Height of parts one under another."""
    gaps = sum(gap(part, step) for part in parts[1:])
    return gaps + sum(part_height(part, width, step, setting) for part in parts)


def column_widths(row: Row, width: float) -> list[float]:
    """Widths of a row's columns; the gaps between them are taken off the whole first."""
    free = max(1.0, width - COLUMN_GAP * (len(row.columns) - 1))
    return [free * stack.share for stack in row.columns]


# ---------------------------------------------------------------- places


def place_stack(parts: Flow, area: Area, step: Step, setting: Setting) -> Iterator[Placed]:
    """Boxes of parts one under another; a body text at the end takes the room that is left."""
    top = area.top
    heights = [part_height(part, area.width, step, setting) for part in parts]
    if all(isinstance(part, Prose) and part.role == "callout" for part in parts):
        gaps = sum(gap(part, step) for part in parts[1:])
        alike = max(heights, default=0.0)
        similar = alike <= ALIKE * min(heights, default=0.0)
        heights = [alike] * len(parts) if similar and alike * len(parts) + gaps <= area.height else heights
    for index, (part, height) in enumerate(zip(parts, heights, strict=True)):
        top += gap(part, step) if index else 0.0
        if index == len(parts) - 1 and (isinstance(part, Row) or (isinstance(part, Prose) and part.role == "body")):
            height = max(height, area.bottom - top)
        yield from place_part(part, Area(area.left, top, area.width, height), step, setting)
        top += height


def place_part(part: Part, area: Area, step: Step, setting: Setting) -> Iterator[Placed]:
    """Boxes of one part."""
    match part:
        case Prose():
            yield prose_box(part, area, step, setting)
        case Listing():
            yield from place_listing(part, area, step, setting)
        case Grid():
            yield from place_grid(part, area, step, setting)
        case Formula():
            yield from place_formula(part, area, step, setting)
        case Visual():
            yield from place_visual(part, area, step, setting)
        case Divider():
            yield RuleBox(frame=area.frame, source=part.source)
        case Row():
            yield from place_row(part, area, step, setting)
        case _:
            assert_never(part)


def place_row(row: Row, area: Area, step: Step, setting: Setting) -> Iterator[Placed]:
    """Boxes of columns side by side; text beside a drawing begins where that does; drawings share one band."""
    widths = column_widths(row, area.width)
    drawings = [_alone(stack, width) for stack, width in zip(row.columns, widths, strict=True)]
    offset = min((drawing_offset(*found, setting) for found in drawings if found), default=0.0)
    up = 0.0 if all(drawings) else max(0.0, offset - MOST_DOWN)
    heights = [drawing_height(*found, setting) for found in drawings if found]
    band = max(heights) if len(heights) > 1 else 0.0
    left = area.left
    for stack, width, drawing in zip(row.columns, widths, drawings, strict=True):
        if drawing:
            place = Area(left, area.top - up, width, drawing[0].height)
            yield from place_visual(drawing[0], place, step, setting, band=min(band, _most(drawing, setting)))
        else:
            spare = area.height - stack_height(stack.parts, width, step, setting)
            down = min(offset - up, max(0.0, spare / 2))
            place = Area(left, area.top + down, width, area.height - down)
            yield from place_stack(stack.parts, place, step, setting)
        left += width + COLUMN_GAP


def _alone(stack: Stack, width: float) -> tuple[Visual, float] | None:
    """The figure of a column that holds nothing else, with the column's width."""
    part = stack.parts[0] if len(stack.parts) == 1 else None
    return (part, width) if isinstance(part, Visual) else None


def _most(drawing: tuple[Visual, float], setting: Setting) -> float:
    """What of its frame a drawing may take."""
    part, width = drawing
    return part.height - caption_room(part, width, setting)


# ---------------------------------------------------------------- continuation


def fill(
    parts: Flow, width: float, room: float, step: Step, setting: Setting, *, page: float | None = None
) -> tuple[Flow, Flow]:
    """What goes on this page, at least something, and what is left for the next.

    `room` is how full the page shall be; what cannot be split so small may take the whole `page`.
    """
    taken: list[Part] = []
    used = 0.0
    for index, part in enumerate(parts):
        above = gap(part, step) if taken else 0.0
        height = part_height(part, width, step, setting)
        if used + above + height <= room + HAIR:
            taken.append(part)
            used += above + height
            continue
        head, tail = split_part(part, width, room - used - above, step, setting)
        if head is None and not taken:
            head, tail = split_part(part, width, room, step, setting, page=page or room)
        rest = (*_flat(tail), *parts[index + 1 :])
        if head is None:
            kept, held = _held_back(taken)
            return kept, (*held, *rest)
        return (*taken, head), rest
    return tuple(taken), ()


def _held_back(taken: list[Part]) -> tuple[Flow, Flow]:
    """What announces the part that did not fit goes to the next page with it, unless it is all there is."""
    last = taken[-1]
    if not isinstance(last, Prose):
        return tuple(taken), ()
    kept = len(last.entries)
    while kept and keeps_with_next(last.entries[kept - 1]):
        kept -= 1
    if kept == len(last.entries) or (not kept and len(taken) == 1):
        return tuple(taken), ()
    held = replace(last, entries=last.entries[kept:], source=last.entries[kept].source)
    stays = (replace(last, entries=last.entries[:kept]),) if kept else ()
    return (*taken[:-1], *stays), (held,)


def _flat(tail: Part | None) -> Flow:
    """The rest of a part as parts: what a row has left in one column flows on over the full width."""
    if isinstance(tail, Row) and len(tail.columns) == 1:
        return tail.columns[0].parts
    return () if tail is None else (tail,)


def split_part(
    part: Part, width: float, room: float, step: Step, setting: Setting, *, page: float | None = None
) -> tuple[Part | None, Part | None]:
    """What of a part fits in `room`, and what does not; on a fresh `page` something always goes."""
    fresh = page is not None
    space = room if page is None else page
    match part:
        case Prose():
            return split_prose(part, width, space, step, setting, fresh=fresh)
        case Listing():
            return split_listing(part, width, space, step, setting, fresh=fresh)
        case Grid():
            return split_grid(part, width, space, step, setting, fresh=fresh)
        case Row():
            return split_row(part, width, room, step, setting, page=page)
        case Formula() | Visual() | Divider():
            return (part, None) if fresh else (None, part)
    assert_never(part)


def split_row(
    row: Row, width: float, room: float, step: Step, setting: Setting, *, page: float | None
) -> tuple[Row | None, Part | None]:
    """Each column gives what fits. What is left of a single column goes on over the full width."""
    widths = column_widths(row, width)
    columns = tuple(zip(row.columns, widths, strict=True))
    if page is None and not all(_begins(stack.parts, column, room, step, setting) for stack, column in columns):
        return None, row
    filled = [fill(stack.parts, column, room, step, setting, page=page) for stack, column in columns]
    heads = tuple(replace(stack, parts=head) for stack, (head, _) in zip(row.columns, filled, strict=True))
    tails = tuple(replace(stack, parts=tail) for stack, (_, tail) in zip(row.columns, filled, strict=True))
    left = tuple(stack for stack in tails if stack.parts)
    rest = Row(left if len(left) == 1 else tails, source=row.source) if left else None
    return replace(row, columns=heads), rest


def _begins(parts: Flow, width: float, room: float, step: Step, setting: Setting) -> bool:
    """Whether anything of a column fits without force."""
    if not parts or part_height(parts[0], width, step, setting) <= room:
        return True
    return split_part(parts[0], width, room, step, setting)[0] is not None
