"""Everything that running a lesson takes. Opened for the first call of a lesson: a text-only deck never loads it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deck_builder.cache import FOLDER, Cache, discard
from deck_builder.errors import DeckError, DeckErrors
from deck_builder.model import Code, Deck, Figure, FigureCall, Notice, Settings, SnippetCall
from deck_builder.pages import DrawingBox, Pages
from deck_builder.running.calls import Call, figures_in
from deck_builder.running.drawings import drawing_wanted, with_drawings
from deck_builder.running.evidence import Result
from deck_builder.running.execution import Execution, Kept, Want
from deck_builder.running.plan import Node, Planner, outlines_in
from deck_builder.running.pool import Pool
from deck_builder.running.progress import Progress
from deck_builder.running.project import Project, places_of
from deck_builder.running.results import from_json, to_json
from deck_builder.running.snippets import listing
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions
from deck_builder.running.worker import measure_figure, measure_table
from deck_builder.theming.theme import Theme
from deck_builder.values import dataclass

if TYPE_CHECKING:
    from deck_builder.running.pictures import Look


@dataclass(frozen=True, slots=True)
class Workshop:
    """The lesson's code, its cache, and the workers."""

    project: Project
    planner: Planner
    cache: Cache
    pool: Pool
    execution: Execution
    tool: Tool
    notices: tuple[Notice, ...]
    temporary: bool
    """The cache is to be thrown away."""

    def results(self, calls: Sequence[Call]) -> dict[str, Result]:
        """What every call gives, by label. All calls that do not fit are reported together."""
        nodes: dict[str, Node] = {}
        errors: list[DeckError] = []
        for call in calls:
            try:
                nodes[call.label] = self.planner.node(call)
            except DeckError as error:
                errors.append(error)
        if errors:
            raise errors[0] if len(errors) == 1 else DeckErrors(errors)
        kept = self.execution.fetch([_result_wanted(call, nodes[call.label]) for call in calls])
        return {call.label: _result(call, nodes[call.label], kept) for call in calls}

    def listing(self, call: SnippetCall, caption: str) -> Code:
        """The listing that a call asks for."""
        return listing(call, self.project, caption)

    def draw(self, pages: Pages, deck: Deck, theme: Theme) -> Pages:
        """The pages with a drawing for each box that waits for one, by label."""
        figures = {figure.label: figure for figure in figures_in(deck)}
        boxes = [box for page in pages.pages for box in page.boxes if isinstance(box, DrawingBox)]
        lang = deck.settings.lang
        wants = {box.label: self._drawing(box, figures[box.label], theme, lang) for box in boxes}
        return with_drawings(pages, wants, self.execution.fetch(list(wants.values())))

    def _drawing(self, box: DrawingBox, figure: Figure, theme: Theme, lang: str) -> Want:
        if figure.call is None:
            raise DeckError(f"the figure {box.label} has no function that draws it", figure.source)
        return drawing_wanted(box, figure, self.planner.node(figure.call), theme, lang, self.tool)

    def picture(self, call: FigureCall, look: Look) -> tuple[Result, bytes]:
        """What a figure says, and its file."""
        from deck_builder.running.pictures import picture_wanted

        node = self.planner.node(call)
        picture = picture_wanted(call, node, look, self.tool)
        kept = self.execution.fetch([_result_wanted(call, node), picture])
        return _result(call, node, kept), kept[str(picture.key)].content

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
    project = Project(places, outlines_in(cache))
    project.refuse_shadows()
    pool = Pool(places, jobs, progress)
    tool = Tool()
    return Workshop(
        project=project,
        planner=Planner(project, Versions(places.installed, cache), settings.lang, settings.seed, tool),
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


def _result_wanted(call: Call, node: Node) -> Want:
    return Want(
        node=node,
        kind="results",
        key=node.key,
        function=measure_figure if node.kind == "figure" else measure_table,
        pack=partial(_packed, node.versions),
        source=call.source,
    )


def _packed(versions: Mapping[str, str], data: Mapping[str, Any]) -> bytes:
    return json.dumps(to_json({"versions": dict(versions), **data}), ensure_ascii=False).encode()


def _result(call: Call, node: Node, kept: Mapping[str, Kept]) -> Result:
    found = kept.get(str(node.key))
    return Result(call, node, from_json(json.loads(found.content)), found.key) if found else Result(call, node)
