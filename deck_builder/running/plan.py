"""A lesson's calls as nodes: function, bound arguments, what must be made beforehand, and a fingerprint of it all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal

from deck_builder.cache import Cache
from deck_builder.errors import DeckError
from deck_builder.model import FigureCall, Source, TableCall
from deck_builder.running.dependencies import Dependency, dependencies_of
from deck_builder.running.fingerprint import canonical, digest, files_in
from deck_builder.running.names import Names, Target, resolve
from deck_builder.running.outline import Outline, as_data, from_data
from deck_builder.running.places import Places
from deck_builder.running.project import OutlineStore, Project
from deck_builder.running.reach import Links, Reach, reach
from deck_builder.running.signature import (
    ArgumentError,
    Arguments,
    Parameter,
    Signature,
    bind,
    default_of,
    refuse_reserved,
    signature_of,
)
from deck_builder.running.tickets import Key, Ticket
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions
from deck_builder.running.worker import Call
from deck_builder.values import dataclass, field

FORMAT = 2
"""Of what results look like: raised when that changes, so that older ones are made again."""
OUTLINES = 3
"""The same of outlines, which are made in a moment."""

Kind = Literal["record", "figure", "table"]


@dataclass(frozen=True, slots=True)
class Need:
    """A parameter that receives the records of other nodes."""

    parameter: str
    nodes: tuple[Node, ...]
    many: bool


@dataclass(frozen=True, slots=True)
class Node:
    """One function to run with its arguments."""

    kind: Kind
    name: str
    target: Target
    arguments: Arguments
    needs: tuple[Need, ...]
    key: Key
    versions: Mapping[str, str]
    sized: bool
    default_size: bool

    @property
    def ticket(self) -> Ticket:
        """What its result is found by."""
        return Ticket(self.name, self.key, self.versions)

    def call(self, places: Places, cache: Cache) -> Call:
        """The node as a worker takes it."""
        records = {
            need.parameter: tuple(str(node.key) for node in need.nodes) if need.many else str(need.nodes[0].key)
            for need in self.needs
        }
        seed = self.arguments.values.get("seed")
        return Call(
            name=self.name,
            module=self.target.module.name,
            qualified=self.target.qualified,
            arguments=dict(self.arguments.values),
            records=records,
            paths=self.arguments.paths,
            sized=self.sized,
            default_size=self.default_size,
            seed=seed % 2**32 if isinstance(seed, int) else 0,
            torch="torch" in self.versions,
            places=places,
            cache=cache,
        )


@dataclass(slots=True)
class Planner:
    """Makes nodes, each once. `lang` and `seed` are the deck's; figures start from the tool's style."""

    project: Project
    versions: Versions
    lang: str
    seed: int | None
    tool: Tool
    _nodes: dict[str, Node] = field(default_factory=dict)
    _reaches: dict[tuple[str, frozenset[str]], Reach] = field(default_factory=dict)
    _links: dict[frozenset[str], Links] = field(default_factory=dict)

    def node(self, block: FigureCall | TableCall) -> Node:
        """The node of a call. What does not fit is an error at the argument's line."""
        kind: Kind = "figure" if isinstance(block, FigureCall) else "table"
        try:
            target = resolve(self.project, block.function)
            names = Names(self.project, frozenset({block.function.partition(".")[0], _top(target)}))
            refuse_reserved(signature_of(target))
            return self._node(kind, target, block.arguments, names, ())
        except DeckError as error:
            if error.source is None:
                line = block.lines.get(getattr(error, "argument", ""), block.source.line)
                error.source = Source(block.source.path, line)
            raise

    def record(self, function: str, arguments: Mapping[str, Any]) -> Node:
        """The node of a function by its dotted path that is no figure or table, such as a training."""
        target = resolve(self.project, function)
        return self._node("record", target, arguments, Names(self.project, frozenset({_top(target)})), ())

    def _node(self, kind: Kind, target: Target, given: Mapping[str, Any], names: Names, trail: tuple[str, ...]) -> Node:
        memo = f"{kind} {target.dotted} {sorted(names.roots)} {canonical(given)}"
        if memo not in self._nodes:
            self._nodes[memo] = self._make(kind, target, given, names, trail)
        return self._nodes[memo]

    def _make(self, kind: Kind, target: Target, given: Mapping[str, Any], names: Names, trail: tuple[str, ...]) -> Node:
        if target.dotted in trail:
            raise DeckError(f"{' needs '.join([*trail, target.dotted])}: a dependency cannot need itself")
        signature = signature_of(target)
        dependencies = dependencies_of(signature, names)
        sized = kind == "figure" and "size" in signature
        skip = frozenset({dependency.parameter for dependency in dependencies} | ({"size"} if sized else set()))
        arguments = bind(signature, self._with_settings(signature, given), names, skip=skip)
        needs = tuple(self._need(target, arguments, d, (*trail, target.dotted)) for d in dependencies)
        versions, key = self._fingerprint(kind, target, arguments, needs, names)
        return Node(
            kind=kind,
            name=_shown(target, signature, given, names),
            target=target,
            arguments=arguments,
            needs=needs,
            key=key,
            versions=versions,
            sized=sized,
            default_size=any(p.name == "size" and p.default is not None for p in signature.parameters),
        )

    def _with_settings(self, signature: Signature, given: Mapping[str, Any]) -> dict[str, Any]:
        """The deck's language and seed for functions that declare them."""
        settings = {"lang": self.lang, "seed": self.seed}
        return {name: value for name, value in settings.items() if value is not None and name in signature} | {**given}

    def _need(self, target: Target, arguments: Arguments, dependency: Dependency, trail: tuple[str, ...]) -> Need:
        """The nodes that a dependency asks for: same-named arguments flow to it, those of its marker stay fixed."""
        function = dependency.function
        names = Names(self.project, frozenset({_top(target), _top(function)}))
        signature = signature_of(function)
        unknown = sorted(
            name for name in arguments.computed if name in signature and name not in dependency.variants[0]
        )
        if unknown:
            raise ArgumentError(
                unknown[0],
                f"the argument {unknown[0]!r} of {target.dotted} is also meant for {function.dotted}, but its default "
                "is no literal; give it in the lesson, or make the default a literal",
            )
        flowing = {name: value for name, value in arguments.values.items() if name in signature}
        try:
            nodes = tuple(
                self._node("record", function, {**flowing, **variant}, names, trail) for variant in dependency.variants
            )
        except DeckError as error:
            message = f"{error.message} (made for {dependency.parameter!r} of {target.dotted})"
            raise ArgumentError(getattr(error, "argument", ""), message) from error
        return Need(dependency.parameter, nodes, dependency.many)

    def _fingerprint(
        self, kind: Kind, target: Target, arguments: Arguments, needs: tuple[Need, ...], names: Names
    ) -> tuple[dict[str, str], Key]:
        place = target.dotted, names.roots
        if place not in self._reaches:
            links = self._links.setdefault(names.roots, Links(names))
            self._reaches[place] = reach(target, links)
        reached = self._reaches[place]
        versions = self.versions.of(reached.packages)
        for need in needs:
            for node in need.nodes:
                versions |= node.versions
        code = {
            "format": FORMAT,
            "kind": kind,
            "function": target.dotted,
            "code": reached.digest,
            "arguments": arguments.values,
            "files": files_in(arguments.values, self.project.places.lesson, self.project.reads.digest),
            "needs": {need.parameter: [node.key.code for node in need.nodes] for need in needs},
        }
        style = self.tool.style if kind == "figure" else ""
        return versions, Key(digest(code), digest([versions, style])[:16])


def _top(target: Target) -> str:
    return target.module.name.partition(".")[0]


def _shown(target: Target, signature: Signature, given: Mapping[str, Any], names: Names) -> str:
    """`train_translator(score='dot')`: the function with what it is given other than its defaults."""
    parameters = {parameter.name: parameter for parameter in signature.parameters}
    told = [f"{name}={value!r}" for name, value in given.items() if not _is_default(parameters.get(name), value, names)]
    text = ", ".join(told)
    short = text if len(text) <= 60 else text[:59] + "…"
    return f"{target.qualified}({short})" if short else target.qualified


def _is_default(parameter: Parameter | None, value: Any, names: Names) -> bool:
    try:
        return parameter is not None and canonical(default_of(parameter, names)) == canonical(value)
    except ValueError:
        return False


def outlines_in(cache: Cache) -> OutlineStore:
    """Outlines kept in the cache by their file's content, so that an unchanged file is not parsed again."""

    def keep(key: str, make: Callable[[], Outline]) -> Outline:
        name = f"{key}.{OUTLINES}"
        content = cache.read("outlines", name)
        if content:
            return from_data(json.loads(content))
        made = make()
        with suppress(OSError):
            cache.write("outlines", name, json.dumps(as_data(made), separators=(",", ":")).encode())
        return made

    return keep
