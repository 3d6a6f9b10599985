"""Versions of installed packages, by the name under which they are imported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from deck_builder.cache import Cache
from deck_builder.running.fingerprint import digest

METADATA = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+?)(-.+)?\.(dist|egg)-info")


class Versions:
    """Looks versions up, each once, in the names of the folders that installers leave (`torch-2.6.0.dist-info`).

    Most packages are imported under the name of their distribution. For the others the search through all installed
    files is slow, so what it finds is kept until something is installed.
    """

    def __init__(self, path: Sequence[str], cache: Cache) -> None:
        self._path = path
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

    @cached_property
    def installed(self) -> dict[str, str]:
        """Every distribution with its version; of several, Python finds the first."""
        found: dict[str, str] = {}
        for entry in self._path:
            with suppress(OSError):
                for match in (METADATA.fullmatch(path.name) for path in Path(entry).iterdir()):
                    if match:
                        found.setdefault(canonical_name(match["name"]), match["version"])
        return found

    def _look_up(self, package: str) -> dict[str, str]:
        names = [package] if canonical_name(package) in self.installed else self._distributions(package)
        known = {canonical_name(name) for name in names} & self.installed.keys()
        return {name: self.installed[name] for name in known}

    def _distributions(self, package: str) -> list[str]:
        """The distributions that a package of another name comes from."""
        key = digest([package, self.installed])
        content = self._cache.read("packages", key)
        if content:
            return list(json.loads(content))
        from importlib import metadata  # slow to import

        names = sorted(set(metadata.packages_distributions().get(package, [])))
        with suppress(OSError):
            self._cache.write("packages", key, json.dumps(names).encode())
        return names


def canonical_name(distribution: str) -> str:
    """The name in one spelling."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
