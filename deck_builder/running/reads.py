"""What planning reads of a project, so that the plan need not be made again while all of it is as it was.

Python finds modules by the names in folders, and all else stands in files: a plan made from folders with the same names
and files with the same content is the same plan.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import all_suffixes
from pathlib import Path

from deck_builder.running.places import Places

SUFFIXES = tuple(all_suffixes())
"""Endings of files that can be imported."""
FOLDER = "names "
"""In front of the digest of a folder's names, to tell it from a file's."""


class Reads:
    """Reads files and folders of a project, and notes what they were."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._states = {Path(root): state_of(Path(root)) for root in _roots(places)}

    def content(self, path: Path) -> bytes:
        """The bytes of a file."""
        content = path.read_bytes()
        self._states[path] = hashlib.sha256(content).hexdigest()
        return content

    def digest(self, path: Path) -> str | None:
        """A hash of a file's content; None where there is no file."""
        state = self._state(path)
        return None if state is None or state.startswith(FOLDER) else state

    def looked_up(self, name: str, path: Iterable[str]) -> None:
        """A module of that name was looked for in these folders."""
        for entry in path:
            self._state(Path(entry))
            if (inner := Path(entry, name)).is_dir():
                self._state(inner)

    def noted(self) -> dict[str, str | None] | None:
        """What was read, by names that hold no path of the machine; None where something lies outside of all places."""
        named = {_name(path, self._places): state for path, state in self._states.items()}
        return None if None in named else {name: state for name, state in named.items() if name}

    def _state(self, path: Path) -> str | None:
        if path not in self._states:
            self._states[path] = state_of(path)
        return self._states[path]


def unchanged(noted: Mapping[str, str | None], places: Places) -> bool:
    """Whether all that was read is still so."""
    roots = _roots(places)
    for name, state in noted.items():
        number, _, inner = name.partition("/")
        if int(number) >= len(roots) or state_of(Path(roots[int(number)], inner)) != state:
            return False
    return True


def state_of(path: Path) -> str | None:
    """A file's content or the names in a folder as a digest; None for anything else."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (IsADirectoryError, PermissionError):  # Windows does not let folders be opened
        return FOLDER + hashlib.sha256("\n".join(_names(path)).encode("utf-8", "surrogatepass")).hexdigest()
    except (OSError, ValueError):  # nothing there, or too long for a name
        return None


def _names(folder: Path) -> Sequence[str]:
    """What can be imported from a folder; the names of folders end in a slash."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in entries
                if entry.name.isidentifier() or entry.name.endswith(SUFFIXES)
                if entry.name != "__pycache__"
            )
    except OSError:
        return ()


def _roots(places: Places) -> Sequence[str]:
    return (places.lesson, places.above, *places.installed)


def _name(path: Path, places: Places) -> str | None:
    """`2/figures/maps.py`: the number of the place that a file lies in, and its path there."""
    fitting = [(len(root), number) for number, root in enumerate(_roots(places)) if path.is_relative_to(root)]
    if not fitting:
        return None
    number = max(fitting)[1]
    return f"{number}/{path.relative_to(_roots(places)[number]).as_posix()}"
