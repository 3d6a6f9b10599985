"""Reads a finished deck back and says what PowerPoint, Keynote or a reader would trip over."""

from __future__ import annotations

from pathlib import Path

from deck_builder.checking.package import package_problems
from deck_builder.checking.slides import slide_problems
from deck_builder.errors import DeckError

__all__ = ["check", "problems"]


def problems(path: Path) -> list[str]:
    """What is wrong with a finished deck, a line each; empty when nothing is."""
    found, package = package_problems(path)
    return found if package is None else found + slide_problems(package)


def check(path: Path) -> None:
    """Raise `DeckError` when the deck breaks a rule: it is not handed to a user."""
    found = problems(path)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise DeckError(
            f"the finished deck broke a rule and was not put in place: {found[0]}{more}; please report this"
        )
