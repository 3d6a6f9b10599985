"""What a piece of source refers to outside itself: names, with the attributes taken of them, and files.

A name that the piece binds itself (a parameter, a local variable) refers to nothing outside; a name bound by an import
inside it does. Where this cannot be told from the text (`getattr` with a computed name, `globals()`) it is said so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from deck_builder.values import dataclass, field

Chain = tuple[str, ...]
"""`ops.softmax` as ("ops", "softmax")."""

FILE_NAME = re.compile(r"[^\n\r\t\0{}<>|*?\"]{1,80}\.[A-Za-z][A-Za-z0-9]{0,9}")
BY_NAME = frozenset({"import_module", "find_spec"})
"""Functions that take a module's name."""
DYNAMIC = frozenset({"globals", "locals", "eval", "exec", "__import__"})
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import binds to a name: a module, or a name inside one; `level` counts the dots of a relative import."""

    module: str
    name: str | None = None
    level: int = 0


@dataclass(slots=True)
class References:
    """What some source refers to."""

    chains: set[Chain] = field(default_factory=set)
    imports: dict[str, Imported] = field(default_factory=dict)
    strings: set[str] = field(default_factory=set)
    """Literals that may name a file."""
    dynamic: bool = False
    """It reaches names that its text does not tell."""
    documentation: bool = False
    """It reads docstrings."""


def references(nodes: Iterable[ast.AST]) -> References:
    """What these statements refer to."""
    walk = _Walk()
    for node in nodes:
        walk.visit(node)
    return walk.found


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    """The names an import binds; a star binds the name `*`."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, Imported(node.module or "", alias.name, node.level)
        elif alias.asname:
            yield alias.asname, Imported(alias.name)
        else:
            top = alias.name.split(".")[0]
            yield top, Imported(top)


def chain_of(node: ast.expr) -> Chain | None:
    """`a.b.c` as ("a", "b", "c"); None for any other expression."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else None


class _Walk:
    def __init__(self) -> None:
        self.found = References()
        self.scopes: list[set[str]] = []

    def visit(self, node: ast.AST) -> None:
        """Note what a node refers to."""
        match node:
            case ast.Name():
                if not isinstance(node.ctx, ast.Store):
                    self._reach((node.id,))
            case ast.Attribute():
                self._attribute(node)
            case ast.Global():
                for name in node.names:
                    self._reach((name,))
            case ast.Import() | ast.ImportFrom():
                self.found.imports.update(imported_names(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._visit_all(node.decorator_list)
                self._function(node, node.body)
            case ast.Lambda():
                self._function(node, [node.body])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._scope(set(_stored(part.target for part in node.generators)), ast.iter_child_nodes(node))
            case ast.AnnAssign():
                self._annotated(node)
            case _:
                self._plain(node)

    def _plain(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                self._call(node)
            case ast.Constant(value=str(text)) if may_name_a_file(text):
                self.found.strings.add(text)
            case ast.BinOp() if (path := _joined(node)) and may_name_a_file(path):
                self.found.strings.add(path)
        self._visit_all(ast.iter_child_nodes(node))

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _reach(self, chain: Chain) -> None:
        if any(chain[0] in scope for scope in self.scopes):
            return
        self.found.chains.add(chain)
        self.found.dynamic |= chain[:2] == ("sys", "modules")
        self.found.documentation |= chain == ("__doc__",)

    def _attribute(self, node: ast.Attribute) -> None:
        chain = chain_of(node)
        self.found.documentation |= node.attr == "__doc__"
        if chain:
            self._reach(chain)
        else:
            self.visit(node.value)

    def _call(self, node: ast.Call) -> None:
        chain = chain_of(node.func) or ("",)
        if chain[0] in DYNAMIC or (chain == ("vars",) and not node.args):
            self.found.dynamic = True
        if node.args and (chain == ("getattr",) or chain[-1] in BY_NAME):
            self._by_name(chain[-1], node.args)

    def _by_name(self, function: str, arguments: list[ast.expr]) -> None:
        """`getattr(ops, "softmax")` refers to what it names; `getattr(ops, name)` could refer to anything.

        `find_spec("package")` refers to a package that may be missing: what runs differs where it is installed.
        """
        text = arguments[0] if function in BY_NAME else arguments[min(1, len(arguments) - 1)]
        if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            self.found.dynamic = True
        elif function in BY_NAME:
            self.found.imports[f"import {text.value}"] = Imported(text.value)
            self.found.chains.add((f"import {text.value}",))
        elif chain := chain_of(arguments[0]):
            self._reach((*chain, text.value))

    def _function(self, node: Function, body: Iterable[ast.AST]) -> None:
        """Defaults belong to the scope around; annotations say nothing about what runs."""
        self._visit_all([*node.args.defaults, *(default for default in node.args.kw_defaults if default)])
        self._scope(bound_names(node), body)

    def _scope(self, bound: set[str], nodes: Iterable[ast.AST]) -> None:
        self.scopes.append(bound)
        self._visit_all(nodes)
        self.scopes.pop()

    def _annotated(self, node: ast.AnnAssign) -> None:
        """Annotations of local variables are never evaluated; those of fields are read by dataclasses."""
        self.visit(node.target)
        if node.value:
            self.visit(node.value)
        if not self.scopes:
            self.visit(node.annotation)


def bound_names(function: Function) -> set[str]:
    """Names that are local to a function: its parameters and what it assigns, unless declared global."""
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    names = {parameter.arg for parameter in parameters} | set(_stored(body))
    return names - {name for node in _own_nodes(body) if isinstance(node, ast.Global) for name in node.names}


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in _own_nodes(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


def _own_nodes(nodes: Iterable[ast.AST], comprehension: bool = False) -> Iterator[ast.AST]:
    """The nodes of one scope: nested functions and classes are yielded, not entered; of a comprehension, only `:=`."""
    for node in nodes:
        if not (comprehension and isinstance(node, ast.Name)):
            yield node
        if isinstance(node, ast.NamedExpr):
            yield node.target
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            inner = comprehension or isinstance(node, Comprehension)
            yield from _own_nodes(ast.iter_child_nodes(node), inner)


def _joined(node: ast.expr) -> str:
    """The literal end of a path expression: `folder / "data" / "pairs.tsv"` gives `data/pairs.tsv`."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=str(name))):
            return f"{before}/{name}" if (before := _joined(left)) else name
        case ast.Constant(value=str(name)):
            return name
        case _:
            return ""


def may_name_a_file(text: str) -> bool:
    """Whether a literal looks like a file's name: one line, not long, with a suffix."""
    return "://" not in text and FILE_NAME.fullmatch(text) is not None
