"""A function's parameters as its source declares them, and the arguments of a lesson bound to them."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.running.annotations import Annotation, Mismatch, convert, expand, is_path
from deck_builder.running.names import Function, Member, Names, Target
from deck_builder.running.project import Module
from deck_builder.running.references import chain_of
from deck_builder.running.suggest import hint
from deck_builder.values import dataclass

RESERVED = ("label", "caption", "alt", "width", "height")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter, in the module that declares it."""

    name: str
    module: Module
    annotation: Annotation | None
    default: ast.expr | None


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function; `open` ones take any further argument (`**options`)."""

    function: Target
    parameters: tuple[Parameter, ...]
    open: bool = False

    def __contains__(self, name: str) -> bool:
        return any(parameter.name == name for parameter in self.parameters)


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a function is called with: plain values, defaults that are literals among them.

    `computed` are parameters whose default only the function itself knows; `paths` are parameters that take a `Path`.
    """

    values: Mapping[str, Any]
    computed: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()


def signature_of(target: Target) -> Signature:
    """The signature of a function; that of a name bound otherwise (`draw = partial(…)`) is open: a worker decides."""
    node = target.node
    if isinstance(node, ast.ClassDef):
        raise DeckError(f"{target.dotted} is a class; name a function")
    if not isinstance(node, Function):
        return Signature(target, (), open=True)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if arguments.posonlyargs:
        raise DeckError(f"{target.dotted} has positional-only parameters; arguments are given by name")
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*defaults, *arguments.defaults], strict=True))
    if "." in target.qualified:
        pairs = pairs[_bound_already(target, node) :]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parameters = tuple(_parameter(target.module, argument, default) for argument, default in pairs)
    return Signature(target, parameters, open=arguments.kwarg is not None)


def _bound_already(target: Target, node: Function) -> int:
    """How many leading parameters of a method Python fills by itself."""
    decorators = {(chain_of(decorator) or ("",))[-1] for decorator in node.decorator_list}
    if "staticmethod" in decorators:
        return 0
    if "classmethod" in decorators:
        return 1
    raise DeckError(f"{target.dotted} is a method that needs an object; name a function, or make it a static method")


def _parameter(module: Module, argument: ast.arg, default: ast.expr | None) -> Parameter:
    annotation = Annotation(argument.annotation, module) if argument.annotation else None
    return Parameter(argument.arg, module, annotation, default)


def refuse_reserved(signature: Signature) -> None:
    """Keys of the directive cannot be parameters: the lesson could never give them."""
    for parameter in signature.parameters:
        if parameter.name in RESERVED:
            raise DeckError(
                f"{signature.function.dotted} has a parameter {parameter.name!r}, which is a key of the directive; "
                "rename the parameter"
            )


def literal(node: ast.expr, module: Module, names: Names) -> Any:
    """The value of a literal expression, in which names stand for constants of the project. Raises ValueError."""
    chain = chain_of(node)
    if chain:
        found = names.named(module, chain)
        target = names.target(found) if isinstance(found, Member) else None
        value = getattr(target.node, "value", None) if target else None
        if target is None or not isinstance(value, ast.expr):
            raise ValueError(f"{'.'.join(chain)} is no constant")
        return literal(value, target.module, names)
    inner = partial(literal, module=module, names=names)
    match node:
        case ast.Tuple(elts=elements):
            return tuple(inner(element) for element in elements)
        case ast.List(elts=elements):
            return [inner(element) for element in elements]
        case ast.Dict(keys=keys, values=values) if all(keys):
            return {inner(key): inner(value) for key, value in zip(keys, values, strict=True) if key}
        case _:
            return ast.literal_eval(node)


def bind(
    signature: Signature, given: Mapping[str, Any], names: Names, *, skip: frozenset[str] = frozenset()
) -> Arguments:
    """The arguments in their annotated form, with literal defaults filled in.

    `skip` are parameters filled by other means. An unknown, missing or unfitting argument is an error that names it
    first, so that its line can be found.
    """
    _refuse_unknown(signature, given, skip)
    values: dict[str, Any] = {}
    computed: set[str] = set()
    paths: set[str] = set()
    for parameter in signature.parameters:
        if parameter.name in skip:
            continue
        if parameter.name in given:
            values[parameter.name] = _fit(parameter, given[parameter.name], names)
        elif parameter.default is None:
            raise ArgumentError(parameter.name, f"{signature.function.dotted} needs the argument {parameter.name!r}")
        else:
            try:
                values[parameter.name] = default_of(parameter, names)
            except ValueError:
                computed.add(parameter.name)
                continue
        if parameter.annotation and is_path(parameter.annotation, names) and isinstance(values[parameter.name], str):
            _refuse_missing(parameter.name, values[parameter.name], names)
            paths.add(parameter.name)
    if signature.open:
        values.update({name: value for name, value in given.items() if name not in values})
    return Arguments(values, frozenset(computed), frozenset(paths))


class ArgumentError(DeckError):
    """An error about one argument: the line of that argument is its place."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument


def _refuse_unknown(signature: Signature, given: Mapping[str, Any], skip: frozenset[str]) -> None:
    """An argument that the function does not have, or that it gets by other means, is an error."""
    known = [parameter.name for parameter in signature.parameters if parameter.name not in skip]
    for name in given:
        if name in skip:
            raise ArgumentError(
                name, f"{name!r} is not for the lesson to give: {signature.function.dotted} is handed it"
            )
        if name not in known and not signature.open:
            has = hint(name, known, "it has") if known else "; it has none"
            raise ArgumentError(name, f"{signature.function.dotted} has no argument {name!r}{has}")


def _fit(parameter: Parameter, value: Any, names: Names) -> Any:
    """The value as the parameter's annotation wants it."""
    if parameter.annotation is None:
        return value
    try:
        return convert(parameter.annotation, value, names)
    except Mismatch as problem:
        expanded = expand(parameter.annotation, names)
        declared = f" ({parameter.name}: {expanded})" if str(expanded) not in str(problem) else ""
        message = f"the argument {parameter.name!r} does not fit: {problem}{declared}"
        raise ArgumentError(parameter.name, message) from None


def _refuse_missing(argument: str, name: str, names: Names) -> None:
    """A file that is not there is an error."""
    if names.project.reads.digest(Path(names.project.places.lesson) / name) is None:
        raise ArgumentError(argument, f"no file {name!r}; {argument!r} names a file as seen from the lesson's folder")


def default_of(parameter: Parameter, names: Names) -> Any:
    """The value of a literal default, as the annotation wants it; ValueError where only the function knows it."""
    if parameter.default is None:
        raise ValueError("no default")
    try:
        value = literal(parameter.default, parameter.module, names)
        json.dumps(value)
    except (TypeError, SyntaxError) as error:
        raise ValueError(str(error)) from error
    try:
        return convert(parameter.annotation, value, names) if parameter.annotation else value
    except Mismatch:
        return value
