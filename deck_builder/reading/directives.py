"""Directives: ```` ```{figure} ````, ```` ```{table} ```` and ```` ```{snippet} ````, their keys checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.model import Block, FigureCall, Inlines, SnippetCall, Source, TableCall
from deck_builder.reading.attributes import nearest
from deck_builder.reading.context import Context
from deck_builder.reading.inlines import inlines
from deck_builder.reading.tree import Node
from deck_builder.reading.yaml_values import Values, load_mapping
from deck_builder.values import dataclass, replace

DIRECTIVES = ("figure", "table", "snippet")
RESERVED = ("label", "caption", "alt", "width", "height")
SNIPPET_KEYS = ("lines", "highlight", "label", "caption")

_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_LINES = re.compile(r"all|body|signature|\d+(?:-\d+)?")
_HIGHLIGHT = re.compile(r"[\d,|\s-]+|all|(?:all|[\d,\s-]+)(?:\|(?:all|[\d,\s-]+))+")


def directive(name: str, path: str, node: Node, context: Context) -> Sequence[Block]:
    """The call that a directive asks for; with a mistake in it, nothing but the error."""
    source = context.place(node.line)
    if _PATH.fullmatch(path) is None:
        what = f"not `{path}`" if path else "and it is missing"
        context.log.error(f"`{{{name}}}` needs the dotted path of a function, `module.function`, {what}", source)
        return ()
    values = _values(name, node, context)
    if values is None:
        return ()
    reader = _Reader(name, path, values, source, context)
    if name == "snippet":
        return [reader.snippet()]
    return [reader.figure() if name == "figure" else reader.table()]


def _values(name: str, node: Node, context: Context) -> Values | None:
    first = node.line + 1
    try:
        values = load_mapping(node.token.content, lambda line: context.place(first + line))
    except DeckError as error:
        context.log.errors.append(error)
        return None
    if values is None:
        context.log.error(f"the body of `{{{name}}}` must be lines `key: value`", context.place(first))
    return values


@dataclass(frozen=True, slots=True)
class _Reader:
    """The keys of one directive."""

    name: str
    path: str
    values: Values
    source: Source
    context: Context

    def figure(self) -> FigureCall:
        return FigureCall(
            self.path,
            self.arguments(),
            self.label(),
            caption=self.caption(),
            alt=self.text("alt"),
            width=self.percent("width"),
            height=self.percent("height"),
            lines=self.lines(),
            source=self.source,
        )

    def table(self) -> TableCall:
        for key in ("width", "height"):
            if key in self.values.values:
                self.context.log.notice(f"`{key}` has no effect on a table; its rows decide", self.place(key))
        return TableCall(
            self.path,
            self.arguments(),
            self.label(),
            caption=self.caption(),
            alt=self.text("alt"),
            lines=self.lines(),
            source=self.source,
        )

    def snippet(self) -> SnippetCall:
        for key in self.values.values:
            if key not in SNIPPET_KEYS:
                hint = nearest(key, SNIPPET_KEYS) or f"; it knows {', '.join(SNIPPET_KEYS)}"
                self.context.log.error(f"`{{snippet}}` has no key `{key}`{hint}", self.place(key))
        label = self.text("label")
        if label:
            self.context.labels.claim(label, self.place("label"), self.context.log)
        return SnippetCall(
            self.path,
            self.matching("lines", _LINES, "all, body, signature or a range such as 3-9") or "all",
            self.matching("highlight", _HIGHLIGHT, "lines such as 1|3-4") or "",
            label=label,
            caption=self.caption(),
            source=self.source,
        )

    # ------------------------------------------------------------ keys

    def place(self, key: str) -> Source:
        return self.values.places.get(key, self.source)

    def arguments(self) -> MappingProxyType[str, Any]:
        return MappingProxyType({key: value for key, value in self.values.values.items() if key not in RESERVED})

    def lines(self) -> MappingProxyType[str, int]:
        return MappingProxyType({key: place.line for key, place in self.values.places.items()})

    def text(self, key: str) -> str | None:
        value = self.values.values.get(key)
        if value is None:
            return None
        if isinstance(value, (list, dict)):
            self.context.log.error(f"`{key}` must be text", self.place(key))
            return None
        return str(value)

    def label(self) -> str:
        label = self.text("label")
        if label:
            return self.context.labels.claim(label, self.place("label"), self.context.log)
        return self.context.labels.name(self.path, self.source)

    def caption(self) -> Inlines:
        text = self.text("caption")
        if not text:
            return ()
        own = replace(self.context.at(self.place("caption")), own_figure=self.name != "snippet")
        return inlines(text, 0, own, "a caption")

    def matching(self, key: str, pattern: re.Pattern[str], what: str) -> str | None:
        text = self.text(key)
        if text is not None and pattern.fullmatch(text.strip()) is None:
            self.context.log.error(f"`{key}: {text}` must be {what}", self.place(key))
            return None
        return text.strip() if text is not None else None

    def percent(self, key: str) -> float | None:
        value = self.values.values.get(key)
        if value is None:
            return None
        text = str(value).strip().removesuffix("%").strip()
        try:
            number = float(text) if not isinstance(value, bool) else 0.0
        except ValueError:
            number = 0.0
        if not 0 < number <= 100:
            self.context.log.error(
                f"`{key}: {value}` must be a share of the body in percent, such as 60%", self.place(key)
            )
            return None
        return number
