"""Cover, agenda, sections, titles, notes, names, footers, layouts asked for by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from deck_builder.errors import DeckError
from deck_builder.layout import lay_out
from deck_builder.model import Code, Deck, Equation, Item, List, Math, Paragraph, Run, Settings, Slide, Source, Table
from deck_builder.pages import Frame, TextBox
from deck_builder.theming.theme import Layout, Placeholder


def runs(text: str) -> tuple[Run, ...]:
    return (Run(text),)


def said(text: str) -> Paragraph:
    return Paragraph(runs(text))


def words(box: TextBox) -> str:
    return "\n".join("".join(run.text for run in line.runs) for line in box.lines)


COVER = Slide("cover", runs("注意力"), source=Source("a.md", 1))
FIRST = Slide("section", runs("对齐"), identifier="align", section="对齐", source=Source("a.md", 2))
SECOND = Slide("section", runs("多头"), identifier="heads", section="多头", source=Source("a.md", 8))


@pytest.fixture
def pages_of(theme: Any, formulas: Any) -> Any:
    def lay(*slides: Slide, **settings: Any) -> Any:
        return lay_out(Deck(Settings(**{"lang": "zh-CN", **settings}), slides), theme, formulas, {})

    return lay


def test_the_cover_fills_its_places_and_shows_no_number(pages_of: Any, theme: Any) -> None:
    settings = {
        "subtitle": runs("从回头看到多头"),
        "author": "张老师",
        "institute": "机器学习课程",
        "date": "2026 年秋",
    }
    (page,) = pages_of(COVER, **settings).pages
    assert page.layout == theme.layout("cover").name
    assert words(page.title) == "注意力"
    assert [words(box) for box in page.boxes] == ["从回头看到多头", "张老师 · 机器学习课程 · 2026 年秋"]
    assert all(box.placeholder is not None for box in page.boxes)
    assert not page.show_number


def test_an_empty_place_of_the_cover_is_left_out(pages_of: Any) -> None:
    assert pages_of(COVER).pages[0].boxes == ()


def test_the_agenda_has_its_own_notes(pages_of: Any) -> None:
    _, agenda, *sections = pages_of(COVER, FIRST, SECOND, toc=True, toc_notes=(said("说明各章"),)).pages
    assert [line.runs for line in agenda.notes] == [runs("说明各章")]
    assert not any(page.notes for page in sections)


def test_the_agenda_follows_the_cover_and_links_each_section(pages_of: Any) -> None:
    _, agenda, *_ = pages_of(COVER, FIRST, SECOND, toc=True).pages
    assert words(agenda.title) == "目录"
    lines = agenda.boxes[0].lines
    assert [(line.mark, line.number, line.runs[0].style.link) for line in lines] == [
        ("number", 1, "#align"),
        ("number", 2, "#heads"),
    ]


def test_an_agenda_without_sections_is_a_notice(pages_of: Any) -> None:
    pages = pages_of(COVER, Slide("content", runs("x"), (said("y"),)), toc=True)
    assert len(pages.pages) == 2
    assert "no sections" in pages.notices[0].message


def test_sections_are_counted_unless_their_titles_count_themselves(pages_of: Any) -> None:
    own = Slide("section", runs("3. 掩码"), source=Source("a.md", 20))
    numbers = [
        [words(box) for box in page.boxes if box.role == "section-number"]
        for page in pages_of(FIRST, SECOND, own).pages
    ]
    assert numbers == [["1"], ["2"], []]


def test_a_sentence_under_a_section_heading_stands_on_the_section_slide(pages_of: Any) -> None:
    after = Slide("content", FIRST.title, (said("译到哪里，就回头看哪里"),), section="对齐", source=FIRST.source)
    (page,) = pages_of(FIRST, after).pages
    assert "译到哪里，就回头看哪里" in [words(box) for box in page.boxes]


def test_more_than_text_under_a_section_heading_gets_a_slide_of_its_own(pages_of: Any) -> None:
    after = Slide("content", FIRST.title, (Code("x = 1"),), section="对齐", source=FIRST.source)
    section, content = pages_of(FIRST, after).pages
    assert [words(section.title), words(content.title)] == ["对齐", "对齐"]
    assert section.identifier == "align"


def test_the_footer_is_the_decks_or_the_section(pages_of: Any) -> None:
    slide = Slide("content", runs("x"), (said("y"),), section="对齐")
    assert pages_of(slide).pages[0].footer == "对齐"
    assert pages_of(slide, footer="NLP 课程").pages[0].footer == "NLP 课程"


@pytest.mark.parametrize(("count", "size"), [(20, 30.0), (32, 24.0), (50, 24.0), (75, 20.0)])
def test_a_long_title_is_set_smaller_then_on_two_lines(count: int, size: float, pages_of: Any, theme: Any) -> None:
    pages = pages_of(Slide("content", runs("长" * count), (said("y"),)))
    title = pages.pages[0].title
    assert title.lines[0].size_pt == pytest.approx(size, abs=2)
    assert title.frame.bottom < theme.body.top
    assert not pages.notices


def test_a_title_beyond_two_lines_is_named(pages_of: Any) -> None:
    pages = pages_of(Slide("content", runs("长" * 150), (said("y"),), source=Source("a.md", 4)))
    assert words(pages.pages[0].title) == "长" * 150
    assert str(pages.notices[0]).startswith("a.md:4: the title is so long")


def test_a_hidden_title_stands_above_the_slide_and_leaves_its_room_to_the_body(pages_of: Any, theme: Any) -> None:
    (page,) = pages_of(Slide("content", runs("无题"), (said("y"),), title_hidden=True)).pages
    assert page.title.frame.bottom <= 0
    assert page.boxes[0].frame.top < theme.body.top


def test_a_layout_is_found_by_name_and_a_wrong_one_is_answered_with_the_nearest(pages_of: Any) -> None:
    slide = Slide("content", runs("x"), (said("y"),), attributes={"layout": "Two Contents"}, source=Source("a.md", 4))
    assert pages_of(slide).pages[0].layout == "Two Contents"
    wrong = Slide("content", runs("x"), attributes={"layout": "Two Content"}, source=Source("a.md", 4))
    with pytest.raises(DeckError, match="did you mean Two Contents"):
        pages_of(wrong)


def test_a_background_colour_is_kept_as_hexadecimal(pages_of: Any) -> None:
    for given, kept in (("#fed", "FFEEDD"), ("#1b2a41", "1B2A41"), ("accent2", "accent2"), ("bluish", None)):
        slide = Slide("content", runs("x"), attributes={"background-color": given})
        assert pages_of(slide).pages[0].background == kept


def test_notes_keep_lists_code_tables_and_formulas_as_lines(pages_of: Any) -> None:
    listed = List((Item((said("打开演示"), said("等一等"))), Item((said("提问"),))), ordered=True, start=3)
    table = Table((runs("甲"), runs("乙")), ((runs("1"), runs("2")),), ("left", "left"))
    notes = (listed, Code("a = 1\nb = 2"), Equation("x^2"), table, Paragraph((Run("看 "), Math(r"\frac{a}{b}"))))
    lines = pages_of(Slide("content", runs("x"), notes=notes)).pages[0].notes
    assert [(line.mark, line.number, line.indent) for line in lines[:3]] == [
        ("number", 3, False),
        ("none", 1, True),
        ("number", 4, False),
    ]
    assert ["".join(run.text for run in line.runs) for line in lines[3:]] == [
        "a = 1",
        "b = 2",
        "x^2",
        "甲 | 乙",
        "1 | 2",
        "看 frac{a}{b}",
    ]


def test_boxes_are_named_by_label_or_by_kind_and_number(pages_of: Any) -> None:
    blocks = (said("一"), Code("x", label="code-x"), Code("y"), Table((runs("h"),), (), ("left",)), said("二"))
    (page,) = pages_of(Slide("content", runs("x"), blocks)).pages
    assert [box.name for box in page.boxes] == ["Text 1", "code-x", "Code 1", "Table 1", "Text 2"]
    assert page.title.name == "Title"


def test_marks_of_nested_lists_begin_where_the_text_above_them_does(pages_of: Any) -> None:
    inner = List((Item((said("里"),)),))
    outer = List(tuple(Item((said("外"), inner)) for _ in range(12)), ordered=True)
    lines = [line for page in pages_of(Slide("content", runs("x"), (outer,))).pages for line in page.boxes[0].lines]
    (above, _), (below, hang) = lines[0].indent_pt, lines[1].indent_pt
    assert below - hang == pytest.approx(above)
    assert len({line.indent_pt for line in lines if line.level == 0}) == 1


def test_deep_lists_stop_at_the_fifth_level(pages_of: Any) -> None:
    block = List((Item((said("底"),)),))
    for _ in range(7):
        block = List((Item((said("层"), block)),))
    lines = pages_of(Slide("content", runs("x"), (block,))).pages[0].boxes[0].lines
    assert [line.level for line in lines] == [0, 1, 2, 3, 4, 4, 4, 4]


def test_a_layout_that_is_all_title_lends_its_title_to_the_usual_place(theme: Any, formulas: Any) -> None:
    huge = Placeholder(0, "title", Frame(500_000, 600_000, 10_000_000, 5_500_000))
    wide = replace(theme, layouts=(*theme.layouts, Layout("MAIN_POINT", None, "x.xml", (huge,))))
    slide = Slide("content", runs("要点"), (said("一句话"),), attributes={"layout": "MAIN_POINT"})
    (page,) = lay_out(Deck(Settings(), (slide,)), wide, formulas, {}).pages
    assert page.layout == "MAIN_POINT"
    assert page.title.frame.bottom <= page.boxes[0].frame.top
