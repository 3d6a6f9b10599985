"""The faces that ship: what they cover, what they are called, under which licence."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont

from deck_builder.paths import templates

FONTS = templates() / "fonts"
FACES = {
    "LectureSansSC-Regular.otf": "OFL-NotoSansSC.txt",
    "LectureSans-Regular.ttf": "OFL-Carlito.txt",
    "LectureSans-Bold.ttf": "OFL-Carlito.txt",
}


def covered(face: str) -> set[str]:
    return {chr(code) for code in TTFont(FONTS / face).getBestCmap()}


def gb2312() -> Iterator[str]:
    """Every character of GB 2312 by the codec, which leaves its empty cells out."""
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            yield from bytes((row, cell)).decode("gb2312", errors="ignore")


def test_the_chinese_face_covers_gb_2312() -> None:
    characters = set(gb2312())
    hanzi = {character for character in characters if "\u4e00" <= character <= "\u9fff"}
    assert len(hanzi) == 6763
    assert characters - covered("LectureSansSC-Regular.otf") == set()


def test_the_chinese_face_covers_the_symbols_of_lectures() -> None:
    symbols = "①⑩⑳→←↑↓⇒∈∑√∞≤≥≠×÷−±≈∂∇∥⊥─│┌┘█■□▲●○★✓“”‘’—…·《》、。：；（）²³⁻₀₁½°′αβγθλμπσφωΔΣΩéüñāǎ"
    assert set(symbols) - covered("LectureSansSC-Regular.otf") - covered("LectureSans-Regular.ttf") == set()


@pytest.mark.parametrize("face", ["LectureSans-Regular.ttf", "LectureSans-Bold.ttf"])
def test_the_latin_faces_cover_the_languages_of_europe(face: str) -> None:
    letters = {
        chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x180), *range(0x386, 0x3CF), *range(0x400, 0x460))
    }
    letters -= {"\u00ad", "\u0387", "\u038b", "\u038d", "\u03a2"}  # a hyphen that is not seen, a variant, empty cells
    assert letters - covered(face) == set()


@pytest.mark.parametrize("face", FACES)
def test_a_subset_bears_no_reserved_name_and_says_where_it_comes_from(face: str) -> None:
    names = TTFont(FONTS / face)["name"]
    primary = [record.toUnicode() for record in names.names if record.nameID in (1, 3, 4, 6, 16, 17)]
    assert primary
    assert all(name.startswith(("Lecture Sans", "LectureSans")) for name in primary)
    assert "Subset of" in names.getDebugName(10)
    assert "Open Font License" in names.getDebugName(13)


@pytest.mark.parametrize(("face", "licence"), FACES.items())
def test_the_licence_lies_beside_its_face_with_its_copyright(face: str, licence: str) -> None:
    text = (FONTS / licence).read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert face in text
    holder = {"OFL-NotoSansSC.txt": "Adobe", "OFL-Carlito.txt": "tyPoland Lukasz Dziedzic"}[licence]
    assert holder in text.partition("PREAMBLE")[0]
    assert holder in TTFont(FONTS / face)["name"].getDebugName(0)


def test_every_face_that_ships_has_a_licence() -> None:
    assert {path.name for path in FONTS.iterdir() if path.suffix in (".otf", ".ttf", ".ttc")} == set(FACES)


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_fonts", templates() / "make_fonts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_subset_script_gives_the_same_bytes_every_time(tmp_path: Path) -> None:
    make = script()
    source = FONTS / "LectureSans-Regular.ttf"
    for name in ("a.ttf", "b.ttf"):
        make.subset(source, tmp_path / name, "Test Sans", "Regular", {ord("A"), ord("é")}, ["kern"])
    assert (tmp_path / "a.ttf").read_bytes() == (tmp_path / "b.ttf").read_bytes()
    assert set(TTFont(tmp_path / "a.ttf").getBestCmap()) == {ord("A"), ord("é")}
