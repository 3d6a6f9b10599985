"""Versions of installed packages, by the name under which they are imported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress

from deck_builder.running.cache import Cache


class Versions:
    """Looks versions up, each once.

    Most packages are imported under the name of their distribution. For the others the search through all installed
    files is slow, so what it finds is kept between builds.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._known: dict[str, Mapping[str, str]] = {}

    def of(self, packages: Iterable[str]) -> dict[str, str]:
        """Distribution → version, sorted; a package without metadata has none."""
        found: dict[str, str] = {}
        for package in packages:
            if package not in self._known:
                self._known[package] = self._look_up(package)
            found.update(self._known[package])
        return dict(sorted(found.items()))

    def _look_up(self, package: str) -> Mapping[str, str]:
        direct = version(package)
        if direct:
            return {canonical_name(package): direct}
        from importlib import metadata  # slow to import, and not needed where nothing is called

        names = self._kept(package)
        if names is None:
            names = sorted(set(metadata.packages_distributions().get(package, [])))
            with suppress(OSError):
                self._cache.write("packages", package, json.dumps(names).encode())
        return {canonical_name(name): found for name in names if (found := version(name))}

    def _kept(self, package: str) -> list[str] | None:
        content = self._cache.read("packages", package)
        names = json.loads(content) if content else None
        return names if names and all(version(name) for name in names) else None


def version(distribution: str) -> str | None:
    """The installed version, or None."""
    from importlib import metadata

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def canonical_name(distribution: str) -> str:
    """The name in one spelling."""
    return distribution.lower().replace("_", "-")
