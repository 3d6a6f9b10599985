"""Blocks as parts: paragraphs, lists, quotes and callouts become prose; what interrupts them stands between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import assert_never

from deck_builder.layout.code import call_listing, listing
from deck_builder.layout.equations import formula
from deck_builder.layout.inlines import flat_runs, split_at_formulas
from deck_builder.layout.lists import marked
from deck_builder.layout.measure import measure
from deck_builder.layout.parts import Divider, Entry, Grid, Listing, Mark, Part, Prose, Row, Stack, Visual
from deck_builder.layout.setting import Setting
from deck_builder.layout.tables import grid
from deck_builder.layout.visuals import visual
from deck_builder.layout.words import callout_title
from deck_builder.model import (
    Block,
    Callout,
    Code,
    Columns,
    Equation,
    Figure,
    FigureCall,
    Heading,
    Image,
    Inlines,
    Item,
    List,
    Math,
    Notice,
    Paragraph,
    Quote,
    Rule,
    Run,
    SnippetCall,
    Source,
    Style,
    Table,
    TableCall,
)
from deck_builder.pages import HANG_EM
from deck_builder.values import dataclass, replace

DEEPEST = 4
BAR_INSET = 14.0
CALLOUT_INSET = (BAR_INSET, 8.0, 12.0, 8.0)
CALLOUT_ROLES = {"note": "q", "tip": "v", "warning": "k", "caution": "k", "important": "warn"}
BAR_SLOTS = {"q": "accent1", "k": "accent2", "v": "accent3", "w": "accent4", "warn": "accent5", "muted": "dk2"}
PARAGRAPH_AFTER, ITEM_AFTER, NESTED_AFTER = 0.5, 0.35, 0.15
DIGIT_EM = 0.5
CALLOUT_AFTER = 0.25
HEADING_BEFORE, HEADING_AFTER, HEADING_SCALE = 0.5, 0.25, 1.1
SMALL_SCALE = 0.8

Found = Part | Entry | Notice
"""What a block turns into; entries are gathered into prose afterwards."""


def parts_of(blocks: Iterable[Block], setting: Setting) -> tuple[tuple[Part, ...], tuple[Notice, ...]]:
    """The parts of a slide or column in reading order, and what could not be set as written."""
    found = tuple(_found(blocks, setting))
    return gathered(found), tuple(item for item in found if isinstance(item, Notice))


def gathered(found: Iterable[Found]) -> tuple[Part, ...]:
    """Parts, with each stretch of entries as one body text."""
    parts: list[Part] = []
    entries: list[Entry] = []
    for item in found:
        if isinstance(item, Entry):
            entries.append(item)
        elif not isinstance(item, Notice):
            parts += _body(entries)
            entries = []
            parts.append(item)
    return (*parts, *_body(entries))


def _body(entries: list[Entry]) -> list[Part]:
    if not entries:
        return []
    followers = (*entries[1:], None)
    spaced = tuple(_spaced(before, after) for before, after in zip(entries, followers, strict=True))
    return [Prose(entries=spaced, source=entries[0].source)]


def _spaced(item: Entry, following: Entry | None) -> Entry:
    """Items of a nested list stand closer to what they belong to."""
    inside = following is not None and following.level > 0 and (item.mark != "none" or item.indent)
    return replace(item, after=NESTED_AFTER) if inside else item


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep in lists a block stands, and where its text begins, in em."""

    level: int = 0
    outer: float = 0.0


TOP = Depth()


def _found(blocks: Iterable[Block], setting: Setting, depth: Depth = TOP) -> Iterator[Found]:
    for block in blocks:
        match block:
            case Paragraph(inlines):
                yield from _paragraph(inlines, setting, block.source)
            case Heading(rank, inlines):
                yield from _heading(rank, inlines, setting, block.source)
            case List():
                yield from _list(block, setting, depth)
            case Quote(inner):
                yield from _framed(gathered_with_notices(_found(inner, setting)), "quote", "muted")
            case Callout():
                yield from _callout(block, setting)
            case Rule():
                yield Divider(source=block.source)
            case Table():
                yield from grid(block, setting)
            case Code():
                yield listing(block, setting)
            case Equation():
                yield formula(block, setting)
            case Image() | Figure():
                yield from visual(block, setting)
            case Columns():
                yield from _columns(block, setting)
            case FigureCall() | TableCall() | SnippetCall():
                yield Notice(f"{block.function} has no result; its call is shown instead", block.source)
                yield call_listing(block, setting)
            case _:
                assert_never(block)


# ---------------------------------------------------------------- prose


def entry(runs: tuple[Run, ...], setting: Setting, *, bold: bool = False, **fields: object) -> Entry:
    """A measured paragraph."""
    return Entry(runs=runs, measured=measure(runs, setting.metrics, bold=bold), **fields)  # type: ignore[arg-type]


def _paragraph(inlines: Inlines, setting: Setting, source: Source) -> Iterator[Found]:
    """A paragraph, parted where a formula needs a line of its own."""
    for piece in split_at_formulas(inlines, setting.formulas):
        if isinstance(piece, Math):
            yield formula(Equation(piece.tex, source=source), setting, body_size=True)
            yield Notice(f"the formula ${piece.tex}$ does not fit in a line of text; it has a line of its own", source)
        else:
            small = all(run.style.role == "small" for run in piece)
            yield entry(piece, setting, scale=SMALL_SCALE if small else 1.0, after=PARAGRAPH_AFTER, source=source)


def _heading(rank: int, inlines: Inlines, setting: Setting, source: Source) -> Iterator[Found]:
    runs, notices = flat_runs(inlines, setting.formulas, source)
    yield from notices
    if runs:
        yield entry(
            runs,
            setting,
            bold=True,
            heading=True,
            scale=HEADING_SCALE if rank <= 3 else 1.0,
            before=HEADING_BEFORE,
            after=HEADING_AFTER,
            source=source,
        )


def _list(block: List, setting: Setting, depth: Depth) -> Iterator[Found]:
    last = block.start + len(block.items) - 1
    hang = HANG_EM + DIGIT_EM * (len(str(last)) - 1) if block.ordered else HANG_EM
    for item, mark, number in marked(block):
        yield from _item(item, mark, number, setting, depth, hang)


def _item(item: Item, mark: Mark, number: int, setting: Setting, depth: Depth, hang: float) -> Iterator[Found]:
    """An item: its first paragraph carries the mark, further ones are set under it, lists go one level down."""
    level = min(depth.level, DEEPEST)
    set_entry = partial(
        entry, setting=setting, level=level, number=number, outer=depth.outer, hang=hang, after=ITEM_AFTER
    )
    inner = Depth(depth.level + 1, depth.outer + hang) if depth.level < DEEPEST else depth
    marked = False
    for block in item.blocks:
        if isinstance(block, Paragraph):
            runs, notices = flat_runs(block.inlines, setting.formulas, block.source)
            yield from notices
            yield set_entry(runs, mark="none" if marked else mark, indent=marked, source=block.source)
        else:
            if not marked and not isinstance(block, Image | Figure):
                yield set_entry((), mark=mark, source=item.source)
            yield from _found((block,), setting, inner)
        marked = True


# ---------------------------------------------------------------- framed prose


def gathered_with_notices(found: Iterable[Found]) -> tuple[Part | Notice, ...]:
    """Parts, and the notices after them."""
    found = tuple(found)
    return (*gathered(found), *(item for item in found if isinstance(item, Notice)))


def _callout(block: Callout, setting: Setting) -> Iterator[Found]:
    role = CALLOUT_ROLES.get(block.kind, "q")
    title, notices = flat_runs(block.title, setting.formulas, block.source)
    title = title or (Run(callout_title(block.kind, chinese=setting.chinese)),)
    coloured = tuple(Run(run.text, _coloured(run.style, role)) for run in title)
    head = entry(coloured, setting, bold=True, scale=0.9, after=0.15, source=block.source)
    found = (head, *_found(block.blocks, setting))
    smaller = (
        replace(item, scale=0.9 * item.scale, after=min(item.after, CALLOUT_AFTER)) if isinstance(item, Entry) else item
        for item in found[1:]
    )
    yield from notices
    yield from _framed(gathered_with_notices((head, *smaller)), "callout", role)


def _coloured(style: Style, role: str) -> Style:
    return replace(style, bold=True, role=style.role or role)


def _framed(parts: Iterable[Part | Notice], kind: str, role: str) -> Iterator[Found]:
    """Body texts get the bar (and fill) of a callout or quote; anything between them follows without a gap."""
    joined = False
    for part in parts:
        match part:
            case Prose(role="body"):
                yield replace(
                    part,
                    role="callout" if kind == "callout" else "quote",
                    bar=BAR_SLOTS[role],
                    fill="lt2" if kind == "callout" else None,
                    inset=CALLOUT_INSET if kind == "callout" else (BAR_INSET, 2.0, 0.0, 2.0),
                    joined=joined,
                )
                joined = True
            case Prose() | Listing() | Grid() | Divider():
                yield replace(part, joined=joined)
                joined = True
            case Visual() | Row() | Notice():
                yield part
            case _:
                yield replace(part, joined=joined)
                joined = True


def _columns(block: Columns, setting: Setting) -> Iterator[Found]:
    given = sum(column.width for column in block.columns)
    free = sum(not column.width for column in block.columns)
    rest = max(100.0 - given, 10.0 * free) / free if free else 0.0
    shares = [column.width or rest for column in block.columns]
    stacks = []
    for column, share in zip(block.columns, shares, strict=True):
        parts, notices = parts_of(column.blocks, setting)
        yield from notices
        stacks.append(Stack(parts, share / max(100.0, sum(shares))))
    if any(stack.parts for stack in stacks):
        yield Row(tuple(stacks), source=block.source)
