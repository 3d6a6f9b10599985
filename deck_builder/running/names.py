"""What a name in a module's source stands for: a definition, a module, or something of an installed package."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from deck_builder.errors import DeckError
from deck_builder.running.project import PROTECTED, Module, Project
from deck_builder.running.references import Chain, Imported, chain_of
from deck_builder.running.suggest import hint
from deck_builder.values import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Member:
    """A top-level name of a module, and the attributes taken of it (`Heads.draw`)."""

    module: Module
    name: str
    attributes: Chain = ()

    @property
    def qualified(self) -> str:
        """`Heads.draw`."""
        return ".".join((self.name, *self.attributes))


@dataclass(frozen=True, slots=True)
class External:
    """Something whose source is not read: standard library, or an installed package that is not the project."""

    dotted: str


Found = Member | Module | External | None


@dataclass(frozen=True, slots=True)
class Target:
    """A definition with its syntax tree."""

    module: Module
    qualified: str
    node: ast.stmt

    @property
    def dotted(self) -> str:
        """The path by which it is found where it is defined."""
        return f"{self.module.name}.{self.qualified}"

    @property
    def top(self) -> str:
        """The top-level name that it belongs to."""
        return self.qualified.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Names:
    """Names resolved in one project. `roots` are installed packages that count as the project's own code."""

    project: Project
    roots: frozenset[str] = field(default_factory=frozenset)

    def follows(self, module: Module) -> bool:
        """Whether a module's source is read."""
        return module.home or module.name.partition(".")[0] in self.roots

    def enter(self, dotted: str) -> Module | External | None:
        """The module of that absolute name."""
        top = dotted.partition(".")[0]
        if top in PROTECTED and top not in self.roots:
            return External(dotted)
        module = self.project.module(top)
        if module is None or not self.follows(module):
            return External(dotted)
        return self.project.module(dotted)

    def imported(self, module: Module, what: Imported, seen: frozenset[tuple[str, str]] = frozenset()) -> Found:
        """What an import in a module binds."""
        dotted = self.absolute(module, what)
        source = self.enter(dotted)
        if what.name is None or what.name == "*" or source is None:
            return source
        if isinstance(source, External):
            return External(f"{dotted}.{what.name}")
        return self.attribute(source, what.name, seen)

    def absolute(self, module: Module, what: Imported) -> str:
        """The module that an import names, without dots in front."""
        if not what.level:
            return what.module
        package = module.package.split(".")
        base = package[: len(package) - what.level + 1]
        return ".".join([*base, what.module] if what.module else base)

    def attribute(self, module: Module, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> Found:
        """What `module.name` is."""
        key = (module.name, name)
        outline = module.outline
        if key not in seen:
            seen |= {key}
            if name in outline.units and name != "*":
                return Member(module, name)
            if name in outline.imports and name != "*":
                return self.imported(module, outline.imports[name], seen)
            for star in module.stars:
                source = self.imported(module, star)
                found = self.attribute(source, name, seen) if isinstance(source, Module) else None
                if found is not None:
                    return found
        return self.project.module(f"{module.name}.{name}")

    def named(self, module: Module, chain: Chain, local: Mapping[str, Imported] | None = None) -> Found:
        """What a chain of names in a module stands for; `local` are imports inside the function it is read in."""
        if local and chain[0] in local:
            found = self.imported(module, local[chain[0]])
        elif chain[0] in module.outline.units or chain[0] in module.outline.imports or module.stars:
            found = self.attribute(module, chain[0])
        else:
            return None
        for name in chain[1:]:
            match found:
                case Module():
                    found = self.attribute(found, name)
                case Member(inner, top, attributes):
                    found = Member(inner, top, (*attributes, name))
                case External(dotted):
                    found = External(f"{dotted}.{name}")
                case None:
                    return None
        return found

    def target(self, member: Member) -> Target | None:
        """The definition of a member; attributes are looked up in the class and its bases."""
        node = member.module.statement(member.name)
        place, qualified = member.module, member.name
        for name in member.attributes:
            if not isinstance(node, ast.ClassDef):
                return None
            found = self._class_attribute(place, qualified, node, name)
            if found is None:
                return None
            place, qualified, node = found.module, found.qualified, found.node
        return None if node is None else Target(place, qualified, node)

    def _class_attribute(self, module: Module, qualified: str, node: ast.ClassDef, name: str) -> Target | None:
        for statement in reversed(node.body):
            if isinstance(statement, Definition) and statement.name == name:
                return Target(module, f"{qualified}.{name}", statement)
        for base in node.bases:
            chain = chain_of(base)
            found = self.named(module, chain) if chain else None
            parent = self.target(found) if isinstance(found, Member) else None
            if parent and isinstance(parent.node, ast.ClassDef):
                inherited = self._class_attribute(parent.module, parent.qualified, parent.node, name)
                if inherited:
                    return inherited
        return None


def resolve(project: Project, dotted: str) -> Target:
    """The definition that a dotted path in a lesson names; an unknown part is an error with close matches."""
    parts = dotted.split(".")
    if not all(part.isidentifier() for part in parts):
        raise DeckError(f"{dotted!r} is no dotted path; write module.function, for example figures.heatmaps.alignment")
    names = Names(project, frozenset({parts[0]}))
    found: Found = project.module(parts[0])
    if found is None:
        raise DeckError(f"no module {parts[0]!r} beside the lesson or installed{hint(parts[0], project.top_level())}")
    if len(parts) == 1:
        members = project.members(found) if isinstance(found, Module) else set()
        raise DeckError(f"{dotted} is a module; name a function in it{hint('', members, 'it has')}")
    for number, part in enumerate(parts[1:], start=1):
        before, found = found, _step(names, found, part, last=number == len(parts) - 1)
        if found is None:
            raise _unknown(names, before, parts, number)
    return _as_target(names, dotted, found)


def _step(names: Names, found: Found, part: str, *, last: bool) -> Found:
    """One part further. A package may have a module and a function of one name: the last part means the function."""
    match found:
        case Module():
            inner = None if last else names.project.module(f"{found.name}.{part}")
            return inner or names.attribute(found, part)
        case Member(module, name, attributes):
            member = Member(module, name, (*attributes, part))
            return member if names.target(member) else None
        case External(dotted):
            return External(f"{dotted}.{part}")
        case None:
            return None


def _unknown(names: Names, before: Found, parts: list[str], number: int) -> DeckError:
    known: set[str] = set()
    if isinstance(before, Module):
        known = names.project.members(before)
    elif isinstance(before, Member) and (target := names.target(before)) and isinstance(target.node, ast.ClassDef):
        known = {inner.name for inner in target.node.body if isinstance(inner, Definition)}
    what = "module or function" if number < len(parts) - 1 else "function"
    place = ".".join(parts[:number])
    return DeckError(f"{place} has no {what} {parts[number]!r}{hint(parts[number], known, 'it has')}")


def _as_target(names: Names, dotted: str, found: Found) -> Target:
    match found:
        case Member() if target := names.target(found):
            return target
        case External(outside):
            return resolve(names.project, outside)  # a re-export from another installed package
        case Module():
            members = names.project.members(found)
            raise DeckError(f"{dotted} is a module; name a function in it{hint('', members, 'it has')}")
        case _:
            raise DeckError(
                f"{dotted} is not defined where its source can be read; name the function where it is written"
            )
