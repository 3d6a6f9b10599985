"""Front matter and pandoc's `%` title block → the deck's settings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Literal, cast

from deck_builder.errors import DeckError
from deck_builder.model import EMPTY, Inlines, Settings, Source, Value
from deck_builder.reading.attributes import nearest
from deck_builder.reading.files import Text
from deck_builder.reading.log import Log
from deck_builder.reading.pieces import plain
from deck_builder.reading.yaml_values import Values, load_mapping
from deck_builder.values import dataclass, replace

_BLOCK = re.compile(r"\A\s*?(?P<open>---)[ \t]*\n(?P<yaml>(?!\s*\n)(?:.*\n)*?)(?:---|\.\.\.)[ \t]*\n")
_PERCENT = re.compile(r"\A(?:%[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){1,3}")

KEYS = (
    *("title", "subtitle", "author", "institute", "date", "lang", "template", "footer", "toc", "toc-notes"),
    *("notes", "slide-level", "incremental", "fit", "math-fallback", "seed", "macros", "bibliography", "format"),
)
_ALIASES = {"reference-doc": "template", "reference_doc": "template", "slide_level": "slide-level"}
"""What Quarto and R Markdown call our keys inside `format: pptx:` and `output: powerpoint_presentation:`."""


@dataclass(frozen=True, slots=True)
class Front:
    """What a file says about itself, and its text with those lines blanked, so that line numbers stay true."""

    values: Values
    text: Text


def split(text: Text, log: Log) -> Front:
    """Part a file's front matter from its text; mistakes in it go to the log."""
    match = _BLOCK.match(text.content)
    values: Values | None = None
    if match is not None:
        first = text.content.count("\n", 0, match.start("yaml"))
        try:
            values = load_mapping(match["yaml"], lambda line: text.place(first + line))
        except DeckError as error:
            log.errors.append(error)
            values = Values()
    elif (match := _PERCENT.match(text.content)) is not None:
        values = _percent_block(match[0], text)
    if match is None or values is None:
        return Front(Values(), text)
    return Front(values, replace(text, content="\n" * match[0].count("\n") + text.content[match.end() :]))


def _percent_block(block: str, text: Text) -> Values:
    """`% title`, `% author(s)`, `% date`, each continued on indented lines."""
    values: dict[str, Any] = {}
    places: dict[str, Source] = {}
    fields = re.finditer(r"^%[^\n]*\n(?:[ \t]+[^\n]*\n)*", block, re.MULTILINE)
    for name, found in zip(("title", "author", "date"), fields, strict=False):
        lines = [line.strip() for line in found[0][1:].splitlines() if line.strip()]
        if not lines:
            continue
        places[name] = text.place(block.count("\n", 0, found.start()))
        people = [person.strip() for line in lines for person in line.split(";")]
        values[name] = people if name == "author" else " ".join(lines)
    return Values(values, places)


def flatten(front: Values, log: Log) -> Values:
    """Front matter with the settings of `format: pptx:` (or R Markdown's `output:`) in their place."""
    values = dict(front.values)
    places, begins = dict(front.places), dict(front.begins)
    for outer, ours in (("format", "pptx"), ("output", "powerpoint_presentation")):
        formats = values.pop(outer, None)
        named = formats if isinstance(formats, Mapping) else {formats: None} if formats else {}
        for name in named:
            if name != ours:
                log.notice(f"settings for `{outer}: {name}` are not read; only those for `{ours}` are", places[outer])
        nested = named.get(ours)
        for name, value in nested.items() if isinstance(nested, Mapping) else ():
            key = _ALIASES.get(str(name), str(name))
            values[key], places[key] = value, places[outer]
            begins.pop(key, None)
    return Values(values, places, begins)


def settings(front: Values, inlines: Callable[[str, Source], Inlines], log: Log) -> Settings:
    """The deck's settings.

    Args:
        front: Flattened front matter of the first file.
        inlines: Reads a line of Markdown.
        log: Told of unknown keys and wrong values.
    """
    reader = _Reader(front, log)

    def words(key: str) -> str:
        found = inlines(reader.text(key), reader.place(key))
        if any(isinstance(inline, Value) for inline in found):
            log.notice(
                f"a value in `{key}` is not filled in; title, subtitle and notes may quote values", front.places[key]
            )
        return plain(found)

    for key in front.values:
        if key not in KEYS:
            log.notice(f"front matter `{key}` is not read{nearest(key, KEYS)}", front.places[key])
    if front.values.get("incremental") is True:
        log.notice("`incremental` is not kept yet; lists show everything at once", front.places["incremental"])
    if front.values.get("bibliography"):
        log.notice("citations are not set yet; they stay as written", front.places["bibliography"])
    return Settings(
        title=inlines(reader.text("title"), reader.place("title")),
        subtitle=inlines(reader.text("subtitle"), reader.place("subtitle")),
        author=words("author"),
        institute=words("institute"),
        date=build_date() if reader.text("date").lower() in ("today", "now") else reader.text("date"),
        lang=reader.text("lang") or "en-US",
        template=reader.text("template") or None,
        footer=words("footer") or None,
        toc=reader.flag("toc"),
        slide_level=reader.number("slide-level", 1, 6),
        incremental=reader.flag("incremental"),
        fit=cast(Literal["auto", "shrink", "split", "error"], reader.choice("fit", "auto", "shrink", "split", "error")),
        math_fallback=cast(Literal["picture", "text"], reader.choice("math-fallback", "picture", "text")),
        seed=reader.number("seed", 0, 2**63 - 1),
        macros=front_macros(front, log),
    )


def text_block(front: Values, key: str, log: Log) -> Text | None:
    """The Markdown of a key that holds whole paragraphs, with the place of its lines; None where there is none."""
    written = front.values.get(key)
    if written is None:
        return None
    if not isinstance(written, str):
        log.error(f"`{key}` must be text; write `{key}: |` and the Markdown indented below it", front.places[key])
        return None
    return Text(f"{written}\n", ((0, front.begins.get(key, front.places[key])),))


def build_date() -> str:
    """Today as `2024-05-01`, or the day that `SOURCE_DATE_EPOCH` names."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    today = datetime.fromtimestamp(int(epoch), UTC).date() if epoch else date.today()
    return today.isoformat()


def front_macros(front: Values, log: Log) -> Mapping[str, str]:
    r"""Macros of `macros:`, in the form that `reading.macros` describes; names may lack their backslash."""
    given = front.values.get("macros")
    if given is None:
        return EMPTY
    if not isinstance(given, Mapping):
        log.error(r"`macros` must map names to TeX, `vect: \mathbf{#1}`", front.places["macros"])
        return EMPTY
    macros: dict[str, str] = {}
    for name, body in given.items():
        text = body[0] if isinstance(body, list) and body else body  # MathJax's [body, arguments]
        macros[name if name.startswith("\\") else f"\\{name}"] = str(text)
    return macros


@dataclass(frozen=True, slots=True)
class _Reader:
    """Front matter values, checked."""

    front: Values
    log: Log

    def place(self, key: str) -> Source:
        return self.front.places.get(key, Source("", 0))

    def text(self, key: str) -> str:
        return self._text(self.front.values.get(key), key)

    def _text(self, value: Any, key: str) -> str:
        if value is None or value is False:
            return ""
        if isinstance(value, list):
            return ", ".join(text for item in value if (text := self._text(item, key)))
        if isinstance(value, Mapping):
            named = value.get("name") or value.get("literal")
            if named is None:
                self.log.notice(f"`{key}` must be text; left out", self.place(key))
            return self._text(named, key)
        return str(value).strip()

    def flag(self, key: str) -> bool:
        value = self.front.values.get(key, False)
        if not isinstance(value, bool):
            self.log.error(f"`{key}` must be true or false, not {value!r}", self.place(key))
        return value is True

    def number(self, key: str, low: int, high: int) -> int | None:
        value = self.front.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.log.error(f"`{key}` must be a whole number from {low} to {high}, not {value!r}", self.place(key))
            return None
        return value

    def choice(self, key: str, *choices: str) -> str:
        value = str(self.front.values.get(key, choices[0]))
        if value not in choices:
            self.log.error(f"`{key}` must be one of {', '.join(choices)}, not {value!r}", self.place(key))
            return choices[0]
        return value
