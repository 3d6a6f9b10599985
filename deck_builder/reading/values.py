"""`{value} label.name[index]:format`: a measured value quoted in a line of text, or inside a formula."""

from __future__ import annotations

import re

from deck_builder.model import PLAIN, Source, Style, Value
from deck_builder.reading.context import Context
from deck_builder.reading.labels import Use

_VALUE = re.compile(r"\{value\}\s*(?P<label>[\w-]*)\.(?P<name>[^\W\d]\w*)(?:\[(?P<index>-?\d+)\])?(?::(?P<format>.*))?")
_IN_TEX = re.compile(r"`(\{value\}[^`]+)`")


def quoted_value(content: str, style: Style, source: Source, context: Context) -> Value | None:
    """The value that `content`, a text in code quotes, names; a mistake in it is logged."""
    match, log = _VALUE.fullmatch(content.strip()), context.log
    if match is None:
        log.error(f"`{content}` quotes no value; write `{{value}} fig-label.name[index]:format`", source)
        return None
    if match["label"]:
        context.labels.uses.append(Use("value", match["label"], source))
    elif not context.own_figure:
        log.error(f"`.{match['name']}` is a figure's own value, which only its caption can quote; name it", source)
    index = int(match["index"]) if match["index"] else None
    return Value(match["label"], match["name"], index, match["format"] or "", style, written=content, source=source)


def values_in(tex: str, line: int, context: Context) -> tuple[Value, ...]:
    """The values quoted inside a formula that begins at `line`; they stay in its TeX until they are known."""
    if "`{value}" not in tex:
        return ()
    written = _IN_TEX.findall(tex)
    found = (quoted_value(content, PLAIN, _place(content, line, context), context) for content in written)
    return tuple(value for value in found if value is not None)


def _place(content: str, line: int, context: Context) -> Source:
    """The first line from `line` on that holds the content."""
    start = context.text.content.find(content, _offset(context.text.content, line))
    return context.place(context.text.content.count("\n", 0, start) if start >= 0 else line)


def _offset(text: str, line: int) -> int:
    """Where a line, counted from 0, begins."""
    position = 0
    for _ in range(line):
        position = text.find("\n", position) + 1
    return position
