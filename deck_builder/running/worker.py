"""What happens in a worker process: a function of the lesson is imported, called, and its result made into plain data.

Only here is code of a lesson imported, and only here torch and matplotlib are. Every call starts from the same state
(random generators, matplotlib settings, folder), so that results do not depend on which worker made them or when.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deck_builder.cache import Cache
from deck_builder.errors import DeckError
from deck_builder.running.places import Places
from deck_builder.running.project import PROTECTED
from deck_builder.running.records import NotARecord, decode, encode
from deck_builder.running.results import figure_data, figure_of, table_data
from deck_builder.values import dataclass, field

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from deck_builder.drawing.files import FileKind
    from deck_builder.pages import Drawing

RECORDS = "records"
NEUTRAL = {
    "dk1": "000000",
    "lt1": "FFFFFF",
    "dk2": "404040",
    "lt2": "F0F0F0",
    **{f"accent{number}": grey * 3 for number, grey in enumerate(("20", "40", "60", "80", "A0", "C0"), start=1)},
    "hlink": "0000FF",
    "folHlink": "800080",
}
"""Colours of a figure that is only asked what it says, before there is a theme."""
RECORDS_KEPT = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a function of the lesson."""

    name: str
    """For messages."""
    module: str
    qualified: str
    arguments: Mapping[str, Any]
    records: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    """Parameter → key of the record it receives, or keys of a tuple of records."""
    paths: frozenset[str] = frozenset()
    """Arguments to be handed over as a `Path`."""
    sized: bool = False
    """The function asks for the `size` of its frame."""
    default_size: bool = False
    """That parameter has a default, used as long as there is no frame."""
    seed: int = 0
    torch: bool = False
    """Its code reaches torch."""
    places: Places
    cache: Cache


def make_record(call: Call, key: str) -> None:
    """Run a dependency and keep its record."""
    with _explained(call, "failed"):
        call.cache.write(RECORDS, key, encode(_result(_function(call), call, None)))


def measure_figure(call: Call) -> dict[str, Any]:
    """Run a figure function for what it says: values, alt text, aspect."""
    with _explained(call, "failed"):
        function = _function(call)
        with _styled(NEUTRAL, None):
            return figure_data(_result(function, call, None), call.name)


def measure_table(call: Call) -> dict[str, Any]:
    """Run a table function: its cells and values."""
    with _explained(call, "failed"):
        return table_data(_result(_function(call), call, None), call.name)


def draw(
    call: Call, *, frame_size: tuple[int, int], colours: Mapping[str, str], name: str, alt: str, lang: str
) -> Drawing:
    """Run a figure function for a frame (EMU) and draw what it returns as native shapes."""
    from deck_builder.drawing import draw_figure
    from deck_builder.pages import EMU_PER_INCH

    size = (frame_size[0] / EMU_PER_INCH, frame_size[1] / EMU_PER_INCH)
    with _figure(call, colours, size) as figure:
        return draw_figure(figure, frame_size=frame_size, colours=colours, name=name, alt=alt, lang=lang)


def picture(
    call: Call, *, kind: FileKind, size: tuple[float, float] | None, dpi: int, colours: Mapping[str, str]
) -> bytes:
    """Run a figure function, for a size in inches or for the one that it wishes; its figure as a file."""
    from deck_builder.drawing.files import file_of

    with _figure(call, colours, size) as figure:
        return file_of(figure, kind, size_inches=size, dpi=dpi)


@contextmanager
def _figure(call: Call, colours: Mapping[str, str], size: tuple[float, float] | None) -> Iterator[Figure]:
    """The figure that the function gives for a size, with matplotlib in its style as long as it is drawn."""
    with _explained(call, "failed"):
        function = _function(call)
    with _styled(colours, size):
        with _explained(call, "failed"):
            figure = figure_of(_result(function, call, size), call.name)
        with _explained(call, "could not be drawn"):
            yield figure


def _result(function: Callable[..., Any], call: Call, size: tuple[float, float] | None) -> Any:
    """What the function returns. Seeding comes last: nothing done before the call takes from the generators."""
    arguments = _arguments(call, size)
    _seed(call.seed, torch=call.torch)
    return function(**arguments)


def _seed(seed: int, *, torch: bool) -> None:
    """Set all random generators that careless code may use.

    torch is held to one thread: sums over several differ from run to run, and workers would be in each other's way.
    """
    import numpy as np

    random.seed(seed)
    np.random.seed(seed)
    if torch or "torch" in sys.modules:
        import torch as library

        library.set_num_threads(1)
        library.manual_seed(seed)


@contextmanager
def _styled(colours: Mapping[str, str], size: tuple[float, float] | None) -> Iterator[None]:
    """Matplotlib in the style of the theme; what a function changes in it, or leaves open, is undone."""
    import matplotlib

    from deck_builder.drawing import style

    with matplotlib.rc_context():
        style.apply(colours, size)
        try:
            yield
        finally:
            pyplot = sys.modules.get("matplotlib.pyplot")
            if pyplot:
                pyplot.close("all")


def _function(call: Call) -> Callable[..., Any]:
    """The function, imported, before anything is set up for its call: only one of many calls imports a module.

    Something a module binds only when it runs is found here or nowhere.
    """
    _seed(0, torch=call.torch)
    found: Any = importlib.import_module(call.module)
    for part in call.qualified.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise DeckError(f"{call.module}.{call.qualified} is no function")
    return found  # type: ignore[no-any-return]


def _arguments(call: Call, size: tuple[float, float] | None) -> dict[str, Any]:
    """All arguments, records decoded and paths made absolute."""
    made = dict(call.arguments)
    for name in call.paths:
        made[name] = Path(call.places.lesson, made[name])
    for name, keys in call.records.items():
        if isinstance(keys, str):
            made[name] = load_record(call.cache, keys)
        else:
            made[name] = tuple(load_record(call.cache, key) for key in keys)
    if call.sized and (size or not call.default_size):
        made["size"] = size or _default_size()
    return made


def _default_size() -> tuple[float, float]:
    import matplotlib

    width, height = matplotlib.rcParams["figure.figsize"]
    return float(width), float(height)


@lru_cache(maxsize=RECORDS_KEPT)
def load_record(cache: Cache, key: str) -> Any:
    """A record of an earlier run. Each worker decodes it once."""
    content = cache.read(RECORDS, key)
    if content is None:
        raise DeckError(f"a result in {Path(cache.folder).name} vanished during the build; build again")
    return decode(content)


@contextmanager
def _explained(call: Call, verb: str) -> Iterator[None]:
    """What goes wrong in a lesson's function is an error with its name and the innermost line of the user's code."""
    try:
        yield
    except DeckError:
        raise
    except NotARecord as error:
        raise DeckError(f"{call.name} returned no record: {error}") from error
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise DeckError(f"{call.name} {verb}: {what}{_where(error, call)}") from error


def _where(error: BaseException, call: Call) -> str:
    """` (figures/heatmaps.py:17)`: the innermost frame in the user's own code."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f" ({call.places.shown(error.filename)}:{error.lineno})"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename, call)]
    return f" ({call.places.shown(own[-1].filename)}:{own[-1].lineno})" if own else ""


def _is_own(filename: str, call: Call) -> bool:
    """Whether a file is the user's: beside the lesson, or in the installed package that the call names."""
    root = call.places.root(filename)
    if Path(filename).is_relative_to(Path(__file__).parents[1]):  # the tool itself, where it is built from a checkout
        return False
    if root == call.places.above:
        return True
    package = Path(root, call.module.partition(".")[0])
    return bool(root) and (Path(filename).is_relative_to(package) or Path(filename) == package.with_suffix(".py"))


def start(places: Places) -> None:
    """Make a fresh process a worker: import path, folder, threads, signals. Nothing heavy is imported yet."""
    import signal

    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
        os.environ[name] = "1"
    sys.path[:] = places.path
    sys.meta_path.insert(0, _Protected(places.installed))
    os.chdir(places.lesson)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what a lesson prints is no output of the command
    _die_with_parent()


def _die_with_parent() -> None:
    """A worker whose command was killed would wait for work for ever."""
    import threading
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Protected(MetaPathFinder):
    """Finds standard and required modules where they are installed, whatever lies beside the lesson."""

    def __init__(self, installed: tuple[str, ...]) -> None:
        self._installed = list(installed)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The installed module, or None for any other name."""
        if path is None and name in PROTECTED:
            return PathFinder.find_spec(name, self._installed, target)
        return None
