"""The calls of a deck, wherever in its blocks they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deck_builder.errors import DeckError
from deck_builder.model import Deck, Figure, FigureCall, SnippetCall, Source, TableCall
from deck_builder.walk import walk

Call = FigureCall | TableCall


def calls_in(deck: Deck) -> tuple[Call, ...]:
    """The calls of a deck in its order. One in the notes is an error, for notes are text."""
    for notes in (deck.settings.toc_notes, *(slide.notes for slide in deck.slides)):
        for block in walk(notes):
            if isinstance(block, Call):
                message = f"notes hold no figures or tables; move {block.function} onto the slide"
                raise DeckError(message, block.source)
    calls = tuple(block for slide in deck.slides for block in walk(slide.blocks) if isinstance(block, Call))
    refuse_twins(calls)
    return calls


def snippets_in(deck: Deck) -> tuple[SnippetCall, ...]:
    """The listings that a deck asks for, in notes too."""
    rows = (deck.settings.toc_notes, *((*slide.blocks, *slide.notes) for slide in deck.slides))
    return tuple(block for blocks in rows for block in walk(blocks) if isinstance(block, SnippetCall))


def figures_in(deck: Deck) -> Iterator[Figure]:
    """The figures of a deck that was evaluated."""
    for slide in deck.slides:
        yield from (block for block in walk(slide.blocks) if isinstance(block, Figure))


def refuse_twins(calls: Sequence[Call]) -> None:
    """Two calls of one label are an error."""
    first: dict[str, Source] = {}
    for call in calls:
        if call.label in first:
            message = f"the label {call.label!r} is also that of {first[call.label]}; give each a label of its own"
            raise DeckError(message, call.source)
        first[call.label] = call.source
