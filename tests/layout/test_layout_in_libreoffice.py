"""What was measured against what LibreOffice sets: no character outside the box that was measured for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import needs

from deck_builder.layout import lay_out
from deck_builder.model import Callout, Code, Deck, Item, List, Paragraph, Quote, Run, Settings, Slide, Style, Table
from deck_builder.pages import EMU_PER_POINT, Page
from deck_builder.theming.theme import Theme
from deck_builder.writing import write

pytestmark = [pytest.mark.slow, needs("soffice")]

SLACK_PT = 2.0
"""Side bearings and the overshoot of glyphs."""
SENTENCES = (
    "解码器每一步都向编码器的所有隐藏状态提问，“查询”是当前状态，“键”和“值”是编码器状态；权重之和为 1，由数据学出。",
    "Self-attention (自注意力) 的代价是 T×T：长度从 512 到 1024，分数矩阵从 8 MiB 到 32 MiB，其余部分只翻一倍。",
    "Every step of the decoder asks all states of the encoder, weighs them by softmax and mixes their values.",
    "把 padding 的分数填成 −∞，再做 softmax；填 0 的话 exp(0) = 1，被遮住的位置照样分走权重。",
)


def paragraphs(count: int, *styles: Style) -> tuple[Paragraph, ...]:
    return tuple(
        Paragraph((Run(SENTENCES[index % 4][:10], styles[index % len(styles)]), Run(SENTENCES[index % 4][10:])))
        for index in range(count)
    )


def slides() -> Iterator[Slide]:
    code = "\n".join(("def attend(q, k, v):  # 查询、键、值", "    return (q @ k.mT).softmax(-1) @ v", "") * 7)
    row = tuple((Run(sentence[:14]),) for sentence in SENTENCES)
    yield Slide(
        "content", (Run("坑 1：padding 没屏蔽，loss 下不去，softmax 也救不了"),), paragraphs(8, Style(bold=True))
    )
    yield Slide(
        "content", (Run("列表"),), (List(tuple(Item(paragraphs(1, Style())) for _ in range(16)), ordered=True),)
    )
    yield Slide("content", (Run("代码"),), (Code(code, "python", first_number=1), *paragraphs(2, Style(code=True))))
    yield Slide("content", (Run("表格"),), (Table(row, (row,) * 9, ("left", "right", "center", "left")),))
    frames = tuple(Callout(kind, (Run("现象"),), paragraphs(1, Style())) for kind in ("note", "tip", "warning"))
    yield Slide("content", (Run("框"),), (*frames, Quote(paragraphs(2, Style(italic=True)))))


@pytest.fixture(scope="module")
def rendered(
    tmp_path_factory: pytest.TempPathFactory, to_pdf: Callable[[Path], Path], theme: Theme, formulas: Any
) -> tuple[tuple[Page, ...], Any]:
    import pypdfium2

    settings = Settings(lang="zh-CN", title=(Run("量一量"),))
    pages = lay_out(Deck(settings, tuple(slides())), theme, formulas, {})
    deck = tmp_path_factory.mktemp("deck") / "measured.pptx"
    write(pages, settings, theme, deck, formulas=formulas, pictures={})
    return pages.pages, pypdfium2.PdfDocument(to_pdf(deck))


def test_every_character_stands_in_a_box_of_its_page(rendered: tuple[tuple[Page, ...], Any]) -> None:
    pages, document = rendered
    strays = [
        (number, character, box)
        for number, page in enumerate(pages)
        for character, box in characters(document[number])
        if not any(holds(frame, box) for frame in frames(page))
    ]
    assert not strays


def characters(page: Any) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Each visible character above the footer with its ink box, in points from the top left corner."""
    text, height = page.get_textpage(), page.get_height()
    for index in range(text.count_chars()):
        character = text.get_text_range(index, 1)
        left, bottom, right, top = text.get_charbox(index)
        if character.strip() and height - top < 500:
            yield character, (left, height - top, right, height - bottom)


def frames(page: Page) -> list[tuple[float, float, float, float]]:
    boxes = [box.frame for box in (page.title, *page.boxes)]
    return [
        tuple(length / EMU_PER_POINT for length in (frame.left, frame.top, frame.right, frame.bottom))  # type: ignore[misc]
        for frame in boxes
    ]


def holds(frame: tuple[float, float, float, float], box: tuple[float, float, float, float]) -> bool:
    return (
        frame[0] - SLACK_PT <= box[0]
        and frame[1] - SLACK_PT <= box[1]
        and box[2] <= frame[2] + SLACK_PT
        and box[3] <= frame[3] + SLACK_PT
    )
