"""The marks of a list: bullets, numbers and boxes, on slides and in notes alike."""

from __future__ import annotations

from collections.abc import Iterator

from deck_builder.layout.parts import Mark
from deck_builder.model import Item, List


def marked(block: List) -> Iterator[tuple[Item, Mark, int]]:
    """Each item with its mark and its number."""
    for number, item in enumerate(block.items, start=block.start):
        yield item, _mark(block, item), number


def _mark(block: List, item: Item) -> Mark:
    if item.checked is not None:
        return "done" if item.checked else "open"
    return "number" if block.ordered else "bullet"
