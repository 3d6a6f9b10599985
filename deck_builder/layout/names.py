"""Names of boxes, as the selection pane shows them: the label, else kind and number, unique on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from deck_builder.pages import Box, CodeBox, DrawingBox, EquationBox, PictureBox, RuleBox, TableBox, TextBox
from deck_builder.values import replace

ROLES = {
    "title": "Title",
    "subtitle": "Subtitle",
    "caption": "Caption",
    "callout": "Callout",
    "quote": "Quote",
    "footnote": "Footnote",
    "section-number": "Section number",
}


def named(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """The same boxes, each with a name of its own."""
    return tuple(_named(boxes))


def _named(boxes: Iterable[Box]) -> Iterator[Box]:
    counts: Counter[str] = Counter()
    taken: set[str] = set()
    for box in boxes:
        if isinstance(box, DrawingBox):
            taken.add(box.label)
            yield box
            continue
        kind = _kind(box)
        name = box.name
        while not name or name in taken:
            counts[kind] += 1
            name = f"{kind} {counts[kind]}"
        taken.add(name)
        yield replace(box, name=name)


def _kind(box: Box) -> str:
    match box:
        case TextBox():
            return ROLES.get(box.role, "Text")
        case CodeBox():
            return "Code"
        case TableBox():
            return "Table"
        case EquationBox():
            return "Equation"
        case PictureBox():
            return "Picture"
        case RuleBox():
            return "Line"
        case DrawingBox():
            return "Figure"
