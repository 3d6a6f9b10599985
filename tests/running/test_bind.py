from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from deck_builder.errors import DeckError
from deck_builder.model import FigureCall
from deck_builder.running.plan import Planner

Lesson = Callable[[Mapping[str, str]], Path]
Plan = Callable[..., Planner]
Call = Callable[..., FigureCall]

HEAD = """
from __future__ import annotations
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union
import typing as t
from other import Kind, Thing
"""
OTHER = """
from typing import Literal
Kind = Literal["dot", "additive"]
class Thing: ...
LENGTH = 12
"""


@pytest.fixture
def bound(lesson: Lesson, plan: Plan, figure: Call) -> Callable[..., dict[str, Any]]:
    """What a function with these parameters would be called with."""

    def bind(parameters: str, **arguments: Any) -> dict[str, Any]:
        folder = lesson({"lab.py": f"{HEAD}\ndef draw({parameters}): pass", "other.py": OTHER, "content/a.csv": "1"})
        return dict(plan(folder).node(figure("lab.draw", **arguments)).arguments.values)

    return bind


Bound = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("annotation", "given", "taken"),
    [
        ("int", 3, 3),
        ("float", 3, 3.0),
        ("float", "1e-3", 0.001),
        ("int | float", 3, 3),
        ("bool", True, True),
        ("str | None", None, None),
        ("Optional[int]", 4, 4),
        ("Union[int, str]", "a", "a"),
        ("'int'", 3, 3),
        ("Kind", "dot", "dot"),
        ("t.Literal[1, 'a']", 1, 1),
        ("tuple[int, ...]", [1, 2], (1, 2)),
        ("tuple[int, str]", [1, "a"], (1, "a")),
        ("Sequence[float]", [1, 2.5], [1.0, 2.5]),
        ("list[tuple[int, int]]", [[1, 2]], [(1, 2)]),
        ("dict[str, float]", {"a": 1}, {"a": 1.0}),
        ("Mapping[str, Sequence[int]]", {"a": [1]}, {"a": [1]}),
        ("set[str]", ["a", "a"], frozenset({"a"})),
        ("tuple[int, ...] | None", [1], (1,)),
        ("Annotated[int, 'steps']", 3, 3),
        ("Any", [1, "a"], [1, "a"]),
        ("Thing", "left to the worker", "left to the worker"),
        ("Thing | int", "left to the worker", "left to the worker"),
        ("Path", "a.csv", "a.csv"),
    ],
)
def test_an_argument_comes_in_its_annotated_form(bound: Bound, annotation: str, given: Any, taken: Any) -> None:
    made = bound(f"x: {annotation}", x=given)["x"]
    assert made == taken
    assert type(made) is type(taken)


@pytest.mark.parametrize(
    ("annotation", "given", "message"),
    [
        ("int", "3", "'x' does not fit: int is expected, not '3'"),
        ("int", True, "int is expected, not True"),
        ("int", 2.5, "int is expected, not 2.5"),
        ("float", "fast", "float is expected, not 'fast'"),
        ("str", 2024, "str is expected, not 2024; write it in quotes"),
        ("str", True, "write it in quotes"),
        ("bool", 1, "bool is expected, not 1"),
        ("int | None", "a", r"int \| None is expected, not 'a'"),
        ("Kind", "dott", "'dott' is not 'dot' or 'additive'; did you mean 'dot'"),
        ("Kind | None", "dott", "did you mean 'dot'"),
        ("list[int]", 3, "a list is expected, not 3"),
        ("list[str]", "abc", "a list is expected, not 'abc'"),
        ("list[int]", [1, "a"], r"at \[1\] int is expected, not 'a'"),
        ("tuple[int, int]", [1], "2 entries are expected, not 1"),
        ("dict[str, int]", {"a": "b"}, r"at \['a'\] int is expected"),
        ("Path", "missing.csv", "no file 'missing.csv'"),
    ],
)
def test_an_argument_that_does_not_fit_is_an_error_at_its_line(
    bound: Bound, annotation: str, given: Any, message: str
) -> None:
    with pytest.raises(DeckError, match=message) as caught:
        bound(f"x: {annotation}", x=given)
    assert str(caught.value.source) == "content/01.md:12"


def test_an_unknown_argument_is_an_error_with_close_matches(bound: Bound) -> None:
    with pytest.raises(DeckError, match=r"no argument 'scoer'; did you mean 'score'\?") as caught:
        bound("score: str = 'dot', example: int = 0", example=1, scoer="dot")
    assert caught.value.source is not None
    assert caught.value.source.line == 14


def test_a_missing_argument_is_an_error_at_the_call(bound: Bound) -> None:
    with pytest.raises(DeckError, match="needs the argument 'score'") as caught:
        bound("score: str")
    assert str(caught.value.source) == "content/01.md:10"


def test_literal_defaults_are_filled_in_and_constants_read(bound: Bound) -> None:
    made = bound("a: float = 1, b=LENGTH, c=(1, 'x'), d=object(), *, e: int = -1, f: Any = None")
    assert made == {"a": 1.0, "c": (1, "x"), "e": -1, "f": None}
    assert bound("n=other.LENGTH") == {}


def test_constants_of_other_modules_are_read(lesson: Lesson, plan: Plan, figure: Call) -> None:
    folder = lesson({"lab.py": "from other import LENGTH\ndef draw(n=LENGTH): pass", "other.py": OTHER})
    assert plan(folder).node(figure("lab.draw")).arguments.values == {"n": 12}


def test_further_arguments_pass_where_the_signature_is_open(bound: Bound) -> None:
    assert bound("a=1, **options", b=2) == {"a": 1, "b": 2}


def test_language_and_seed_come_from_the_deck_unless_given(lesson: Lesson, plan: Plan, figure: Call) -> None:
    planner = plan(lesson({"lab.py": "def draw(lang: str = 'x', seed: int = 7): pass"}), lang="zh-CN", seed=3)
    assert planner.node(figure("lab.draw")).arguments.values == {"lang": "zh-CN", "seed": 3}
    assert planner.node(figure("lab.draw", lang="en", seed=5)).arguments.values == {"lang": "en", "seed": 5}


def test_without_a_seed_in_the_deck_the_function_keeps_its_own(bound: Bound) -> None:
    assert bound("seed: int = 7") == {"seed": 7}


@pytest.mark.parametrize("name", ["label", "caption", "alt", "width", "height"])
def test_a_parameter_named_like_a_key_of_the_directive_is_refused(bound: Bound, name: str) -> None:
    with pytest.raises(DeckError, match=f"parameter '{name}', which is a key"):
        bound(f"{name}=1")


def test_the_size_of_the_frame_is_not_for_the_lesson_to_give(bound: Bound) -> None:
    assert bound("size=None, n=1") == {"n": 1}
    with pytest.raises(DeckError, match="'size' is not for the lesson to give"):
        bound("size=None", size=[1, 2])


def test_a_date_that_yaml_read_is_an_error(bound: Bound) -> None:
    import datetime

    with pytest.raises(DeckError, match="write it in quotes"):
        bound("day", day=datetime.date(2024, 1, 1))


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("class draw: pass", "lab.draw is a class"),
        ("def draw(a, /): pass", "positional-only"),
        ("class Map:\n    def draw(self): pass", "needs an object"),
    ],
)
def test_what_cannot_be_called_by_name_is_refused(
    lesson: Lesson, plan: Plan, figure: Call, definition: str, message: str
) -> None:
    planner = plan(lesson({"lab.py": definition}))
    with pytest.raises(DeckError, match=message):
        planner.node(figure("lab.Map.draw" if "Map" in definition else "lab.draw"))


def test_class_and_static_methods_are_called_without_their_class(lesson: Lesson, plan: Plan, figure: Call) -> None:
    methods = "class Map:\n    @classmethod\n    def a(cls, n=1): pass\n    @staticmethod\n    def b(n=2): pass"
    planner = plan(lesson({"lab.py": methods}))
    assert planner.node(figure("lab.Map.a")).arguments.values == {"n": 1}
    assert planner.node(figure("lab.Map.b")).arguments.values == {"n": 2}


TRAIN = """
from dataclasses import dataclass
from functools import partial
from typing import Annotated
SCORES = ("dot", "additive")
@dataclass(frozen=True)
class Model: ...
@dataclass(frozen=True)
class Each: ...
def each(function, /, **choices): ...
def load(lang: str = "en", seed: int = 0): ...
def train(data: Annotated[list, load], score: str = "dot", steps: int = 9, seed: int = 1) -> Model: ...
Trained = Annotated[Model, train]
def one(model: Annotated[Model, train], score: str = "general"): ...
def aliased(model: Trained, steps: int = 5): ...
def fixed(model: Annotated[Model, partial(train, score="concat")], score: str = "general"): ...
def many(models: Annotated[tuple[Model, ...], each(partial(train, steps=2), score=SCORES, seed=(1, 2))]): ...
def unclear(model: Annotated[Model, train], score=str("x")): ...
def bad(model: Annotated[Model, train], score: int = 3): ...
def round(model: Annotated[Model, about]): ...
def about(model: Annotated[Model, about]): ...
def plain(x: Annotated[int, "no marker"] = 2): ...
"""


@pytest.fixture
def needs(lesson: Lesson, plan: Plan, figure: Call) -> Callable[..., list[dict[str, Any]]]:
    """The arguments of the records that a figure needs."""

    def of(function: str, **arguments: Any) -> list[dict[str, Any]]:
        node = plan(lesson({"lab.py": TRAIN}), lang="zh", seed=None).node(figure(f"lab.{function}", **arguments))
        return [dict(made.arguments.values) for need in node.needs for made in need.nodes]

    return of


Needs = Callable[..., list[dict[str, Any]]]


def test_a_dependency_receives_the_same_named_arguments(needs: Needs) -> None:
    assert needs("one") == [{"score": "general", "steps": 9, "seed": 1}]
    assert needs("one", score="dot") == [{"score": "dot", "steps": 9, "seed": 1}]
    assert needs("aliased") == [{"score": "dot", "steps": 5, "seed": 1}]


def test_arguments_fixed_by_partial_stay_fixed(needs: Needs) -> None:
    assert needs("fixed") == [{"score": "concat", "steps": 9, "seed": 1}]


def test_each_wants_one_run_for_each_combination_in_order(needs: Needs) -> None:
    made = needs("many")
    assert [(run["score"], run["seed"], run["steps"]) for run in made] == [
        ("dot", 1, 2),
        ("dot", 2, 2),
        ("additive", 1, 2),
        ("additive", 2, 2),
    ]


def test_the_convention_of_the_runner_works_in_a_notebook() -> None:
    from figures.dependencies import each

    def train(score: str, seed: int, steps: int) -> str:
        return f"{score}{seed}{steps}"

    assert each(train, score=("a", "b"), seed=(1, 2))(steps=3) == ("a13", "a23", "b13", "b23")


def test_a_dependency_may_have_dependencies(lesson: Lesson, plan: Plan, figure: Call) -> None:
    node = plan(lesson({"lab.py": TRAIN}), lang="zh", seed=4).node(figure("lab.one"))
    (train,) = node.needs[0].nodes
    (load,) = train.needs[0].nodes
    assert train.arguments.values == {"score": "general", "steps": 9, "seed": 4}
    assert load.arguments.values == {"lang": "zh", "seed": 4}


def test_figures_that_need_the_same_share_one_node(lesson: Lesson, plan: Plan, figure: Call) -> None:
    planner = plan(lesson({"lab.py": TRAIN}))
    first = planner.node(figure("lab.one", score="concat"))
    second = planner.node(figure("lab.fixed", score="dot"))
    assert first.needs[0].nodes[0].key == second.needs[0].nodes[0].key
    assert first.key != second.key


def test_a_shared_argument_must_be_known(needs: Needs) -> None:
    with pytest.raises(
        DeckError, match=r"'score' of lab\.unclear is also meant for lab\.train, but its default is no literal"
    ):
        needs("unclear")
    assert needs("unclear", score="dot") == [{"score": "dot", "steps": 9, "seed": 1}]


def test_an_argument_that_does_not_fit_a_dependency_says_for_what(needs: Needs) -> None:
    with pytest.raises(DeckError, match=r"str is expected, not 3.*\(made for 'model' of lab.bad\)"):
        needs("bad")


def test_a_dependency_is_not_for_the_lesson_to_give(needs: Needs) -> None:
    with pytest.raises(DeckError, match="'model' is not for the lesson to give"):
        needs("one", model="x")


def test_dependencies_in_a_circle_are_an_error(needs: Needs) -> None:
    with pytest.raises(DeckError, match=r"lab\.round needs lab\.about needs lab\.about"):
        needs("round")


def test_other_markers_mean_nothing(needs: Needs) -> None:
    assert needs("plain") == []
