"""The story of a build: read, run, lay out, draw, write, check."""

from __future__ import annotations

import time
from pathlib import Path

from deck_builder.cache import FOLDER
from deck_builder.checking import check
from deck_builder.errors import DeckError, DeckErrors
from deck_builder.formulas import FormulaCache, Formulas, picture_palette
from deck_builder.formulas.check import check_formulas
from deck_builder.laid_out import keeper
from deck_builder.layout import lay_out
from deck_builder.model import Deck, Notice
from deck_builder.numbering import number
from deck_builder.pages import Pages
from deck_builder.pictures import Picture, read_pictures
from deck_builder.reading import read
from deck_builder.running import Progress, Runner, RunReport
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Theme
from deck_builder.values import dataclass
from deck_builder.writing import write
from deck_builder.writing.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user asked for."""

    source: Path
    target: Path
    template: Path | None = None
    jobs: int | None = None
    run: bool = True
    strict: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was done, for the closing lines."""

    target: Path
    pages: Pages
    notices: tuple[Notice, ...]
    run: RunReport
    size_bytes: int
    seconds: float
    backup: Path | None


def build(options: Options, progress: Progress | None = None, *, deck: Deck | None = None) -> Report:
    """Build the deck, that of the source unless it is given. On any error nothing is written, the old deck stays."""
    start = time.perf_counter()
    target = Target(options.target, options.force)
    target.check()
    deck = deck or read(options.source)
    theme = read_theme(template_of(deck, options))
    pictures, missing = read_pictures(deck)
    folder = Path(deck.folder)
    formulas = formulas_of(deck, theme)
    with Runner(folder, jobs=options.jobs, run=options.run, progress=progress) as runner:
        deck = number(runner.evaluate(deck))
        check_formulas(deck, folder / FOLDER)
        keep = keeper(folder / FOLDER, deck.settings, theme, formulas, pictures)
        pages = runner.draw(lay_out(deck, theme, formulas, pictures, keep), deck, theme)
        notices = tuple(dict.fromkeys((*deck.notices, *missing, *pages.notices)))
        if options.strict and notices:
            raise DeckErrors(DeckError(notice.message, notice.source) for notice in notices)
        report = runner.report
    backup = put_in_place(pages, deck, theme, formulas, pictures, target)
    return Report(
        target=options.target,
        pages=pages,
        notices=notices,
        run=report,
        size_bytes=options.target.stat().st_size,
        seconds=time.perf_counter() - start,
        backup=backup,
    )


def formulas_of(deck: Deck, theme: Theme) -> Formulas:
    """The deck's formulas, their pictures in the theme's colours."""
    return Formulas(
        deck.settings.macros,
        FormulaCache(Path(deck.folder) / FOLDER),
        lang=deck.settings.lang,
        ink=theme.colours["dk1"],
        palette=picture_palette(theme.colours),
    )


def template_of(deck: Deck, options: Options) -> Path | None:
    """The template named on the command line, else the lesson's, else None for the shipped one."""
    if options.template:
        return options.template
    return Path(deck.folder) / deck.settings.template if deck.settings.template else None


def put_in_place(
    pages: Pages, deck: Deck, theme: Theme, formulas: Formulas, pictures: dict[str, Picture], target: Target
) -> Path | None:
    """Write beside the target, check, replace; returns the backup when an edited deck was replaced."""
    temporary = target.temporary()
    try:
        cache = Path(deck.folder) / FOLDER
        write(pages, deck.settings, theme, temporary, formulas=formulas, pictures=pictures, cache=cache)
        check(temporary, cache)
        target.check()
        return target.replace(temporary)
    finally:
        target.discard(temporary)
