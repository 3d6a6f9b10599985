"""What figure and table functions return, made into plain data. Runs in a worker."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deck_builder.errors import DeckError

ALIGNMENTS = {"l": "left", "c": "center", "r": "right"}
NOT_FINITE = "float()"
"""Key under which JSON holds an infinite number or NaN."""


def figure_of(result: Any, name: str) -> Any:
    """The matplotlib figure in a result: itself, or its `figure`."""
    from matplotlib.figure import Figure

    figure = result if isinstance(result, Figure) else getattr(result, "figure", None)
    if not isinstance(figure, Figure):
        raise DeckError(
            f"{name} returned a {type(result).__name__}; a figure function returns a matplotlib Figure, "
            "or an object with `figure` and `values`"
        )
    return figure


def figure_data(result: Any, name: str) -> dict[str, Any]:
    """`values`, `alt` and `aspect` (width over height) of a figure function's result."""
    figure = figure_of(result, name)
    width, height = (float(inches) for inches in figure.get_size_inches())
    own = result if result is not figure else None
    return {"values": values_of(own, name), "alt": text_of(own, "alt", name), "aspect": width / height}


def table_data(result: Any, name: str) -> dict[str, Any]:
    """`header`, `rows` (of strings), `alignments`, `values`, `caption` and `alt` of a table function's result."""
    header, rows, alignment = _table_parts(result, name)
    header = [_cell(cell, name) for cell in header]
    rows = [list(row) for row in rows]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise DeckError(f"{name}: row {number} has {len(row)} cells; the header has {len(header)}")
    return {
        "header": header,
        "alignments": alignments_of(alignment, rows, len(header), name),
        "rows": [[_cell(cell, name) for cell in row] for row in rows],
        "values": values_of(result, name),
        "caption": text_of(result, "caption", name),
        "alt": text_of(result, "alt", name),
    }


def _table_parts(result: Any, name: str) -> Sequence[Any]:
    if all(hasattr(result, part) for part in ("header", "rows")):
        return result.header, result.rows, getattr(result, "alignment", ())
    if isinstance(result, tuple) and len(result) in (2, 3):
        return (*result, ())[:3]
    raise DeckError(
        f"{name} returned a {type(result).__name__}; a table function returns (header, rows, alignment), "
        "or an object with these attributes"
    )


def alignments_of(alignment: Any, rows: Sequence[Sequence[Any]], columns: int, name: str) -> list[str]:
    """One of left, center, right for each column, from `"lrr"` or words; by default numbers are set right."""
    if not alignment:
        return ["right" if rows and all(_is_number(row[c]) for row in rows) else "left" for c in range(columns)]
    words = [ALIGNMENTS.get(word, word) for word in alignment]
    wrong = [word for word in words if word not in ALIGNMENTS.values()]
    if wrong or len(words) != columns:
        raise DeckError(
            f"{name}: the alignment {alignment!r} does not fit {columns} columns; "
            "it is a letter l, c or r for each, or a list of left, center, right"
        )
    return words


def _cell(value: Any, name: str) -> str:
    value = plain(value, name, "a cell")
    if isinstance(value, list):
        raise DeckError(f"{name}: a cell holds a list; it is text or a number")
    return str(value)


def _is_number(value: Any) -> bool:
    return not isinstance(value, str | bool)


def text_of(result: Any, attribute: str, name: str) -> str:
    """An optional text of a result."""
    text = getattr(result, attribute, None) or ""
    if not isinstance(text, str):
        raise DeckError(f"{name}: `{attribute}` is a {type(text).__name__}; it is text")
    return text


def values_of(result: Any, name: str) -> dict[str, Any]:
    """The measured values of a result as plain data."""
    values = getattr(result, "values", None) or {}
    if not isinstance(values, Mapping):
        raise DeckError(f"{name}: `values` is a {type(values).__name__}; it maps names to values")
    return {str(key): plain(value, name, f"the value {key!r}") for key, value in values.items()}


def plain(value: Any, name: str, what: str) -> Any:
    """A number, string, boolean or list of these, out of whatever tensor or array it came in."""
    if hasattr(value, "tolist"):  # tensors, arrays and numpy scalars
        value = value.tolist()
    match value:
        case bool() | int() | str():
            return value
        case float():
            return float(value)
        case list() | tuple():
            return [plain(item, name, what) for item in value]
        case _:
            kind = type(value).__name__
            raise DeckError(f"{name}: {what} is a {kind}; values are numbers, text, booleans or lists of these")


def to_json(value: Any) -> Any:
    """The data with infinite numbers and NaN spelled out, which JSON does not have."""
    match value:
        case float() if not math.isfinite(value):
            return {NOT_FINITE: repr(value)}
        case dict():
            return {key: to_json(item) for key, item in value.items()}
        case list():
            return [to_json(item) for item in value]
        case _:
            return value


def from_json(value: Any) -> Any:
    """What `to_json` was given; lists come back as tuples."""
    match value:
        case {"float()": str(text)}:
            return float(text)
        case dict():
            return {key: from_json(item) for key, item in value.items()}
        case list():
            return tuple(from_json(item) for item in value)
        case _:
            return value
