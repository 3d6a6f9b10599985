"""Earlier results found in the cache; what has none is run, after what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from deck_builder.cache import Cache
from deck_builder.model import Source
from deck_builder.running.places import Places
from deck_builder.running.pool import Job, Pool
from deck_builder.running.progress import Event, Progress, RunReport
from deck_builder.running.tickets import Key, Ticket
from deck_builder.values import dataclass, field

if TYPE_CHECKING:
    from deck_builder.running.plan import Node


@dataclass(frozen=True, slots=True)
class Task:
    """What makes a result: a function of `worker`, whose first argument is the node's call, and its further ones."""

    node: Node
    function: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """A result of a call: where it is kept, and how it is made."""

    ticket: Ticket
    kind: str
    """The part of the cache."""
    key: Key
    task: Callable[[], Task]
    """Asked only when the result is not there."""
    pack: Callable[[Any], bytes]
    source: Source


@dataclass(frozen=True, slots=True)
class Kept:
    """A result as it lies in the cache; `key` differs from the wanted one where it was made with other versions."""

    content: bytes
    key: str


class Execution:
    """Runs what is wanted, each once. With `run` false nothing is run: older versions are taken, or nothing."""

    def __init__(self, places: Places, cache: Cache, pool: Pool, progress: Progress, *, run: bool) -> None:
        self._places = places
        self._cache = cache
        self._pool = pool
        self._progress = progress
        self._run = run
        self._calls: set[str] = set()
        self._ran: set[str] = set()
        self._names: list[str] = []
        self._seconds = 0.0

    @property
    def report(self) -> RunReport:
        """What ran so far: calls of the lesson, whether run for their values or for a drawing, count once."""
        return RunReport(len(self._ran), len(self._calls - self._ran), self._seconds, tuple(self._names))

    def fetch(self, wants: Sequence[Want]) -> dict[str, Kept]:
        """Results by their wanted key. With `run` false some may be missing."""
        found: dict[str, Kept] = {}
        missing: dict[str, Want] = {}
        for want in wants:
            self._calls.add(want.ticket.key.code)
            kept = self._look_up(want)
            if kept:
                found[str(want.key)] = kept
                self._progress(Event("reused", want.ticket.name))
            elif self._run:
                missing.setdefault(str(want.key), want)
        if missing:
            self._execute(missing, found)
        return found

    def _look_up(self, want: Want) -> Kept | None:
        keys = [str(want.key)]
        if not self._run:
            keys += self._cache.keys(want.kind, f"{want.key.code}.")
        for key in keys:
            content = self._cache.read(want.kind, key)
            if content is not None:
                return Kept(content, key)
        return None

    def _execute(self, missing: dict[str, Want], found: dict[str, Kept]) -> None:
        records: dict[str, Job] = {}
        tasks = {key: want.task() for key, want in missing.items()}
        for key, want in missing.items():
            self._add_records(tasks[key].node, want.source, records)

        def done(job: Job, result: Any, seconds: float) -> None:
            self._names.append(job.name)
            self._seconds += seconds
            if want := missing.get(job.key):
                content = want.pack(result)
                self._cache.write(want.kind, job.key, content)
                found[job.key] = Kept(content, job.key)
                self._ran.add(want.ticket.key.code)

        self._pool.run(
            [*records.values(), *(self._job(key, tasks[key], want.source) for key, want in missing.items())], done
        )

    def _job(self, key: str, task: Task, source: Source) -> Job:
        return Job(
            key=key,
            name=task.node.name,
            function=partial(task.function, **task.options),
            arguments=(task.node.call(self._places, self._cache),),
            needs=frozenset(str(node.key) for node in _needed(task.node)),
            source=source,
        )

    def _add_records(self, node: Node, source: Source, jobs: dict[str, Job]) -> None:
        """Jobs for the records that a node needs and that are not there whole, those they need first."""
        from deck_builder.running.worker import RECORDS, make_record

        for needed in _needed(node):
            key = str(needed.key)
            if key in jobs or self._cache.read(RECORDS, key) is not None:
                continue
            self._add_records(needed, source, jobs)
            call = needed.call(self._places, self._cache)
            needs = frozenset(str(inner.key) for inner in _needed(needed))
            jobs[key] = Job(key, needed.name, make_record, (call, key), needs, source)


def _needed(node: Node) -> Iterable[Node]:
    return (inner for need in node.needs for inner in need.nodes)
