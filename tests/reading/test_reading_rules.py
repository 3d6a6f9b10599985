"""Single rules against others' implementations: emphasis against CommonMark, attributes against pandoc."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from deck_builder.reading import attributes
from deck_builder.reading.emphasis import is_cjk
from deck_builder.reading.identifiers import from_title
from deck_builder.reading.macros import definitions
from deck_builder.reading.parser import make_parser
from deck_builder.reading.tables import split_cells

OURS, COMMONMARK = make_parser(), MarkdownIt("commonmark")


def emphases(parser: MarkdownIt, text: str) -> list[str]:
    tokens: list[Token] = []
    parser.inline.parse(text, parser, {}, tokens)
    return [token.content or token.type for token in tokens if token.content or token.type != "text"]


@given(st.text(alphabet='ab *_.("é', max_size=14))
def test_emphasis_without_chinese_is_that_of_commonmark(text: str) -> None:
    assert emphases(OURS, text) == emphases(COMMONMARK, text)


@pytest.mark.parametrize("mark", ["*", "**", "***"])
@pytest.mark.parametrize(
    "inside", ["重点：", "“引号”", "（括号）", "「鉤」", "강조(이)", "词。", "100%", "`代码`", "𠮷！"]
)
@pytest.mark.parametrize(
    ("before", "after"), [("", "内容"), ("前", "后"), ("前。", "，后"), ("か", "が"), ("한", "은"), ("𠮷", "𠮷")]
)
def test_emphasis_beside_chinese_japanese_and_korean_opens_and_closes(
    mark: str, inside: str, before: str, after: str
) -> None:
    found = emphases(OURS, f"{before}{mark}{inside}{mark}{after}")
    names = {"*": ["em"], "**": ["strong"], "***": ["em", "strong"]}[mark]
    content = inside.strip("`")
    expected = [f"{name}_open" for name in names] + [content] + [f"{name}_close" for name in reversed(names)]
    assert found == [*([before] if before else []), *expected, after]


def test_emoji_are_no_chinese() -> None:
    assert [is_cjk(character) for character in "汉、ｱＡ가㈱😀⭐a“"] == [True] * 6 + [False] * 4


name = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
value = st.one_of(
    name,
    st.sampled_from(["50%", "#ffeeaa", "0.5", "a/b.png"]),
    st.text(alphabet="ab 中 '{}=.#,", max_size=8).filter(lambda text: text[:1].strip()).map(lambda text: f'"{text}"'),
    st.text(alphabet='ab 中 "', max_size=6).filter(lambda text: text[:1].strip()).map(lambda text: f"'{text}'"),
)
item = st.one_of(
    name.map("#{}".format), name.map(".{}".format), st.tuples(name, value).map("{0[0]}={0[1]}".format), st.just("-")
)


@settings(max_examples=25)
@given(st.lists(st.lists(item, max_size=5).map(" ".join), min_size=8, max_size=8))
def test_attributes_are_read_as_pandoc_reads_them(lists: list[str]) -> None:
    pypandoc = pytest.importorskip("pypandoc", reason="needs pandoc")
    try:
        ast = json.loads(
            pypandoc.convert_text(
                "".join(f"# x {{{written}}}\n\n" for written in lists), "json", "markdown-smart-auto_identifiers"
            )
        )
    except OSError:
        pytest.skip("needs pandoc")
    assert [mine(written) for written in lists] == [theirs(header["c"]) for header in ast["blocks"]]


def mine(written: str) -> tuple[str, list[str], dict[str, str]]:
    found = attributes.parse(f"{{{written}}}")
    assert found is not None
    return found.identifier or "", list(found.classes), dict(found.pairs)


def theirs(header: list[Any]) -> tuple[str, list[str], dict[str, str]]:
    identifier, classes, pairs = header[1]
    return identifier, classes, dict(pairs)


@pytest.mark.parametrize(
    "text", ["{a b}", "{.a b}", "{key=}x", "{.a", "{{.a}}", "{key='a}", "{=}", "{a=b c=d e}", "text {.a}", "{.a} text"]
)
def test_what_is_no_list_of_attributes_is_left_as_text(text: str) -> None:
    assert attributes.parse(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Title {#id .a}", "Title"),
        ("{#id}", ""),
        ("f{x} {.a}", "f{x}"),
        ('Title {title="a } b"}', "Title"),
        (r"Title \{.a}", r"Title \{.a}"),
        ("$x_{1}$", "$x_{1}$"),
        ("Title {.a} ", "Title"),
        ("Set {1}", "Set {1}"),
    ],
)
def test_attributes_end_a_heading(text: str, words: str) -> None:
    assert attributes.split(text)[0] == words


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ("a", "b")),
        ("a | b", ("a", "b")),
        ("|| b |", ("", "b")),
        (r"| a \| b | c |", (r"a \| b", "c")),
        ("| `x|y` | ``a`|`` |", ("`x|y`", "``a`|``")),
        (r"| $P(y|x)$ | $\|v\|$ |", ("$P(y|x)$", r"$\|v\|$")),
        ("| 5$ | 6$ |", ("5$", "6$")),
        ("| `a | b |", ("`a", "b")),
        (r"| a \|", (r"a \|",)),
        ("| 中 | 文", ("中", "文")),
    ],
)
def test_bars_in_code_and_formulas_part_no_cells(row: str, cells: tuple[str, ...]) -> None:
    assert split_cells(row) == cells


@given(st.text(alphabet="|`$\\ a", max_size=20))
def test_no_character_of_a_row_is_lost(row: str) -> None:
    assume("`" not in row)
    bare = row.replace("|", "").replace(" ", "")
    assert "".join(split_cells(row)).replace("|", "").replace(" ", "") == bare


@pytest.mark.parametrize(
    ("tex", "macros", "rest"),
    [
        (r"\newcommand{\a}[2]{#1 {#2}} b", {r"\a": "#1 {#2}"}, " b"),
        (r"\newcommand\a{x}\newcommand*{\b}{y}", {r"\a": "x", r"\b": "y"}, ""),
        (r"\DeclareMathOperator{\rank}{rank}", {r"\rank": r"\operatorname{rank}"}, ""),
        (r"\def\a#1#2{#1#2}", {r"\a": "#1#2"}, ""),
        (r"\let\a=\b x", {r"\a": r"\b"}, " x"),
        (r"\newcommand{\a}{x", {}, r"\newcommand{\a}{x"),
        (r"\define{\a}{x}", {}, r"\define{\a}{x}"),
        (r"\newcommand{\a}{\{}", {r"\a": r"\{"}, ""),
    ],
)
def test_macro_definitions_are_taken_out_of_tex(tex: str, macros: dict[str, str], rest: str) -> None:
    found = definitions(tex)
    assert (dict(found.macros), found.rest) == (macros, rest)


@pytest.mark.parametrize("tex", [r"\newcommand{\a}[2]{#1}", r"\newcommand{\a}[1][x]{#1}"])
def test_what_a_macro_cannot_carry_is_said(tex: str) -> None:
    assert definitions(tex).problems


@pytest.mark.parametrize(
    ("title", "identifier"),
    [
        ("注意力 机制：QKV!", "注意力-机制qkv"),
        ("1. One", "one"),
        ("?!", "section"),
        ("İlk Adım", "ilk-adım"),
        ("a  b", "a-b"),
    ],
)
def test_titles_become_identifiers(title: str, identifier: str) -> None:
    assert from_title(title) == identifier
