"""Figures, tables and equations are counted in the order of the deck; `@fig-x` becomes "图 3" and a link to it."""

from __future__ import annotations

from typing import TypeVar

from deck_builder.errors import DeckError, DeckErrors
from deck_builder.model import (
    Block,
    Callout,
    Deck,
    Equation,
    Figure,
    Heading,
    Image,
    Inline,
    Inlines,
    Paragraph,
    Reference,
    Run,
    Slide,
    Table,
)
from deck_builder.values import dataclass, replace
from deck_builder.walk import rewrite_all

NAMES = {"figure": ("图", "Figure"), "table": ("表", "Table"), "equation": ("式", "Equation")}
Wrapper = TypeVar("Wrapper", bound=Block)


@dataclass(frozen=True, slots=True)
class Target:
    """What a label stands for: "图 3" on the slide of that identifier."""

    text: str
    slide: str | None


def name_of(kind: str, number: int, lang: str) -> str:
    """`图 3` in a Chinese deck, `Figure 3` elsewhere."""
    chinese, english = NAMES[kind]
    return f"{chinese if lang.startswith('zh') else english} {number}"


def number(deck: Deck) -> Deck:
    """The deck with its numbers set and its references resolved; an unknown label is an error with close matches."""
    counts = dict.fromkeys(NAMES, 0)
    targets: dict[str, Target] = {}
    slides = []
    for slide in deck.slides:

        def count(block: Block, slide: Slide = slide) -> Block:
            kind = _kind(block)
            if kind is None:
                return block
            counts[kind] += 1
            label = getattr(block, "label", None)
            if label:
                targets[label] = Target(name_of(kind, counts[kind], deck.settings.lang), slide.identifier)
            return replace(block, number=counts[kind])  # type: ignore[arg-type]

        slides.append(replace(slide, blocks=rewrite_all(slide.blocks, count)))
    errors: list[DeckError] = []

    def resolve(block: Block) -> Block:
        return _resolve_block(block, targets, errors)

    slides = [
        replace(
            slide,
            title=_resolve(slide.title, targets, errors),
            blocks=rewrite_all(slide.blocks, resolve),
            notes=rewrite_all(slide.notes, resolve),
        )
        for slide in slides
    ]
    settings = replace(deck.settings, toc_notes=rewrite_all(deck.settings.toc_notes, resolve))
    if errors:
        raise DeckErrors(errors)
    return replace(deck, settings=settings, slides=tuple(slides))


def _kind(block: Block) -> str | None:
    match block:
        case Figure():
            return "figure"
        case Image(label=str(label)) if label.startswith("fig-"):
            return "figure"
        case Table(label=label, caption=caption) if label or caption:
            return "table"
        case Equation(label=str()):
            return "equation"
        case _:
            return None


def _resolve_block(block: Block, targets: dict[str, Target], errors: list[DeckError]) -> Block:
    match block:
        case Paragraph(inlines=inlines) | Heading(inlines=inlines):
            return replace(block, inlines=_resolve(inlines, targets, errors))
        case Callout(title=title):
            return replace(block, title=_resolve(title, targets, errors))
        case Table(header=header, rows=rows, caption=caption):
            return replace(
                block,
                header=tuple(_resolve(cell, targets, errors) for cell in header),
                rows=tuple(tuple(_resolve(cell, targets, errors) for cell in row) for row in rows),
                caption=_resolve(caption, targets, errors),
            )
        case Figure(caption=caption) | Image(caption=caption):
            return replace(block, caption=_resolve(caption, targets, errors))
        case _:
            return block


def _resolve(inlines: Inlines, targets: dict[str, Target], errors: list[DeckError]) -> Inlines:
    if not any(isinstance(inline, Reference) for inline in inlines):
        return inlines
    return tuple(_resolve_one(inline, targets, errors) for inline in inlines)


def _resolve_one(inline: Inline, targets: dict[str, Target], errors: list[DeckError]) -> Inline:
    if not isinstance(inline, Reference):
        return inline
    target = targets.get(inline.target)
    if target is None:
        from difflib import get_close_matches

        close = get_close_matches(inline.target, targets, 1)
        hint = f"did you mean @{close[0]}?" if close else "give the figure, table or equation that label"
        errors.append(DeckError(f"nothing has the label {inline.target}; {hint}", inline.source))
        return Run(f"@{inline.target}", inline.style)
    link = f"#{target.slide}" if target.slide else inline.style.link
    return Run(target.text, replace(inline.style, link=link))
