"""Deck and theme become pages of placed boxes. Pure: no files, no pptx, only values in and values out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count

from deck_builder.layout.front import agenda_slide, cover_pages, section_pages, with_their_text
from deck_builder.layout.setting import Formulas, Setting, Sized
from deck_builder.layout.slides import LaidOut, content_pages
from deck_builder.model import Deck, Notice, Slide
from deck_builder.pages import Pages
from deck_builder.theming.theme import Theme

__all__ = ["Formulas", "Keep", "LaidOut", "Sized", "lay_out"]


Keep = Callable[[Slide, Callable[[], LaidOut]], LaidOut]
"""Gives the layout that was kept of a slide, or makes and keeps it."""


def anew(_: Slide, make: Callable[[], LaidOut]) -> LaidOut:
    """Keep nothing."""
    return make()


def lay_out(deck: Deck, theme: Theme, formulas: Formulas, pictures: Mapping[str, Sized], keep: Keep = anew) -> Pages:
    """Every slide of the deck as one page or more, nothing overlapping, nothing leaving its slide.

    `pictures` gives the size in pixels of each picture file by its path; `keep` may know content slides that have not
    changed. Raises `DeckError` for a layout that the
    template lacks and for a slide that must fit (`fit=error`) but does not.
    """
    setting = Setting(theme, formulas, pictures, deck.settings.lang)
    done = tuple(_laid_out(deck, setting, keep))
    return Pages(
        pages=tuple(page for slide in done for page in slide.pages),
        notices=tuple(dict.fromkeys(notice for slide in done for notice in slide.notices)),
        fitted=tuple(dict.fromkeys(notice for slide in done for notice in slide.fitted)),
    )


def _laid_out(deck: Deck, setting: Setting, keep: Keep) -> Iterator[LaidOut]:
    settings, numbers = deck.settings, count(1)
    sections = [slide for slide in deck.slides if slide.kind == "section"]
    agenda_due = settings.toc
    for slide in with_their_text(deck.slides):
        if agenda_due and slide.kind != "cover":
            yield _agenda(sections, slide, deck, setting)
            agenda_due = False
        match slide.kind:
            case "cover":
                yield cover_pages(slide, settings, setting)
            case "section":
                yield section_pages(slide, next(numbers), settings, setting)
            case "content":
                yield keep(slide, partial(content_pages, slide, settings, setting))


def _agenda(sections: list[Slide], before: Slide, deck: Deck, setting: Setting) -> LaidOut:
    source = deck.slides[0].source if deck.slides else before.source
    if not sections:
        return LaidOut((), (Notice("the deck has no sections, so `toc: true` makes no agenda", source),))
    return content_pages(agenda_slide(sections, deck.settings, setting, source), deck.settings, setting)
