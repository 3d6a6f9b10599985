"""What the course's own trainings returned: read from its cache where the course was built, made anew elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from support import ROOT

from deck_builder.cache import FOLDER, Cache
from deck_builder.running.places import places_of
from deck_builder.running.plan import Planner, outlines_in
from deck_builder.running.project import Project
from deck_builder.running.records import decode
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions
from deck_builder.running.worker import RECORDS

LESSON = ROOT / "content"


@cache
def record(train: Callable[..., Any], **arguments: Any) -> Any:
    """What `train(**arguments)` returns: the kept record (its key holds code, arguments, versions) or a new one."""
    node = course().record(f"{train.__module__}.{train.__qualname__}", arguments)
    content = Cache(str(LESSON / FOLDER)).read(RECORDS, str(node.key))
    return train(**arguments) if content is None else decode(content)


@cache
def course() -> Planner:
    """The planner of the course, with its language and seed."""
    places = places_of(LESSON)
    kept = Cache(str(LESSON / FOLDER))
    return Planner(Project(places, outlines_in(kept)), Versions(places.installed, kept), "zh-CN", 0, Tool())
