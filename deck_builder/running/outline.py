"""A module as its top-level definitions: what each is (a digest) and what each refers to. Made from text alone."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from deck_builder.running.references import Chain, Imported, chain_of, imported_names, references
from deck_builder.values import dataclass

REST = "*"
"""The unit of all module-level statements that are no definition, import or constant."""
IGNORED = frozenset({"ctx", "kind", "type_comment"})
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Unit:
    """One top-level name: the statements that bind it. `digest` leaves out comments, layout and docstrings."""

    digest: str
    documented: str
    """The digest with docstrings, for code that reads them."""
    chains: tuple[Chain, ...]
    imports: Mapping[str, Imported]
    strings: tuple[str, ...]
    dynamic: bool
    documentation: bool
    lines: tuple[int, int]
    """First and last line of the last of its statements."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A module's top level."""

    units: Mapping[str, Unit]
    imports: Mapping[str, Imported]
    loads: tuple[Imported, ...]
    """Every import that runs when the module is imported."""
    decorators: tuple[Chain, ...]
    """What decorates its definitions: a decorator may keep what it decorates in a list of its own."""


def outline(tree: ast.Module) -> Outline:
    """The outline of a module."""
    statements: dict[str, list[ast.stmt]] = {}
    imports: dict[str, Imported] = {}
    loads: list[Imported] = []
    for statement in _without_main(tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            _note_import(statement, imports, loads)
        elif _is_type_checking(statement):
            for inner in ast.walk(statement):
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    imports.update(imported_names(inner))
        elif names := _bound(statement):
            for name in names:
                statements.setdefault(name, []).append(statement)
        elif not _is_text(statement):
            statements.setdefault(REST, []).append(statement)
            _note_inner(statement, statements, imports, loads)
    return Outline(
        units={name: _unit(found) for name, found in statements.items()},
        imports=imports,
        loads=tuple(loads),
        decorators=tuple(sorted({chain for chain in _decorators(tree.body) if chain})),
    )


def _without_main(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements but for `if __name__ == "__main__":`, which importing never runs."""
    for statement in body:
        match statement:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]), orelse=[]):
                continue
        yield statement


def _is_type_checking(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and (chain_of(statement.test) or ("",))[-1] == "TYPE_CHECKING"


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _bound(statement: ast.stmt) -> tuple[str, ...]:
    """The names that a definition or a constant binds; nothing for any other statement."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            names = [_target_names(target) for target in targets]
            return tuple(name for group in names for name in group) if all(names) else ()
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            return (name,)
        case _ if type(statement).__name__ == "TypeAlias":  # Python 3.12
            return (statement.name.id,)  # type: ignore[attr-defined]
        case _:
            return ()


def _target_names(target: ast.expr) -> tuple[str, ...]:
    match target:
        case ast.Name(id=name):
            return (name,)
        case ast.Starred(value=value):
            return _target_names(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            names = [_target_names(element) for element in elements]
            return tuple(name for group in names for name in group) if all(names) else ()
        case _:
            return ()


def _note_import(statement: ast.Import | ast.ImportFrom, imports: dict[str, Imported], loads: list[Imported]) -> None:
    imports.update(imported_names(statement))
    if isinstance(statement, ast.Import):
        loads.extend(Imported(alias.name) for alias in statement.names)
    else:
        loads.extend(imported for _, imported in imported_names(statement))


def _note_inner(
    statement: ast.stmt, statements: dict[str, list[ast.stmt]], imports: dict[str, Imported], loads: list[Imported]
) -> None:
    """Names bound under `try`, `if`, `with`: they are the whole statement."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _note_import(node, imports, loads)
        elif isinstance(node, ast.stmt):
            for name in _bound(node):
                known = statements.setdefault(name, [])
                if not any(statement is other for other in known):
                    known.append(statement)


def _decorators(body: Iterable[ast.stmt]) -> Iterator[Chain | None]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in statement.decorator_list:
                yield chain_of(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _unit(statements: list[ast.stmt]) -> Unit:
    found = references(statements)
    return Unit(
        digest=digest(statements, documented=False),
        documented=digest(statements, documented=True),
        chains=tuple(sorted(found.chains)),
        imports=found.imports,
        strings=tuple(sorted(found.strings)),
        dynamic=found.dynamic,
        documentation=found.documentation,
        lines=_lines(statements[-1]),
    )


def _lines(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return first, statement.end_lineno or first


def digest(statements: Iterable[ast.stmt], *, documented: bool) -> str:
    """A hash of what the statements do: not of comments, layout, line numbers, nor (unless asked) docstrings.

    Own words rather than `ast.dump`, whose form differs between versions of Python.
    """
    words: list[str] = []
    for statement in statements:
        _spell(statement, words, documented)
    return hashlib.sha256(" ".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _spell(node: Any, words: list[str], documented: bool) -> None:
    if isinstance(node, ast.Constant):
        words.append(repr(node.value))
    elif isinstance(node, ast.AST):
        words.append(f"({type(node).__name__}")
        for name in node._fields:
            value = getattr(node, name, None)
            if name == "body" and not documented and isinstance(node, Documented):
                value = _without_docstring(node.body)
            if name not in IGNORED and value is not None and value != []:
                words.append(name)
                _spell(value, words, documented)
        words.append(")")
    elif isinstance(node, list):
        words.append("[")
        for item in node:
            _spell(item, words, documented)
        words.append("]")
    else:
        words.append(repr(node))


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return list(rest)
        case _:
            return body


def as_data(made: Outline) -> dict[str, Any]:
    """The outline as JSON can hold it."""
    return {
        "units": {
            name: [
                unit.digest,
                unit.documented,
                unit.chains,
                _imports_as_data(unit.imports),
                unit.strings,
                unit.dynamic,
                unit.documentation,
                unit.lines,
            ]
            for name, unit in made.units.items()
        },
        "imports": _imports_as_data(made.imports),
        "loads": [_import_as_data(imported) for imported in made.loads],
        "decorators": made.decorators,
    }


def from_data(data: Mapping[str, Any]) -> Outline:
    """The outline that `as_data` wrote."""
    return Outline(
        units={name: _unit_from_data(fields) for name, fields in data["units"].items()},
        imports=_imports_from_data(data["imports"]),
        loads=tuple(Imported(*fields) for fields in data["loads"]),
        decorators=tuple(tuple(chain) for chain in data["decorators"]),
    )


def _unit_from_data(fields: Sequence[Any]) -> Unit:
    digest, documented, chains, imports, strings, dynamic, documentation, lines = fields
    return Unit(
        digest=digest,
        documented=documented,
        chains=tuple(tuple(chain) for chain in chains),
        imports=_imports_from_data(imports),
        strings=tuple(strings),
        dynamic=dynamic,
        documentation=documentation,
        lines=(lines[0], lines[1]),
    )


def _import_as_data(imported: Imported) -> list[Any]:
    return [imported.module, imported.name, imported.level]


def _imports_as_data(imports: Mapping[str, Imported]) -> dict[str, Any]:
    return {name: _import_as_data(imported) for name, imported in imports.items()}


def _imports_from_data(data: Mapping[str, Any]) -> dict[str, Imported]:
    return {name: Imported(*fields) for name, fields in data.items()}
