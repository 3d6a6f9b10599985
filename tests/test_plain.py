"""Values as JSON: they come back as they were, and keys tell apart what differs."""

from __future__ import annotations

import pytest

from deck_builder.model import Notice, Run, Source, Style
from deck_builder.pages import CodeBox, Frame, Line, RuleBox, TextBox
from deck_builder.plain import as_json, compared, from_json, whole

CLASSES = {cls.__name__: cls for cls in (CodeBox, Frame, Line, Notice, RuleBox, Run, Source, Style, TextBox)}
FRAME = Frame(1, 2, 3, 4)
VALUES = [
    Notice("a “word” \\ \n \u2028 \U0001f600", Source("a/b.md", 3)),
    Line(runs=(Run("x", Style(bold=True, link="#a")), Run("y")), size_pt=12.5),
    Line(runs=(), size_pt=20, level=0, indent=True),
    TextBox(frame=FRAME, lines=(), inset_pt=(1.0, 2.0, 0.1 + 0.2, 1e-300), source=Source("c.md", 1)),
    CodeBox(frame=FRAME, text="=", language="", size_pt=1.0, highlight=frozenset({3, 1}), numbers=(1, None)),
    CodeBox(frame=FRAME, text="", language="", size_pt=1.0, fingerprint="abc"),
    (FRAME, (FRAME, ()), None, "text"),
]


@pytest.mark.parametrize("value", VALUES)
def test_values_come_back_with_every_field_and_type(value: object) -> None:
    found = from_json(as_json([value]), CLASSES)[0]
    assert whole(found) == whole(value)
    assert found == value


def test_a_number_of_another_kind_than_its_default_stays_of_that_kind() -> None:
    line = from_json(as_json(Line(runs=(), size_pt=20, level=False)), CLASSES)
    assert repr(line.size_pt) == "20"
    assert line.level is False


def test_only_classes_that_are_named_are_made() -> None:
    with pytest.raises(KeyError):
        from_json(as_json(FRAME), {})


def test_a_key_leaves_out_what_comparisons_leave_out() -> None:
    here, there = (RuleBox(frame=FRAME, source=Source("a.md", line)) for line in (1, 2))
    assert compared(here) == compared(there)
    assert whole(here) != whole(there)


def test_keys_of_different_values_differ() -> None:
    values = [
        FRAME,
        (1, 2, 3, 4),
        Frame(1, 2, 4, 3),
        {"left": 1},
        "Frame",
        Source("1", 2),
        Run("a"),
        Run("a", Style(code=True)),
    ]
    assert len({compared(value) for value in values}) == len(values)


def test_what_is_no_plain_value_is_refused() -> None:
    for convert in (whole, compared, as_json):
        with pytest.raises(TypeError):
            convert(object())
