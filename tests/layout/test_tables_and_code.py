"""Tables as wide as their content, code as large as its longest line allows."""

from __future__ import annotations

from typing import Any, Final

import pytest

from deck_builder.model import Alignment, Code, Run, Source, Table
from deck_builder.pages import CodeBox, TableBox

LEFT: Final[tuple[Alignment, ...]] = ("left",)


def cells(*texts: str) -> tuple[tuple[Run, ...], ...]:
    return tuple((Run(text),) if text else () for text in texts)


def table_box(pages: Any) -> TableBox:
    (box,) = (box for box in pages.pages[0].boxes if isinstance(box, TableBox))
    return box


def code_box(pages: Any) -> CodeBox:
    (box,) = (box for box in pages.pages[0].boxes if isinstance(box, CodeBox))
    return box


def test_a_column_is_as_wide_as_what_it_holds(set_slide: Any) -> None:
    box = table_box(set_slide(Table(cells("名", "说明"), (cells("a", "很长的一段说明文字在这里"),), ("left", "left"))))
    narrow, wide = box.column_widths
    assert wide > 4 * narrow
    assert sum(box.column_widths) == box.frame.width


def test_given_widths_are_kept_but_no_word_is_broken_for_them(set_slide: Any, theme: Any) -> None:
    rows = (cells("attention", "b"),)
    even = table_box(set_slide(Table(cells("h", "i"), rows, ("left", "left"), widths=(1.0, 3.0))))
    assert even.column_widths[1] / even.column_widths[0] == pytest.approx(3, rel=0.01)
    tight = table_box(set_slide(Table(cells("h", "i"), rows, ("left", "left"), widths=(1.0, 99.0))))
    word = theme.metrics.advance("attention") * tight.size_pt
    assert tight.column_widths[0] / 12700 > word


def test_a_wide_table_is_set_smaller_down_to_its_floor_then_named(set_slide: Any) -> None:
    def wide(columns: int) -> Any:
        return set_slide(Table(cells(*["heading"] * columns), (), LEFT * columns, source=Source("a.md", 7)))

    assert table_box(wide(6)).size_pt == 16
    assert 12 <= table_box(wide(14)).size_pt < 16
    assert not wide(14).notices
    assert [str(notice.source) for notice in wide(30).notices] == ["a.md:7"]


def test_a_short_row_is_filled_up_and_an_empty_header_is_none(set_slide: Any) -> None:
    box = table_box(set_slide(Table(cells("", ""), (cells("a", "b"), cells("c")), ("left", "left"))))
    assert not box.header
    assert [len(row) for row in box.rows] == [2, 2]


def test_code_is_as_large_as_its_longest_line_allows(set_slide: Any) -> None:
    assert code_box(set_slide(Code("x = 1", "python"))).size_pt == 16
    assert 12 <= code_box(set_slide(Code("x" * 95, "python"))).size_pt < 16


def test_han_in_code_counts_as_one_em(set_slide: Any) -> None:
    assert (
        code_box(set_slide(Code("# " + "注" * 60, "python"))).size_pt
        < code_box(set_slide(Code("# " + "x" * 60))).size_pt
    )


def test_a_line_too_long_for_any_size_is_broken_at_a_separator_and_named(set_slide: Any) -> None:
    line = "train(" + ", ".join(f"argument_{index}={index}" for index in range(12)) + ")"
    pages = set_slide(Code(line + "\nshort", "python", first_number=7, highlight="2", source=Source("a.md", 8)))
    box = code_box(pages)
    first, second, last = box.text.split("\n")
    assert first.endswith(",")
    assert second.startswith("    argument")
    assert box.numbers == (7, None, 8)
    assert box.highlight == {3}
    assert [str(notice.source) for notice in pages.notices] == ["a.md:8"]
    assert last == "short"


def test_tabs_are_expanded_and_common_indentation_is_taken_off(set_slide: Any) -> None:
    assert code_box(set_slide(Code("\tif x:\n\t\ty()", "python"))).text == "if x:\n    y()"


def test_emphasis_of_all_lines_or_none_is_no_emphasis(set_slide: Any) -> None:
    assert code_box(set_slide(Code("a\nb\nc", highlight="1|3"))).highlight == {1, 3}
    assert code_box(set_slide(Code("a\nb\nc", highlight="all"))).highlight == frozenset()


def test_each_page_of_a_listing_knows_the_lines_before_it(set_slide: Any) -> None:
    lines = [f"step_{n} = {n}" for n in range(60)]
    pages = set_slide(Code("\n".join(lines), "python"))
    boxes = [box for page in pages.pages for box in page.boxes if isinstance(box, CodeBox)]
    assert len(boxes) > 1
    assert boxes[0].before == ""
    for box in boxes[1:]:
        shown = box.text.splitlines()
        assert box.before.splitlines() == lines[: lines.index(shown[0])]
