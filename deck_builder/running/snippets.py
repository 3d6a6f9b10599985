"""Listings: the text of a definition as it stands in the file that runs."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from deck_builder.errors import DeckError
from deck_builder.model import Code, SnippetCall
from deck_builder.running.fingerprint import digest
from deck_builder.running.names import Definition, Target

RANGE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def listing(call: SnippetCall, text: str, caption: str) -> Code:
    """The listing of an excerpt; `caption` names it. Raises a `DeckError` for emphasis on lines that do not exist."""
    refuse_highlight(str(call.highlight), text.count("\n") + 1)
    return Code(
        text,
        "python",
        label=call.label,
        filename=caption or None,
        highlight=str(call.highlight),
        fingerprint=digest(text),
        source=call.source,
    )


def excerpt(target: Target, lines: str = "all") -> str:
    """Lines of a definition without their common indentation: all, body, signature, or a range such as `3-9`."""
    node = target.node
    source = target.module.lines
    first, last = _first_line(node), node.end_lineno or node.lineno
    if lines in ("body", "signature"):
        if not isinstance(node, Definition):
            raise DeckError(f"{target.dotted} is a constant, which has no {lines}; its lines are all, or a range 1-2")
        return _body(node, source) if lines == "body" else _signature(node, source)
    if lines != "all":
        first, last = _range(target, lines, first, last)
    return dedent(source[first - 1 : last], node.col_offset)


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _range(target: Target, lines: str, first: int, last: int) -> tuple[int, int]:
    match = RANGE.fullmatch(lines.strip())
    if not match:
        raise DeckError(f"lines: {lines!r} is not understood; it is all, body, signature, or a range such as 3-9")
    start, end = int(match[1]), int(match[2] or match[1])
    count = last - first + 1
    if not 1 <= start <= end <= count:
        raise DeckError(f"lines {lines} of {target.dotted}, which has {count}; a range lies within 1-{count}")
    return first + start - 1, first + end - 1


def _body(node: Definition, source: list[str]) -> str:
    """What follows the signature and the docstring, comments at its beginning among it."""
    has_docstring = ast.get_docstring(node, clean=False) is not None
    statements = node.body[1:] if has_docstring else node.body
    if not statements:
        raise DeckError(f"{node.name} has no body beside its docstring")
    begin = (node.body[0].end_lineno or 0) if has_docstring else _colon_line(node, source)
    if statements[0].lineno <= begin:  # def f(x): return x
        line = source[statements[0].lineno - 1].encode()[statements[0].col_offset :].decode()
        return dedent([line, *source[statements[0].lineno : node.end_lineno]], 0)
    return dedent(source[begin : node.end_lineno], statements[0].col_offset).lstrip("\n")


def _signature(node: Definition, source: list[str]) -> str:
    return dedent(source[node.lineno - 1 : _colon_line(node, source)], node.col_offset)


def _colon_line(node: Definition, source: list[str]) -> int:
    """The line of the colon that ends a signature."""
    text = "\n".join(source[node.lineno - 1 : node.end_lineno])
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                return node.lineno + token.start[0] - 1
    return node.lineno


def dedent(lines: list[str], margin: int) -> str:
    """The lines without up to `margin` leading blanks each; text inside long strings may stand further left."""
    return "\n".join(line[min(margin, len(line) - len(line.lstrip())) :].rstrip() for line in lines).rstrip()


def refuse_highlight(highlight: str, count: int) -> None:
    """Lines to emphasise that the listing does not have are an error."""
    for part in re.split(r"[|,]", highlight):
        if not part.strip() or part.strip() == "all":
            continue
        match = RANGE.fullmatch(part.strip())
        if not match:
            raise DeckError(f"highlight: {part!r} is not understood; it is lines such as 3, 3-5 or 1|3-4")
        start, end = int(match[1]), int(match[2] or match[1])
        if not 1 <= start <= end <= count:
            raise DeckError(f"highlight {part.strip()}: the listing shows lines 1-{count}")
