"""Every measured value of a lesson, and where its text quotes it."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.model import Block, Deck, Equation, FigureCall, Inlines, Math, Notice, Source, TableCall, Value
from deck_builder.reading import read
from deck_builder.running import Evidence, Progress, Runner
from deck_builder.values import dataclass
from deck_builder.walk import texts, walk

WIDEST = 48
"""Columns that a value may take in a list for reading."""
ENTRIES = 4
"""Entries of a list that are shown there."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A place that quotes a value: what is written there, and what the deck shows instead."""

    source: Source
    written: str
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One value of a figure or table; None where its function was not run."""

    label: str
    function: str
    name: str
    value: Any
    quoted: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class Measurements:
    """The values in the order of the lesson, what the reader of the list should know, and quotations of no value."""

    values: tuple[Measurement, ...]
    notices: tuple[Notice, ...]
    errors: tuple[DeckError, ...]


def measure(
    source: Path, *, run: bool = True, jobs: int | None = None, progress: Progress | None = None
) -> Measurements:
    """All values that the lesson measures. What has no result yet is run first, if it may be."""
    deck = read(source)
    with Runner(Path(deck.folder), jobs=jobs, run=run, progress=progress) as runner:
        evidence, notices = runner.measure(deck)
        return measurements(deck, evidence, notices)


def measurements(deck: Deck, evidence: Evidence, notices: Sequence[Notice] = ()) -> Measurements:
    """The values of a deck that was read, with its quotations."""
    quotations: dict[tuple[str, str], list[Quotation]] = {}
    errors = []
    for own, value in quoted_values(deck):
        try:
            shown = evidence.text(value, own)
        except DeckError as error:
            errors.append(error)
            continue
        place = quotations.setdefault((value.label or own, value.name), [])
        place.append(Quotation(value.source, value.written, shown))
    found = []
    for label, measured in evidence.labels.items():
        if measured.values is None:
            message = f"{label} was never run, so its values are not known; list them without --no-run"
            notices = (*notices, Notice(message, measured.source))
        names = measured.values or {name: None for owner, name in quotations if owner == label}
        for name, value in names.items():
            quoted = tuple(quotations.get((label, name), ()))
            found.append(Measurement(label=label, function=measured.function, name=name, value=value, quoted=quoted))
    return Measurements(tuple(found), tuple(notices), tuple(errors))


# ---------------------------------------------------------------- where values are quoted


def quoted_values(deck: Deck) -> Iterator[tuple[str, Value]]:
    """Each quotation in a deck that was only read, with the label that it means when it names none."""
    yield from _among((*deck.settings.title, *deck.settings.subtitle), "")
    cover = deck.slides[:1] if deck.slides and deck.slides[0].kind == "cover" else ()
    for slide in cover:
        yield from _in_blocks((*slide.blocks, *slide.notes))  # its title is the deck's
    yield from _in_blocks(deck.settings.toc_notes)
    for slide in deck.slides[len(cover) :]:
        yield from _among(slide.title, "")
        yield from _in_blocks((*slide.blocks, *slide.notes))


def _in_blocks(blocks: tuple[Block, ...]) -> Iterator[tuple[str, Value]]:
    for block in walk(blocks):
        own = block.label if isinstance(block, FigureCall | TableCall) else ""
        if isinstance(block, Equation):
            yield from ((own, value) for value in block.values)
        for inlines in texts(block):
            yield from _among(inlines, own)


def _among(inlines: Inlines, own: str) -> Iterator[tuple[str, Value]]:
    for inline in inlines:
        match inline:
            case Value():
                yield own, inline
            case Math(values=values):
                yield from ((own, value) for value in values)


# ---------------------------------------------------------------- forms


def as_text(values: Sequence[Measurement]) -> Iterator[str]:
    """A line for each value: its name, itself, and where it is quoted."""
    rows = [(f"{one.label}.{one.name}", short(one.value), places(one)) for one in values]
    widths = [max((_width(row[column]) for row in rows), default=0) for column in (0, 1)]
    for name, value, quoted in rows:
        yield f"{_padded(name, widths[0])}  {_padded(value, widths[1])}  {quoted}".rstrip()


def places(measurement: Measurement) -> str:
    """`content/03.md:41, content/05.md:7`, each place once."""
    return ", ".join(dict.fromkeys(str(quotation.source) for quotation in measurement.quoted))


def as_json(values: Sequence[Measurement]) -> str:
    """A JSON list, an object on each line. What is not finite is "NaN", "Infinity" or "-Infinity"."""
    lines = [json.dumps(_plain(one), ensure_ascii=False, allow_nan=False) for one in values]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def _plain(one: Measurement) -> Mapping[str, Any]:
    return {
        "label": one.label,
        "function": one.function,
        "name": one.name,
        "value": _finite(one.value),
        "quoted": [
            {"file": at.source.path, "line": at.source.line, "written": at.written, "shown": at.shown}
            for at in one.quoted
        ],
    }


def _finite(value: Any) -> Any:
    match value:
        case tuple() | list():
            return [_finite(item) for item in value]
        case float() if math.isnan(value):
            return "NaN"
        case float() if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        case _:
            return value


def short(value: Any) -> str:
    """A value on one line: numbers to six figures, the beginning of long lists and texts."""
    text = _short(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _short(value: Any) -> str:
    match value:
        case None:
            return "?"
        case tuple() | list():
            shown = ", ".join(_short(item) for item in value[:ENTRIES])
            return f"[{shown}]" if len(value) <= ENTRIES else f"{len(value)} entries [{shown}, …]"
        case float():
            return f"{value:.6g}"
        case _:
            return " ".join(str(value).split())


def _width(text: str) -> int:
    """Columns on a console, where Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
