from __future__ import annotations

import math

import pytest

from deck_builder.errors import DeckError
from deck_builder.formulas.conversion import mathml
from deck_builder.model import (
    Callout,
    Equation,
    Heading,
    Image,
    Inline,
    Math,
    Paragraph,
    Reference,
    Run,
    Source,
    Style,
    Table,
    Value,
)
from deck_builder.running.evidence import cell
from deck_builder.running.results import (
    alignments_of,
    figure_data,
    from_json,
    plain,
    table_data,
    to_json,
)
from deck_builder.running.values import Evidence, Measured, in_tex, plain_text, written

BOLD = Style(bold=True)
CODE = Style(code=True)
EVIDENCE = Evidence(
    {
        "fig-align": Measured(
            {"accuracy": 0.9731, "curve": (1.0, 0.5, 0.25), "name": "加性", "steps": 300, "ok": True},
            "lab.align",
            Source("a.md", 3),
        ),
        "alignment": Measured({"x": 1}, "lab.alignment", Source("a.md", 5)),
        "alignment-2": Measured({"x": 2}, "lab.alignment", Source("b.md", 9)),
        "fig-new": Measured(None, "lab.new", Source("b.md", 12)),
    }
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value("fig-align", "accuracy", format=".1%"), "97.3%"),
        (Value("fig-align", "accuracy"), "0.9731"),
        (Value("fig-align", "curve", 2, ".2f"), "0.25"),
        (Value("fig-align", "curve", -1, ".1f"), "0.2"),
        (Value("fig-align", "curve", format=".1f"), "1.0, 0.5, 0.2"),
        (Value("fig-align", "name"), "加性"),
        (Value("fig-align", "steps", format=",d"), "300"),
        (Value("fig-align", "ok"), "True"),
        (Value("fig-new", "anything"), "?"),
    ],
)
def test_a_value_is_written_by_its_format(value: Value, text: str) -> None:
    assert EVIDENCE.set_in((Run("a "), value)) == (Run("a "), Run(text))


def test_a_value_keeps_its_style() -> None:
    assert EVIDENCE.set_in((Value("fig-align", "steps", style=BOLD),)) == (Run("300", BOLD),)


def test_a_value_without_label_is_that_of_its_own_figure() -> None:
    assert EVIDENCE.set_in((Value("", "steps"),), own="fig-align") == (Run("300"),)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Value("", "steps"), "outside of captions write label.name"),
        (Value("fig-algin", "steps"), "nothing measured has the label 'fig-algin'; did you mean 'fig-align'"),
        (Value("fig-align", "acuracy"), "fig-align has no value 'acuracy'; did you mean 'accuracy'"),
        (Value("fig-align", "curve", 3), r"curve has 3 entries, counted from 0; there is no \[3\]"),
        (Value("fig-align", "steps", 0), r"is 300, no list; leave out \[0\]"),
        (Value("fig-align", "accuracy", format=".1x"), "the format '.1x' does not fit 0.9731"),
        (Value("fig-align", "name", format=".1%"), "the format '.1%' does not fit '加性'"),
        (Value("alignment", "x"), "'alignment' could be the call at a.md:5 or b.md:9"),
    ],
)
def test_a_value_that_is_not_there_is_an_error_at_its_line(value: Value, message: str) -> None:
    placed = Value(value.label, value.name, value.index, value.format, source=Source("c.md", 7))
    with pytest.raises(DeckError, match=message) as caught:
        EVIDENCE.set_in((placed,))
    assert str(caught.value.source) == "c.md:7"


def test_values_stand_wherever_text_stands() -> None:
    value, run = (Value("fig-align", "steps"),), (Run("300"),)
    assert EVIDENCE.set_in_block(Paragraph(value)) == Paragraph(run)
    assert EVIDENCE.set_in_block(Heading(3, value)) == Heading(3, run)
    assert EVIDENCE.set_in_block(Callout("note", value, ())) == Callout("note", run, ())
    assert EVIDENCE.set_in_block(Image("a.png", value)) == Image("a.png", run)
    table = Table((value,), ((value,),), ("left",), caption=value)
    assert EVIDENCE.set_in_block(table) == Table((run,), ((run,),), ("left",), caption=run)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("0.25", "{0.25}"),
        ("\u22120.5", "{-0.5}"),
        ("97.3%", r"{97.3\%}"),
        ("12,345", "{12{,}345}"),
        ("1.2×10⁻⁷", r"{1.2\times 10^{-7}}"),
        ("1.0, 0.5", r"{1.0},\ {0.5}"),
        ("加性 a_b", r"\text{加性 a\_b}"),
        ("?", r"\text{?}"),
    ],
)
def test_a_value_inside_a_formula_is_a_number_or_words_of_it(text: str, tex: str) -> None:
    assert in_tex(text) == tex
    mathml(f"x^{tex}", display=False, macros={})


def test_values_stand_inside_formulas() -> None:
    known = Value("fig-align", "accuracy", format=".1%", written="{value} fig-align.accuracy:.1%")
    twice = r"p = `{value} fig-align.accuracy:.1%` \ne `{value} .steps`"
    own = Value("", "steps", written="{value} .steps")
    set_twice = r"p = {97.3\%} \ne {300}"
    assert EVIDENCE.set_in((Math(twice, BOLD, values=(known, own)),), own="fig-align") == (Math(set_twice, BOLD),)
    display = Equation("q = `{value} fig-align.accuracy:.1%`", "eq-q", values=(known,))
    assert EVIDENCE.set_in_block(display) == Equation(r"q = {97.3\%}", "eq-q")


def test_a_reference_to_a_figure_that_was_not_run_is_text() -> None:
    inlines = (Reference("fig-new"), Reference("fig-align"))
    assert EVIDENCE.set_in(inlines) == (Run("@fig-new"), Reference("fig-align"))


def test_words_for_alternative_texts() -> None:
    assert plain_text((Run("a\nb "), Math("x^2"), Run(" c"))) == "a b x^2 c"


@pytest.mark.parametrize(
    ("text", "inlines"),
    [
        ("plain", (Run("plain"),)),
        ("", ()),
        ("$d_k$ keys", (Math("d_k"), Run(" keys"))),
        ("a **b** c", (Run("a "), Run("b", BOLD), Run(" c"))),
        ("5$ and 6$", (Run("5$ and 6$"),)),
        ("$5 and $6", (Run("$5 and $6"),)),
        (r"\$x\$ \*", (Run("$"), Run("x"), Run("$"), Run(" "), Run("*"))),
        ("2 ** 3", (Run("2 ** 3"),)),
        ("*a* [b](c) `d`", (Run("*a* [b](c) "), Run("d", CODE))),
        (r"\`d\`", (Run("`"), Run("d"), Run("`"))),
    ],
)
def test_a_cell_reads_formulas_bold_and_code_alone(text: str, inlines: tuple[Inline, ...]) -> None:
    assert cell(text) == inlines


def test_measured_numbers_of_any_library_become_plain() -> None:
    import numpy as np
    import torch

    assert plain(torch.tensor(1.5), "f", "v") == 1.5
    assert plain(np.float32(0.5), "f", "v") == 0.5
    assert plain([np.int64(1), torch.tensor([1, 2])], "f", "v") == [1, [1, 2]]
    assert plain((True, "a"), "f", "v") == [True, "a"]
    with pytest.raises(DeckError, match="f: v is a dict; values are numbers"):
        plain({}, "f", "v")


def test_numbers_that_json_lacks_come_back() -> None:
    import json

    data = {"float": "a", "values": {"a": [math.inf, -math.inf], "b": 1e300, "nan": math.nan}}
    back = from_json(json.loads(json.dumps(to_json(data), allow_nan=False)))
    assert back["float"] == "a"
    assert back["values"]["a"] == (math.inf, -math.inf)
    assert back["values"]["b"] == 1e300
    assert math.isnan(back["values"]["nan"])


@pytest.mark.parametrize("alignment", ["lrc", ("l", "r", "c"), ["left", "right", "center"]])
def test_alignments_are_letters_or_words(alignment: object) -> None:
    assert alignments_of(alignment, [], 3, "f") == ["left", "right", "center"]


def test_without_alignment_numbers_stand_right() -> None:
    assert alignments_of((), [["a", 1, 2.5, True], ["b", "-", 1, False]], 4, "f") == ["left", "left", "right", "left"]


class Shown:
    header = ("a", "b")
    rows = ((1, "x"),)
    values = {"n": 3}  # noqa: RUF012
    caption = "Counts"


def test_a_table_is_an_object_or_a_tuple() -> None:
    made = table_data(Shown(), "f")
    assert made["rows"] == [["1", "x"]]
    assert (made["values"], made["caption"], made["alignments"]) == ({"n": 3}, "Counts", ["right", "left"])
    assert table_data((("a",), [[1]]), "f")["alignments"] == ["right"]
    assert table_data((("a",), [["1"]], "c"), "f")["alignments"] == ["center"]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "returned a NoneType; a table function returns"),
        ((("a", "b"), [[1]]), "row 1 has 1 cells; the header has 2"),
        ((("a",), [[1]], "lr"), "'lr' does not fit 1 columns"),
        ((("a",), [[1]], "x"), "'x' does not fit"),
        ((("a",), [[[1]]]), "a cell holds a list"),
    ],
)
def test_a_result_that_is_no_table_is_an_error(result: object, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        table_data(result, "f")


def test_a_figure_is_itself_or_carried_by_an_object() -> None:
    from types import SimpleNamespace

    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4))
    assert figure_data(figure, "f") == {"values": {}, "alt": "", "aspect": 2.0}
    carried = SimpleNamespace(figure=figure, values={"n": 1}, alt="Two.")
    assert figure_data(carried, "f") == {"values": {"n": 1}, "alt": "Two.", "aspect": 2.0}
    with pytest.raises(DeckError, match="f returned a list; a figure function returns a matplotlib Figure"):
        figure_data([], "f")
    with pytest.raises(DeckError, match="`values` is a list"):
        figure_data(SimpleNamespace(figure=figure, values=[1]), "f")


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (-0.41, ".2f", "\u22120.41"),
        (1.2e-07, ".1e", "1.2×10⁻⁷"),
        (-3e12, ".0e", "\u22123×10¹²"),
        (1.2e-07, "", "1.2×10⁻⁷"),
        (0.905, ".1%", "90.5%"),
        (12345, ",", "12,345"),
        ("a-b", "", "a-b"),
        ([-1, 2], "", "\u22121, 2"),
    ],
)
def test_numbers_are_set_as_print_has_them(value: object, style: str, text: str) -> None:
    assert written(value, style) == text
