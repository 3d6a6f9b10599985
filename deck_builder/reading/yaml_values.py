"""YAML with a place for every key: front matter and the bodies of directives."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from deck_builder.errors import DeckError
from deck_builder.model import Source, nothing
from deck_builder.values import dataclass, field

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Plain values by the core schema of YAML 1.2: `no`, `16:9` and `2024-05-01` are text, `1e-3` is a number."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own attribute


for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+0123456789.",
    ),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), ["" if c == "\0" else c for c in _first]
    )


_MARKDOWN = re.compile(r"^((?:caption|alt|title|subtitle|notes|toc-notes):[ \t]+)([`*\[@].*\S)[ \t]*$", re.MULTILINE)
"""A text that begins as Markdown does, with a mark that YAML keeps for itself: it is read as text."""


@dataclass(frozen=True, slots=True)
class Values:
    """A YAML mapping and the place of each of its keys."""

    values: Mapping[str, Any] = field(default_factory=nothing, hash=False)
    places: Mapping[str, Source] = field(default_factory=nothing, hash=False)
    begins: Mapping[str, Source] = field(default_factory=nothing, hash=False)
    """Where the text of a value begins: on the line after its key, where `|` or `>` stands behind that."""


def load_mapping(text: str, place: Callable[[int], Source]) -> Values | None:
    """The mapping that `text` holds; None when it holds something else.

    Args:
        text: YAML.
        place: The source of a line of `text`, counted from 0.

    Raises:
        DeckError: The YAML is broken, or a key is given twice.
    """
    loader = _Loader(_MARKDOWN.sub(lambda match: match[1] + json.dumps(match[2], ensure_ascii=False), text))
    try:
        node = loader.get_single_node()
        if node is None:
            return Values()
        if not isinstance(node, yaml.MappingNode):
            return None
        places = _key_places(node, place)
        values = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DeckError(_explain(error), place(mark.line if mark else 0)) from error
    except yaml.YAMLError as error:
        raise DeckError(f"YAML cannot be read: {error}", place(0)) from error
    finally:
        loader.dispose()
    return Values(values, places, _begins(node, place))


def _key_places(node: yaml.MappingNode, place: Callable[[int], Source]) -> dict[str, Source]:
    """Key → place of a mapping; keys must be names and must not be repeated, in nested mappings too."""
    places: dict[str, Source] = {}
    for key, value in node.value:
        source = place(key.start_mark.line)
        if not isinstance(key, yaml.ScalarNode):
            raise DeckError("a YAML key must be a name", source)
        if key.value in places:
            raise DeckError(f"`{key.value}` is given twice (first at {places[key.value]}); keep one", source)
        places[key.value] = source
        if isinstance(value, yaml.MappingNode):
            _key_places(value, place)
    return places


def _begins(node: yaml.MappingNode, place: Callable[[int], Source]) -> dict[str, Source]:
    """Key → place of the first line of its value."""
    return {
        key.value: place(value.start_mark.line + (getattr(value, "style", None) in ("|", ">")))
        for key, value in node.value
    }


def _explain(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "it is not well formed"
    if "mapping values are not allowed" in problem:
        return 'YAML: a second `: ` in one line; put the value in quotes, `key: "text: more"`'
    if "cannot start any token" in problem:
        return 'YAML: a value cannot begin with this character; put it in quotes, `key: "…"`'
    return f"YAML cannot be read: {problem}"
