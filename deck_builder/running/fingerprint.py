"""Digests of plain data and of files: the same on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from deck_builder.errors import DeckError


def digest(value: Any) -> str:
    """A hash of plain data: the same for the same data, whatever the order of its mappings."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def canonical(value: Any) -> str:
    """Plain data as JSON in one form."""
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":"))


def _ordered(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [_ordered(item) for item in value]
        case set() | frozenset():
            return sorted((_ordered(item) for item in value), key=repr)
        case Mapping():
            return {"": sorted(([_ordered(key), _ordered(item)] for key, item in value.items()), key=repr)}
        case _:
            kind = type(value).__name__
            raise DeckError(f"{value} is a {kind}; arguments are numbers, text or lists: write it in quotes")


def files_in(value: Any, lesson: str, digest_of: Callable[[Path], str | None]) -> dict[str, str]:
    """Files of the lesson that arguments name, with hashes of their content; sources count by what they define."""
    match value:
        case str() if value and not value.endswith(".py"):
            content = digest_of(Path(lesson) / value)
            return {value: content} if content else {}
        case Mapping():
            items: Iterable[Any] = value.values()
        case list() | tuple():
            items = value
        case _:
            return {}
    return {name: found for item in items for name, found in files_in(item, lesson, digest_of).items()}
