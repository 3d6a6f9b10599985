"""Inline formulas become runs of text that read as the formula does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lecture_formulas import lecture_formulas
from support import needs_corpus

from deck_builder.elements.text import Context
from deck_builder.elements.text import runs as print_runs
from deck_builder.formulas import linear, plain, runs, spoken
from deck_builder.model import Run, Style

SPACES = str.maketrans({"\u00a0": "␣", "\u2009": "¦", "\u2003": "▭"})


def shown(tex: str, **options: object) -> str | None:
    """Runs as text: /italic/, *bold*, `code`, _{sub}, ^{sup}; ␣ no-break, ¦ thin, ▭ em space."""
    found = runs(tex, **options)  # type: ignore[arg-type]
    return None if found is None else "".join(map(marked, found))


def marked(run: Run) -> str:
    text, style = run.text.translate(SPACES), run.style
    text = f"/{text}/" if style.italic else text
    text = f"*{text}*" if style.bold else text
    text = f"`{text}`" if style.code else text
    text = f"{text}<{style.role or style.colour}>" if style.role or style.colour else text
    return {-1: f"_{{{text}}}", 0: text, 1: f"^{{{text}}}"}[style.baseline]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\mathrm{softmax}(QK^\top/\sqrt{d_k})V", "softmax(/QK/^{⊤}/√/d/_{/k/})/V/"),
        (r"\alpha_{ij}", "/α/_{/ij/}"),
        (r"h_t \in \mathbb{R}^d", "/h/_{/t/}␣∈␣ℝ^{/d/}"),
        (r"O(n^2)", "/O/(/n/^{2})"),
        (r"\frac{1}{\sqrt{d}}", "1/√/d/"),
        (r"x_{t-1}^{(l)}", "/x/_{/t/}_{−1}^{(}^{/l/}^{)}"),
        (r"\frac{QK^\top}{\sqrt{d_k}}", "/QK/^{⊤}/√/d/_{/k/}"),
        (r"T_q \times d_k", "/T/_{/q/}␣×␣/d/_{/k/}"),
        (r"a = -b", "/a/␣=␣−/b/"),
        (r"(-1)", "(−1)"),
        (r"x_1,\ldots,x_n", "/x/_{1},␣…,␣/x/_{/n/}"),
        (r"O(n\log n)", "/O/(/n/¦log¦/n/)"),
        (r"p(y \mid x)", "/p/(/y/␣|␣/x/)"),
        (r"f'(x)", "/f/′(/x/)"),
        (r"90^\circ", "90°"),
        (r"1{,}000", "1,000"),
        (r"n!", "/n/!"),
        (r"a := b", "/a/␣≔␣/b/"),
        (r"\|x\|_2", "‖/x/‖_{2}"),
        (r"\mathbf{W}_Q^{(\ell)}", "*W*_{/Q/}^{(ℓ)}"),
        (r"\boldsymbol{\alpha}", "*/α/*"),
        (r"\Theta(n)", "Θ(/n/)"),
        (r"\texttt{[CLS]}", "`[CLS]`"),
        (r"\textcolor{q}{Q}K^\top", "/Q/<q>/K/^{⊤}"),
        (r"{\color{red} x}", "/x/<FF0000>"),
        (r"\text{中文 if }x", "中文␣if␣/x/"),
        (r"\sum_{i=1}^n x_i", "∑_{/i/}_{=1}^{/n/}¦/x/_{/i/}"),
        (r"\max_x f(x)", "max_{/x/}¦/f/(/x/)"),
        (r"\int_0^1 f(x)\,dx", "∫_{0}^{1}¦/f/(/x/)¦/dx/"),
        (r"\overset{\text{def}}{=}", "=^{def}"),
        (r"{}^1", "^{1}"),
        (r"\sqrt[3]{x}+\sqrt[n]{y}", "∛/x/␣+␣^{/n/}√/y/"),
    ],
)
def test_a_simple_formula_is_set_as_text(tex: str, expected: str) -> None:
    assert shown(tex) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\sqrt{x^2}", "√(/x/^{2})"),
        (r"\sqrt{x+1}", "√(/x/␣+␣1)"),
        (r"\frac{a+b}{c}", "(/a/␣+␣/b/)//c/"),
        (r"\frac{a}{bc}", "/a//(/bc/)"),
        (r"\frac{\partial L}{\partial x}", "∂/L//∂/x/"),
        (r"\frac12 x", "(1/2)/x/"),
        (r"\frac{1}{\sqrt{d}} QK^\top", "(1/√/d/)/QK/^{⊤}"),
        (r"\log\frac{p}{q}", "log¦(/p///q/)"),
        (r"\frac{\log p}{q}", "(log¦/p/)//q/"),
        (r"\frac{f(x)}{|x|}", "/f/(/x/)/|/x/|"),
        (r"{a+b}^2", "(/a/␣+␣/b/)^{2}"),
        (r"\left(\frac ab\right)^2", "(/a///b/)^{2}"),
        (r"e^{-\frac{x^2}{2\sigma^2}}", "/e/^{−}^{/x/}^{²/(2}^{/σ/}^{²)}"),
    ],
)
def test_parentheses_keep_the_meaning(tex: str, expected: str) -> None:
    assert shown(tex) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"h_{T_x}", "/h/_{/T/}_{ₓ}"),
        (r"2^{2^n}", "2^{2ⁿ}"),
        (r"10000^{2i/d_{\text{model}}}", "10000^{2}^{/i/}^{/}^{/d/}^{_model}"),
        (r"e^{x_i^2}", "/e/^{/x/}^{ᵢ²}"),
    ],
)
def test_scripts_of_scripts_become_small_letters_or_say_what_they_are(tex: str, expected: str) -> None:
    assert shown(tex) == expected


@pytest.mark.parametrize(
    ("tex", "text"),
    [(r"\hat a", "â"), (r"\hat x", "x\u0302"), (r"\vec v", "v\u20d7"), (r"\bar y", "ȳ"), (r"\overline{ab}", "a̅b̅")],
)
def test_accents_are_combined_with_their_letter(tex: str, text: str) -> None:
    assert [run.text for run in runs(tex) or ()] == [text]


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{pmatrix}a\\b\end{pmatrix}",
        r"\begin{cases}a&b\\c&d\end{cases}",
        r"\frac{\frac{a}{b}}{c}",
        r"\binom{n}{k}",
        r"\underbrace{a+b}_{n}",
        r"\widehat{abc}",
        r"\boxed{x}",
        r"\sum_{\substack{i\\j}} x",
    ],
)
def test_what_needs_two_dimensions_is_left_to_a_display_formula(tex: str) -> None:
    assert runs(tex) is None
    assert "".join(run.text for run in linear(tex))


def test_long_formulas_may_break_after_a_relation_and_short_ones_nowhere() -> None:
    assert " " not in "".join(run.text for run in runs(r"a = b + c") or ())
    long = "".join(run.text for run in runs(r"abcdefgh = ijklmnop + qrstuv = wxyz") or ())
    assert long.count("= ") == 2
    assert "+\u00a0" in long


def test_the_style_of_the_sentence_is_kept() -> None:
    style = Style(bold=True, role="warn", link="#x", strike=True)
    for run in runs("x_1 + y", style=style) or ():
        assert (run.style.bold, run.style.role, run.style.link, run.style.strike) == (True, "warn", "#x", True)
    assert [run.style.role for run in runs(r"\textcolor{k}{K}", style=style) or ()] == ["k"]


def test_symbols_beside_han_keep_the_latin_face() -> None:
    """In the East Asian face ∑ and √ are one em wide."""
    formula = runs(r"\sqrt{d}") or ()
    printed = print_runs((Run("除以"), *formula), Context(lang="zh-CN"))
    faces = {
        "".join(node.itertext()): [str(face.get("typeface")) for face in node.iter("{*}ea", "{*}latin")]
        for node in printed
    }
    assert faces == {"除以": [], "√": ["+mn-lt", "+mn-lt"], "d": []}


def test_a_formula_inside_a_raised_text_stays_raised() -> None:
    assert {run.style.baseline for run in runs("x_1", style=Style(baseline=1)) or ()} == {1}


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "softmax(QK^⊤/√(d_k))V"),
        (r"c_i=\sum_j\alpha_{ij}h_j", "c_i = ∑_j α_ij h_j"),
        (r"x_{t-1}^{(l)}", "x_(t−1)^(l)"),
        (r"\frac{\frac ab}{c}", "(a/b)/c"),
        (r"\binom nk", "(n choose k)"),
        (r"f(x)=\begin{cases}x&\text{if }x>0\\0&\text{otherwise}\end{cases}", "f(x) = {x if x > 0; 0 otherwise"),
        (r"\begin{aligned}a&=b\\&=c\end{aligned}", "a = b; = c"),
        (r"\underbrace{a+b}_{n}", "(a + b)_n"),
        (r"e^{i\pi}", "e^(iπ)"),
    ],
)
def test_plain_text_says_the_whole_formula(tex: str, expected: str) -> None:
    assert plain(tex) == expected


def test_alt_text_names_the_kind_in_the_language_of_the_deck() -> None:
    assert spoken("a=b", "zh-CN") == "公式：a = b"
    assert spoken("a=b", "en-US") == "Formula: a = b"
    assert spoken(r"\nosuch  x", "en-US") == r"Formula: \nosuch x"


ATOMS = st.sampled_from(
    ["x", "Q", "2", r"\alpha", r"\mathbf{w}", r"\text{字}", r"\infty", r"\mathbb{R}", r"\hat{y}", "(a)", r"\exp(x)"]
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map("{0[0]}+{0[1]}".format),
        pair.map("{0[0]} = {0[1]}".format),
        pair.map("{0[0]} {0[1]}".format),
        pair.map(r"\frac{{{0[0]}}}{{{0[1]}}}".format),
        pair.map("{{{0[0]}}}_{{{0[1]}}}".format),
        pair.map("{{{0[0]}}}^{{{0[1]}}}".format),
        pair.map(r"\sum_{{{0[0]}}} {0[1]}".format),
        pair.map(r"\begin{{pmatrix}}{0[0]}&{0[1]}\end{{pmatrix}}".format),
        pair.map(r"\overset{{{0[0]}}}{{{0[1]}}}".format),
        inner.map(r"\sqrt{{{}}}".format),
        inner.map(r"\left({}\right)".format),
        inner.map(r"\bar{{{}}}".format),
        inner.map(r"-{}".format),
        inner.map(r"\textcolor{{q}}{{{}}}".format),
    )


FORMULAS = st.recursive(ATOMS, nested, max_leaves=8)


@given(FORMULAS)
def test_any_nesting_is_runs_or_none_and_always_plain_text(tex: str) -> None:
    found = runs(tex)
    assert found is None or all(run.text and run.style.baseline in (-1, 0, 1) for run in found)
    assert plain(tex)
    text = "".join(run.text for run in linear(tex))
    assert text.count("(") == text.count(")")


@needs_corpus
def test_inline_formulas_of_real_lectures_are_all_text() -> None:
    assert [tex for tex, display in lecture_formulas() if not display and runs(tex) is None] == []
