"""Parts that were clean in the last deck are not read again; whatever differs is."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support import text_line, title_box

from deck_builder.checking import clean, package, problems
from deck_builder.formulas import Formulas
from deck_builder.model import Settings
from deck_builder.pages import Page, Pages
from deck_builder.theming.read import read_theme
from deck_builder.writing import write
from deck_builder.writing.package import Part, read_package

Edit = Callable[[bytes], bytes]
SLIDE = "ppt/slides/slide1.xml"
NOTES = "ppt/notesSlides/notesSlide1.xml"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A deck of two slides with notes."""
    pages = tuple(
        Page(layout="Title Only", title=title_box(f"Slide {number}"), notes=(text_line("say it"),)) for number in (1, 2)
    )
    path = tmp_path / "deck.pptx"
    write(Pages(pages), Settings(), read_theme(), path, formulas=Formulas(), pictures={})
    return path


@pytest.fixture
def read_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the parts that are parsed, as it happens."""
    names: list[str] = []
    read = package.Parsed.read

    def noted(self: package.Parsed, part: Part) -> object:
        names.append(part.name)
        return read(self, part)

    monkeypatch.setattr(package.Parsed, "read", noted)
    return names


def edited(path: Path, edits: Mapping[str, Edit]) -> Path:
    """A copy of a deck with some parts changed."""
    copy = path.with_name("edited.pptx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            new.writestr(name, edits.get(name, bytes)(old.read(name)))
    return copy


def twice_the_id(blob: bytes) -> bytes:
    return blob.replace(b'<p:cNvPr id="2"', b'<p:cNvPr id="1"', 1)


def test_a_deck_checked_before_is_not_read_again(deck: Path, tmp_path: Path, read_parts: list[str]) -> None:
    assert problems(deck, tmp_path) == []
    assert {SLIDE, NOTES} <= set(read_parts)
    read_parts.clear()
    assert problems(deck, tmp_path) == []
    assert read_parts == ["ppt/presentation.xml"], "the lists of the package are always read"


def test_a_broken_slide_is_told_although_the_one_before_it_was_clean(deck: Path, tmp_path: Path) -> None:
    assert problems(deck, tmp_path) == []
    broken = edited(deck, {SLIDE: twice_the_id})
    wanted = problems(broken)
    assert len(wanted) == 1
    assert "shape id 1 is used 2 times" in wanted[0]
    for _ in range(2):
        assert problems(broken, tmp_path) == wanted, "what is broken is never remembered as clean"


def test_only_what_changed_is_read(deck: Path, tmp_path: Path, read_parts: list[str]) -> None:
    problems(deck, tmp_path)
    read_parts.clear()
    assert problems(edited(deck, {SLIDE: lambda blob: blob.replace(b"Slide 1", b"Slide one")}), tmp_path) == []
    assert set(read_parts) == {"ppt/presentation.xml", SLIDE, layout_of(deck)}


def test_a_slide_is_read_again_when_its_layout_changes(deck: Path, tmp_path: Path) -> None:
    problems(deck, tmp_path)
    broken = edited(deck, {layout_of(deck): lambda blob: blob.replace(b'type="title"', b'type="body" idx="77"')})
    assert problems(broken, tmp_path) == problems(broken) != []


def test_other_rules_read_everything_again(
    deck: Path, tmp_path: Path, read_parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    problems(deck, tmp_path)
    rules = tmp_path / "rules.py"
    rules.write_text("# another rule")
    monkeypatch.setattr(clean, "CODE", (*clean.CODE, rules))
    read_parts.clear()
    problems(deck, tmp_path)
    assert SLIDE in read_parts


@pytest.mark.parametrize("damage", [b"", b"not even a digest", b"0" * 64 + b"\n[]"])
def test_a_damaged_list_of_clean_parts_is_harmless(
    deck: Path, tmp_path: Path, read_parts: list[str], damage: bytes
) -> None:
    problems(deck, tmp_path)
    (entry,) = (tmp_path / clean.KIND).iterdir()
    entry.write_bytes(damage)
    read_parts.clear()
    assert problems(deck, tmp_path) == []
    assert SLIDE in read_parts


def test_a_cache_that_cannot_be_written_is_harmless(deck: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert problems(deck, tmp_path / "file") == []


def layout_of(deck: Path) -> str:
    """The layout of the first slide."""
    parts = read_package(deck).parts
    (name,) = parts[SLIDE].related("slideLayout")
    return name
