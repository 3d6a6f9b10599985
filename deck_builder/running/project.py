"""Where the modules of a lesson lie, found without importing them.

A name is looked for in the lesson's folder, then in the folder above it, then in what is installed: the order in which
a worker finds it when it imports. Names of the standard library and of what the tool needs never mean a file beside
the lesson; in the lesson's own folder such a file is an error, because whoever wrote it expected it to be used.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.machinery
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from deck_builder.errors import DeckError
from deck_builder.running.outline import Outline, outline
from deck_builder.running.places import Places
from deck_builder.running.reads import Reads
from deck_builder.running.references import Imported
from deck_builder.values import dataclass, field

REQUIRED = frozenset(
    {
        *("babel", "click", "deck_builder", "fontTools", "lxml", "markdown_it", "math_core", "matplotlib"),
        *("mdit_py_plugins", "mpl_toolkits", "numpy", "PIL", "pptx", "pygments", "resvg_py", "safetensors", "torch"),
        *("yaml", "ziafont", "ziamath"),
    }
)
PROTECTED = sys.stdlib_module_names | REQUIRED
"""Names that a worker always takes from what is installed."""

OutlineStore = Callable[[str, Callable[[], Outline]], Outline]
"""Gives the outline kept under a key, or makes and keeps it."""


@dataclass(frozen=True, eq=False)
class Module:
    """A module or package as files. `locations` is empty for a plain module; `path` is None for a namespace package."""

    name: str
    path: Path | None
    locations: tuple[str, ...]
    home: bool
    """It lies beside the lesson or is being developed elsewhere: its source counts, not an installed version."""
    shown: str
    keep: OutlineStore = field(repr=False)
    reads: Reads = field(repr=False)

    @cached_property
    def content(self) -> bytes:
        """The file's bytes."""
        return self.reads.content(self.path) if self.path else b""

    @property
    def is_source(self) -> bool:
        """Whether there is Python source to read."""
        return self.path is None or self.path.suffix in importlib.machinery.SOURCE_SUFFIXES

    @cached_property
    def text(self) -> str:
        """The source text."""
        try:
            return importlib.util.decode_source(self.content) if self.is_source else ""
        except (SyntaxError, UnicodeDecodeError) as error:
            raise DeckError(f"{self.shown} cannot be read as Python: {error}") from error

    @cached_property
    def lines(self) -> list[str]:
        """The source text by lines as Python counts them (`str.splitlines` knows further line ends)."""
        return self.text.split("\n")

    @cached_property
    def tree(self) -> ast.Module:
        """The source as a syntax tree; a syntax error is an error of the lesson."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError) as error:
            place = f"{self.shown}:{getattr(error, 'lineno', None) or 1}"
            raise DeckError(f"{place}: {getattr(error, 'msg', error)}; mend the file") from error

    @cached_property
    def outline(self) -> Outline:
        """The module's top level."""
        return self.keep(hashlib.sha256(self.content).hexdigest()[:32], lambda: outline(self.tree))

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.locations else self.name.rpartition(".")[0]

    def statement(self, name: str) -> ast.stmt | None:
        """The last top-level statement that binds a name. Its lines alone are parsed, unless it is nested."""
        unit = self.outline.units.get(name)
        if unit is None:
            return None
        first, last = unit.lines
        lines = self.lines[first - 1 : last]
        if lines[0][:1].isspace() or lines[0].startswith(("if", "try", "with", "for", "while")):
            return _binding(_statements(self.tree.body), name)
        return _binding(ast.parse("\n" * (first - 1) + "\n".join(lines)).body, name)

    @cached_property
    def stars(self) -> tuple[Imported, ...]:
        """The star imports of its top level."""
        return tuple(what for what in self.outline.loads if what.name == "*")


def _binding(statements: Iterable[ast.stmt], name: str) -> ast.stmt | None:
    """The last statement that binds a name."""
    for node in reversed(list(statements)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                return node
            case ast.Assign(targets=targets) if any(_binds(target, name) for target in targets):
                return node
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr()) if bound == name:
                return node
            case _ if type(node).__name__ == "TypeAlias" and node.name.id == name:  # type: ignore[attr-defined]
                return node
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Top-level statements, those under `if` and `try` among them."""
    for node in body:
        yield node
        for inner in ("body", "handlers", "orelse", "finalbody"):
            if isinstance(node, ast.If | ast.Try):
                for part in getattr(node, inner, []):
                    yield from _statements(part.body if isinstance(part, ast.ExceptHandler) else [part])


def _binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target))


class Project:
    """The modules that a lesson can reach, each read once."""

    def __init__(self, places: Places, keep: OutlineStore = lambda _, make: make()) -> None:
        self.places = places
        self.reads = Reads(places)
        self._keep = keep
        self._homes = places.homes
        self._modules: dict[str, Module | None] = {}
        importlib.invalidate_caches()

    def module(self, name: str) -> Module | None:
        """The module of that dotted name, or None."""
        if name not in self._modules:
            parent, _, last = name.rpartition(".")
            if parent:
                package = self.module(parent)
                found = self._find(name, last, package.locations) if package and package.locations else None
            else:
                found = self._find(name, name, self.places.installed if name in PROTECTED else self.places.path)
            self._modules[name] = found
        return self._modules[name]

    def _find(self, name: str, last: str, path: Sequence[str]) -> Module | None:
        self.reads.looked_up(last, path)
        # The last part alone: a dotted name would make a namespace package look for its parent among imported modules.
        spec = importlib.machinery.PathFinder.find_spec(last, list(path))
        if spec is None:
            return None
        locations = tuple(spec.submodule_search_locations or ())
        path_of = Path(spec.origin) if spec.origin and spec.has_location else None
        return Module(
            name=name,
            path=path_of,
            locations=locations,
            home=self._is_home(name, path_of, locations),
            shown=self.places.shown(path_of or (locations[0] if locations else last)),
            keep=self._keep,
            reads=self.reads,
        )

    def _is_home(self, name: str, path: Path | None, locations: Sequence[str]) -> bool:
        top, _, rest = name.partition(".")
        if rest:
            parent = self.module(top)
            return parent is not None and parent.home
        folders = [Path(location).parent for location in locations] or ([path.parent] if path else [])
        return any(str(folder) in self._homes for folder in folders)

    def members(self, module: Module) -> set[str]:
        """Every name that a dotted path may go on with after the module."""
        inner = {found.name for found in pkgutil.iter_modules(module.locations)}
        return {name for name in (*module.outline.units, *module.outline.imports, *inner) if name != "*"}

    def top_level(self) -> set[str]:
        """Names of the modules beside the lesson."""
        folders = [self.places.lesson, self.places.above]
        packages = {
            entry.name
            for folder in folders
            for entry in Path(folder).iterdir()
            if entry.is_dir() and entry.name.isidentifier()
        }
        return packages | {found.name for found in pkgutil.iter_modules(folders)}

    def refuse_shadows(self) -> None:
        """A file of the lesson that has the name of a standard or required module is an error."""
        for found in pkgutil.iter_modules([self.places.lesson]):
            if found.name in PROTECTED:
                kind = "package" if found.ispkg else "file"
                raise DeckError(
                    f"the lesson's {kind} {found.name} has the name of a module that Python or the tool itself needs; "
                    f"rename it, for example my_{found.name}"
                )
