"""Every formula is read before anything is laid out: all mistakes are told at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterator

from deck_builder.errors import DeckError, DeckErrors, located
from deck_builder.formulas.conversion import mathml
from deck_builder.model import Block, Deck, Equation, Inlines, Math, Source
from deck_builder.walk import texts, walk


def check_formulas(deck: Deck) -> None:
    """Raise `DeckErrors` with every formula that cannot be read."""
    errors = []
    for tex, display, source in _formulas(deck):
        try:
            with located(source):
                mathml(tex, display=display, macros=deck.settings.macros)
        except DeckError as error:
            errors.append(error)
    if errors:
        raise DeckErrors(errors)


def _formulas(deck: Deck) -> Iterator[tuple[str, bool, Source]]:
    for slide in deck.slides:
        yield from _inline(slide.title, slide.source)
        yield from _in_blocks((*slide.blocks, *slide.notes))
    yield from _in_blocks(deck.settings.toc_notes)


def _in_blocks(blocks: tuple[Block, ...]) -> Iterator[tuple[str, bool, Source]]:
    for block in walk(blocks):
        if isinstance(block, Equation):
            yield block.tex, True, block.source
        for inlines in texts(block):
            yield from _inline(inlines, block.source)


def _inline(inlines: Inlines, source: Source) -> Iterator[tuple[str, bool, Source]]:
    return ((inline.tex, False, source) for inline in inlines if isinstance(inline, Math))
