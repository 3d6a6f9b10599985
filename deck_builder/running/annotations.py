"""Arguments checked against annotations that are read, not evaluated.

`int float str bool None`, `Literal`, paths, containers and unions of these are decided here, and values are brought
into the annotated form (YAML has no tuples, and writes 3 where 3.0 is meant). Any other annotation accepts every value:
what it means shows only when the function is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from deck_builder.running.names import External, Member, Names
from deck_builder.running.project import Module
from deck_builder.running.references import chain_of
from deck_builder.running.suggest import hint, listed
from deck_builder.values import dataclass

SCALARS = {"int": int, "float": float, "str": str, "bool": bool, "None": type(None)}
SEQUENCES = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence"})
SETS = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
TYPING = ("typing.", "typing_extensions.", "collections.abc.", "pathlib.")
EXPONENT = re.compile(r"[+-]?\d+[eE][+-]?\d+")


class Mismatch(Exception):
    """A value does not fit its annotation; the text says what would."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation with the module whose names it uses."""

    node: ast.expr
    module: Module

    def __str__(self) -> str:
        return ast.unparse(self.node)


def expand(annotation: Annotation, names: Names) -> Annotation:
    """The annotation behind quotes and aliases (`Score = Literal["dot", "additive"]`)."""
    for _ in range(20):
        node, module = annotation.node, annotation.module
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                annotation = Annotation(ast.parse(node.value, mode="eval").body, module)
            except SyntaxError:
                return annotation
            continue
        chain = chain_of(node)
        found = names.named(module, chain) if chain else None
        target = names.target(found) if isinstance(found, Member) else None
        value = getattr(target.node, "value", None) if target else None
        if target is None or value is None:
            return annotation
        annotation = Annotation(value, target.module)
    return annotation


def type_name(annotation: Annotation, names: Names) -> str | None:
    """`int`, `Literal`, `Path`: the name of a type known here; None for a type of anybody's own."""
    chain = chain_of(annotation.node)
    if isinstance(annotation.node, ast.Constant) and annotation.node.value is None:
        return "None"
    if chain is None:
        return None
    match names.named(annotation.module, chain):
        case None if len(chain) == 1:
            return chain[0]
        case External(dotted) if dotted.startswith(TYPING):
            return dotted.rpartition(".")[2]
        case _:
            return None


def is_path(annotation: Annotation, names: Names) -> bool:
    """Whether a parameter takes a `Path`, or a `Path` or None."""
    annotation = expand(annotation, names)
    options = _options(annotation, names)
    if options:
        return any(is_path(option, names) for option in options)
    return type_name(annotation, names) == "Path"


def convert(annotation: Annotation, value: Any, names: Names) -> Any:
    """The value in its annotated form. Raises `Mismatch` where it cannot fit."""
    annotation = expand(annotation, names)
    options = _options(annotation, names)
    if options:
        return _convert_union(annotation, options, value, names)
    if isinstance(annotation.node, ast.Subscript):
        return _convert_generic(annotation, annotation.node, value, names)
    name = type_name(annotation, names)
    if name in SCALARS:
        return _convert_scalar(name, value)
    if name in SEQUENCES | SETS | MAPPINGS or name in ("tuple", "Tuple"):
        return _container(name, value)
    if name == "Path" and not isinstance(value, str):
        raise Mismatch(f"a file's name is expected, not {value!r}")
    return value


def _options(annotation: Annotation, names: Names) -> list[Annotation]:
    """The members of a union; nothing when it is none."""
    node, module = annotation.node, annotation.module
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = (expand(Annotation(side, module), names) for side in (node.left, node.right))
        return [option for side in sides for option in (_options(side, names) or [side])]
    if isinstance(node, ast.Subscript):
        head = type_name(Annotation(node.value, module), names)
        if head == "Optional":
            return [Annotation(node.slice, module), Annotation(ast.Constant(None), module)]
        if head == "Union":
            return [Annotation(part, module) for part in _parts(node)]
    return []


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _convert_union(annotation: Annotation, options: list[Annotation], value: Any, names: Names) -> Any:
    """The form of the first option that takes the value unchanged, else of the first that takes it at all."""
    taken = []
    problems = []
    for option in options:
        try:
            taken.append(convert(option, value, names))
        except Mismatch as problem:
            problems.append(str(problem))
    if not taken:
        choices = [text for text in problems if "did you mean" in text]
        raise Mismatch(choices[0] if choices else f"{annotation} is expected, not {value!r}")
    return next((one for one in taken if type(one) is type(value) and one == value), taken[0])


def _convert_generic(annotation: Annotation, node: ast.Subscript, value: Any, names: Names) -> Any:
    head = type_name(Annotation(node.value, annotation.module), names)
    parts = [Annotation(part, annotation.module) for part in _parts(node)]
    if head == "Literal":
        return _convert_literal(_parts(node), value)
    if head in ("Annotated", "Final", "Required"):
        return convert(parts[0], value, names)
    if head in ("tuple", "Tuple"):
        return _convert_tuple(parts, value, names)
    if head in SEQUENCES | SETS:
        made = _container(head, value)
        items = _each(list(made), [parts[0]] * len(made), names)
        return frozenset(items) if head in SETS else items
    if head in MAPPINGS and len(parts) == 2:
        return _convert_mapping(parts[0], parts[1], _container(head, value), names)
    return value


def _convert_literal(parts: Sequence[ast.expr], value: Any) -> Any:
    try:
        choices = [ast.literal_eval(part) for part in parts]
    except ValueError:  # members of an Enum: known only when imported
        return value
    if any(type(choice) is type(value) and choice == value for choice in choices):
        return value
    close = hint(value, [c for c in choices if isinstance(c, str)]) if isinstance(value, str) else ""
    raise Mismatch(f"{value!r} is not {listed(choices)}{close}")


def _convert_tuple(parts: list[Annotation], value: Any, names: Names) -> tuple[Any, ...]:
    items = list(_container("tuple", value))
    if len(parts) == 2 and isinstance(parts[1].node, ast.Constant) and parts[1].node.value is ...:
        return tuple(_each(items, [parts[0]] * len(items), names))
    if len(parts) != len(items):
        raise Mismatch(f"{len(parts)} entries are expected, not {len(items)}")
    return tuple(_each(items, parts, names))


def _convert_mapping(keys: Annotation, values: Annotation, mapping: dict[Any, Any], names: Names) -> dict[Any, Any]:
    made = {}
    for key, item in mapping.items():
        with _at(key):
            made[convert(keys, key, names)] = convert(values, item, names)
    return made


def _each(items: list[Any], annotations: Sequence[Annotation], names: Names) -> list[Any]:
    made = []
    for index, (item, annotation) in enumerate(zip(items, annotations, strict=True)):
        with _at(index):
            made.append(convert(annotation, item, names))
    return made


@contextmanager
def _at(key: Any) -> Iterator[None]:
    """Say where in a container a value does not fit."""
    try:
        yield
    except Mismatch as problem:
        raise Mismatch(f"at [{key!r}] {problem}") from None


def _container(name: str | None, value: Any) -> Any:
    if name in MAPPINGS:
        if not isinstance(value, dict):
            raise Mismatch(f"a mapping is expected, not {value!r}")
        return value
    if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset):
        raise Mismatch(f"a list is expected, not {value!r}")
    if name in SETS:
        return frozenset(value)
    return tuple(value) if name in ("tuple", "Tuple") else list(value)


def _convert_scalar(name: str, value: Any) -> Any:
    if type(value) is SCALARS[name]:
        return value
    if name == "float" and (type(value) is int or (isinstance(value, str) and EXPONENT.fullmatch(value))):
        return float(value)  # YAML reads 1e-3, without a point, as text
    quotes = (
        "; write it in quotes" if name == "str" and value is not None and not isinstance(value, list | dict) else ""
    )
    raise Mismatch(f"{name} is expected, not {value!r}{quotes}")
