"""Zip files as the standard library would write them, of content that may be packed already."""

from __future__ import annotations

import io
import os
import zipfile

import pytest

from deck_builder.errors import DeckError
from deck_builder.writing import zip as zips
from deck_builder.writing.zip import Packed, write_zip

CONTENTS = {
    "[Content_Types].xml": b"<types/>",
    "ppt/slides/slide1.xml": b"<p:sld/>" * 1000,
    "ppt/media/图.png": os.urandom(500),
    "empty": b"",
}


def written(entries: dict[str, Packed]) -> bytes:
    stream = io.BytesIO()
    write_zip(stream, entries.items())
    return stream.getvalue()


def by_the_standard_library(contents: dict[str, bytes], method: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr, info.create_system = method, 0o600 << 16, 3
            archive.writestr(info, content, compresslevel=zips.LEVEL)
    return stream.getvalue()


@pytest.mark.parametrize("stored", [False, True])
def test_the_bytes_are_those_of_the_standard_library(stored: bool) -> None:
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    made = written({name: Packed.of(content, stored=stored) for name, content in CONTENTS.items()})
    assert made == by_the_standard_library(CONTENTS, method)


def test_content_comes_back() -> None:
    made = written({name: Packed.of(content, stored="png" in name) for name, content in CONTENTS.items()})
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == CONTENTS


@pytest.mark.parametrize("stored", [False, True])
def test_packed_content_is_unpacked_whole(stored: bool) -> None:
    for content in CONTENTS.values():
        packed = Packed.of(content, stored=stored)
        assert packed.content == content
        assert packed.size == len(content)


@pytest.mark.parametrize("limit", ["MOST_ENTRIES", "MOST_BYTES"])
def test_what_the_format_cannot_hold_is_an_error(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(zips, limit, 2)
    with pytest.raises(DeckError, match="larger than a presentation can be"):
        written({name: Packed.of(content) for name, content in CONTENTS.items()})
