"""Figures, tables and equations are counted in reading order, and referred to by what they are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deck_builder.errors import DeckErrors
from deck_builder.model import (
    Block,
    Column,
    Columns,
    Deck,
    Equation,
    Figure,
    Image,
    Paragraph,
    Reference,
    Run,
    Settings,
    Slide,
    Source,
    Table,
)
from deck_builder.numbering import number


def deck(*slides: tuple[Block, ...], lang: str = "zh-CN") -> Deck:
    return Deck(
        Settings(lang=lang),
        tuple(Slide("content", (Run(f"S{n}"),), blocks, identifier=f"slide-{n}") for n, blocks in enumerate(slides, 1)),
    )


def figure(label: str) -> Figure:
    return Figure(label, (Run("caption"),), "alt", 1.5)


def refer(target: str) -> Paragraph:
    return Paragraph((Reference(target, source=Source("a.md", 7)),))


def text_of(block: Block) -> str:
    assert isinstance(block, Paragraph)
    return "".join(inline.text for inline in block.inlines if isinstance(inline, Run))


def test_figures_and_tables_are_counted_apart_in_reading_order() -> None:
    table = Table((), (), (), label="tbl-a")
    columns = Columns((Column((figure("fig-b"),)), Column((Equation("x", "eq-a"), Equation("y")))))
    done = number(deck((figure("fig-a"), table), (columns, figure("fig-c"))))
    first, second = done.slides
    assert [getattr(block, "number", None) for block in first.blocks] == [1, 1]
    inner = second.blocks[0]
    assert isinstance(inner, Columns)
    assert [getattr(b, "number", None) for column in inner.columns for b in column.blocks] == [2, 1, None]
    assert getattr(second.blocks[1], "number", None) == 3


@pytest.mark.parametrize(("lang", "text"), [("zh-CN", "图 1"), ("en-GB", "Figure 1")])
def test_a_reference_names_its_figure_and_links_to_its_slide(lang: str, text: str) -> None:
    done = number(deck((refer("fig-a"),), (figure("fig-a"),), lang=lang))
    paragraph = done.slides[0].blocks[0]
    assert text_of(paragraph) == text
    assert isinstance(paragraph, Paragraph)
    assert paragraph.inlines[0].style.link == "#slide-2"


def test_only_pictures_with_a_figure_label_are_counted() -> None:
    done = number(deck((Image("a.png"), Image("b.png", label="fig-b"), figure("fig-c"))))
    assert [getattr(block, "number", None) for block in done.slides[0].blocks] == [None, 1, 2]


def test_an_unknown_label_is_an_error_with_its_line_and_a_close_match() -> None:
    with pytest.raises(DeckErrors, match="did you mean @fig-align") as caught:
        number(deck((figure("fig-align"), refer("fig-aling"))))
    assert caught.value.lines()[0].startswith("a.md:7: ")


def test_notes_of_the_agenda_refer_to_figures_too() -> None:
    lesson = deck((figure("fig-a"),))
    done = number(replace(lesson, settings=replace(lesson.settings, toc_notes=(refer("fig-a"),))))
    assert text_of(done.settings.toc_notes[0]) == "图 1"
