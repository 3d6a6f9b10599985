r"""Display formulas, bare TeX environments, macro definitions and other raw LaTeX blocks."""

from __future__ import annotations

import re

from deck_builder.model import Block, Code, Equation
from deck_builder.reading.context import Context
from deck_builder.reading.tree import Node
from deck_builder.reading.values import values_in

_ENVIRONMENT = re.compile(r"\\begin\{(?P<name>[A-Za-z]+)\*?\}(?P<body>.*)\\end\{(?P=name)\*?\}", re.DOTALL)
_LABEL = re.compile(r"\\label\{([^{}]*)\}\s*|\\(?:nonumber|notag)(?![A-Za-z])\s*")
_INNER = {"align": "aligned", "alignat": "aligned", "flalign": "aligned", "eqnarray": "aligned", "gather": "gathered"}
_BARE = frozenset({"equation", "math", "displaymath", "multline"})
_PLACEHOLDER = re.compile(r"\{\d+\}")


def equation(node: Node, context: Context) -> list[Block]:
    """`$$…$$` or a bare environment; macros defined in it belong to the deck."""
    source = context.place(node.line)
    label = node.token.meta["label"]
    tex = context.take_macros(node.token.content, source)
    named = _LABEL.search(tex)
    if named is not None:
        label = label or (named[1] or "").replace(":", "-") or None
        tex = _LABEL.sub("", tex)
    tex = _inner(tex)
    if not tex:
        return []
    if label:
        context.labels.claim(label, source, context.log)
    return [Equation(tex, label, values=values_in(tex, node.line, context), source=source)]


def _inner(tex: str) -> str:
    """The formula of an environment that itself switches to display style, which `$$` has done already."""
    match = _ENVIRONMENT.fullmatch(tex.strip())
    if match is None or match["name"] not in _BARE | _INNER.keys():
        return tex.strip()
    if match["name"] in _BARE:
        return match["body"].strip()
    name = _INNER[match["name"]]
    body = _PLACEHOLDER.sub("", match["body"], count=1) if match["name"] == "alignat" else match["body"]
    return f"\\begin{{{name}}}{body}\\end{{{name}}}"


def latex(node: Node, context: Context) -> list[Block]:
    """Macro definitions are taken, any other raw LaTeX is shown as written and reported."""
    source = context.place(node.line)
    rest = context.take_macros(node.token.content, source)
    if not rest:
        return []
    context.log.notice(f"raw LaTeX `{rest.splitlines()[0]}` is not read; it is shown as written", source)
    return [Code(rest, "latex", source=source)]
