"""Going through the blocks of a slide, nested ones too, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from deck_builder.model import (
    Block,
    Callout,
    Column,
    Columns,
    Figure,
    FigureCall,
    Heading,
    Image,
    Inlines,
    Item,
    List,
    Paragraph,
    Quote,
    SnippetCall,
    Table,
    TableCall,
)
from deck_builder.values import replace

Part = TypeVar("Part", Item, Column)


def rewrite(block: Block, function: Callable[[Block], Block]) -> Block:
    """The block with `function` applied to it and to every block inside it, the outermost last."""
    match block:
        case List(items=items):
            return function(replace(block, items=tuple(_inside(item, function) for item in items)))
        case Columns(columns=columns):
            return function(replace(block, columns=tuple(_inside(column, function) for column in columns)))
        case Quote(blocks=blocks) | Callout(blocks=blocks):
            return function(replace(block, blocks=rewrite_all(blocks, function)))
        case _:
            return function(block)


def rewrite_all(blocks: tuple[Block, ...], function: Callable[[Block], Block]) -> tuple[Block, ...]:
    """The blocks with `function` applied to every one of them and inside them."""
    return tuple(rewrite(block, function) for block in blocks)


def _inside(part: Part, function: Callable[[Block], Block]) -> Part:
    return replace(part, blocks=rewrite_all(part.blocks, function))


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Every block, an outer one before what is inside it."""
    for block in blocks:
        yield block
        match block:
            case List(items=items):
                for item in items:
                    yield from walk(item.blocks)
            case Columns(columns=columns):
                for column in columns:
                    yield from walk(column.blocks)
            case Quote(blocks=inner) | Callout(blocks=inner):
                yield from walk(inner)
            case _:
                pass


def texts(block: Block) -> Iterator[Inlines]:
    """The rows of inline text that a block itself holds."""
    match block:
        case Paragraph(inlines=inlines) | Heading(inlines=inlines):
            yield inlines
        case Callout(title=title):
            yield title
        case Table(header=header, rows=rows, caption=caption):
            yield from header
            for row in rows:
                yield from row
            yield caption
        case Figure() | Image() | FigureCall() | TableCall() | SnippetCall():
            yield block.caption
        case _:
            pass
