"""The calls of a deck, wherever in its blocks they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deck_builder.errors import DeckError
from deck_builder.model import Block, Callout, Columns, Deck, Figure, FigureCall, List, Quote, Source, TableCall

Call = FigureCall | TableCall


def every_block(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks and all blocks inside them."""
    for block in blocks:
        yield block
        match block:
            case List(items=items):
                yield from every_block(inner for item in items for inner in item.blocks)
            case Columns(columns=columns):
                yield from every_block(inner for column in columns for inner in column.blocks)
            case Quote(blocks=inside) | Callout(blocks=inside):
                yield from every_block(inside)


def calls_in(deck: Deck) -> tuple[Call, ...]:
    """The calls of a deck in its order. One in the notes is an error, for notes are text."""
    for slide in deck.slides:
        for block in every_block(slide.notes):
            if isinstance(block, Call):
                message = f"notes hold no figures or tables; move {block.function} onto the slide"
                raise DeckError(message, block.source)
    calls = tuple(block for slide in deck.slides for block in every_block(slide.blocks) if isinstance(block, Call))
    refuse_twins(calls)
    return calls


def figures_in(deck: Deck) -> Iterator[Figure]:
    """The figures of a deck that was evaluated."""
    for slide in deck.slides:
        yield from (block for block in every_block(slide.blocks) if isinstance(block, Figure))


def refuse_twins(calls: Sequence[Call]) -> None:
    """Two calls of one label are an error."""
    first: dict[str, Source] = {}
    for call in calls:
        if call.label in first:
            message = f"the label {call.label!r} is also that of {first[call.label]}; give each a label of its own"
            raise DeckError(message, call.source)
        first[call.label] = call.source
