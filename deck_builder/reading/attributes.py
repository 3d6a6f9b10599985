"""`{#id .class key=value}`: the one attribute parser for headings, divs, pictures, spans and code fences.

The grammar is pandoc's (manual, "Header attributes" and "fenced_code_attributes"), with unquoted values such as
`width=50%` and raw formats such as `{=latex}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from deck_builder.model import EMPTY, Source, nothing
from deck_builder.reading.log import Log
from deck_builder.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Attributes:
    """What stands between the braces."""

    identifier: str | None = None
    classes: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(default_factory=nothing, hash=False)
    raw: str | None = None
    """The format of `{=latex}`."""


NONE = Attributes()

_ITEM = re.compile(
    r"""\s*(?:
        \#(?P<identifier>[^\s{}"'=]+)
      | \.(?P<class>[^\s{}"'=]+)
      | (?P<key>[A-Za-z_:][\w:.-]*)=(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)'|(?P<bare>[^\s{}"']*))
      | =(?P<raw>[\w+-]+)
      | (?P<unnumbered>-)
    )(?=[\s}])""",
    re.VERBOSE | re.DOTALL,
)
_CLOSE = re.compile(r"\s*\}")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def scan(text: str, start: int) -> tuple[Attributes, int] | None:
    """Attributes that begin with the brace at `start`, and where they end; None when it is something else."""
    position = start + 1
    identifier: str | None = None
    raw: str | None = None
    classes: list[str] = []
    pairs: dict[str, str] = {}
    while (match := _ITEM.match(text, position)) is not None:
        position = match.end()
        if match["identifier"]:
            identifier = match["identifier"]
        elif match["class"]:
            classes.append(match["class"])
        elif match["key"]:
            pairs[match["key"]] = _value(match)
        elif match["raw"]:
            raw = match["raw"]
        else:
            classes.append("unnumbered")
    close = _CLOSE.match(text, position)
    if close is None:
        return None
    return Attributes(identifier, tuple(classes), pairs or EMPTY, raw), close.end()


def _value(match: re.Match[str]) -> str:
    quoted = match["double"] if match["double"] is not None else match["single"]
    if quoted is None:
        return match["bare"]
    return _ESCAPED.sub(r"\1", quoted) if "\\" in quoted else quoted


def parse(text: str) -> Attributes | None:
    """Attributes that make up the whole of `text`, braces included; None when they cannot be read."""
    stripped = text.strip()
    found = scan(stripped, 0) if stripped.startswith("{") else None
    return found[0] if found is not None and found[1] == len(stripped) else None


def split(text: str) -> tuple[str, Attributes]:
    """Text and the attributes at its very end, as headings and captions carry them."""
    stripped = text.rstrip()
    if not stripped.endswith("}"):
        return text, NONE
    start = stripped.find("{")
    while start >= 0:
        escaped = start > 0 and stripped[start - 1] == "\\"
        found = None if escaped else scan(stripped, start)
        if found is not None and found[1] == len(stripped):
            return stripped[:start].rstrip(), found[0]
        start = stripped.find("{", start + 1)
    return text, NONE


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` for a close match, else nothing."""
    return _nearest(name, tuple(sorted(known)))


@lru_cache(maxsize=256)
def _nearest(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    matches = get_close_matches(name, known, n=1, cutoff=0.7)
    return f"; did you mean `{matches[0]}`?" if matches else ""


def report_unknown(
    attributes: Attributes,
    where: str,
    log: Log,
    source: Source,
    *,
    classes: Iterable[str] = (),
    keys: Iterable[str] = (),
) -> None:
    """A notice for each class and key that has no meaning `where` it stands."""
    known_classes, known_keys = frozenset(classes), frozenset(keys)
    for name in attributes.classes:
        if name not in known_classes:
            log.notice(f"class `.{name}` has no meaning on {where}{nearest(name, known_classes)}", source)
    for name in attributes.pairs:
        if name not in known_keys:
            log.notice(f"attribute `{name}=` has no meaning on {where}{nearest(name, known_keys)}", source)
