"""Jobs that wait for one another, run in worker processes. No process is started before there is a job."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from deck_builder.errors import DeckError
from deck_builder.model import Source
from deck_builder.running.places import Places
from deck_builder.running.progress import Event, Progress
from deck_builder.values import dataclass, field

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "MPLBACKEND": "agg"}
"""Read when a process starts: the order of sets and the encoding of files do not depend on the machine."""


@dataclass(frozen=True, slots=True)
class Job:
    """A function of `worker` with its arguments; `needs` are keys of jobs to be done before. `source` is for errors."""

    key: str
    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    needs: frozenset[str] = field(default_factory=frozenset)
    source: Source | None = None


class Pool:
    """Worker processes, at most `size` at once."""

    def __init__(self, places: Places, size: int | None, progress: Progress) -> None:
        self._places = places
        self._size = size or os.cpu_count() or 1
        self._progress = progress
        self._executor: ProcessPoolExecutor | None = None

    def run(self, jobs: Sequence[Job], done: Callable[[Job, Any, float], None]) -> None:
        """Run jobs, the first ones first; `done` gets each result at once. The first failure ends everything."""
        waiting = list(jobs)
        open_keys = {job.key for job in jobs}
        running: dict[Future[Any], tuple[Job, float]] = {}
        try:
            while waiting or running:
                for job in _ready(waiting, open_keys, self._size - len(running)):
                    waiting.remove(job)
                    running[self._submit(job)] = job, time.perf_counter()
                self._collect(running, open_keys, done)
        except BaseException:
            self.stop()
            raise

    def _submit(self, job: Job) -> Future[Any]:
        self._progress(Event("started", job.name))
        with _environment(ENVIRONMENT):
            if self._executor is None:
                self._executor = _executor(self._places, self._size)
            return self._executor.submit(job.function, *job.arguments)

    def _collect(
        self,
        running: dict[Future[Any], tuple[Job, float]],
        open_keys: set[str],
        done: Callable[[Job, Any, float], None],
    ) -> None:
        """Wait for results. What has succeeded is kept before a failure is raised."""
        from concurrent.futures import FIRST_COMPLETED, wait

        finished = wait(running, return_when=FIRST_COMPLETED).done
        names = [job.name for job, _ in running.values()]
        failed: list[tuple[Future[Any], Job]] = []
        for future in [future for future in running if future in finished]:
            job, start = running.pop(future)
            if future.exception():
                failed.append((future, job))
                continue
            open_keys.discard(job.key)
            seconds = time.perf_counter() - start
            done(job, future.result(), seconds)
            self._progress(Event("finished", job.name, seconds))
        for future, job in failed:
            _raise(future, job, names)

    def stop(self) -> None:
        """End all workers now, whatever they do."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        processes = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()

    def close(self) -> None:
        """Let idle workers go."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None


def _ready(waiting: Sequence[Job], open_keys: set[str], count: int) -> list[Job]:
    """The next jobs that wait for none that is still open."""
    return [job for job in waiting if not job.needs & open_keys][:count]


def _executor(places: Places, size: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from deck_builder.running import worker

    return ProcessPoolExecutor(
        max_workers=size, mp_context=get_context("spawn"), initializer=worker.start, initargs=(places,)
    )


def _raise(future: Future[Any], job: Job, names: Sequence[str]) -> None:
    from concurrent.futures.process import BrokenProcessPool

    error = future.exception()
    if isinstance(error, BrokenProcessPool):
        raise DeckError(
            f"a worker process died while {' and '.join(names)} ran, perhaps for lack of memory; "
            "--jobs 1 needs the least",
            job.source,
        ) from error
    if isinstance(error, DeckError):
        error.source = error.source or job.source
    if error:
        raise error


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Variables that processes started meanwhile inherit."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
