"""Pictures as PowerPoint can show them; nothing stops for one that it cannot."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image as Pillow

from deck_builder.model import Column, Columns, Deck, Image, Item, List, Settings, Slide, Source
from deck_builder.pictures import read_picture, read_pictures

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>'


@pytest.mark.parametrize(("name", "kept"), [("a.png", True), ("a.jpg", True), ("a.gif", True), ("a.webp", False)])
def test_what_powerpoint_shows_is_kept_and_the_rest_becomes_png(tmp_path: Path, name: str, kept: bool) -> None:
    Pillow.new("RGB", (8, 4), "red").save(tmp_path / name)
    picture = read_picture(str(tmp_path / name))
    assert (picture.width, picture.height) == (8, 4)
    assert picture.blob is not None
    assert (picture.blob == (tmp_path / name).read_bytes()) is kept
    assert kept or Pillow.open(BytesIO(picture.blob)).format == "PNG"


def test_an_svg_keeps_its_original_beside_a_sharper_rendering(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(SVG)
    picture = read_picture(str(tmp_path / "a.svg"))
    assert (picture.width, picture.height) == (40, 20)
    assert picture.svg == SVG.encode()
    assert picture.blob is not None
    image = Pillow.open(BytesIO(picture.blob))
    assert image.size == (120, 60)
    assert image.convert("RGB").getpixel((60, 30)) == (255, 0, 0)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("gone.png", None, "does not exist"),
        ("a.eps", b"%!PS", "format that PowerPoint does not show"),
        ("a.png", b"not a picture", "cannot be read"),
        ("a.svg", b"<svg", "not an SVG"),
    ],
)
def test_what_cannot_be_shown_says_why(tmp_path: Path, name: str, content: bytes | None, reason: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    picture = read_picture(str(tmp_path / name))
    assert picture.blob is None
    assert reason in picture.reason


def test_a_misspelt_name_gets_the_nearest_file(tmp_path: Path) -> None:
    (tmp_path / "loss.png").touch()
    assert "did you mean loss.png?" in read_picture(str(tmp_path / "los.png")).reason


def test_every_picture_wherever_it_stands_is_read_once_and_missing_ones_are_named(tmp_path: Path) -> None:
    path = str(tmp_path / "gone.png")
    nested = Columns((Column((List((Item((Image(path, source=Source("a.md", 5)),)),)),)),))
    slide = Slide("content", (), (nested, Image(path, source=Source("a.md", 9))))
    pictures, notices = read_pictures(Deck(Settings(), (slide,)))
    assert list(pictures) == [path]
    assert [str(notice).split(" ")[0] for notice in notices] == ["a.md:5:", "a.md:9:"]


def test_a_picture_without_words_for_a_screen_reader_is_named(tmp_path: Path) -> None:
    Pillow.new("RGB", (8, 4), "red").save(tmp_path / "a.png")
    path = str(tmp_path / "a.png")
    blocks = (Image(path), Image(path, alt="red"), Image(path, decorative=True))
    _, notices = read_pictures(Deck(Settings(), (Slide("content", (), blocks),)))
    assert [notice.message.split(";")[0] for notice in notices] == ["the picture a.png says nothing to a screen reader"]
