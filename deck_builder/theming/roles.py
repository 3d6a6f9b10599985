"""What each layout of a template is for: by its name, else by its type, else by its placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from deck_builder.theming.theme import Layout, Role
from deck_builder.values import dataclass, replace

_NAMES_OF: Mapping[Role, tuple[str, ...]] = {
    "cover": ("cover", "title slide", "title", "titelfolie", "titel", "封面", "标题幻灯片", "标题页"),
    "section": (
        "section",
        "section header",
        "abschnittsüberschrift",
        "abschnitt",
        "节标题",
        "章节标题",
        "章节",
        "分节",
    ),
    "content": ("title and content", "title content", "title and body", "titel und inhalt", "标题和内容", "内容"),
    "two-contents": (
        "two contents",
        "two content",
        "title 2 content",
        "title and two columns",
        "zwei inhalte",
        "两栏内容",
    ),
    "figure": ("figure", "abbildung", "图", "图片"),
    "title-only": ("title only", "nur titel", "仅标题"),
}
"""Names that PowerPoint, LibreOffice and Google Slides give, in English, German and Chinese, and those of our own."""
NAMES: Mapping[str, Role] = {name: role for role, names in _NAMES_OF.items() for name in names}

TYPES: Mapping[str, Role] = {
    "title": "cover",
    "secHead": "section",
    "obj": "content",
    "tx": "content",
    "twoObj": "two-contents",
    "twoColTx": "two-contents",
    "titleOnly": "title-only",
}
"""The `type` attribute of a layout."""

STAND_INS: Mapping[Role, tuple[Role, ...]] = {
    "cover": ("section", "title-only", "content"),
    "section": ("title-only", "content", "cover"),
    "content": ("two-contents", "figure", "title-only"),
    "two-contents": ("content",),
    "figure": ("title-only", "content"),
    "title-only": ("content", "section", "cover"),
}
"""Which other layout serves, where a template has none for a role."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout and what its template says of its kind."""

    layout: Layout
    type: str
    vertical: bool


def with_roles(candidates: Sequence[Candidate]) -> tuple[Layout, ...]:
    """The layouts in their order, each role given to one; a layout that must serve a second role is listed again."""
    chosen: dict[Role, int] = {}
    for rule in (_by_name, _by_type, _by_placeholders):
        _choose(chosen, candidates, rule)
    played = {index: role for role, index in chosen.items()}
    layouts = [replace(candidate.layout, role=played.get(i)) for i, candidate in enumerate(candidates)]
    for role in get_args(Role):
        if role not in chosen:
            stand_in = next((chosen[other] for other in STAND_INS[role] if other in chosen), 0)
            layouts.append(replace(candidates[stand_in].layout, role=role))
    return tuple(layouts)


def _choose(chosen: dict[Role, int], candidates: Sequence[Candidate], rule: Callable[[Candidate], Role | None]) -> None:
    taken = set(chosen.values())
    for index, candidate in enumerate(candidates):
        role = rule(candidate)
        if role is not None and role not in chosen and index not in taken:
            chosen[role] = index


def _by_name(candidate: Candidate) -> Role | None:
    plain = re.sub(r"^\d+_|- ?", "", candidate.layout.name.casefold())
    return NAMES.get(" ".join(re.sub("[_,]", " ", plain).split()))


def _by_type(candidate: Candidate) -> Role | None:
    return None if candidate.vertical else TYPES.get(candidate.type)


def _by_placeholders(candidate: Candidate) -> Role | None:
    kinds = [placeholder.kind for placeholder in candidate.layout.placeholders]
    if candidate.vertical or "title" not in kinds or "picture" in kinds:
        return None
    bodies = kinds.count("body")
    if "subtitle" in kinds:
        return "cover" if not bodies else None
    roles: Mapping[int, Role] = {0: "title-only", 1: "content", 2: "two-contents"}
    return roles.get(bodies)
