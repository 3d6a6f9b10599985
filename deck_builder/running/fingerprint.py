"""Digests of plain data and of files: the same on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
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


def file_digest(path: Path) -> str | None:
    """A hash of a file's content; None where there is no file, and for sources, which count by what they define."""
    try:
        if path.suffix == ".py" or not path.is_file():
            return None
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):  # too long for a name, or not to be read
        return None


def files_in(value: Any, lesson: str) -> dict[str, str]:
    """Files of the lesson that arguments name, with hashes of their content."""
    match value:
        case str() if value:
            content = file_digest(Path(lesson) / value)
            return {value: content} if content else {}
        case Mapping():
            return {name: found for item in value.values() for name, found in files_in(item, lesson).items()}
        case list() | tuple():
            return {name: found for item in value for name, found in files_in(item, lesson).items()}
        case _:
            return {}
