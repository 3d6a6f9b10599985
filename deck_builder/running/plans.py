"""Plans kept from build to build: while nothing that planning read has changed, no source is looked into."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from deck_builder import paths
from deck_builder.cache import Cache, key_of
from deck_builder.errors import DeckError, DeckErrors
from deck_builder.model import FigureCall, Settings, SnippetCall, TableCall
from deck_builder.running.calls import Call
from deck_builder.running.places import Places
from deck_builder.running.reads import unchanged
from deck_builder.running.tickets import Key, Ticket
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions

if TYPE_CHECKING:
    from deck_builder.running.plan import Node, Planner

KIND = "plans"


class Plans:
    """What is known of a lesson's calls."""

    def __init__(self, places: Places, cache: Cache, settings: Settings, tool: Tool) -> None:
        self._places = places
        self._cache = cache
        self._settings = settings
        self._tool = tool
        self._versions = Versions(places.installed, cache)
        self._tickets: dict[str, Ticket] = {}
        self._excerpts: dict[str, str] = {}

    @cached_property
    def planner(self) -> Planner:
        """What plans anew."""
        from deck_builder.running.plan import Planner, outlines_in
        from deck_builder.running.project import Project

        project = Project(self._places, outlines_in(self._cache))
        project.refuse_shadows()
        return Planner(project, self._versions, self._settings.lang, self._settings.seed, self._tool)

    def prepare(self, calls: Sequence[Call], snippets: Sequence[SnippetCall]) -> None:
        """Plan all calls of a lesson, or take their plan from an earlier build. What does not fit is told together."""
        key = self._key(calls, snippets)
        if not self._take(key):
            self._make(calls, snippets)
            self._keep(key)

    def ticket(self, call: Call) -> Ticket:
        """What the result of a call is found by."""
        return self._tickets.get(_told(call)) or self.node(call).ticket

    def excerpt(self, call: SnippetCall) -> str:
        """The lines of source that a call shows."""
        found = self._excerpts.get(_told(call))
        return self._excerpt(call) if found is None else found

    def node(self, call: Call) -> Node:
        """Everything that running the call takes."""
        return self.planner.node(call)

    def code(self, call: Call) -> str:
        """The source of the function that a call names."""
        from deck_builder.running.snippets import excerpt

        return excerpt(self.node(call).target)

    def _excerpt(self, call: SnippetCall) -> str:
        from deck_builder.running.names import resolve
        from deck_builder.running.snippets import excerpt

        try:
            return excerpt(resolve(self.planner.project, call.function), str(call.lines))
        except DeckError as error:
            error.source = error.source or call.source
            raise

    def _key(self, calls: Sequence[Call], snippets: Sequence[SnippetCall]) -> str:
        """What a plan depends on beside the project."""
        asked = sorted({_told(call) for call in (*calls, *snippets)})
        settings = (self._settings.lang, self._settings.seed)
        here = (sys.version, self._places.installed, self._versions.installed, self._tool.style)
        return key_of([asked, settings, here], paths.code("running"))

    def _make(self, calls: Sequence[Call], snippets: Sequence[SnippetCall]) -> None:
        errors: list[DeckError] = []
        for call in (*calls, *snippets):
            try:
                self._plan(call)
            except DeckError as error:
                errors.append(error)
        if errors:
            raise errors[0] if len(errors) == 1 else DeckErrors(errors)

    def _plan(self, call: Call | SnippetCall) -> None:
        if isinstance(call, SnippetCall):
            self._excerpts[_told(call)] = self._excerpt(call)
        else:
            self._tickets[_told(call)] = self.node(call).ticket

    def _take(self, key: str) -> bool:
        """Whether there is a plan that still holds."""
        content = self._cache.read(KIND, key)
        if content is None:
            return False
        plan = json.loads(content)
        if not unchanged(plan["reads"], self._places):
            return False
        for told, (name, code, versions, packages) in plan["tickets"].items():
            self._tickets[told] = Ticket(name, Key(code, versions), packages)
        self._excerpts.update(plan["excerpts"])
        return True

    def _keep(self, key: str) -> None:
        reads = self.planner.project.reads.noted()
        if reads is not None:
            tickets = {
                told: (t.name, t.key.code, t.key.versions, dict(t.versions)) for told, t in self._tickets.items()
            }
            plan = {"reads": reads, "tickets": tickets, "excerpts": self._excerpts}
            with suppress(OSError):
                self._cache.write(KIND, key, json.dumps(plan, ensure_ascii=False).encode())


def _told(call: Call | SnippetCall) -> str:
    """What a call says of itself as far as planning goes."""
    match call:
        case FigureCall() | TableCall():
            what: list[Any] = [type(call).__name__, call.function, call.arguments]
        case SnippetCall():
            what = [type(call).__name__, call.function, call.lines]
    return json.dumps(what, default=repr, ensure_ascii=False)
