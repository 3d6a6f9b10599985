"""Decks of other slide tools: recognised by their front matter or separators, and refused in one clear line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from deck_builder.errors import DeckError
from deck_builder.reading.front_matter import Front

_FENCED = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^ {0,3}(?P=fence)[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
_SLIDEV_KEYS = frozenset(
    {"drawings", "mdc", "highlighter", "lineNumbers", "colorSchema", "routerMode", "routeAlias", "hideInToc", "clicks"}
)
_SLIDEV = re.compile(
    r"^---+\n(?:layout|level|clicks|transition|routeAlias|hideInToc|class|background|image):[^\n]*\n(?:[^\n]+\n)*?---+$"
    r"|^::(?:right|left|default|title|content)::$|^</?v-clicks?\b",
    re.MULTILINE,
)
_REMARK = re.compile(r"^\?\?\?+[ \t]*$|(?:\A\s*|^---?[ \t]*\n)(?:class|layout|template|count): [^\n]*$", re.MULTILINE)
_REVEAL_KEYS = frozenset({"revealOptions", "verticalSeparator", "separator", "highlightTheme"})
_REVEAL = re.compile(r"<!--\s*\.(?:slide|element):")


class _Tool(NamedTuple):
    name: str
    sign: Callable[[Front, str], bool]
    unread: str


def _is_marp(front: Front, _body: str) -> bool:
    return front.values.values.get("marp") is True


def _is_slidev(front: Front, body: str) -> bool:
    values = front.values.values
    section = values.get("layout") is not None and "title" not in values and "format" not in values
    return bool(_SLIDEV_KEYS & values.keys()) or bool(_SLIDEV.search(body)) or (section and "\n---\n" in body)


def _is_remark(front: Front, body: str) -> bool:
    return not front.values.values and bool(_REMARK.search(body))


def _is_reveal(front: Front, body: str) -> bool:
    return bool(_REVEAL_KEYS & front.values.values.keys()) or bool(_REVEAL.search(body))


_TOOLS = (
    _Tool("Marp", _is_marp, "`marp: true`, its directives and `![bg]` pictures"),
    _Tool("Slidev", _is_slidev, "its per-slide settings, layouts and Vue components"),
    _Tool("reveal.js", _is_reveal, "its separators and `.slide` comments"),
    _Tool("remark", _is_remark, "its `class:` lines, `.class[…]` and `???` notes"),
)


def refuse(front: Front) -> None:
    """Raise when the file is a deck of another tool.

    Raises:
        DeckError: Naming the tool and what of it is not read.
    """
    body = front.text.content
    if any(sign in body for sign in ("```", "~~~")):
        body = _FENCED.sub("", body)
    for tool in _TOOLS:
        if tool.sign(front, body):
            raise DeckError(
                f"this is a {tool.name} deck; {tool.unread} are not read; "
                "begin slides with `## Title` or `---` and put notes into `::: notes`",
                front.text.place(0),
            )
