"""Parts that broke no rule of their own in the last deck of a lesson: the same bytes need no second reading."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from deck_builder.cache import Cache, key_of
from deck_builder.checking.slides import model_of
from deck_builder.elements import xml
from deck_builder.writing.package import Package, Part

KIND = "checks"
CODE = (*sorted(Path(__file__).parent.glob("*.py")), Path(xml.__file__))
PACKAGES = ("lxml",)


class CleanParts:
    """Which parts of a package are known to be clean. Their digests lie in one entry of the cache, named by the rules.

    A digest covers all that the rules of one part read: its bytes, type and relationships, and its layout or master.
    """

    def __init__(self, folder: Path | None, package: Package) -> None:
        self._cache = Cache(str(folder)) if folder else None
        self._rules = key_of("clean", CODE, PACKAGES) if folder else ""
        self._digests = {part.name: _digest(package, part) for part in package.parts.values()} if folder else {}
        self._package = package
        self._known = self._read()
        self._clean = self._known & set(self._digests.values())

    def others(self) -> Iterator[Part]:
        """The parts that have to be read."""
        return (part for part in self._package.parts.values() if self._digests.get(part.name) not in self._known)

    def note(self, part: Part) -> None:
        """A part was found clean."""
        if part.name in self._digests:
            self._clean.add(self._digests[part.name])

    def keep(self) -> None:
        """Write down what is clean for the next build; of a read-only lesson nothing is kept."""
        if self._cache and self._clean != self._known:
            with suppress(OSError):
                self._cache.write(KIND, self._rules, json.dumps(sorted(self._clean)).encode())

    def _read(self) -> set[str]:
        content = self._cache.read(KIND, self._rules) if self._cache else None
        return set(json.loads(content)) if content else set()


def _digest(package: Package, part: Part) -> str:
    model = model_of(package, part)
    related = [[r.identifier, r.type, r.target, r.external] for r in part.relationships]
    head = json.dumps([part.name, part.content_type, related, len(part.blob)]).encode()
    return hashlib.sha256(b"\n".join((head, part.blob, model.blob if model else b""))).hexdigest()[:40]
