"""TeX as authors write it becomes MathML that says what each letter is; what cannot be read says where and why."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from lecture_formulas import lecture_formulas
from support import needs_corpus

from deck_builder.errors import DeckError
from deck_builder.formulas.conversion import KNOWN, mathml
from deck_builder.formulas.tex import COMMANDS, rewrite


def inner(tex: str, **options: object) -> str:
    markup = mathml(tex, **options)  # type: ignore[arg-type]
    return markup.removeprefix("<math>").removesuffix("</math>")


def message(tex: str, **options: object) -> str:
    with pytest.raises(DeckError) as caught:
        mathml(tex, **options)  # type: ignore[arg-type]
    return caught.value.message


@pytest.mark.parametrize(
    ("tex", "markup"),
    [
        (r"\mathbf{x}", '<mi mathvariant="bold">x</mi>'),
        (r"\boldsymbol{\alpha}", '<mi mathvariant="bold-italic">α</mi>'),
        (r"\mathbb{R}", "<mi>ℝ</mi>"),
        (r"\mathcal{L}", "<mi>ℒ</mi>"),
        (r"\mathrm{d}x", '<mi mathvariant="normal">d</mi><mi>x</mi>'),
        (r"\texttt{[CLS]}", '<mtext mathvariant="monospace">[CLS]</mtext>'),
        (r"x,\ldots,y", "<mi>x</mi><mo>,</mo><mo>…</mo><mo>,</mo><mi>y</mi>"),
        (r"\text{若 $x$ 则}", "<mtext>若\u00a0</mtext><mi>x</mi><mtext>\u00a0则</mtext>"),
        (r"\textcolor{q}{Q}", '<mstyle class="q"><mi>Q</mi></mstyle>'),
        (r"{\color{red} x}", '<mstyle mathcolor="#FF0000"><mi>x</mi></mstyle>'),
        (r"\textcolor[HTML]{2a66cf}{x}", '<mstyle mathcolor="#2A66CF"><mi>x</mi></mstyle>'),
        (r"a\label{eq:x}", "<mi>a</mi>"),
        (r"a\tag{3}", '<mi>a</mi><mspace width="2em"/><mtext>(3)</mtext>'),
        (r"a % a comment", "<mi>a</mi>"),
        (r"\mathds{1}", "<mi>𝟙</mi>"),
    ],
)
def test_tex_becomes_plain_mathml(tex: str, markup: str) -> None:
    assert inner(tex) == markup


@pytest.mark.parametrize("name", ["aligned", "align", "align*", "split", "alignat*", "flalign"])
def test_all_aligned_environments_are_one_table_without_numbers(name: str) -> None:
    columns = "{2}" if "alignat" in name else ""
    tex = rf"\begin{{{name}}}{columns}a&=b\label{{x}}\\[4pt]c&=d\nonumber\end{{{name}}}"
    assert inner(tex) == inner(r"\begin{aligned}a&=b\\c&=d\end{aligned}")
    assert 'columnalign="right left"' in inner(tex)


def test_rows_without_an_environment_are_set_one_below_the_other() -> None:
    assert inner(r"a \\ b") == inner(r"\begin{gathered}a\\b\end{gathered}")
    assert inner(r"a &= b \\ &= c \\") == inner(r"\begin{aligned}a &= b \\ &= c\end{aligned}")


@pytest.mark.parametrize(
    ("tex", "macros", "same_as"),
    [
        (r"\vect{x}_i", {r"\vect": r"\mathbf{#1}"}, r"\mathbf{x}_i"),
        (r"\vect x", {"vect": r"\mathbf{#1}"}, r"\mathbf{x}"),
        (r"\pair{a}{b}", {r"\pair": r"\langle #1, #2\rangle"}, r"\langle a, b\rangle"),
        (r"\R^d", {r"\R": r"\mathbf{R}"}, r"\mathbf{R}^d"),
        (r"\softmax(x)", {r"\softmax": r"\operatorname{softmax}"}, r"\operatorname{softmax}(x)"),
        (r"\outer", {r"\outer": r"\inner + 1", r"\inner": r"\text{so $x$}"}, r"\text{so $x$} + 1"),
        (r"x", {r"\broken": r"\nosuchcommand"}, "x"),
        (r"\log x", {r"\log": r"\log"}, r"\log x"),
    ],
)
def test_macros_of_the_deck_are_expanded(tex: str, macros: dict[str, str], same_as: str) -> None:
    assert inner(tex, macros=macros) == inner(same_as)


@pytest.mark.parametrize(
    ("definition", "use", "same_as"),
    [
        (r"\newcommand{\vect}[1]{\mathbf{#1}}", r"\vect{x}", r"\mathbf{x}"),
        (r"\renewcommand\v{\mathbf v}", r"\v", r"\mathbf v"),
        (r"\def\v#1{\mathbf{#1}}", r"\v{x}", r"\mathbf{x}"),
        (r"\DeclareMathOperator{\foo}{foo}", r"\foo(x)", r"\operatorname{foo}(x)"),
        (r"\DeclareMathOperator*{\foo}{foo}", r"\foo_x y", r"\operatorname*{foo}_x y"),
    ],
)
def test_definitions_inside_a_formula_hold_in_it(definition: str, use: str, same_as: str) -> None:
    assert inner(definition + use) == inner(same_as)


@pytest.mark.parametrize(
    ("tex", "column", "what", "right"),
    [
        (r"a+\fraq{b}{c}", 3, r"unknown command \"\fraq\"", r"did you mean \frac"),
        (r"中文 \alpa", 4, "unknown command", r"did you mean \alpha"),
        (r"\label{x}a+\fraq b", 12, "unknown command", r"\frac"),
        (r"\begin{aligne}a\end{aligne}", 1, "unknown environment", "did you mean aligned"),
        (r"\frac{a", 6, "never closed", "} is missing"),
        (r"x^a^b", 4, "duplicate", "braces would do"),
        (r"a & b", 3, '"&"', r"\begin{aligned}"),
        (r"\textcolor{blurple!}{x}", 1, "unknown colour", "one of q, k, v"),
        (r"\eqref{x}", 1, "cannot refer", "@eq-id"),
        (r"\nosuchthing", 1, "unknown command", "macros:"),
        (r"\text{never closed", 6, "never closed", "} is missing"),
    ],
)
def test_an_error_names_the_column_and_what_would_be_right(tex: str, column: int, what: str, right: str) -> None:
    text = message(tex)
    assert text.startswith(f"formula, column {column} (")
    assert what.replace('\\"', '"') in text
    assert right in text


def test_an_error_in_a_macro_names_the_macro() -> None:
    text = message(r"\bad", macros={r"\bad": r"\nosuchcommand"})
    assert text.startswith(r"macro \bad = \nosuchcommand: ")


def test_a_macro_that_contains_itself_is_an_error() -> None:
    assert "may not contain itself" in message(r"\loop", macros={r"\loop": r"{\loop}"})


def test_a_rule_inside_an_array_is_refused_and_a_bar_is_drawn() -> None:
    assert r"\hline" in message(r"\begin{array}{cc}a&b\\\hline c&d\end{array}")
    bars = inner(r"\begin{array}{c|c}a&b\\c&d\end{array}")
    assert bars.count('<mo lspace="0" rspace="0">|</mo>') == 2


def test_every_offered_command_is_known() -> None:
    """Close matches must not lead to another error."""
    arguments = {
        "begin": r"\begin{aligned}a\end{aligned}",
        "end": r"\begin{aligned}a\end{aligned}",
        "left": r"\left(a\right)",
        "right": r"\left(a\right)",
        "middle": r"\left(a\middle|b\right)",
        "limits": r"\sum\limits_i",
        "nolimits": r"\sum\nolimits_i",
        "label": r"a\label{x}",
        "tag": r"a\tag{x}",
        "color": r"\color{red}x",
        "textcolor": r"\textcolor{red}{x}",
        "substack": r"\sum_{\substack{a\\b}}",
    }
    for name in KNOWN:
        argument = "(" if name.lower().startswith("big") and name[3:] in ("", "g", "l", "r", "gl", "gr") else "{a}{b}"
        mathml(arguments.get(name, rf"\{name}{argument}"))


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_of_common_packages_are_known(name: str) -> None:
    mathml(rf"\{name}{{a}}")


def test_positions_survive_rewriting() -> None:
    tex = r"\label{a} \begin{align}x &= \textcolor{q}{yz}\end{align} \fraq"
    rewritten = rewrite(tex)
    for needle in ("x &", "yz", r"\fraq"):
        assert rewritten.origin(rewritten.tex.index(needle)) == tex.index(needle)


@needs_corpus
def test_every_formula_of_real_lectures_is_read() -> None:
    found = lecture_formulas()
    assert len(found) > 140
    for tex, display in found:
        ElementTree.fromstring(mathml(tex, display=display))
