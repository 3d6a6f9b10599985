"""What does not fit is set smaller down to a floor, then continued: titled, numbered on, evenly, reported."""

from __future__ import annotations

from typing import Any

import pytest

from deck_builder.errors import DeckError
from deck_builder.model import Code, Figure, Heading, Item, List, Paragraph, Run, Settings, Source, Table
from deck_builder.pages import CodeBox, DrawingBox, TableBox, TextBox


def said(text: str) -> Paragraph:
    return Paragraph((Run(text),), source=Source("a.md", 5))


def numbered(count: int) -> List:
    return List(tuple(Item((said(f"第 {index} 步"),)) for index in range(1, count + 1)), ordered=True)


def title(page: Any) -> str:
    return "".join(run.text for run in page.title.lines[0].runs)


def lines(page: Any) -> list[Any]:
    return [line for box in page.boxes if isinstance(box, TextBox) and box.role == "body" for line in box.lines]


@pytest.mark.parametrize(("count", "size"), [(9, 20.0), (10, 18.0), (11, 16.0)])
def test_text_is_set_smaller_before_it_is_continued(count: int, size: float, set_slide: Any) -> None:
    (page,) = set_slide(*(said("权重之和为一") for _ in range(count))).pages
    assert {line.size_pt for line in lines(page)} == {size}


def test_a_smaller_size_is_reported_with_its_place(set_slide: Any) -> None:
    pages = set_slide(*(said("权重之和为一") for _ in range(10)))
    assert [str(notice) for notice in pages.fitted] == ["a.md:3: “标题” is set at 18 pt to fit"]


def test_a_continued_slide_counts_its_pages_in_the_title_and_is_reported(set_slide: Any) -> None:
    pages = set_slide(numbered(30))
    assert [title(page) for page in pages.pages] == ["标题 (1/3)", "标题 (2/3)", "标题 (3/3)"]
    assert [str(notice) for notice in pages.fitted] == ["a.md:3: “标题” is continued on 3 slides"]


def test_numbers_go_on_over_the_pages_and_the_pages_are_even(set_slide: Any) -> None:
    pages = set_slide(numbered(30)).pages
    assert [line.number for page in pages for line in lines(page)] == list(range(1, 31))
    assert {len(lines(page)) for page in pages} == {10}


def test_continued_pages_are_set_as_large_as_their_number_allows(set_slide: Any) -> None:
    assert {line.size_pt for page in set_slide(numbered(20)).pages for line in lines(page)} == {20.0}


def test_notes_and_anchor_stay_with_the_first_page(set_slide: Any) -> None:
    pages = set_slide(numbered(30), notes=(said("先问一问"),), identifier="steps").pages
    assert [page.identifier for page in pages] == ["steps", None, None]
    assert [len(page.notes) for page in pages] == [1, 0, 0]


def test_a_heading_is_never_the_last_line_of_a_page(set_slide: Any) -> None:
    for count in range(8, 20):
        pages = set_slide(numbered(count), Heading(3, (Run("小结"),)), numbered(6)).pages
        assert not any(lines(page)[-1].heading for page in pages)


def test_a_sentence_that_announces_a_list_goes_with_it(set_slide: Any) -> None:
    for count in range(8, 20):
        pages = set_slide(numbered(count), said("还有："), numbered(6)).pages
        assert not any("".join(run.text for run in lines(page)[-1].runs) == "还有：" for page in pages)


def test_a_paragraph_longer_than_a_page_is_cut_between_its_lines(set_slide: Any) -> None:
    text = "".join(f"第{index}句话不长。" for index in range(200))
    pages = set_slide(said(text)).pages
    assert len(pages) > 1
    assert "".join(run.text for page in pages for line in lines(page) for run in line.runs) == text
    assert not any(lines(page)[0].runs[0].text[0] in "，。" for page in pages)


def test_the_figure_stays_with_the_first_page_and_the_rest_takes_the_full_width(set_slide: Any, theme: Any) -> None:
    figure = Figure("fig", (), "alt", 1.4, source=Source("a.md", 9))
    first, second = set_slide(numbered(22), figure).pages
    assert [isinstance(box, DrawingBox) for box in first.boxes].count(True) == 1
    assert not any(isinstance(box, DrawingBox) for box in second.boxes)
    assert second.boxes[0].frame.width == theme.body.width


def test_code_is_continued_at_a_blank_line_with_its_numbers_and_emphasis(set_slide: Any) -> None:
    part = "def step():\n" + "\n".join(f"    work({index})" for index in range(19))
    code = Code("\n\n".join([part] * 2), "python", highlight="1|22", first_number=1)
    boxes = [box for page in set_slide(code).pages for box in page.boxes if isinstance(box, CodeBox)]
    assert len(boxes) == 2
    assert all(box.text.startswith("def step") for box in boxes)
    assert len({box.size_pt for box in boxes}) == 1
    assert [box.highlight for box in boxes] == [{1}, {1}]
    assert [box.first_number for box in boxes] == [1, 22]


def test_a_table_is_continued_with_its_header_and_equal_columns(set_slide: Any) -> None:
    rows = tuple(((Run(f"模型 {index}"),), (Run(f"{index}.0"),)) for index in range(40))
    table = Table(((Run("模型"),), (Run("分"),)), rows, ("left", "right"), caption=(Run("结果"),), number=1)
    pages = set_slide(table).pages
    boxes = [box for page in pages for box in page.boxes if isinstance(box, TableBox)]
    assert len(boxes) > 1
    assert {box.rows[0][0][0].text for box in boxes} == {"模型"}
    assert len({box.column_widths for box in boxes}) == 1
    assert sum(len(box.rows) - 1 for box in boxes) == 40
    assert sum(isinstance(box, TextBox) and box.role == "caption" for page in pages for box in page.boxes) == 1


def test_a_row_higher_than_a_page_is_cut_and_loses_no_word(set_slide: Any) -> None:
    text = " ".join(f"word{index}" for index in range(1500))
    boxes = [
        box
        for page in set_slide(Table(((Run("h"),),), (((Run(text),),),), ("left",))).pages
        for box in page.boxes
        if isinstance(box, TableBox)
    ]
    said_ = "".join(run.text for box in boxes for row in box.rows[1:] for cell in row for run in cell)
    assert said_.split() == text.split()


def test_fit_shrink_goes_below_the_floor_before_it_continues(set_slide: Any) -> None:
    assert len(set_slide(numbered(16), attributes={"fit": "auto"}).pages) == 2
    (page,) = set_slide(numbered(16), attributes={"fit": "shrink"}).pages
    assert 11 <= lines(page)[0].size_pt < 16


def test_fit_split_continues_rather_than_shrink(set_slide: Any) -> None:
    pages = set_slide(numbered(13), settings=Settings(lang="zh-CN", fit="split")).pages
    assert len(pages) == 2
    assert {line.size_pt for page in pages for line in lines(page)} == {20.0}


def test_fit_error_names_the_slide_that_does_not_fit(set_slide: Any) -> None:
    with pytest.raises(DeckError, match="does not fit on one page") as caught:
        set_slide(numbered(40), attributes={"fit": "error"})
    assert str(caught.value.source) == "a.md:3"


def test_an_unknown_fit_is_answered_with_the_nearest(set_slide: Any) -> None:
    with pytest.raises(DeckError, match="did you mean shrink"):
        set_slide(said("x"), attributes={"fit": "shrnk"})


def test_a_figure_with_next_to_no_room_is_reported(set_slide: Any) -> None:
    figure = Figure("fig-map", (), "alt", 9.0, source=Source("a.md", 9))
    crowded = set_slide(*(said("权重之和为一") for _ in range(7)), figure, said("看右图"))
    (box,) = (box for page in crowded.pages for box in page.boxes if isinstance(box, DrawingBox))
    width, height = box.frame.width / 914_400, box.frame.height / 914_400
    assert width * height < 6
    said_of_it = f"a.md:9: fig-map is drawn only {width:.1f} × {height:.1f} in; shorten what stands beside it"
    assert said_of_it in [str(notice) for notice in crowded.fitted]
    assert not set_slide(said("看右图"), figure).fitted
