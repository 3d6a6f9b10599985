"""Every figure and table can be called from a lesson: signature and needs are understood from its source."""

from __future__ import annotations

import pytest
from support import ROOT

from deck_builder.running.dependencies import dependencies_of
from deck_builder.running.names import Names, resolve
from deck_builder.running.places import places_of
from deck_builder.running.project import Project
from deck_builder.running.signature import refuse_reserved, signature_of
from figures import curves, diagrams, heatmaps, tables

EVERY = [f"{room.__name__}.{name}" for room in (diagrams, heatmaps, curves, tables) for name in room.__all__]


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(places_of(ROOT / "content"))


@pytest.mark.parametrize("dotted", EVERY)
def test_a_lesson_can_bind_the_function_and_what_it_needs(dotted: str, project: Project) -> None:
    signature = signature_of(resolve(project, dotted))
    refuse_reserved(signature)
    needed = {dependency.parameter for dependency in dependencies_of(signature, Names(project))}
    required = {parameter.name for parameter in signature.parameters if parameter.default is None}
    assert required <= needed, f"{dotted} has arguments without default that nothing makes"
    declared = {parameter.name for parameter in signature.parameters}
    assert "lang" in declared
    assert dotted.startswith("figures.tables") or "size" in declared
