"""Values of the house as JSON: to make keys of what they say, or to be read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

KIND = "="
"""Under this key stands the class of a value; no field has such a name."""


def whole(value: Any) -> str:
    """All that a value says, as text."""
    return _text(value, lambda inner: _whole(inner.__class__)(inner))


def compared(value: Any) -> str:
    """What distinguishes a value from others like it, as text: its fields but for those left out of comparisons."""
    return _text(value, lambda inner: _compared(inner.__class__)(inner))


def as_json(value: Any) -> str:
    """A value to be read back. It holds no dictionaries."""
    return _text(value, _named)


def from_json(text: str, classes: Mapping[str, type]) -> Any:
    """The value that `as_json` was given, made of these classes by name; lists come back as tuples."""

    def made(item: dict[str, Any]) -> Any:
        kind = item.pop(KIND)
        for name, content in item.items():
            if type(content) is list:
                item[name] = _tuple(content)
        return frozenset(item["of"]) if kind == "frozenset" else classes[kind](**item)

    found = json.loads(text, object_hook=made)
    return _tuple(found) if isinstance(found, list) else found


def _text(value: Any, default: Callable[[Any], Any]) -> str:
    return json.dumps(value, default=default, ensure_ascii=False, separators=(",", ":"), check_circular=False)


@cache
def _whole(cls: Any) -> Callable[[Any], Any]:
    return _teller(cls, [each.name for each in _fields(cls)])


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    return _teller(cls, [each.name for each in _fields(cls) if each.compare])


def _teller(cls: Any, names: list[str]) -> Callable[[Any], Any]:
    """What gives plain data for a value of a class that JSON does not have."""
    if names:
        content = attrgetter(*names)
        return lambda value: (cls.__name__, content(value))
    if issubclass(cls, frozenset):
        return sorted
    if issubclass(cls, Mapping):
        return dict
    raise TypeError(f"a {cls.__name__} is no plain value")


def _named(value: Any) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    cls: Any = type(value)
    if isinstance(value, frozenset):
        return {KIND: "frozenset", "of": sorted(value)}
    if not _fields(cls):
        raise TypeError(f"a {cls.__name__} is no plain value")
    found: dict[str, Any] = {KIND: cls.__name__}
    for each in _fields(cls):
        content = getattr(value, each.name)
        if type(content) is not type(each.default) or content != each.default:
            found[each.name] = content
    return found


def _tuple(items: list[Any]) -> tuple[Any, ...]:
    return tuple([_tuple(item) if type(item) is list else item for item in items])


@cache
def _fields(cls: Any) -> tuple[Field[Any], ...]:
    return fields(cls) if is_dataclass(cls) else ()
