"""The file that a build will replace: looked at before the work, replaced after it, never half-written."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from lxml import etree

from deck_builder.errors import DeckError
from deck_builder.values import dataclass
from deck_builder.writing.properties import DIGEST, recorded


@dataclass(frozen=True, slots=True)
class Target:
    """Where the deck goes. `force` replaces an edited deck, which is kept as a numbered backup."""

    path: Path
    force: bool = False

    def check(self) -> None:
        """Raise `DeckError` when replacing the file would fail or lose something."""
        name = self.path.name
        if self.path.is_dir():
            raise DeckError(f"{self.path} is a folder; give the name of a file, such as {self.path / 'deck.pptx'}")
        if not self.path.parent.is_dir():
            raise DeckError(f"there is no folder {self.path.parent}; make it first or write elsewhere")
        if not os.access(self.path.parent, os.W_OK):
            raise DeckError(f"the folder {self.path.parent} is read-only; write elsewhere with -o")
        if not self.path.exists():
            return
        if not self.path.stat().st_mode & stat.S_IWUSR or not os.access(self.path, os.W_OK):
            raise DeckError(f"{self.path} is read-only; make it writable or give another name with -o")
        for lock in (f"~${name}", f".~lock.{name}#"):
            if (self.path.parent / lock).exists():
                raise DeckError(f"{self.path} is open in another program ({lock}); close it there, then build again")
        try:
            with self.path.open("r+b"):
                pass
        except PermissionError:
            raise DeckError(f"{self.path} is held by another program; close it there, then build again") from None
        if not self.force and not self.is_own():
            raise DeckError(
                f"{self.path} was edited since it was built, or was not built by deckbuild; "
                "give another name with -o, or --force to replace it (the old file is kept as a backup)"
            )

    def is_own(self) -> bool:
        """Whether the file is exactly as a build left it."""
        status = self.path.stat()
        return _is_own(self.path, status.st_mtime_ns, status.st_size)

    def temporary(self) -> Path:
        """A file beside the target to write to first."""
        return self.path.with_name(f".{self.path.stem}.{os.getpid()}.part.pptx")

    def replace(self, temporary: Path) -> Path | None:
        """Move the finished file into place. Returns the backup, when an edited deck was replaced."""
        backup = None
        if self.path.exists() and not self.is_own():
            backup = self._backup_path()
            shutil.copy2(self.path, backup)
        try:
            temporary.replace(self.path)
        except PermissionError:
            raise DeckError(f"{self.path} is held by another program; close it there, then build again") from None
        return backup

    def discard(self, temporary: Path) -> None:
        """Remove what a failed build left."""
        with suppress(OSError):
            temporary.unlink()

    def _backup_path(self) -> Path:
        number = 1
        while (path := self.path.with_name(f"{self.path.stem}.backup-{number}{self.path.suffix}")).exists():
            number += 1
        return path


@lru_cache(maxsize=8)
def _is_own(path: Path, modified_ns: int, size: int) -> bool:  # noqa: ARG001 - the cache tells states by them
    """Asked before the work and after it: the same file is read once."""
    try:
        properties, now = recorded(path)
    except (zipfile.BadZipFile, etree.XMLSyntaxError, OSError):
        return False
    return properties.get(DIGEST) == now
