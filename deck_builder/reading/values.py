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


def values_in(tex: str, source: Source, context: Context) -> tuple[Value, ...]:
    """The values quoted inside a formula, which stay in its TeX until they are known."""
    if "`{value}" not in tex:
        return ()
    found = (quoted_value(match[1], PLAIN, source, context) for match in _IN_TEX.finditer(tex))
    return tuple(value for value in found if value is not None)
