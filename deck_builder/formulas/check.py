"""Every formula is read before anything is laid out: all mistakes are told at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from deck_builder.cache import kept, key_of
from deck_builder.errors import DeckError, DeckErrors, located
from deck_builder.formulas.conversion import Macros, mathml
from deck_builder.model import Block, Deck, Equation, Inlines, Math, Source
from deck_builder.walk import texts, walk

PACKAGES = ("lxml", "math_core")
CODE = tuple(Path(__file__).with_name(name) for name in ("conversion.py", "tex.py"))


def check_formulas(deck: Deck, folder: Path | None = None) -> None:
    """Raise `DeckErrors` with every formula that cannot be read; with a `folder`, the same formulas are read once."""
    found = list(_formulas(deck))
    asked = sorted({(tex, display) for tex, display, _ in found})
    key = key_of(["readable", asked, sorted(deck.settings.macros.items())], CODE, PACKAGES)
    kept(folder, "formulas", key, lambda: _check(found, deck.settings.macros))


def _check(formulas: Iterable[tuple[str, bool, Source]], macros: Macros) -> bytes:
    errors = []
    for tex, display, source in formulas:
        try:
            with located(source):
                mathml(tex, display=display, macros=macros)
        except DeckError as error:
            errors.append(error)
    if errors:
        raise DeckErrors(errors)
    return b"readable"


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
