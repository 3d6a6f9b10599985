"""Reads a finished deck back and says what PowerPoint, Keynote or a reader would trip over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from deck_builder.checking.clean import CleanParts
from deck_builder.checking.package import Parsed, is_kind, package_problems, xml_problems
from deck_builder.checking.slides import slide_problems
from deck_builder.errors import DeckError
from deck_builder.writing.package import Part

__all__ = ["check", "problems"]


def problems(path: Path, cache: Path | None = None) -> list[str]:
    """What is wrong with a finished deck, a line each; empty when nothing is.

    With a folder `cache`, parts that were clean in an earlier deck are not read again.
    """
    found, deck = package_problems(path)
    if deck is None:
        return found
    clean = CleanParts(cache, deck.package)
    for part in clean.others():
        wrong = [f"{part.name}: {problem}" for problem in _part_problems(deck, part)]
        if not wrong:
            clean.note(part)
        found += wrong
    clean.keep()
    return found


def _part_problems(deck: Parsed, part: Part) -> Iterator[str]:
    if part.content_type.endswith("xml"):
        tree = deck.read(part)
        if isinstance(tree, etree.XMLSyntaxError):
            yield f"is not well-formed: {tree}"
            return
        yield from xml_problems(part, tree)
        if is_kind(part, "slide") or is_kind(part, "notesSlide"):
            yield from slide_problems(deck, part, tree)


def check(path: Path, cache: Path | None = None) -> None:
    """Raise `DeckError` when the deck breaks a rule: it is not handed to a user. `cache` as for `problems`."""
    found = problems(path, cache)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise DeckError(
            f"the finished deck broke a rule and was not put in place: {found[0]}{more}; please report this"
        )
