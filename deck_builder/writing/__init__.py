"""Pages become a .pptx: slides emitted straight into the parts of a package made from the template."""

from __future__ import annotations

from pathlib import Path

from deck_builder.model import Settings
from deck_builder.pages import CodeBox, DrawingBox, Pages, TableBox
from deck_builder.paths import templates
from deck_builder.pictures import Pictures
from deck_builder.theming.theme import Theme
from deck_builder.writing.listings import Listings
from deck_builder.writing.media import Media
from deck_builder.writing.package import read_package
from deck_builder.writing.presentation import Presentation
from deck_builder.writing.properties import describe, stamp
from deck_builder.writing.reuse import printer
from deck_builder.writing.sources import Formulas, Surroundings

__all__ = ["Formulas", "write"]


def write(
    pages: Pages,
    settings: Settings,
    theme: Theme,
    path: Path,
    *,
    formulas: Formulas,
    pictures: Pictures,
    cache: Path | None = None,
) -> None:
    """Write the deck to `path`. The template's slides are not copied, all else of it is kept.

    Printed pages and coloured listings are kept in the folder `cache`.
    """
    package = read_package(Path(theme.template))
    presentation = Presentation(package)
    layouts = {layout.name: layout for layout in theme.layouts}
    deck = Surroundings(
        lang=settings.lang,
        colour_map=theme.colour_map,
        math_fallback=settings.math_fallback,
        anchors={page.identifier: number for number, page in enumerate(pages.pages, 1) if page.identifier},
        drawings=pages.drawings,
        pictures=pictures,
        formulas=formulas,
        listings=Listings(cache),
        notes_master=presentation.notes_master(templates() / "lecture.pptx"),
    )
    media = Media(package)
    print_page = printer(deck, cache)
    for name in [name for name in package.parts if name.startswith(("ppt/slides/", "ppt/notesSlides/"))]:
        del package.parts[name]
    slides, notes = [], []
    for number, page in enumerate(pages.pages, 1):
        done = print_page(page, number, layouts[page.layout])
        media.put(done)
        slides.append(package.add(done.slide))
        notes += [done.notes] if done.notes else []
    for part in notes:
        package.add(part)
    presentation.list_slides(slides)
    presentation.list_sections(pages.pages, plain(settings) or "…")
    presentation.finish()
    describe(package, title=plain(settings), author=settings.author, lang=settings.lang, slides=len(slides))
    stamp(package, fingerprints(pages))
    package.save(path)


def plain(settings: Settings) -> str:
    """The deck's title as text."""
    return "".join(getattr(inline, "text", getattr(inline, "tex", "")) for inline in settings.title)


def fingerprints(pages: Pages) -> dict[str, str]:
    """Label → fingerprint of everything generated, in the order of the deck."""
    out = {}
    for page in pages.pages:
        for box in page.boxes:
            if isinstance(box, DrawingBox):
                out[box.label] = box.fingerprint
            elif isinstance(box, TableBox | CodeBox) and box.fingerprint:
                out[box.name] = box.fingerprint
    return out
