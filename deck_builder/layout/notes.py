"""Speaker notes: blocks flattened to lines, lists with their marks, formulas as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from deck_builder.layout.inlines import flat_runs, plain_text
from deck_builder.layout.lists import marked
from deck_builder.layout.parts import Mark
from deck_builder.layout.setting import Setting
from deck_builder.model import (
    NOWHERE,
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
    Paragraph,
    Quote,
    Rule,
    Run,
    SnippetCall,
    Style,
    Table,
    TableCall,
)
from deck_builder.pages import Line

SIZE_PT = 12.0
DEEPEST = 4


def note_lines(blocks: Iterable[Block], setting: Setting, level: int = 0) -> Iterator[Line]:
    """One line a paragraph, list item, row of a table or line of code."""
    for block in blocks:
        match block:
            case Paragraph(inlines):
                yield _line(inlines, setting, level=level)
            case Heading(_, inlines):
                yield Line(runs=_runs(inlines, setting), level=level, size_pt=SIZE_PT, heading=True)
            case List():
                yield from _list(block, setting, min(level, DEEPEST))
            case Quote(inner):
                yield from note_lines(inner, setting, level)
            case Callout(_, title, inner):
                if title:
                    yield Line(runs=_runs(title, setting), level=level, size_pt=SIZE_PT, heading=True)
                yield from note_lines(inner, setting, level)
            case Code(text):
                for line in text.rstrip("\n").split("\n"):
                    yield Line(runs=(Run(line, Style(code=True)),), level=level, size_pt=SIZE_PT)
            case Equation(tex):
                yield Line(runs=setting.formulas.linear(tex), level=level, size_pt=SIZE_PT)
            case Table():
                yield from _table(block, setting, level)
            case Columns(columns):
                for column in columns:
                    yield from note_lines(column.blocks, setting, level)
            case Image() | Figure():
                yield from _captioned(block, setting, level)
            case FigureCall() | TableCall() | SnippetCall():
                yield Line(runs=(Run(block.function, Style(code=True)),), level=level, size_pt=SIZE_PT)
            case Rule():
                continue
            case _:
                assert_never(block)


def _runs(inlines: Inlines, setting: Setting) -> tuple[Run, ...]:
    return flat_runs(inlines, setting.formulas, NOWHERE)[0]


def _line(inlines: Inlines, setting: Setting, *, level: int) -> Line:
    return Line(runs=_runs(inlines, setting), level=level, size_pt=SIZE_PT)


def _list(block: List, setting: Setting, level: int) -> Iterator[Line]:
    for item, mark, number in marked(block):
        yield from _item(item, mark, number, setting, level)


def _item(item: Item, mark: Mark, number: int, setting: Setting, level: int) -> Iterator[Line]:
    """An item: its first paragraph carries the mark, further ones are set under it."""
    first = True
    for inner in item.blocks:
        if isinstance(inner, Paragraph):
            shown: Mark = mark if first else "none"
            runs = _runs(inner.inlines, setting)
            counted = number if shown == "number" else 1
            yield Line(runs=runs, level=level, mark=shown, number=counted, indent=not first, size_pt=SIZE_PT)
            first = False
        else:
            yield from note_lines((inner,), setting, min(level + 1, DEEPEST))


def _table(block: Table, setting: Setting, level: int) -> Iterator[Line]:
    for row in (block.header, *block.rows):
        cells = [_runs(cell, setting) for cell in row]
        if any(plain_text(cell).strip() for cell in cells):
            runs = [run for index, cell in enumerate(cells) for run in ((Run(" | "),) if index else ()) + cell]
            yield Line(runs=tuple(runs), level=level, size_pt=SIZE_PT)


def _captioned(block: Image | Figure, setting: Setting, level: int) -> Iterator[Line]:
    runs = _runs(block.caption, setting) or (Run(block.alt),)
    if plain_text(runs).strip():
        yield Line(runs=runs, level=level, size_pt=SIZE_PT)
