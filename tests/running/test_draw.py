"""Figures drawn for their frames, in real worker processes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from support import inches, title_box

from deck_builder.errors import DeckError
from deck_builder.model import Deck, Figure, FigureCall
from deck_builder.pages import CodeBox, DrawingBox, Frame, Page, Pages
from deck_builder.running import Event, Runner
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Theme

Lesson = Callable[[Mapping[str, str]], Path]
Call = Callable[..., FigureCall]
MakeDeck = Callable[..., Deck]

MAPS = """
from types import SimpleNamespace
from matplotlib.figure import Figure

def sized(size=None):
    figure = Figure()
    figure.text(0.5, 0.5, f"{size[0]:.2f} x {size[1]:.2f}" if size else "wish")
    return SimpleNamespace(figure=figure, values={"told": size is not None}, alt="")

def plain(n: int = 3):
    figure = Figure(figsize=(9, 1))
    axes = figure.add_subplot()
    axes.plot(range(n))
    axes.set_title(f"{figure.get_size_inches()} wished")
    return figure

def asks(size):
    return SimpleNamespace(figure=Figure(figsize=size), values={"size": list(size)}, alt="x")

def breaks():
    figure = Figure()
    figure.add_subplot().xaxis.set_major_formatter(lambda x, position: 1 / 0)
    return figure
"""
SMALL = inches(1, 1, 4, 3)


@pytest.fixture(scope="module")
def theme() -> Theme:
    return read_theme(None)


def boxes(**frames: Frame) -> Pages:
    """A page with a place for each figure."""
    drawn = tuple(DrawingBox(frame=frame, label=label, alt=f"{label} & co") for label, frame in frames.items())
    return Pages((Page(layout="Figure", title=title_box("T"), boxes=drawn),))


def drawn(folder: Path, deck: Deck, pages: Pages, theme: Theme, *, execute: bool = True) -> tuple[Pages, list[str]]:
    """The pages with drawings, and the names of what ran to draw them."""
    events: list[Event] = []
    with Runner(folder, jobs=1, run=execute, progress=events.append) as runner:
        made = runner.evaluate(deck)
        events.clear()
        pages = runner.draw(pages, made, theme)
    return pages, sorted(event.name for event in events if event.kind == "finished")


def words(pages: Pages, label: str) -> str:
    """All text in a drawing."""
    return "".join(map(str, etree.fromstring(pages.drawings[label].group).itertext()))


def test_a_figure_is_drawn_for_its_frame_and_kept(lesson: Lesson, deck: MakeDeck, figure: Call, theme: Theme) -> None:
    folder = lesson({"lab.py": MAPS})
    calls = deck(figure("lab.sized", "a"), figure("lab.plain", "b", n=4))
    pages, ran = drawn(folder, calls, boxes(a=SMALL, b=SMALL), theme)
    assert ran == ["plain(n=4)", "sized"]
    assert words(pages, "a") == "4.00 x 3.00"
    group = etree.fromstring(pages.drawings["a"].group)
    name = group.find(".//{*}cNvPr")
    assert name is not None
    assert (name.get("name"), name.get("descr")) == ("a", "a & co")
    assert pages.drawings["a"].shapes > 0

    again, ran = drawn(folder, calls, boxes(a=SMALL, b=SMALL), theme)
    assert (ran, again) == ([], pages)
    other_alt = DrawingBox(frame=SMALL, label="a", alt='said "otherwise"')
    third, ran = drawn(folder, calls, Pages((replace(pages.pages[0], boxes=(other_alt,)),)), theme)
    assert ran == []
    name = etree.fromstring(third.drawings["a"].group).find(".//{*}cNvPr")
    assert name is not None
    assert name.get("descr") == 'said "otherwise"'
    moved = Frame(SMALL.left + 9, SMALL.top + 9, SMALL.width, SMALL.height)
    assert drawn(folder, calls, boxes(a=moved, b=inches(1, 1, 5, 3)), theme)[1] == ["plain(n=4)"]
    recoloured = replace(theme, colours={**theme.colours, "accent1": "123456"})
    assert drawn(folder, calls, boxes(a=SMALL), recoloured)[1] == ["sized"]


def test_cold_builds_draw_the_same_bytes(lesson: Lesson, deck: MakeDeck, figure: Call, theme: Theme) -> None:
    folder = lesson({"lab.py": MAPS})
    calls = deck(figure("lab.plain", "b"))
    first, _ = drawn(folder, calls, boxes(b=SMALL), theme)
    shutil.rmtree(folder / ".deckbuild")
    second, ran = drawn(folder, calls, boxes(b=SMALL), theme)
    assert ran == ["plain"]
    assert first.drawings == second.drawings
    assert first.drawings["b"].group == second.drawings["b"].group


def test_a_function_that_insists_on_a_size_gets_one_before_there_is_a_frame(
    lesson: Lesson, deck: MakeDeck, figure: Call
) -> None:
    with Runner(lesson({"lab.py": MAPS}), jobs=1) as runner:
        asks, sized = runner.evaluate(deck(figure("lab.asks", "a"), figure("lab.sized", "b"))).slides[0].blocks
    assert isinstance(asks, Figure)
    assert isinstance(sized, Figure)
    width, height = asks.values["size"]
    assert asks.aspect == pytest.approx(width / height)
    assert sized.values == {"told": False}


def test_without_running_a_figure_for_a_new_frame_shows_its_code(
    lesson: Lesson, deck: MakeDeck, figure: Call, theme: Theme
) -> None:
    folder = lesson({"lab.py": MAPS})
    calls = deck(figure("lab.sized", "a"), figure("lab.plain", "b"))
    drawn(folder, calls, boxes(a=SMALL, b=SMALL), theme)
    pages, ran = drawn(folder, calls, boxes(a=SMALL, b=inches(1, 1, 3, 1.1)), theme, execute=False)
    assert ran == []
    assert list(pages.drawings) == ["a"]
    kept, code = pages.pages[0].boxes
    assert isinstance(kept, DrawingBox)
    assert isinstance(code, CodeBox)
    assert code.text.splitlines() == ["def plain(n: int = 3):", "    figure = Figure(figsi…", "…"]
    assert [str(notice) for notice in pages.notices] == [
        "content/01.md:10: b was never drawn in this size and these colours: its code is shown; build without --no-run"
    ]


def test_a_figure_that_fails_while_it_is_drawn_names_the_users_line(
    lesson: Lesson, deck: MakeDeck, figure: Call, theme: Theme
) -> None:
    line = 1 + next(number for number, text in enumerate(MAPS.splitlines()) if "1 / 0" in text)
    with pytest.raises(DeckError, match=rf"breaks could not be drawn: ZeroDivisionError.*\(lab.py:{line}\)") as caught:
        drawn(lesson({"lab.py": MAPS}), deck(figure("lab.breaks", "a")), boxes(a=SMALL), theme)
    assert str(caught.value.source) == "content/01.md:10"
