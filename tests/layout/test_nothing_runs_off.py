"""Properties of any deck: no overlap, nothing off the slide, no word lost, every box as high as its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deck_builder.layout import lay_out
from deck_builder.layout.measure import lines_height, measure
from deck_builder.model import (
    Alignment,
    Block,
    Callout,
    Code,
    Column,
    Columns,
    Deck,
    Equation,
    Figure,
    Heading,
    Image,
    Inlines,
    Item,
    List,
    Math,
    Paragraph,
    Quote,
    Rule,
    Run,
    Settings,
    Slide,
    Source,
    Style,
    Table,
)
from deck_builder.pages import (
    CODE_INSET_PT,
    EMU_PER_POINT,
    Box,
    CodeBox,
    Frame,
    Page,
    Pages,
    TableBox,
    TextBox,
)
from deck_builder.pictures import Picture
from deck_builder.theming.theme import Theme

HAN = "注意力机制让解码器每一步都能回头看所有编码状态查询键值权重"
LEFT: Final[Alignment] = "left"
PICTURES = {"wide.png": Picture(3000, 400), "tall.png": Picture(200, 900), "icon.png": Picture(32, 32)}
LAYOUTS = ("Cover", "Section", "Two Contents", "Figure", "Title Only")
STYLES = (Style(), Style(), Style(bold=True), Style(code=True), Style(italic=True, role="q"), Style(baseline=1))


class Author:
    """Writes decks of every construct, at random but the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.pick, self.count = self.random.choice, self.random.randint
        self.serial = 0

    def number(self) -> int:
        self.serial += 1
        return self.serial

    def text(self, most: int) -> str:
        kinds = (
            lambda: f"w{self.number()}",
            lambda: f"w{self.number()}-w{self.number()}，",
            lambda: HAN[: self.count(1, 20)] + "。",
            lambda: "“引用”（括号）",
        )
        return " ".join(self.pick(kinds)() for _ in range(self.count(1, most)))

    def inlines(self, most: int = 12) -> Inlines:
        formulas = (Math("x"), Math(r"\\frac{a}{b}"), Math("QK^T"))
        return tuple(
            self.pick(formulas) if self.count(0, 3) == 0 else Run(self.text(most), self.pick(STYLES))
            for _ in range(self.count(1, 4))
        )

    def source(self) -> Source:
        return Source("a.md", self.number())

    def paragraph(self) -> Paragraph:
        return Paragraph(self.inlines(self.pick((3, 12, 12, 80))), source=self.source())

    def equation(self) -> Equation:
        return Equation("x" * self.count(1, 120), number=self.pick((None, 12)), source=self.source())

    def code(self) -> Code:
        long = self.pick((4, 4, 10, 40))
        lines = (self.pick((self.text(long), "", "    return x")) for _ in range(self.count(1, self.pick((6, 40)))))
        return Code(
            "\n".join(lines),
            "python",
            filename=self.pick((None, "attention.py")),
            first_number=self.pick((None, 1, 98)),
            source=self.source(),
        )

    def table(self) -> Table:
        columns = self.count(1, 6)
        most, rows_most = self.pick(((2, 20), (2, 4), (8, 12), (60, 2)))
        rows = [
            tuple((Run(self.text(most)),) if self.count(0, 4) else () for _ in range(columns))
            for _ in range(self.count(1, rows_most))
        ]
        return Table(
            rows[0],
            tuple(rows[1:]),
            tuple(LEFT for _ in range(columns)),
            widths=self.pick(((), tuple(float(index + 1) for index in range(columns)))),
            caption=self.pick(((), (Run("一个表"),))),
            number=self.pick((None, 4)),
            source=self.source(),
        )

    def figure(self) -> Figure:
        caption = self.pick(((), (Run("图的说明"),), (Run("很长的说明" * 40),)))
        aspect = self.pick((0.3, 1.0, 1.5, 3.0, 8.0))
        return Figure(f"f{self.number()}", caption, "alt", aspect, number=self.pick((None, 7)), source=self.source())

    def image(self) -> Image:
        return Image(
            self.pick((*PICTURES, "missing.png")),
            self.pick(((), (Run("照片"),))),
            width=self.pick((None, "50%", "3in", "2000px")),
            height=self.pick((None, "100%", "2cm")),
            source=self.source(),
        )

    def list(self, depth: int) -> List:
        items = (
            Item(self.blocks(depth - 1, 2), self.pick((None, None, True, False)), source=self.source())
            for _ in range(self.count(1, 8))
        )
        return List(tuple(items), self.pick((True, False)), self.count(1, 30), source=self.source())

    def callout(self, depth: int) -> Callout:
        kind = self.pick(("note", "tip", "warning", "important", "other"))
        return Callout(kind, self.pick(((), (Run("现象"),))), self.blocks(depth - 1, 2), source=self.source())

    def columns(self, depth: int) -> Columns:
        columns = (Column(self.blocks(depth - 1, 3), self.pick((0.0, 30.0, 60.0))) for _ in range(self.count(1, 3)))
        return Columns(tuple(columns), source=self.source())

    def block(self, depth: int) -> Block:
        leaves = (self.paragraph, self.paragraph, self.equation, self.code, self.table, self.figure, self.image)
        nests = (self.list, self.list, self.callout, self.columns)
        if depth > 0 and self.count(0, 2) == 0:
            return self.pick(nests)(depth)
        if self.count(0, 9) == 0:
            return self.pick((Rule(), Heading(3, self.inlines(), source=self.source()), Quote((self.paragraph(),))))
        return self.pick(leaves)()

    def blocks(self, depth: int, most: int) -> tuple[Block, ...]:
        return tuple(self.block(depth) for _ in range(self.count(1, most)))

    def slide(self) -> Slide:
        return Slide(
            self.pick(("content", "content", "content", "section", "cover")),
            (Run(self.text(self.pick((3, 30)))),),
            self.blocks(2, self.pick((1, 2, 6))),
            attributes=self.pick(({}, {}, {"fit": "shrink"}, {"fit": "split"}, {"layout": self.pick(LAYOUTS)})),
            title_hidden=self.pick((True, False, False)),
            source=self.source(),
        )

    def deck(self) -> Deck:
        return Deck(Settings(lang=self.pick(("zh-CN", "en-US"))), tuple(self.slide() for _ in range(self.count(1, 2))))


decks = st.integers(0, 2**32).map(lambda seed: Author(seed).deck())


@pytest.fixture(scope="module")
def lay(theme: Theme, formulas: object) -> object:
    return lambda deck: lay_out(deck, theme, formulas, PICTURES)  # type: ignore[arg-type]


def overlap(one: Frame, other: Frame) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def boxes_of(page: Page) -> tuple[Box, ...]:
    return (page.title, *page.boxes)


@settings(max_examples=25)
@given(deck=decks)
def test_no_two_boxes_of_a_page_overlap(deck: Deck, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        for one, other in combinations(boxes_of(page), 2):
            assert not overlap(one.frame, other.frame), (one, other)


@settings(max_examples=25)
@given(deck=decks)
def test_no_box_leaves_the_slide_and_none_is_empty(deck: Deck, theme: Theme, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        for box in page.boxes:
            frame = box.frame
            assert frame.left >= 0
            assert frame.top >= 0
            assert frame.right <= theme.width
            assert frame.bottom <= theme.height
            assert frame.width > 0
            assert frame.height > 0


@settings(max_examples=25)
@given(deck=decks)
def test_a_title_is_on_the_slide_or_hidden_above_it(deck: Deck, theme: Theme, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        frame = page.title.frame
        assert frame.bottom <= 0 or (frame.top >= 0 and frame.bottom <= theme.height)


@settings(max_examples=25)
@given(deck=decks)
def test_text_is_no_higher_than_its_box(deck: Deck, theme: Theme, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        for box in boxes_of(page):
            if isinstance(box, TextBox):
                assert text_height(box, theme) <= box.frame.height / EMU_PER_POINT + 0.1, box


@settings(max_examples=25)
@given(deck=decks)
def test_code_is_no_wider_or_higher_than_its_box(deck: Deck, theme: Theme, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        for box in page.boxes:
            if isinstance(box, CodeBox):
                gutter = len(str(max(filter(None, box.numbers), default=0))) + 2 if box.numbers else 0
                widest = max(theme.metrics.advance("0" * gutter + line, code=True) for line in box.text.split("\n"))
                assert widest * box.size_pt + 2 * CODE_INSET_PT <= box.frame.width / EMU_PER_POINT + 0.1
                assert len(box.text.split("\n")) * box.size_pt * 1.2 <= box.frame.height / EMU_PER_POINT


@settings(max_examples=25)
@given(deck=decks)
def test_table_columns_and_rows_add_up_to_the_frame(deck: Deck, theme: Theme, lay: object) -> None:
    for page in lay(deck).pages:  # type: ignore[operator]
        for box in page.boxes:
            if isinstance(box, TableBox):
                assert sum(box.column_widths) == box.frame.width
                assert sum(box.row_heights) == box.frame.height
                assert all(width > 0 for width in box.column_widths)


@settings(max_examples=25)
@given(deck=decks)
def test_no_character_is_lost(deck: Deck, lay: object) -> None:
    pages: Pages = lay(deck)  # type: ignore[operator]
    for slide in deck.slides:
        wanted = Counter("".join("".join(texts_of(slide.blocks)).split()))
        shown = (page for page in pages.pages if page.source == slide.source)
        found = Counter(
            "".join("".join(text for page in shown for box in page.boxes for text in box_texts(box)).split())
        )
        assert not wanted - found


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_words_keep_their_order_over_continued_slides(seed: int, lay: object) -> None:
    author = Author(seed)
    blocks = tuple(author.paragraph() if author.count(0, 1) else author.list(1) for _ in range(author.count(1, 12)))
    blocks = tuple(block for block in blocks if not any(not isinstance(inner, Paragraph) for inner in inner_of(block)))
    slide = Slide("content", (Run("标题"),), blocks)
    pages: Pages = lay(Deck(Settings(), (slide,)))  # type: ignore[operator]
    found = words_in(text for page in pages.pages for box in page.boxes for text in box_texts(box))
    assert found == words_in(texts_of(blocks))


@settings(max_examples=25)
@given(deck=decks)
def test_names_are_unique_on_a_page_and_placeholders_are_filled_once(deck: Deck, theme: Theme, lay: object) -> None:
    layouts = {layout.name: layout for layout in theme.layouts}
    for page in lay(deck).pages:  # type: ignore[operator]
        names = [getattr(box, "name", "") or getattr(box, "label", "") for box in boxes_of(page)]
        assert all(names)
        assert len(set(names)) == len(names)
        used = [box.placeholder for box in boxes_of(page) if isinstance(box, TextBox) and box.placeholder is not None]
        assert len(set(used)) == len(used)
        assert set(used) <= {placeholder.index for placeholder in layouts[page.layout].placeholders}


@settings(max_examples=25)
@given(deck=decks)
def test_the_same_deck_makes_the_same_pages(deck: Deck, lay: object) -> None:
    assert lay(deck) == lay(deck)  # type: ignore[operator]


# ---------------------------------------------------------------- what was written, what is shown


def inner_of(block: Block) -> tuple[Block, ...]:
    return tuple(inner for item in block.items for inner in item.blocks) if isinstance(block, List) else (block,)


def texts_of(blocks: Iterable[Block]) -> Iterator[str]:
    """The text of every paragraph, line of code and cell."""
    for block in blocks:
        match block:
            case Paragraph(inlines) | Heading(_, inlines):
                yield "".join(inline.text for inline in inlines if isinstance(inline, Run)) + "\n"
            case List(items=items):
                for item in items:
                    yield from texts_of(item.blocks)
            case Quote(inner) | Callout(blocks=inner):
                yield from texts_of(inner)
            case Columns(columns):
                for column in columns:
                    yield from texts_of(column.blocks)
            case Code(text):
                yield text + "\n"
            case Table():
                for row in (block.header, *block.rows):
                    for cell in row:
                        yield "".join(run.text for run in cell if isinstance(run, Run)) + "\n"


def box_texts(box: Box) -> Iterator[str]:
    match box:
        case TextBox():
            for line in box.lines:
                yield "".join(run.text for run in line.runs) + "\n"
        case CodeBox():
            yield box.text + "\n"
        case TableBox():
            for row in box.rows:
                for cell in row:
                    yield "".join(run.text for run in cell) + "\n"


def words_in(texts: Iterable[str]) -> list[str]:
    """The numbered words."""
    return re.findall(r"w\d+", "".join(texts))


def text_height(box: TextBox, theme: Theme) -> float:
    left, top, right, bottom = box.inset_pt
    width = box.frame.width / EMU_PER_POINT - left - right
    height = top + bottom
    for index, line in enumerate(box.lines):
        measured = measure(line.runs, theme.metrics, bold=line.heading or box.role == "title")
        lines = measured.lines((width - line.indent_pt[0]) / (line.size_pt * 1.05))
        height += lines_height(lines, theme.metrics) * line.size_pt * box.line_spacing
        height += (line.space_before_pt if index else 0) + (line.space_after_pt if index < len(box.lines) - 1 else 0)
    return height
