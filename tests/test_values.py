"""The house's dataclasses behave as those of the standard library, which are built beside them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest
from support import ROOT

from deck_builder import values
from deck_builder.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Point:
    """A point."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list, hash=False)
    place: str = field(default="", compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    path: str
    line: int = 0


@dataclass(slots=True, kw_only=True)
class Draft:
    name: str
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Whole:
    part: int
    double: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.part)


OPTIONS: dict[type, dict[str, bool]] = {
    Point: {"frozen": True, "slots": True},
    Place: {"frozen": True, "slots": True, "order": True},
    Draft: {"slots": True, "kw_only": True},
    Nothing: {"frozen": True, "slots": True},
    Whole: {"frozen": True, "slots": True},
}


def standard(cls: Any) -> Any:
    """The same class as the standard library makes it."""
    body = {"__annotations__": cls.__annotations__, "__qualname__": cls.__qualname__, "__module__": __name__}
    for each in dataclasses.fields(cls):
        names = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
        body[each.name] = dataclasses.field(**{name: getattr(each, name) for name in names})
    if hasattr(cls, "__post_init__"):
        body["__post_init__"] = cls.__post_init__
    return dataclasses.dataclass(**OPTIONS[cls])(type(cls.__name__, (), body))


CALLS: list[tuple[type, tuple[object, ...], dict[str, object]]] = [
    (Point, (1,), {}),
    (Point, (1, 3), {"place": "here"}),
    (Point, (), {"x": 1, "tags": ["a"]}),
    (Point, (), {}),
    (Point, (1, 2, [], "place"), {}),
    (Point, (1,), {"z": 1}),
    (Place, ("a",), {"line": 3}),
    (Draft, (), {"name": "n"}),
    (Draft, ("n",), {}),
    (Nothing, (), {}),
    (Whole, (4,), {}),
    (Whole, (4,), {"double": 1}),
]


def made(cls: type, arguments: tuple[object, ...], named: dict[str, object]) -> object:
    """What calling the class gives: the value as text, or the kind of error."""
    try:
        return repr(cls(*arguments, **named))
    except TypeError:
        return TypeError


@pytest.mark.parametrize(("cls", "arguments", "named"), CALLS)
def test_values_are_made_and_shown_alike(cls: type, arguments: tuple[object, ...], named: dict[str, object]) -> None:
    assert made(cls, arguments, named) == made(standard(cls), arguments, named)


def test_fields_left_out_of_comparisons_do_not_count() -> None:
    assert Point(1, place="a") == Point(1, place="b")
    assert Point(1) != Point(2)
    assert Point(1).__eq__(Draft(name="1")) is NotImplemented


def test_equal_values_have_one_hash_and_mutable_ones_have_none() -> None:
    assert hash(Point(1, tags=["a"])) == hash(Point(1, tags=["b"])), "a field with hash=False does not count"
    assert {Place("a"): 1}[Place("a", 0)] == 1
    assert hash(Nothing()) == hash(Nothing())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Draft(name="n"))


def test_the_order_is_that_of_the_fields() -> None:
    places = [Place("b", 1), Place("a", 2), Place("a", 1)]
    assert sorted(places) == [Place("a", 1), Place("a", 2), Place("b", 1)]
    assert Place("a") <= Place("a")
    with pytest.raises(TypeError, match="not supported"):
        sorted([Place("a"), "a"])  # type: ignore[type-var]
    with pytest.raises(TypeError, match="not supported"):
        sorted([Point(1), Point(2)])  # type: ignore[type-var]


def test_frozen_values_cannot_be_changed_and_drafts_can() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Point(1).x
    draft = Draft(name="a")
    draft.name = "b"
    assert draft == Draft(name="b")
    assert not hasattr(draft, "__dict__")


def test_defaults_are_made_for_each_value() -> None:
    first, second = Draft(name="a"), Draft(name="a")
    first.parts.append("x")
    assert second.parts == []


def test_replace_gives_a_changed_copy_and_refuses_what_is_no_field() -> None:
    assert replace(Point(1, 3, place="p"), x=5) == Point(5, 3)
    assert replace(Point(1, place="p")).place == "p"
    assert replace(Whole(4), part=5).double == 10
    with pytest.raises(TypeError):
        replace(Point(1), z=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("value", [Point(1, 3, ["a"], place="p"), Draft(name="n"), Whole(2), Nothing()])
def test_values_are_copied_and_sent_to_workers_whole(value: Any) -> None:
    for twin in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert repr(twin) == repr(value)
        assert all(getattr(twin, f.name) == getattr(value, f.name) for f in dataclasses.fields(value))


def test_the_standard_library_takes_them_for_its_own() -> None:
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 2, "tags": [], "place": ""}
    assert dataclasses.replace(Point(1), y=4) == Point(1, 4)
    match Point(7, 8):
        case Point(x, y):
            assert (x, y) == (7, 8)
    assert inspect.getdoc(Point) == "A point."


def test_one_classs_methods_are_compiled_when_its_first_value_is_made() -> None:
    code = (
        "import builtins\n"
        "compiled = []\n"
        "run = builtins.exec\n"
        "import deck_builder.values as values\n"
        "values.exec = lambda text, names: (compiled.append(text), run(text, names))\n"
        "from deck_builder.pages import Frame, Page\n"
        "assert not any('top' in text for text in compiled), compiled\n"
        "Frame(1, 2, 3, 4), Frame(1, 2, 3, 4)\n"
        "assert sum('top' in text for text in compiled) == 1, compiled\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    assert values.field is dataclasses.field
