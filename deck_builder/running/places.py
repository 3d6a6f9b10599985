"""Where a lesson's code is looked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True)
class Places:
    """Where a lesson's code is looked for."""

    lesson: str
    """The lesson's folder, absolute."""
    above: str
    installed: tuple[str, ...]

    @property
    def homes(self) -> frozenset[str]:
        """Folders whose code counts by its source: all but those that packages are installed in by version."""
        standard = str(Path(os.__file__).parent)
        others = {
            entry
            for entry in self.installed
            if Path(entry).name not in ("site-packages", "dist-packages") and not Path(entry).is_relative_to(standard)
        }
        return frozenset({self.lesson, self.above, *others})

    @property
    def path(self) -> tuple[str, ...]:
        """The import path, first to last."""
        return (self.lesson, self.above, *self.installed)

    def root(self, path: str | Path) -> str:
        """The innermost of these folders that a file lies in, or nothing."""
        folders = [folder for folder in (self.above, *self.installed) if Path(path).is_relative_to(folder)]
        return max(folders, key=len, default="")

    def shown(self, path: str | Path) -> str:
        """A file's name for messages: as seen from the folder above the lesson, or from where it is installed."""
        root = self.root(path)
        return Path(path).relative_to(root).as_posix() if root else Path(path).name


def places_of(folder: Path, search: Sequence[str] | None = None) -> Places:
    """The places of the lesson in `folder`; `search` is the import path of what is installed (this process's)."""
    lesson = folder.resolve()
    known = {str(lesson), str(lesson.parent)}
    installed = [str(Path(entry or ".").resolve()) for entry in (sys.path if search is None else search)]
    return Places(str(lesson), str(lesson.parent), tuple(dict.fromkeys(e for e in installed if e not in known)))
