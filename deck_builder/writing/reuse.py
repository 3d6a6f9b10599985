"""Pages printed once: while a page and what it draws on stay as they are, its parts come out of the cache."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deck_builder.cache import kept, key_of
from deck_builder.pages import DrawingBox, Page, PictureBox
from deck_builder.paths import code, templates
from deck_builder.plain import compared
from deck_builder.theming.theme import Layout
from deck_builder.writing.media import Printed, digest_of
from deck_builder.writing.package import Part, Relationship
from deck_builder.writing.slides import printed
from deck_builder.writing.sources import Surroundings
from deck_builder.writing.zip import Packed

KIND = "slides"
PACKAGES = ("lxml", "math_core", "pygments", "resvg_py", "ziafont", "ziamath")
ROOMS = ("elements", "formulas", "theming", "writing")
JUMP = re.compile(r'"#(?:[^"\\]|\\.)*"')
"""A string of JSON that may be a link to a slide."""


def kept_page(page: Page, number: int, layout: Layout, deck: Surroundings, folder: Path | None) -> Printed:
    """The page as `printed` prints it, kept in `folder`; without a folder it is printed anew."""
    if folder is None:
        return printed(page, number, layout, deck)
    shown = [(name, digest_of(content), content) for name, content in _shown(page, deck)]
    given = {digest: content for _, digest, content in shown}
    key = key_of(
        [*_values(page, number, layout, deck), [(name, digest) for name, digest, _ in shown]], sources(), PACKAGES
    )
    return _unpacked(kept(folder, KIND, key, lambda: _packed(printed(page, number, layout, deck), given)), given)


def _values(page: Page, number: int, layout: Layout, deck: Surroundings) -> list[Any]:
    """The values that a page's parts are printed from."""
    text = compared(page)
    jumps = {name: deck.anchors.get(name) for name in (json.loads(link)[1:] for link in JUMP.findall(text))}
    return [text, number, jumps, compared([layout, deck])]


def _shown(page: Page, deck: Surroundings) -> Iterator[tuple[str, bytes]]:
    """The drawings and pictures that a page shows, by name. They need not be kept with it."""
    for box in page.boxes:
        if isinstance(box, DrawingBox):
            drawing = deck.drawings[box.label]
            yield from (("group", drawing.group), *drawing.media.items())
        elif isinstance(box, PictureBox) and (picture := deck.pictures.get(box.path)):
            contents = (("picture", picture.blob), ("svg", picture.svg), ("reason", picture.reason.encode()))
            yield from ((name, content) for name, content in contents if content)


def sources() -> tuple[Path, ...]:
    """What prints pages, and the faces of formulas."""
    return (*code(*ROOMS), *sorted((templates() / "fonts").glob("*.*")))


def _packed(page: Printed, given: Mapping[str, bytes]) -> bytes:
    """The page as one line of JSON and the bytes that it lists, as they will lie in the package."""
    media = {name: blob for name, blob in page.media.items() if name not in given}
    head = {
        "parts": [[part.name, part.content_type, *_as_rows(part)] for part in page.parts],
        "media": [[name, len(blob)] for name, blob in media.items()],
    }
    blobs = (*(part.packed().data for part in page.parts), *media.values())
    return b"".join((json.dumps(head).encode(), b"\n", *blobs))


def _as_rows(part: Part) -> tuple[list[int], list[list[Any]]]:
    packed = part.packed()
    related = [[each.identifier, each.type, each.target, each.external] for each in part.relationships]
    return [len(packed.data), packed.size, packed.crc, packed.method], related


def _unpacked(content: bytes, given: Mapping[str, bytes]) -> Printed:
    """The page that `_packed` wrote, with the pictures that it is given."""
    at = content.index(b"\n") + 1
    head = json.loads(content[:at])
    parts = []
    for name, content_type, (length, *about), related in head["parts"]:
        packed = Packed(content[at : at + length], *about)
        parts.append(Part(name, content_type, packed, [Relationship(*row) for row in related]))
        at += length
    media = dict(given)
    for name, length in head["media"]:
        media[name] = content[at : at + length]
        at += length
    return Printed(parts[0], parts[1] if len(parts) > 1 else None, media)
