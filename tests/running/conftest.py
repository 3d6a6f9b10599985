"""Small lessons with code beside them, and decks that call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from deck_builder.cache import Cache
from deck_builder.model import Block, Deck, FigureCall, Settings, Slide, Source, TableCall
from deck_builder.running.places import places_of
from deck_builder.running.plan import Planner
from deck_builder.running.project import Project
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions

Lesson = Callable[[Mapping[str, str]], Path]
Plan = Callable[..., Planner]


@pytest.fixture
def lesson(project: Lesson) -> Lesson:
    """Write files by their names as seen from the folder above the lesson; returns the lesson's folder."""

    def write(files: Mapping[str, str]) -> Path:
        return project({"content/01.md": "", **files}) / "content"

    return write


@pytest.fixture
def plan() -> Plan:
    """A planner for a lesson, with nothing remembered from before."""

    def make(folder: Path, *, lang: str = "en-US", seed: int | None = None) -> Planner:
        places = places_of(folder)
        cache = Cache(str(folder / ".deckbuild"))
        return Planner(Project(places), Versions(places.installed, cache), lang, seed, Tool())

    return make


def at(line: int) -> Source:
    """A line of the lesson."""
    return Source("content/01.md", line)


@pytest.fixture
def figure() -> Callable[..., FigureCall]:
    """A call of a figure function; each argument stands two lines further down."""

    def make(function: str, label: str = "fig-x", line: int = 10, **arguments: Any) -> FigureCall:
        lines = {name: line + 2 * number for number, name in enumerate(arguments, start=1)}
        return FigureCall(function, arguments, label, lines=lines, source=at(line))

    return make


@pytest.fixture
def table() -> Callable[..., TableCall]:
    """A call of a table function."""

    def make(function: str, label: str = "tbl-x", line: int = 50, **arguments: Any) -> TableCall:
        return TableCall(function, arguments, label, source=at(line))

    return make


@pytest.fixture
def deck() -> Callable[..., Deck]:
    """A deck of one slide with these blocks."""

    def make(*blocks: Block, notes: tuple[Block, ...] = (), **settings: Any) -> Deck:
        return Deck(Settings(**settings), (Slide("content", (), blocks, notes=notes, source=at(1)),))

    return make
