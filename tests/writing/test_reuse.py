"""Pages that are not printed again: the same bytes as without a cache, whatever changes between two builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from lxml import etree
from support import inches, text_line, title_box

from deck_builder.elements.xml import element
from deck_builder.formulas import FormulaCache, Formulas
from deck_builder.model import Run, Settings, Source, Style
from deck_builder.pages import (
    CodeBox,
    Drawing,
    DrawingBox,
    EquationBox,
    Line,
    Page,
    Pages,
    PictureBox,
    TableBox,
    TextBox,
)
from deck_builder.pictures import Picture
from deck_builder.theming.read import read_theme
from deck_builder.writing import reuse, slides, write

PNG = b"\x89PNG\r\n\x1a\n"
FRAME = inches(1, 2, 4, 2)


def text(*runs: Run) -> TextBox:
    return TextBox(frame=FRAME, lines=(Line(runs=runs),), name="Text")


def drawing(name: str, *media: bytes) -> Drawing:
    offset = element("a:xfrm", None, element("a:off", {"x": 0, "y": 0}), element("a:ext", {"cx": 9, "cy": 9}))
    head = element("p:nvGrpSpPr", None, element("p:cNvPr", {"id": 1, "name": name}))
    pictures = (
        element("p:pic", None, element("p:blipFill", None, element("a:blip", {"r:embed": f"image-{number}"})))
        for number in range(len(media))
    )
    group = element("p:grpSp", None, head, element("p:grpSpPr", None, offset), *pictures)
    return Drawing(etree.tostring(group), {f"image-{number}": blob for number, blob in enumerate(media)})


@dataclass(frozen=True)
class Lecture:
    """What a deck is written from."""

    pages: Sequence[Page] = (
        Page(
            layout="Title Only",
            title=title_box("One"),
            boxes=(
                text(Run("see "), Run("two", Style(link="#two")), Run(" and "), Run("none", Style(link='#n"one'))),
                EquationBox(frame=FRAME, tex=r"\vect{x}^2", size_pt=20.0, name="eq"),
                PictureBox(frame=FRAME, path="/a.png", name="picture", alt="a"),
                DrawingBox(frame=FRAME, label="fig-x", alt="x"),
            ),
            notes=(text_line("say it"),),
        ),
        Page(
            layout="Title Only",
            title=title_box("Two"),
            identifier="two",
            boxes=(
                CodeBox(frame=FRAME, text="x = 1", language="python", size_pt=14.0, highlight=frozenset({1})),
                TableBox(
                    frame=FRAME,
                    rows=(((Run("a"),),),),
                    alignments=("left",),
                    column_widths=(FRAME.width,),
                    row_heights=(FRAME.height,),
                    size_pt=12.0,
                ),
            ),
        ),
    )
    drawings: dict[str, Drawing] = field(
        default_factory=lambda: {"fig-x": drawing("fig-x", PNG + b"first", PNG + b"second")}
    )
    pictures: dict[str, Picture] = field(default_factory=lambda: {"/a.png": Picture(4, 4, PNG + b"a")})
    macros: dict[str, str] = field(default_factory=lambda: {"vect": r"\mathbf{#1}"})
    settings: Settings = Settings(lang="en-US")

    def written(self, path: Path, cache: Path | None) -> bytes:
        formulas = Formulas(self.macros, FormulaCache(cache), lang=self.settings.lang)
        pages = Pages(tuple(self.pages), drawings=self.drawings)
        write(pages, self.settings, read_theme(), path, formulas=formulas, pictures=self.pictures, cache=cache)
        return path.read_bytes()


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the pages that are printed, as it happens."""
    numbers: list[int] = []

    def noted(page: Page, number: int, *others: object) -> object:
        numbers.append(number)
        return print_page(page, number, *others)

    print_page: Callable[..., object] = slides.printed
    monkeypatch.setattr(reuse, "printed", noted)
    return numbers


def test_pages_from_the_cache_have_the_same_bytes(tmp_path: Path, printed: list[int]) -> None:
    path, cache = tmp_path / "deck.pptx", tmp_path / "cache"
    plain = Lecture().written(path, None)
    assert Lecture().written(path, cache) == plain
    assert printed == [1, 2, 1, 2]
    assert Lecture().written(path, cache) == plain
    assert printed == [1, 2, 1, 2], "the third time nothing is printed"


def with_title(lecture: Lecture, number: int, title: str) -> Lecture:
    pages = [replace(page, title=title_box(title)) if at == number else page for at, page in enumerate(lecture.pages)]
    return replace(lecture, pages=pages)


CHANGES: dict[str, tuple[list[int], Callable[[Lecture], Lecture]]] = {
    "a word": ([2], lambda deck: with_title(deck, 1, "Too")),
    "a page before": ([1, 2, 3], lambda deck: replace(deck, pages=[deck.pages[1], *deck.pages])),
    "a page after": ([3], lambda deck: replace(deck, pages=[*deck.pages, replace(deck.pages[1], identifier=None)])),
    "a jump's target": (
        [1, 2],
        lambda deck: replace(deck, pages=[deck.pages[0], replace(deck.pages[1], identifier="three")]),
    ),
    "a target that was missing": (
        [1, 2],
        lambda deck: replace(deck, pages=[deck.pages[0], replace(deck.pages[1], identifier='n"one')]),
    ),
    "a drawing": (
        [1],
        lambda deck: replace(deck, drawings={"fig-x": drawing("other", PNG + b"first", PNG + b"second")}),
    ),
    "pictures of a drawing": (
        [1],
        lambda deck: replace(deck, drawings={"fig-x": drawing("fig-x", PNG + b"second", PNG + b"first")}),
    ),
    "a picture": ([1], lambda deck: replace(deck, pictures={"/a.png": Picture(4, 4, PNG + b"b")})),
    "a picture that is gone": ([1], lambda deck: replace(deck, pictures={"/a.png": Picture(4, 4, reason="gone")})),
    "a macro": ([1, 2], lambda deck: replace(deck, macros={"vect": r"\vec{#1}"})),
    "the language": ([1, 2], lambda deck: replace(deck, settings=Settings(lang="zh-CN"))),
    "how formulas fall back": (
        [1, 2],
        lambda deck: replace(deck, settings=replace(deck.settings, math_fallback="text")),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_printed_and_nothing_else(tmp_path: Path, printed: list[int], change: str) -> None:
    again, edit = CHANGES[change]
    path, cache = tmp_path / "deck.pptx", tmp_path / "cache"
    Lecture().written(path, cache)
    changed = edit(Lecture())
    plain = changed.written(path, None)
    printed.clear()
    assert changed.written(path, cache) == plain
    assert printed == again


def test_other_lines_of_the_lesson_print_nothing_again(tmp_path: Path, printed: list[int]) -> None:
    path, cache = tmp_path / "deck.pptx", tmp_path / "cache"
    Lecture().written(path, cache)
    printed.clear()
    lecture = Lecture()
    moved = [replace(page, source=Source("01.md", 7)) for page in lecture.pages]
    replace(lecture, pages=moved).written(path, cache)
    assert printed == []


def test_edited_printers_print_everything_again(
    tmp_path: Path, printed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "deck.pptx", tmp_path / "cache"
    plain = Lecture().written(path, cache)
    printer = tmp_path / "printer.py"
    printer.write_text("# other elements")
    code = (*reuse.sources(), printer)
    monkeypatch.setattr(reuse, "sources", lambda: code)
    printed.clear()
    assert Lecture().written(path, cache) == plain
    assert printed == [1, 2]


def test_every_printer_counts() -> None:
    names = {path.parent.name + "/" + path.name for path in reuse.sources()}
    assert {"writing/boxes.py", "elements/text.py", "formulas/picture.py", "deck_builder/pages.py"} <= names
    assert any(name.endswith(".ttf") for name in names), "the faces of formulas too"


def test_a_damaged_page_is_printed_again(tmp_path: Path, printed: list[int]) -> None:
    path, cache = tmp_path / "deck.pptx", tmp_path / "cache"
    plain = Lecture().written(path, cache)
    for entry in (cache / reuse.KIND).iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    printed.clear()
    assert Lecture().written(path, cache) == plain
    assert printed == [1, 2]
