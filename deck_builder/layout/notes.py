"""Speaker notes: blocks flattened to lines, lists with their marks, formulas as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from deck_builder.layout.inlines import flat_runs, plain_text
from deck_builder.layout.setting import Setting
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
    from deck_builder.model import NOWHERE

    return flat_runs(inlines, setting.formulas, NOWHERE)[0]


def _line(inlines: Inlines, setting: Setting, *, level: int) -> Line:
    return Line(runs=_runs(inlines, setting), level=level, size_pt=SIZE_PT)


def _list(block: List, setting: Setting, level: int) -> Iterator[Line]:
    for position, item in enumerate(block.items):
        yield from _item(item, block, block.start + position, setting, level)


def _item(item: Item, block: List, number: int, setting: Setting, level: int) -> Iterator[Line]:
    marked = False
    for inner in item.blocks:
        if isinstance(inner, Paragraph):
            runs = _runs(inner.inlines, setting)
            if marked:
                yield Line(runs=runs, level=level, indent=True, size_pt=SIZE_PT)
            elif item.checked is not None:
                yield Line(runs=runs, level=level, mark="done" if item.checked else "open", size_pt=SIZE_PT)
            else:
                mark = "number" if block.ordered else "bullet"
                yield Line(runs=runs, level=level, mark=mark, number=number, size_pt=SIZE_PT)  # type: ignore[arg-type]
            marked = True
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
