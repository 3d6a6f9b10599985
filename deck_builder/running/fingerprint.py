"""Which code can matter for a result: a definition, and every name of the project that it reaches.

The unit is the top-level definition. It is closed over the names that it uses, in its own module and through imported
project modules, whatever the depth. A whole module counts where names cannot be told apart: star imports, computed
attribute access, a module passed about as a value, and modules whose top level does more than define (they change
things for everybody who imports them, so they count even if none of their names is used). Of an installed package only
the version counts. A string literal that names a file of the project counts with the content of that file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.running.names import External, Found, Member, Names, Target
from deck_builder.running.outline import REST, Unit
from deck_builder.running.project import Module


@dataclass(frozen=True, slots=True)
class Reach:
    """What a definition reaches: a digest of the project's code and files; installed packages by import name."""

    digest: str
    packages: frozenset[str]


def reach(target: Target, names: Names) -> Reach:
    """What a definition reaches."""
    walk = _Walk(names)
    walk.add(target.module, target.top)
    while walk.pending:
        walk.follow(*walk.pending.pop())
    return walk.result()


@dataclass(slots=True)
class _Walk:
    names: Names
    units: dict[tuple[str, str], Unit] = field(default_factory=dict)
    pending: list[tuple[Module, Unit]] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)

    def add(self, module: Module, name: str) -> None:
        """A top-level name is reached."""
        unit = module.outline.units.get(name)
        if unit is not None and (module.name, name) not in self.units:
            self.units[module.name, name] = unit
            self.pending.append((module, unit))
            self.load(module)

    def add_whole(self, module: Module) -> None:
        """Every name of a module is reached, imported ones among them."""
        if module.name in self.whole:
            return
        self.whole.add(module.name)
        self.load(module)
        for name in module.outline.units:
            self.add(module, name)
        for imported in (*module.outline.imports.values(), *module.outline.loads):
            found = self.names.imported(module, imported)
            if imported.name == "*" or not isinstance(found, Module):
                self.note(found)

    def load(self, module: Module) -> None:
        """A module is imported, and with it its packages and what they import."""
        if module.name in self.loaded:
            return
        self.loaded.add(module.name)
        parent = self.names.project.module(module.name.rpartition(".")[0]) if "." in module.name else None
        if parent:
            self.load(parent)
        if module.path and not module.is_source:
            self.files[module.shown] = hashlib.sha256(module.content).hexdigest()
        for imported in module.outline.loads:
            for source in (
                self.names.enter(self.names.absolute(module, imported)),
                self.names.imported(module, imported),
            ):
                if isinstance(source, Module):
                    self.load(source)
        if self.acts(module):
            self.add_whole(module)

    def acts(self, module: Module) -> bool:
        """Whether importing a module may do more than define names."""
        if REST in module.outline.units or any(imported.name == "*" for imported in module.outline.loads):
            return True
        return any(isinstance(self.names.named(module, chain), Member) for chain in module.outline.decorators)

    def follow(self, module: Module, unit: Unit) -> None:
        """Everything that a unit refers to is reached."""
        if unit.dynamic:
            self.add_whole(module)
        for imported in unit.imports.values():
            source = self.names.enter(self.names.absolute(module, imported))
            if isinstance(source, Module):
                self.load(source)
        for chain in unit.chains:
            found = self.names.named(module, chain, unit.imports)
            # an attribute that a project module does not define may come from its __getattr__
            self.note(found or self.names.named(module, chain[:1], unit.imports))
        for text in unit.strings:
            self.files.update(self.file(module, text))

    def note(self, found: Found) -> None:
        """A name stands for something that is reached."""
        match found:
            case Member(module, name):
                self.add(module, name)
            case Module():
                self.add_whole(found)
            case External(dotted):
                top = dotted.partition(".")[0]
                if top not in sys.stdlib_module_names:
                    self.packages.add(top)

    def file(self, module: Module, text: str) -> Iterator[tuple[str, str]]:
        """The file that a literal names: seen from its module, from a folder above that, or from the lesson."""
        places = self.names.project.places
        folders = [Path(places.lesson), Path(places.above)]
        if module.path:
            depth = module.name.count(".") + bool(module.locations)
            folders = [*module.path.parents[: depth + 1], *folders]
        for folder in folders:
            yield from digest_of_file(folder / text, text)
            if os.path.isfile(folder / text):  # noqa: PTH113 - as above
                return

    def result(self) -> Reach:
        """The digest over everything reached, in a fixed order."""
        documented = any(unit.documentation for unit in self.units.values())
        code = {
            f"{module}:{name}": unit.documented if documented else unit.digest
            for (module, name), unit in self.units.items()
        }
        return Reach(digest({"code": code, "files": self.files}), frozenset(self.packages))


def digest_of_file(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """The name with a hash of the file's content, if there is such a file; sources count by what they define."""
    if path.suffix != ".py" and os.path.isfile(path):  # noqa: PTH113 - a sentence may be too long for a file name
        with path.open("rb") as stream:
            yield name, hashlib.file_digest(stream, "sha256").hexdigest()


def files_in(value: Any, lesson: str) -> dict[str, str]:
    """Files of the lesson that arguments name, with hashes of their content."""
    match value:
        case str() if 0 < len(value) < 200 and value.isprintable():
            return dict(digest_of_file(Path(lesson) / value, value))
        case Mapping():
            return {name: found for item in value.values() for name, found in files_in(item, lesson).items()}
        case list() | tuple():
            return {name: found for item in value for name, found in files_in(item, lesson).items()}
        case _:
            return {}


def digest(value: Any) -> str:
    """A hash of plain data: the same for the same data, whatever the order of its mappings."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def canonical(value: Any) -> str:
    """Plain data as JSON in one form."""
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":"))


def _ordered(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [_ordered(item) for item in value]
        case set() | frozenset():
            return sorted((_ordered(item) for item in value), key=repr)
        case Mapping():
            return {"": sorted(([_ordered(key), _ordered(item)] for key, item in value.items()), key=repr)}
        case _:
            raise DeckError(
                f"{value} is a {type(value).__name__}; arguments are numbers, text or lists: write it in quotes"
            )
