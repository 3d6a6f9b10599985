"""The run stage: calls of a lesson become evidence, and later each figure is drawn for its frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from deck_builder.errors import located
from deck_builder.model import Block, Deck, FigureCall, Notice, Settings, SnippetCall, TableCall
from deck_builder.pages import DrawingBox, Pages
from deck_builder.running.calls import calls_in, snippets_in
from deck_builder.running.progress import Event, Progress, RunReport
from deck_builder.running.values import Evidence, Measured, plain_text
from deck_builder.values import replace
from deck_builder.walk import rewrite_all

if TYPE_CHECKING:
    from deck_builder.running.evidence import Result
    from deck_builder.running.pictures import Look
    from deck_builder.running.workshop import Workshop
    from deck_builder.theming.theme import Theme


class Runner:
    """Runs the code that a lesson in `folder` calls; use it as a context manager.

    `jobs` is the number of worker processes (by default one a core). With `run` false nothing is executed: cached
    results are used, and what has none shows its code. `progress` is told what runs.
    """

    def __init__(
        self, folder: Path | str, *, jobs: int | None = None, run: bool = True, progress: Progress | None = None
    ) -> None:
        self._folder = Path(folder)
        self._jobs = jobs
        self._run = run
        self._progress = progress or _silent
        self._workshop: Workshop | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workshop:
            self._workshop.close(failed=kind is not None)

    @property
    def report(self) -> RunReport:
        """What ran and what was reused so far."""
        return self._workshop.execution.report if self._workshop else RunReport()

    def measure(self, deck: Deck) -> tuple[Evidence, tuple[Notice, ...]]:
        """The values of every call in the order of the deck, and what the user should know of cache and results."""
        results = self._results(deck)
        older = [result.made_otherwise() for result in results.values()]
        return _evidence(results), (*self._notices(), *(notice for notice in older if notice))

    def evaluate(self, deck: Deck) -> Deck:
        """The deck with figures, tables and listings in place of calls, and values set into its text."""
        results = self._results(deck, snippets_in(deck))
        evidence = _evidence(results)

        def set_block(block: Block) -> Block:
            match block:
                case FigureCall() | TableCall():
                    return results[block.label].block(evidence)
                case SnippetCall():
                    with located(block.source):
                        return self._open(deck.settings).listing(block, plain_text(evidence.set_in(block.caption)))
                case _:
                    return evidence.set_in_block(block)

        made = _with_values(deck, evidence, set_block)
        notices = [notice for result in results.values() for notice in result.notices(evidence)]
        return replace(made, notices=(*deck.notices, *self._notices(), *notices))

    def draw(self, pages: Pages, deck: Deck, theme: Theme) -> Pages:
        """The pages with a drawing for each box that waits for one, by label."""
        if not any(isinstance(box, DrawingBox) for page in pages.pages for box in page.boxes):
            return pages
        return self._open(deck.settings).draw(pages, deck, theme)

    def picture(self, call: FigureCall, settings: Settings, look: Look) -> tuple[Measured, bytes, tuple[Notice, ...]]:
        """What one figure measures, its file, and what the user should know of the cache."""
        result, content = self._open(settings).picture(call, look)
        return result.measured(), content, self._notices()

    def _notices(self) -> tuple[Notice, ...]:
        return self._workshop.notices if self._workshop else ()

    def _results(self, deck: Deck, snippets: Sequence[SnippetCall] = ()) -> Mapping[str, Result]:
        calls = calls_in(deck)
        return self._open(deck.settings).results(calls, snippets) if calls or snippets else {}

    def _open(self, settings: Settings) -> Workshop:
        from deck_builder.running.workshop import open_workshop

        if self._workshop is None:
            self._workshop = open_workshop(
                self._folder, settings, jobs=self._jobs, run=self._run, progress=self._progress
            )
        return self._workshop


def _silent(event: Event) -> None:
    """Show nothing."""


def _evidence(results: Mapping[str, Result]) -> Evidence:
    return Evidence({label: result.measured() for label, result in results.items()})


def _with_values(deck: Deck, evidence: Evidence, set_block: Callable[[Block], Block]) -> Deck:
    """The deck with every block and title rewritten."""
    settings = replace(
        deck.settings,
        title=evidence.set_in(deck.settings.title),
        subtitle=evidence.set_in(deck.settings.subtitle),
        toc_notes=rewrite_all(deck.settings.toc_notes, set_block),
    )
    slides = tuple(
        replace(
            slide,
            title=evidence.set_in(slide.title),
            blocks=rewrite_all(slide.blocks, set_block),
            notes=rewrite_all(slide.notes, set_block),
        )
        for slide in deck.slides
    )
    return replace(deck, settings=settings, slides=slides)
