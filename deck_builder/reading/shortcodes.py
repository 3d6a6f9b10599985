"""Quarto shortcodes: `{{< meta key >}}` is filled in, any other is reported and left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deck_builder.reading.files import Text
from deck_builder.reading.log import Log
from deck_builder.values import replace

_SHORTCODE = re.compile(r"(?P<escape>\{?)\{\{<\s*(?P<name>[\w-]+)\s*(?P<arguments>[^\n]*?)\s*>\}\}(?P<end>\}?)")
_ADDRESS = re.compile(r"^(?:https?://\S+)")


def resolve(text: Text, values: Mapping[str, Any], log: Log) -> Text:
    """`text` with its shortcodes replaced; the lines stay where they are.

    Args:
        text: A lesson, included files already in place.
        values: Front matter, for `meta`.
        log: Told what is left out.
    """
    content = text.content
    if "{{<" not in content:
        return text

    def replacement(match: re.Match[str]) -> str:
        if match["escape"] and match["end"]:
            return match[0][1:-1]
        name, arguments = match["name"], match["arguments"]
        source = text.place(content.count("\n", 0, match.start()))
        if name == "meta":
            value = _look_up(values, arguments)
            if value is not None:
                return value
            log.notice(f"`meta {arguments}`: the front matter has no such text; left out", source)
            return ""
        if name == "video" and (address := _ADDRESS.match(arguments)) is not None:
            log.notice("videos are not embedded; a link stands in for it", source)
            return f"<{address[0]}>"
        log.notice(f"shortcode `{name}` is not read; left out", source)
        return ""

    return replace(text, content=_SHORTCODE.sub(replacement, content))


def _look_up(values: Mapping[str, Any], path: str) -> str | None:
    found: Any = values
    for name in path.strip("\"'").split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return str(found) if isinstance(found, (str, int, float)) else None
