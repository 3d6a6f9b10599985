"""Everything that running a lesson takes. Opened for the first call of a lesson: a text-only deck never loads it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deck_builder.cache import FOLDER, Cache, discard
from deck_builder.model import Code, Deck, FigureCall, Notice, Settings, SnippetCall
from deck_builder.pages import DrawingBox, Pages
from deck_builder.running.calls import Call, figures_in
from deck_builder.running.drawings import drawing_wanted, with_drawings
from deck_builder.running.evidence import Result
from deck_builder.running.execution import Execution, Kept, Task, Want
from deck_builder.running.places import places_of
from deck_builder.running.plans import Plans
from deck_builder.running.pool import Pool
from deck_builder.running.progress import Progress
from deck_builder.running.results import from_json, to_json
from deck_builder.running.snippets import listing
from deck_builder.running.tool import Tool
from deck_builder.theming.theme import Theme
from deck_builder.values import dataclass

if TYPE_CHECKING:
    from deck_builder.running.pictures import Look


@dataclass(frozen=True, slots=True)
class Workshop:
    """The lesson's code, its cache, and the workers."""

    plans: Plans
    cache: Cache
    pool: Pool
    execution: Execution
    tool: Tool
    notices: tuple[Notice, ...]
    temporary: bool
    """The cache is to be thrown away."""

    def results(self, calls: Sequence[Call], snippets: Sequence[SnippetCall]) -> dict[str, Result]:
        """What every call gives, by label. All calls and listings that do not fit are reported together."""
        self.plans.prepare(calls, snippets)
        kept = self.execution.fetch([self._wanted(call) for call in calls])
        return {call.label: self._result(call, kept) for call in calls}

    def listing(self, call: SnippetCall, caption: str) -> Code:
        """The listing that a call asks for."""
        return listing(call, self.plans.excerpt(call), caption)

    def draw(self, pages: Pages, deck: Deck, theme: Theme) -> Pages:
        """The pages with a drawing for each box that waits for one, by label."""
        figures = {figure.label: figure for figure in figures_in(deck)}
        boxes = [box for page in pages.pages for box in page.boxes if isinstance(box, DrawingBox)]
        lang = deck.settings.lang
        wants = {
            box.label: drawing_wanted(box, figures[box.label], self.plans, theme, lang, self.tool) for box in boxes
        }
        return with_drawings(pages, wants, self.execution.fetch(list(wants.values())))

    def picture(self, call: FigureCall, look: Look) -> tuple[Result, bytes]:
        """What a figure says, and its file."""
        from deck_builder.running.pictures import picture_wanted

        picture = picture_wanted(call, self.plans, look, self.tool)
        kept = self.execution.fetch([self._wanted(call), picture])
        return self._result(call, kept), kept[str(picture.key)].content

    def _wanted(self, call: Call) -> Want:
        """What the call's function says."""
        ticket = self.plans.ticket(call)

        def task() -> Task:
            from deck_builder.running.worker import measure_figure, measure_table

            return Task(self.plans.node(call), measure_figure if isinstance(call, FigureCall) else measure_table)

        return Want(
            ticket=ticket,
            kind="results",
            key=ticket.key,
            task=task,
            pack=partial(_packed, ticket.versions),
            source=call.source,
        )

    def _result(self, call: Call, kept: Mapping[str, Kept]) -> Result:
        ticket = self.plans.ticket(call)
        found = kept.get(str(ticket.key))
        data, key = (from_json(json.loads(found.content)), found.key) if found else (None, "")
        return Result(call, ticket, lambda: self.plans.code(call), data, key)

    def close(self, *, failed: bool) -> None:
        """End the workers; tidy the cache."""
        if failed:
            self.pool.stop()
        else:
            self.pool.close()
        if self.temporary:
            discard(self.cache.folder)
        else:
            self.cache.prune()


def open_workshop(folder: Path, settings: Settings, *, jobs: int | None, run: bool, progress: Progress) -> Workshop:
    """The workshop of a lesson. Where its folder cannot be written to, results are kept for this build only."""
    places = places_of(folder)
    cache, notices = _open_cache(Path(places.lesson), run=run)
    pool = Pool(places, jobs, progress)
    tool = Tool()
    return Workshop(
        plans=Plans(places, cache, settings, tool),
        cache=cache,
        pool=pool,
        execution=Execution(places, cache, pool, progress, run=run),
        tool=tool,
        notices=notices,
        temporary=bool(notices),
    )


def _open_cache(lesson: Path, *, run: bool) -> tuple[Cache, tuple[Notice, ...]]:
    cache = Cache(str(lesson / FOLDER))
    if not run:
        return cache, ()
    try:
        cache.open()
    except OSError as error:
        message = f"results cannot be kept in {lesson.name}/{FOLDER} ({error.strerror}); the next build runs all again"
        return Cache(tempfile.mkdtemp(prefix="deckbuild-")), (Notice(message),)
    return cache, ()


def _packed(versions: Mapping[str, str], data: Mapping[str, Any]) -> bytes:
    return json.dumps(to_json({"versions": dict(versions), **data}), ensure_ascii=False).encode()
