"""Lines are broken as East Asian typography wants it, never wider than asked, and lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deck_builder.layout.measure import Measured, cut, line_text, measure
from deck_builder.model import Run, Style
from deck_builder.theming.theme import Theme

MAY_NOT_BEGIN = "，。：；！？、）】》”’"
MAY_NOT_END = "（【《“‘"
phrases = st.lists(
    st.sampled_from(
        ["注意", "力", "机制", "查询，", "（键）", "“值”。", "《书》：", "softmax ", "self-attention", " Q", "d_k"]
    ),
    min_size=1,
    max_size=60,
).map("".join)


def lines_of(measured: Measured, width: float) -> list[str]:
    return [line_text(measured, line) for line in measured.lines(width)]


@given(text=phrases, width=st.floats(8, 40))
def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one(text: str, width: float, theme: Theme) -> None:
    for line in lines_of(measure((Run(text),), theme.metrics), width)[1:]:
        assert line[0] not in MAY_NOT_BEGIN
    for line in lines_of(measure((Run(text),), theme.metrics), width)[:-1]:
        assert line[-1] not in MAY_NOT_END


@given(text=st.text(alphabet="注意力 abc-，（）\n", max_size=80), width=st.floats(1.5, 30))
def test_lines_hold_all_the_text_and_none_is_wider_than_asked(text: str, width: float, theme: Theme) -> None:
    measured = measure((Run(text),), theme.metrics)
    lines = measured.lines(width)
    assert "".join("".join(lines_of(measured, width)).split()) == "".join(text.split())
    assert all(line.width <= width + 1e-9 for line in lines)


def test_words_break_at_spaces_and_hyphens_but_not_inside_numbers(theme: Theme) -> None:
    measured = measure((Run("self-attention costs -1 or 10-12 steps"),), theme.metrics)
    assert lines_of(measured, 4.0)[:2] == ["self-", "attention"]
    assert not any(line.endswith(("-1"[:1], "10-")) for line in lines_of(measured, 3.2)[2:])


def test_a_word_wider_than_its_line_is_broken_between_characters(theme: Theme) -> None:
    assert "".join(lines_of(measure((Run("x" * 50),), theme.metrics), 6.0)) == "x" * 50
    assert len(lines_of(measure((Run("x" * 50),), theme.metrics), 6.0)) > 3


def test_punctuation_stays_with_a_word_of_another_style(theme: Theme) -> None:
    runs = (Run("所有的状态都在这里", Style(bold=True)), Run("，然后"))
    for width in range(4, 10):
        assert not any(line.startswith("，") for line in lines_of(measure(runs, theme.metrics), float(width)))


def test_bold_and_code_are_measured_wider_than_plain_text(theme: Theme) -> None:
    plain, bold, code = (
        measure((Run("weights and values", style),), theme.metrics).natural
        for style in (Style(), Style(bold=True), Style(code=True))
    )
    assert plain < bold < code


def test_a_hard_break_begins_a_line_even_when_there_is_room(theme: Theme) -> None:
    assert lines_of(measure((Run("一\n\n二"),), theme.metrics), 40.0) == ["一", "", "二"]


@pytest.mark.parametrize("offset", [0, 2, 3, 5, 9])
def test_runs_cut_in_two_keep_their_styles_and_characters(offset: int) -> None:
    runs = (Run("abc", Style(bold=True)), Run("def"))
    head, tail = cut(runs, offset)
    assert "".join(run.text for run in head + tail) == "abcdef"
    assert len("".join(run.text for run in head)) == min(offset, 6)
    assert all(run.style.bold == (run.text in "abc") for run in head + tail)
