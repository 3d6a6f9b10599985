"""Results on disk: `<lesson>/.deckbuild/<kind>/<key>`, written whole or not at all, each with a hash of its content.

Keys are fingerprints, so two builds at once write the same thing under one name; of plans and checks the last
one counts, and each says itself what it holds for. Whatever is damaged is made again; the folder may be deleted at any
time. It holds data only and no path of this machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from threading import get_ident
from typing import Any

from deck_builder.values import dataclass

FOLDER = ".deckbuild"
DIGEST = 64
"""Length of the hash in front of an entry's content; a line end follows it."""
KEPT_SECONDS = 30 * 24 * 3600
FRESH_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache in a folder. A missing or damaged entry is None; writing where one may not write is an OSError."""

    folder: str

    def read(self, kind: str, key: str) -> bytes | None:
        """The content of an entry."""
        path = Path(self.folder, kind, key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        written, content = content[:DIGEST], content[DIGEST + 1 :]
        if hashlib.sha256(content).hexdigest().encode() != written:
            return None
        _mark_used(path)
        return content

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keep an entry: written beside its place, then moved there."""
        path = Path(self.folder, kind, key)
        if not path.parent.exists():
            self.open()
            path.parent.mkdir(exist_ok=True)
        temporary = _temporary(path.parent)
        try:
            temporary.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
            temporary.replace(path)
        except PermissionError:
            # Windows does not replace a file that another build is reading; that file has the same content.
            if not path.exists():
                raise
        finally:
            temporary.unlink(missing_ok=True)

    def keys(self, kind: str, beginning: str) -> list[str]:
        """Keys that begin so, newest first."""
        found = Path(self.folder, kind).glob(f"{beginning}*")
        return [path.name for path in sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))]

    def open(self) -> None:
        """Make the folder, invisible to git. Raises OSError where the lesson is read-only."""
        Path(self.folder).mkdir(exist_ok=True)
        ignore = Path(self.folder, ".gitignore")
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        temporary = _temporary(Path(self.folder))
        temporary.touch()
        temporary.unlink()

    def prune(self) -> None:
        """Drop what no build has used for a month; looked for once a day."""
        looked = Path(self.folder, "pruned")
        with suppress(OSError):
            if looked.stat().st_mtime > time.time() - FRESH_SECONDS:
                return
        with suppress(OSError):  # a read-only cache stays as it is
            looked.touch()
        oldest = time.time() - KEPT_SECONDS
        for entry in _entries(self.folder):
            with suppress(OSError):  # another build was quicker
                if entry.stat().st_mtime < oldest:
                    Path(entry).unlink()


def _temporary(folder: Path) -> Path:
    """A file that no other build or thread writes to."""
    return folder / f".new-{os.getpid()}-{get_ident()}"


def _mark_used(path: Path) -> None:
    """Note the use of an entry, once a day at most."""
    try:
        if path.stat().st_mtime < time.time() - FRESH_SECONDS:
            os.utime(path)
    except OSError:  # a read-only cache can be read all the same
        return


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as kinds:
        for kind in kinds:
            if kind.is_dir():
                with os.scandir(kind) as entries:
                    yield from (entry for entry in entries if entry.is_file())


def kept(folder: Path | None, kind: str, key: str, make: Callable[[], bytes]) -> bytes:
    """An entry, made and kept when it is not there. Without a folder, or one that can be written, nothing is kept."""
    if folder is None:
        return make()
    entries = Cache(str(folder))
    content = entries.read(kind, key)
    if content is None:
        content = make()
        with suppress(OSError):  # a read-only lesson builds uncached
            entries.write(kind, key, content)
    return content


def key_of(parts: object, code: Sequence[Path] = (), packages: Sequence[str] = ()) -> str:
    """The key of what is made of `parts` by these source files with these packages."""
    return hashlib.sha256(json.dumps([parts, *_made_by(tuple(code), tuple(packages))]).encode()).hexdigest()[:40]


@cache
def _made_by(code: tuple[Path, ...], packages: tuple[str, ...]) -> tuple[str, ...]:
    """Code and versions. The names of `dist-info` folders are read: `importlib.metadata` takes longer than a deck."""
    from importlib.util import find_spec

    names: set[str] = set()
    for package in packages:
        spec = find_spec(package)
        for location in spec.submodule_search_locations or () if spec else ():
            names |= {name for name in _installed_in(Path(location).parent) if name.startswith(f"{package}-")}
    return (digest_of(code), *sorted(names))


@cache
def _installed_in(folder: Path) -> tuple[str, ...]:
    return tuple(path.name for path in folder.iterdir() if path.suffix == ".dist-info")


def digest_of(files: Iterable[Path]) -> str:
    """A digest of files of the tool, which do not change while it runs."""
    return hashlib.sha256("".join(f"{path.name} {_digest(path)}\n" for path in files).encode()).hexdigest()


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bundle(head: object, blobs: Sequence[bytes]) -> bytes:
    """Plain data and some bytes as one: a line of JSON, then the bytes as they are."""
    return b"".join((json.dumps([head, [len(blob) for blob in blobs]]).encode(), b"\n", *blobs))


def unbundle(content: bytes) -> tuple[Any, list[bytes]]:
    """What `bundle` was given."""
    end = content.index(b"\n")
    head, lengths = json.loads(content[:end])
    ends = list(accumulate(lengths, initial=end + 1))
    return head, [content[start:stop] for start, stop in pairwise(ends)]


def discard(folder: str) -> None:
    """Remove a temporary cache."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
