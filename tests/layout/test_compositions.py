"""Where things stand on a slide: by kind and count of its blocks, in the order in which they were written."""

from __future__ import annotations

from typing import Any

import pytest

from deck_builder.model import (
    Block,
    Callout,
    Code,
    Column,
    Columns,
    Equation,
    Figure,
    Image,
    Item,
    List,
    Math,
    Paragraph,
    Run,
    Settings,
    Source,
    Style,
    Table,
)
from deck_builder.pages import Box, CodeBox, DrawingBox, EquationBox, Frame, PictureBox, RuleBox, TableBox, TextBox
from deck_builder.pictures import Picture


def said(text: str, line: int = 5) -> Paragraph:
    return Paragraph((Run(text),), source=Source("a.md", line))


def items(count: int, text: str = "由数据学出的权重，加起来是一") -> List:
    return List(tuple(Item((said(text),)) for _ in range(count)), source=Source("a.md", 5))


def figure(aspect: float = 1.4, label: str = "fig", caption: str = "看深色处", line: int = 9) -> Figure:
    caption_ = (Run(caption),) if caption else ()
    return Figure(label, caption_, "alt", aspect, number=4, source=Source("a.md", line))


CODE = Code("def attend(q, k, v):\n    return (q @ k.mT).softmax(-1) @ v", "python", source=Source("a.md", 7))


def only(boxes: tuple[Box, ...], kind: type) -> Any:
    (found,) = (box for box in boxes if type(box) is kind)
    return found


def texts(boxes: tuple[Box, ...], role: str = "body") -> list[TextBox]:
    return [box for box in boxes if isinstance(box, TextBox) and box.role == role]


def test_text_alone_fills_the_body_placeholder_of_its_layout(set_slide: Any, theme: Any) -> None:
    (page,) = set_slide(said("一句话"), items(3)).pages
    (box,) = page.boxes
    assert page.layout == theme.layout("content").name
    assert (box.placeholder, box.frame) == (1, theme.body)


def test_text_stands_left_of_its_figure_and_takes_two_fifths(set_slide: Any, theme: Any) -> None:
    (page,) = set_slide(items(5), figure()).pages
    text, drawing = texts(page.boxes)[0], only(page.boxes, DrawingBox)
    assert text.frame.right < drawing.frame.left
    assert 0.36 < text.frame.width / theme.body.width < 0.42
    assert text.placeholder is not None


def test_a_figure_written_first_stands_on_the_left(set_slide: Any) -> None:
    (page,) = set_slide(figure(line=4), items(5)).pages
    assert only(page.boxes, DrawingBox).frame.right < texts(page.boxes)[0].frame.left


def test_a_wide_figure_stands_under_its_sentence_over_the_full_width(set_slide: Any, theme: Any) -> None:
    (page,) = set_slide(said("从左到右五步"), figure(3.0)).pages
    text, drawing = texts(page.boxes)[0], only(page.boxes, DrawingBox)
    assert drawing.frame.top > text.frame.bottom
    assert drawing.frame.width > 0.9 * theme.body.width


def test_the_caption_is_numbered_in_the_language_of_the_deck_and_stands_under_the_figure(set_slide: Any) -> None:
    for lang, words in (("zh-CN", "图 4  看深色处"), ("en-US", "Figure 4: 看深色处")):
        (page,) = set_slide(figure(), settings=Settings(lang=lang)).pages
        (caption,) = texts(page.boxes, "caption")
        assert "".join(run.text for run in caption.lines[0].runs) == words
        assert caption.lines[0].alignment == "center"
        assert caption.frame.top >= only(page.boxes, DrawingBox).frame.bottom


@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.4, 2.0, 6.0])
def test_a_changed_word_leaves_every_figure_frame_alone(aspect: float, set_slide: Any) -> None:
    def size(text: str, caption: str, *others: Block) -> tuple[int, int]:
        (page, *_) = set_slide(said(text), *others, figure(aspect, caption=caption)).pages
        drawing: DrawingBox = only(page.boxes, DrawingBox)
        return drawing.frame.width, drawing.frame.height

    texts_ = (("查询、键和值", "看"), ("查询、键与价值", "看这里的深色格子"), ("查询、键、值三个角色", "看这里" * 9))
    for others in ((), (items(3),), (items(9),), (CODE,)):
        assert len({size(text, caption, *others) for text, caption in texts_}) == 1


def test_a_figure_fills_its_frame_unless_that_would_distort_it(set_slide: Any, theme: Any) -> None:
    def shape(aspect: float) -> Frame:
        drawing: DrawingBox = only(set_slide(items(4), figure(aspect)).pages[0].boxes, DrawingBox)
        return drawing.frame

    assert shape(1.3) == shape(1.5)
    assert shape(0.5).width / shape(0.5).height == pytest.approx(0.5, rel=1e-3)


def test_code_and_list_stand_left_of_their_figure_at_the_same_top(set_slide: Any) -> None:
    (page,) = set_slide(CODE, items(4), figure()).pages
    code, text, drawing = only(page.boxes, CodeBox), texts(page.boxes)[0], only(page.boxes, DrawingBox)
    assert code.frame.bottom < text.frame.top
    assert code.frame.right < drawing.frame.left
    assert code.frame.left == text.frame.left


def test_code_stands_beside_a_long_explanation_but_under_a_short_one(set_slide: Any) -> None:
    (page,) = set_slide(CODE, items(5)).pages
    assert only(page.boxes, CodeBox).frame.right < texts(page.boxes)[0].frame.left
    (page,) = set_slide(said("四步："), CODE).pages
    assert only(page.boxes, CodeBox).frame.top > texts(page.boxes)[0].frame.top


def test_three_figures_share_one_row_and_their_captions_one_line(set_slide: Any) -> None:
    (page,) = set_slide(*(figure(aspect, f"f{aspect}") for aspect in (0.9, 1.0, 1.3))).pages
    drawings = [box.frame for box in page.boxes if isinstance(box, DrawingBox)]
    captions = texts(page.boxes, "caption")
    assert [frame.left for frame in drawings] == sorted(frame.left for frame in drawings)
    assert len({caption.frame.top for caption in captions}) == 1
    assert all(caption.frame.top >= frame.bottom for caption, frame in zip(captions, drawings, strict=True))


def test_more_figures_than_a_page_shows_go_on_over_the_next(set_slide: Any) -> None:
    pages = set_slide(*(figure(1.0, f"f{index}") for index in range(8))).pages
    assert [sum(isinstance(box, DrawingBox) for box in page.boxes) for page in pages] == [6, 2]


def test_a_picture_keeps_its_aspect_and_is_not_blown_up(set_slide: Any) -> None:
    pictures = {"wide.png": Picture(2000, 500), "icon.png": Picture(40, 40)}
    for path, picture in pictures.items():
        (page,) = set_slide(Image(path, alt="a"), pictures=pictures).pages
        frame = only(page.boxes, PictureBox).frame
        assert frame.width / frame.height == pytest.approx(picture.width / picture.height, rel=1e-3)
        assert frame.width <= 2 * picture.width * 9525


def test_a_picture_in_a_list_item_is_placed(set_slide: Any) -> None:
    listed = List((Item((said("看这里"), Image("p.png", alt="一张图"))), Item((said("再看这里"),))))
    (page,) = set_slide(listed).pages
    assert only(page.boxes, PictureBox).alt == "一张图"
    assert [line.mark for line in texts(page.boxes)[0].lines] == ["bullet", "bullet"]


@pytest.mark.parametrize(("width", "share"), [("50%", 0.5), ("3in", 3 / 11.93), ("288px", 3 / 11.93)])
def test_the_width_that_an_author_asks_for_is_honoured(width: str, share: float, set_slide: Any, theme: Any) -> None:
    (page,) = set_slide(Image("p.png", width=width), pictures={"p.png": Picture(4000, 1000)}).pages
    assert only(page.boxes, PictureBox).frame.width / theme.body.width == pytest.approx(share, rel=0.01)


def test_columns_are_as_wide_as_written_and_their_texts_fill_two_placeholders(set_slide: Any, theme: Any) -> None:
    columns = Columns((Column((said("左"),), 30.0), Column((said("右"),), 70.0)))
    (page,) = set_slide(columns).pages
    left, right = texts(page.boxes)
    assert page.layout == theme.layout("two-contents").name
    assert {left.placeholder, right.placeholder} == {1, 2}
    assert right.frame.width / left.frame.width == pytest.approx(70 / 30, rel=0.01)


def test_columns_too_narrow_to_read_are_set_one_under_another(set_slide: Any) -> None:
    columns = Columns(tuple(Column((said("一栏"),)) for _ in range(9)))
    frames = [box.frame for box in texts(set_slide(columns).pages[0].boxes)]
    assert len({frame.left for frame in frames}) == 1


def test_callouts_are_filled_boxes_whose_bar_and_title_share_a_colour(set_slide: Any) -> None:
    slots = {
        "note": ("accent1", "q"),
        "tip": ("accent3", "v"),
        "warning": ("accent2", "k"),
        "important": ("accent5", "warn"),
    }
    for kind, (slot, role) in slots.items():
        (page,) = set_slide(Callout(kind, (Run("现象"),), (said("不降"),))).pages
        (box,) = texts(page.boxes, "callout")
        assert (box.fill, box.bar) == ("lt2", slot)
        assert box.lines[0].runs[0].style == Style(bold=True, role=role)


def test_a_callout_without_title_is_named_by_its_kind(set_slide: Any) -> None:
    for lang, name in (("zh-CN", "提示"), ("en-US", "Tip")):
        (page,) = set_slide(Callout("tip", (), (said("x"),)), settings=Settings(lang=lang)).pages
        assert texts(page.boxes, "callout")[0].lines[0].runs[0].text == name


def test_code_in_a_callout_follows_its_text_without_a_gap(set_slide: Any) -> None:
    (page,) = set_slide(Callout("note", (Run("看"),), (said("这样："), CODE))).pages
    assert texts(page.boxes, "callout")[0].frame.bottom == only(page.boxes, CodeBox).frame.top


def test_a_rule_becomes_a_line_between_texts(set_slide: Any) -> None:
    from deck_builder.model import Rule

    (page,) = set_slide(said("上"), Rule(), said("下")).pages
    assert [type(box) for box in page.boxes] == [TextBox, RuleBox, TextBox]


def test_a_display_formula_is_centred_at_its_natural_size_with_its_number_beside(set_slide: Any, theme: Any) -> None:
    (page,) = set_slide(Equation("Y=WX+b", number=2)).pages
    box = only(page.boxes, EquationBox)
    assert box.size_pt == 24
    assert box.frame.width == pytest.approx(3.0 * 24 * 12700, abs=2)
    assert box.frame.height == pytest.approx(1.2 * 24 * 12700, abs=2)
    assert abs(box.frame.left + box.frame.right - theme.body.left - theme.body.right) <= 2
    assert box.alt == "formula Y=WX+b"
    (number,) = texts(page.boxes, "caption")
    assert number.lines[0].runs[0].text == "(2)"
    assert number.frame.right == theme.body.right


def test_a_formula_too_wide_for_the_slide_is_set_smaller_and_said_so(set_slide: Any, theme: Any) -> None:
    pages = set_slide(Equation("x" * 200, source=Source("a.md", 8)))
    assert only(pages.pages[0].boxes, EquationBox).frame.width <= theme.body.width
    assert [str(notice.source) for notice in pages.notices] == ["a.md:8"]


def test_an_inline_formula_of_two_dimensions_gets_a_line_of_its_own_and_a_notice(set_slide: Any) -> None:
    inlines = (Run("因此 "), Math(r"\frac{a}{b}"), Run("，得到结果"))
    pages = set_slide(Paragraph(inlines, source=Source("a.md", 6)))
    kinds = [type(box) for box in pages.pages[0].boxes]
    before, after = texts(pages.pages[0].boxes)
    assert kinds == [TextBox, EquationBox, TextBox]
    assert "".join(run.text for run in before.lines[0].runs) == "因此 ，"
    assert "".join(run.text for run in after.lines[0].runs) == "得到结果"
    assert [str(notice.source) for notice in pages.notices] == ["a.md:6"]


def test_in_a_list_item_such_a_formula_is_written_on_one_line(set_slide: Any) -> None:
    item = Item((Paragraph((Run("权重 "), Math(r"\frac{a}{b}")), source=Source("a.md", 6)),))
    pages = set_slide(List((item,)))
    assert "".join(run.text for run in pages.pages[0].boxes[0].lines[0].runs) == "权重 frac{a}{b}"
    assert len(pages.notices) == 1


def test_boxes_come_in_the_order_in_which_they_were_written(set_slide: Any) -> None:
    blocks: list[Block] = [items(2), figure(line=7), Table(((Run("a"),),), (), ("left",), source=Source("a.md", 12))]
    (page, *_) = set_slide(*blocks).pages
    lines = [box.source.line for box in page.boxes]
    assert lines == sorted(lines)


def test_footnotes_stand_at_the_foot_in_small_type(set_slide: Any, theme: Any) -> None:
    foot = Paragraph((Run("1", Style(baseline=1, role="small")), Run(" Kingma, 2015", Style(role="small"))))
    (page,) = set_slide(said("Adam 很常见"), foot).pages
    (box,) = texts(page.boxes, "footnote")
    assert box.frame.bottom == theme.body.bottom
    assert box.lines[0].size_pt == theme.sizes.caption


def test_tables_have_alt_text_from_caption_or_header(set_slide: Any) -> None:
    plain = Table(((Run("模型"),), (Run("BLEU"),)), (((Run("base"),), (Run("25"),)),), ("left", "right"))
    captioned = Table(plain.header, plain.rows, plain.alignments, caption=(Run("结果"),), number=2)
    assert only(set_slide(plain).pages[0].boxes, TableBox).alt == "模型、BLEU"
    (page,) = set_slide(captioned).pages
    assert only(page.boxes, TableBox).alt == "结果"
    assert texts(page.boxes, "caption")[0].lines[0].runs[0].text == "表 2  结果"
