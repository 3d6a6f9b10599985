"""Which arrangement a slide's parts take. Frames of figures follow from kinds and counts of parts, never from heights.

Several arrangements may be offered; fitting takes the one that needs the fewest pages and the largest type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deck_builder.layout.code import fits_unwrapped
from deck_builder.layout.flow import COLUMN_GAP
from deck_builder.layout.gallery import MOST, best_area, gallery
from deck_builder.layout.parts import Divider, Flow, Formula, Grid, Listing, Part, Prose, Row, Stack, Visual
from deck_builder.layout.rungs import room_under, rough_lines
from deck_builder.layout.setting import Area, Setting
from deck_builder.layout.tables import fits_unbroken
from deck_builder.layout.visuals import wished
from deck_builder.layout.written import readable, written
from deck_builder.values import replace

TEXT_SHARE = 0.4
"""Of the width, for text beside a figure."""
HALF = 0.5
FEW_LINES = 2
"""Text that stays above or below its code; more of it stands beside."""
NARROWEST, WIDEST = 0.2, 0.65
"""Share of the width that a figure beside text is given, whatever its author asked for."""


def compose(parts: Flow, area: Area, setting: Setting) -> tuple[Flow, ...]:
    """Arrangements to choose from, the preferred first; every figure framed."""
    parts = tuple(readable(parts, area.width))
    visuals = tuple(part for part in parts if isinstance(part, Visual))
    others = tuple(_together(part for part in parts if not isinstance(part, Visual)))
    if any(isinstance(part, Row) for part in parts):
        return (written(parts, area, setting),)
    if not visuals:
        return _without_figures(parts, setting, area)
    if not others:
        return (gallery(visuals, area.width, area.height, area, setting),)
    if len(visuals) > MOST:
        return ((*others, *gallery(visuals, area.width, area.height, area, setting)),)
    if any(isinstance(part, Listing | Grid) for part in others):
        return (_beside_exhibit(parts, others, visuals, area, setting),)
    return (_with_text(parts, others, visuals, area, setting),)


def _together(parts: Iterable[Part]) -> Iterator[Part]:
    """Texts that only a figure parted are one text again."""
    held: Prose | None = None
    for part in parts:
        if isinstance(part, Prose) and part.role == "body":
            held = part if held is None else replace(held, entries=held.entries + part.entries)
            continue
        if held is not None:
            yield held
        held = None
        yield part
    if held is not None:
        yield held


# ---------------------------------------------------------------- figures with text


def _with_text(parts: Flow, others: Flow, visuals: tuple[Visual, ...], area: Area, setting: Setting) -> Flow:
    wide = (area.width - COLUMN_GAP) * (1 - TEXT_SHARE)
    height = room_under(others, area, setting)
    under = best_area(visuals, area.width, height, setting) if height else 0.0
    if not _fits(others, area.width - COLUMN_GAP - wide, setting):
        return _stacked(parts, others, visuals, height or area.height * HALF, area, setting)
    if under > best_area(visuals, wide, area.height, setting):
        return _stacked(parts, others, visuals, height, area, setting)
    return (_beside(parts, others, visuals, 1 - TEXT_SHARE, area, setting),)


def _stacked(
    parts: Flow, others: Flow, visuals: tuple[Visual, ...], height: float, area: Area, setting: Setting
) -> Flow:
    """Text above (or below, as written), figures over the full width."""
    shown = gallery(visuals, area.width, height, area, setting)
    return (*shown, *others) if isinstance(parts[0], Visual) else (*others, *shown)


def _beside(parts: Flow, others: Flow, visuals: tuple[Visual, ...], share: float, area: Area, setting: Setting) -> Row:
    """Text on one side, figures on the other: in the order in which they were written."""
    asked = wished(visuals[0], area)[0] if len(visuals) == 1 else None
    if asked:
        share = min(WIDEST, max(NARROWEST, asked / (area.width - COLUMN_GAP)))
    width = (area.width - COLUMN_GAP) * share
    shown = Stack(gallery(visuals, width, area.height, area, setting), share)
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
    """Whether a column is wide enough: no line of code wrapped, no word of a table broken, no formula set too small."""
    return all(_fits_in(part, width, setting) for part in parts)


def _at_ease(parts: Flow, area: Area, setting: Setting) -> bool:
    """Whether formulas among the text beside something need not be set smaller."""
    room = (area.width - COLUMN_GAP) * TEXT_SHARE
    top = setting.theme.sizes.equation[0]
    return all(part.width * top <= room for part in parts if isinstance(part, Formula))


def _fits_in(part: Part, width: float, setting: Setting) -> bool:
    match part:
        case Listing():
            return fits_unwrapped(part, width, setting)
        case Grid():
            return fits_unbroken(part, width, setting)
        case Formula():
            return part.width * setting.theme.sizes.equation[-1] <= width
        case _:
            return True


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
        short = rough_lines(rest, area.width, setting) <= FEW_LINES
        return (parts, beside) if short or not _at_ease(rest, area, setting) else (beside, parts)
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
