"""Which code can matter for a result: a definition, and every name of the project that it reaches.

The unit is the top-level definition. It is closed over the names that it uses, in its own module and through imported
project modules, whatever the depth. A whole module counts where names cannot be told apart: star imports, computed
attribute access, a module passed about as a value, and modules whose top level does more than define (they change
things for everybody who imports them, so they count even if none of their names is used). Of an installed package only
the version counts. A string literal that names a file of the project counts with the content of that file.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from deck_builder.running.fingerprint import digest
from deck_builder.running.names import External, Found, Member, Names, Target
from deck_builder.running.outline import REST, Unit
from deck_builder.running.project import Module
from deck_builder.running.references import Imported
from deck_builder.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Reach:
    """What a definition reaches: a digest of the project's code and files; installed packages by import name."""

    digest: str
    packages: frozenset[str]


@dataclass(frozen=True, slots=True)
class UnitLinks:
    """What one top-level name refers to directly."""

    found: tuple[Found, ...]
    loads: tuple[Module, ...]
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ModuleLinks:
    """What importing a module imports, and whether it may do more than define names."""

    loads: tuple[Module, ...]
    acts: bool


@dataclass(slots=True)
class Links:
    """The references between the project's definitions, each resolved once."""

    names: Names
    _units: dict[tuple[str, str], UnitLinks] = field(default_factory=dict)
    _modules: dict[str, ModuleLinks] = field(default_factory=dict)

    def of_unit(self, module: Module, name: str) -> UnitLinks:
        """What a top-level name refers to."""
        key = (module.name, name)
        if key not in self._units:
            unit = module.outline.units[name]
            self._units[key] = UnitLinks(
                tuple(self._found(module, unit)),
                tuple(self._entered(module, unit.imports.values())),
                tuple(item for text in unit.strings for item in self._file(module, text)),
            )
        return self._units[key]

    def of_module(self, module: Module) -> ModuleLinks:
        """What importing a module does."""
        if module.name not in self._modules:
            outline = module.outline
            parent = self.names.project.module(module.name.rpartition(".")[0]) if "." in module.name else None
            named = (self.names.imported(module, what) for what in outline.loads)
            loads = [
                *([parent] if parent else []),
                *self._entered(module, outline.loads),
                *(found for found in named if isinstance(found, Module)),
            ]
            acts = REST in outline.units or bool(module.stars)
            collects = any(isinstance(self.names.named(module, chain), Member) for chain in outline.decorators)
            self._modules[module.name] = ModuleLinks(tuple(loads), acts or collects)
        return self._modules[module.name]

    def whole(self, module: Module) -> Iterator[Found]:
        """Every name that a module has, imported ones among them (imported modules only if all of them is)."""
        for what in (*module.outline.imports.values(), *module.outline.loads):
            found = self.names.imported(module, what)
            if what.name == "*" or not isinstance(found, Module):
                yield found
        yield from (Member(module, name) for name in module.outline.units)

    def _found(self, module: Module, unit: Unit) -> Iterator[Found]:
        if unit.dynamic:
            yield module
        for chain in unit.chains:
            found = self.names.named(module, chain, unit.imports)
            # an attribute that a project module does not define may come from its __getattr__
            yield found or self.names.named(module, chain[:1], unit.imports)

    def _entered(self, module: Module, imports: Iterable[Imported]) -> Iterator[Module]:
        for what in imports:
            source = self.names.enter(self.names.absolute(module, what))
            if isinstance(source, Module):
                yield source

    def _file(self, module: Module, text: str) -> Iterator[tuple[str, str]]:
        """The file that a literal names: seen from its module, from a folder above that, or from the lesson."""
        places = self.names.project.places
        folders = [Path(places.lesson), Path(places.above)]
        if module.path:
            depth = module.name.count(".") + bool(module.locations)
            folders = [*module.path.parents[: depth + 1], *folders]
        if text.endswith(".py"):  # sources count by what they define
            return
        for folder in folders:
            content = self.names.project.reads.digest(folder / text)
            if content:
                yield text, content
                return


def reach(target: Target, links: Links) -> Reach:
    """What a definition reaches."""
    walk = _Walk(links)
    walk.note(Member(target.module, target.top))
    while walk.pending:
        walk.follow(*walk.pending.pop())
    return walk.result()


@dataclass(slots=True)
class _Walk:
    links: Links
    units: dict[tuple[str, str], Unit] = field(default_factory=dict)
    pending: list[tuple[Module, str]] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)

    def note(self, found: Found) -> None:
        """Something is reached."""
        match found:
            case Member(module, name):
                unit = module.outline.units.get(name)
                if unit is not None and (module.name, name) not in self.units:
                    self.units[module.name, name] = unit
                    self.pending.append((module, name))
                    self.load(module)
            case Module():
                self.load(found)
                self.take_whole(found)
            case External(dotted):
                top = dotted.partition(".")[0]
                if top not in sys.stdlib_module_names:
                    self.packages.add(top)

    def follow(self, module: Module, name: str) -> None:
        """Everything that a top-level name refers to is reached."""
        links = self.links.of_unit(module, name)
        self.files.update(links.files)
        for source in links.loads:
            self.load(source)
        for found in links.found:
            self.note(found)

    def load(self, module: Module) -> None:
        """A module is imported, and with it its packages and what they import."""
        if module.name in self.loaded:
            return
        self.loaded.add(module.name)
        if module.path and not module.is_source:
            self.files[module.shown] = hashlib.sha256(module.content).hexdigest()
        links = self.links.of_module(module)
        for source in links.loads:
            self.load(source)
        if links.acts:
            self.take_whole(module)

    def take_whole(self, module: Module) -> None:
        """Every name of a module is reached."""
        if module.name not in self.whole:
            self.whole.add(module.name)
            for found in self.links.whole(module):
                self.note(found)

    def result(self) -> Reach:
        """The digest over everything reached, in a fixed order."""
        documented = any(unit.documentation for unit in self.units.values())
        code = {
            f"{module}:{name}": unit.documented if documented else unit.digest
            for (module, name), unit in self.units.items()
        }
        return Reach(digest({"code": code, "files": self.files}), frozenset(self.packages))
