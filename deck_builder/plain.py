"""Values of the house as JSON: to make keys of what they say, or to be read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

KIND = "="
"""Under this key stands the class of a value; no field has such a name."""


def whole(value: Any) -> str:
    """All that a value says, as text."""
    return _text(value, lambda inner: _told(inner, _all_fields))


def compared(value: Any) -> str:
    """What distinguishes a value from others like it, as text: its fields but for those left out of comparisons."""
    return _text(value, lambda inner: _told(inner, _compared_fields))


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


def _told(value: Any, content: Callable[[Any], Callable[[Any], Any]]) -> Any:
    cls: Any = type(value)
    if hasattr(cls, "__dataclass_fields__"):
        return cls.__name__, content(cls)(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is no plain value")


def _named(value: Any) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    cls: Any = type(value)
    if hasattr(cls, "__dataclass_fields__"):
        content = zip(_all_fields(cls)(value), _defaults(cls), strict=True)
        return {KIND: cls.__name__} | {
            name: inner
            for inner, (name, default) in content
            if inner is not default and (type(inner) is not type(default) or inner != default)
        }
    if isinstance(value, frozenset):
        return {KIND: "frozenset", "of": sorted(value)}
    raise TypeError(f"{value!r} is no plain value")


def _tuple(items: list[Any]) -> tuple[Any, ...]:
    return tuple([_tuple(item) if type(item) is list else item for item in items])


@cache
def _defaults(cls: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((each.name, each.default) for each in fields(cls))


@cache
def _all_fields(cls: Any) -> Callable[[Any], Any]:
    return attrgetter(*(each.name for each in fields(cls)))


@cache
def _compared_fields(cls: Any) -> Callable[[Any], Any]:
    return attrgetter(*(each.name for each in fields(cls) if each.compare))
