"""What a parameter declares to be made beforehand: `model: Annotated[Translator, train_translator]`.

Three markers are understood inside `Annotated`:

- a function: it runs with the same-named arguments of the call that needs it (its own defaults otherwise);
- `functools.partial(train_translator, score="dot")`: the same, with these arguments fixed;
- `each(train_translator, score=("dot", "additive"))`: one run for each combination of the values, passed as a tuple in
  that order. Any function named `each` that the project defines is taken for it.

The markers are ordinary Python: in a notebook one calls them oneself. Other markers mean nothing here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import product
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.running.annotations import Annotation, expand, type_name
from deck_builder.running.names import External, Member, Names, Target, resolve
from deck_builder.running.references import chain_of
from deck_builder.running.signature import Parameter, Signature, literal
from deck_builder.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Dependency:
    """A function whose result a parameter receives; of several `variants` it receives a tuple of results."""

    parameter: str
    function: Target
    variants: tuple[Mapping[str, Any], ...] = field(default=({},))
    many: bool = False


def dependencies_of(signature: Signature, names: Names) -> tuple[Dependency, ...]:
    """The dependencies that a signature declares, in the order of its parameters."""
    found = (_dependency(parameter, names) for parameter in signature.parameters)
    return tuple(dependency for dependency in found if dependency)


def _dependency(parameter: Parameter, names: Names) -> Dependency | None:
    if parameter.annotation is None:
        return None
    annotation = expand(parameter.annotation, names)
    node = annotation.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return None
    if type_name(Annotation(node.value, annotation.module), names) != "Annotated":
        return None
    markers = [_marker(parameter.name, Annotation(marker, annotation.module), names) for marker in node.slice.elts[1:]]
    return next((dependency for dependency in markers if dependency), None)


def _marker(parameter: str, marker: Annotation, names: Names) -> Dependency | None:
    node = marker.node
    if not isinstance(node, ast.Call):
        function = _function(marker, names)
        return Dependency(parameter, function) if function else None
    kind = _kind(Annotation(node.func, marker.module), names)
    if kind is None or not node.args:
        return None
    inner = _marker(parameter, Annotation(node.args[0], marker.module), names)
    if inner is None or inner.many:
        raise DeckError(f"{marker} is to name a function of the project first")
    arguments = _arguments(marker, node, names)
    if kind == "partial":
        return Dependency(parameter, inner.function, ({**inner.variants[0], **arguments},))
    for name, values in arguments.items():
        if not isinstance(values, tuple | list):
            raise DeckError(f"{marker}: {name} is to be a tuple of the values to try")
    combinations = product(*arguments.values())
    variants = tuple({**inner.variants[0], **dict(zip(arguments, values, strict=True))} for values in combinations)
    return Dependency(parameter, inner.function, variants, many=True)


def _kind(annotation: Annotation, names: Names) -> str | None:
    """`partial` or `each`, or None for any other call."""
    chain = chain_of(annotation.node)
    match names.named(annotation.module, chain) if chain else None:
        case External("functools.partial"):
            return "partial"
        case Member(name="each") | External(dotted="figures.each" | "figures.dependencies.each"):
            return "each"
        case _:
            return None


def _arguments(marker: Annotation, node: ast.Call, names: Names) -> dict[str, Any]:
    try:
        return {k.arg: literal(k.value, marker.module, names) for k in node.keywords if k.arg}
    except (ValueError, TypeError) as error:
        raise DeckError(f"the arguments in {marker} are to be literals or constants: {error}") from None


def _function(marker: Annotation, names: Names) -> Target | None:
    chain = chain_of(marker.node)
    match names.named(marker.module, chain) if chain else None:
        case Member() as member:
            target = names.target(member)
        case External(dotted) if not dotted.startswith("typing."):
            try:
                target = resolve(names.project, dotted)
            except DeckError:  # a marker of some other library
                return None
        case _:
            return None
    return target if target and isinstance(target.node, ast.FunctionDef) else None
