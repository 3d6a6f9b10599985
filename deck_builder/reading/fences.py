"""Fenced code: listings, directives, Quarto cells and raw blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deck_builder.model import Block, Code, Source
from deck_builder.reading import attributes as attribute_lists
from deck_builder.reading.attributes import NONE, Attributes, nearest, report_unknown
from deck_builder.reading.context import Context
from deck_builder.reading.directives import DIRECTIVES, directive
from deck_builder.reading.tree import Node

_BRACED = re.compile(r"\{(?P<name>[A-Za-z][\w-]*)(?P<options>[ ,][^}]*)?\}\s*(?P<argument>.*)")
_INFO = re.compile(r"(?P<language>[^\s{]*)\s*(?P<braces>\{.*\})?\s*")
_OPTION = re.compile(r"(?:#|//|%%|--)\|\s*(?P<key>[\w.-]+):\s*(?P<value>.*?)\s*$")
_LAYOUT_COMMAND = re.compile(r"(?:\s*\\[A-Za-z]+\*?(?:\{[-\d.\w\\]*\})?\s*)+")
_CELLS = frozenset({"python", "r", "julia", "ojs", "bash", "sh", "sql", "javascript", "node", "stan", "rust"})
_DIAGRAMS = frozenset({"mermaid", "dot", "graphviz", "plantuml", "chart"})
_NUMBERED = frozenset({"numberLines", "number-lines", "numberlines", "line-numbers"})
_KEYS = ("filename", "code-line-numbers", "startFrom", "start-from", "lang")


def fence(node: Node, context: Context) -> Sequence[Block]:
    """The block of a code fence; one that is not closed is an error with its line."""
    token, source = node.token, context.place(node.line)
    height = token.map[1] - token.map[0] if token.map else 0
    if height == token.content.count("\n") + 1:
        context.log.error(f"this code block is not closed; end it with a line {token.markup}", source)
        return ()
    info = token.info.strip()
    braced = _BRACED.fullmatch(info)
    if braced is not None:
        return _braced(braced, node, context)
    match = _INFO.fullmatch(info)
    written = match["braces"] if match else None
    found = attribute_lists.parse(written) if written else NONE
    if match is None or found is None:
        context.log.notice(f"`{info}` behind the fence is not understood; the code is shown plain", source)
        language = re.split(r"[\s{]", info, maxsplit=1)[0]
        return [Code(_body(node), language, source=source)]
    if found.raw:
        return _raw(found.raw, node, context)
    return [listing(_body(node), match["language"], found, source, context)]


def _body(node: Node) -> str:
    return node.token.content.rstrip("\n")


def listing(text: str, language: str, found: Attributes, source: Source, context: Context) -> Code:
    """A listing with its attributes; without a language before the braces the first class names it."""
    classes = [name for name in found.classes if name not in _NUMBERED]
    if not language and classes:
        language = classes[0]
    if language in _DIAGRAMS:
        context.log.notice(f"`{language}` is not drawn; its source is shown", source)
    report_unknown(
        found, "a listing", context.log, source, classes=(*found.classes[:1], language, *_NUMBERED), keys=_KEYS
    )
    lines = found.pairs.get("code-line-numbers", "")
    start = found.pairs.get("startFrom", found.pairs.get("start-from"))
    numbered = lines == "true" or bool(_NUMBERED & set(found.classes))
    if start is not None and not start.isdecimal():
        context.log.notice(f"`startFrom={start}` is no line number; lines count from 1", source)
        start, numbered = None, True
    if found.identifier:
        context.labels.unchecked.add(found.identifier)
    return Code(
        text,
        language,
        label=found.identifier,
        filename=found.pairs.get("filename"),
        highlight="" if lines in ("true", "false") else lines,
        first_number=int(start) if start else 1 if numbered else None,
        source=source,
    )


def _braced(match: re.Match[str], node: Node, context: Context) -> Sequence[Block]:
    """`{figure} path`, `{python}` and their kin."""
    name, source = match["name"], context.place(node.line)
    if name in DIRECTIVES and not match["options"]:
        return directive(name, match["argument"].strip(), node, context)
    if name.lower() in _CELLS:
        return _cell(match, node, context)
    if name in _DIAGRAMS:
        context.log.notice(f"`{{{name}}}` is not drawn; its source is shown", source)
    elif hint := nearest(name, DIRECTIVES):
        context.log.error(f"there is no directive `{{{name}}}`{hint}", source)
    else:
        context.log.notice(f"`{{{name}}}` is not understood; its text is shown", source)
    return [Code(_body(node), name, source=source)]


def cell_options(text: str) -> tuple[dict[str, str], str]:
    """The `#| key: value` lines at the head of a cell, and the code below them."""
    options: dict[str, str] = {}
    lines = text.split("\n")
    count = 0
    for line in lines:
        match = _OPTION.match(line)
        if match is None:
            if not line.startswith("#|"):
                break
        else:
            options[match["key"]] = match["value"].strip("\"'")
        count += 1
    return options, "\n".join(lines[count:]).strip("\n")


def _header_options(written: str) -> dict[str, str]:
    """`{r name, include=FALSE}`: options as knitr writes them."""
    return {key: value.lower() for key, value in re.findall(r"([\w.]+)\s*=\s*(TRUE|FALSE)", written)}


def cell_label(info: str, text: str) -> str | None:
    """The label of a Quarto cell, `#| label:` or `{r label}`; None for other fences."""
    match = _BRACED.fullmatch(info.strip())
    if match is None or match["name"].lower() not in _CELLS:
        return None
    named = re.match(r"\s*([A-Za-z][\w.-]*)\s*(?:,|$)", (match["options"] or "").lstrip(" "))
    return cell_options(text)[0].get("label") or (named[1] if named else None)


def _cell(match: re.Match[str], node: Node, context: Context) -> Sequence[Block]:
    """A cell that would run: its code, unless the author shows none of it."""
    options, text = cell_options(_body(node))
    options = {**_header_options(match["options"] or ""), **options}
    source = context.place(node.line)
    if options.get("include") == "false":
        context.log.notice(f"`{{{match['name']}}}` cell is not run; it shows nothing by its own wish", source)
        return ()
    if options.get("eval") != "false":
        context.log.notice(f"`{{{match['name']}}}` cell is not run; its code is shown", source)
    if not text:
        return ()
    label = cell_label(node.token.info, _body(node))
    highlight = options.get("code-line-numbers", "")
    return [
        Code(
            text,
            match["name"].lower(),
            label=label,
            filename=options.get("filename"),
            highlight="" if highlight in ("true", "false") else highlight,
            source=source,
        )
    ]


def _raw(format_name: str, node: Node, context: Context) -> Sequence[Block]:
    """`{=latex}` and its kin: commands without text are left out, anything else is shown."""
    source, text = context.place(node.line), _body(node)
    if format_name in ("latex", "tex", "beamer") and _LAYOUT_COMMAND.fullmatch(text):
        context.log.notice(f"raw LaTeX `{' '.join(text.split())}` has no effect; left out", source)
        return ()
    context.log.notice(f"raw {format_name} is not read; it is shown as written", source)
    return [Code(text, format_name, source=source)] if text.strip() else ()
