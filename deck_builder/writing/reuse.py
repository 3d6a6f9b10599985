"""Pages printed once: while a page and what it draws on stay as they are, its parts come out of the cache."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deck_builder.cache import bundle, kept, key_of, unbundle
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


def printer(deck: Surroundings, folder: Path | None) -> Callable[[Page, int, Layout], Printed]:
    """What prints the pages of a deck as `printed` does, or takes them from `folder`; without one nothing is kept."""
    if folder is None:
        return lambda page, number, layout: printed(page, number, layout, deck)
    shared, made_by = compared(deck), sources()

    def kept_page(page: Page, number: int, layout: Layout) -> Printed:
        shown = [(name, digest_of(content), content) for name, content in _shown(page, deck)]
        given = {digest: content for _, digest, content in shown}
        text = compared(page)
        parts = [text, number, compared(layout), shared, _jumps(text, deck), [each[:2] for each in shown]]
        key = key_of(parts, made_by, PACKAGES)
        return _unpacked(kept(folder, KIND, key, lambda: _packed(printed(page, number, layout, deck), given)), given)

    return kept_page


def _jumps(text: str, deck: Surroundings) -> dict[str, int | None]:
    """Slides that a page may link to, in its JSON."""
    return {name: deck.anchors.get(name) for name in (json.loads(link)[1:] for link in JUMP.findall(text))}


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
    """The page as it is kept: its parts as they will lie in the package, and pictures that it was not given."""
    media = {name: blob for name, blob in page.media.items() if name not in given}
    parts = [(part.name, part.content_type, *_about(part)) for part in page.parts]
    blobs = [part.packed().data for part in page.parts]
    return bundle({"parts": parts, "media": [*media]}, [*blobs, *media.values()])


def _about(part: Part) -> tuple[list[int], list[list[Any]]]:
    packed = part.packed()
    related = [[each.identifier, each.type, each.target, each.external] for each in part.relationships]
    return [packed.size, packed.crc, packed.method], related


def _unpacked(content: bytes, given: Mapping[str, bytes]) -> Printed:
    """The page that `_packed` wrote, with the pictures that it is given."""
    head, blobs = unbundle(content)
    slide, *notes = [
        Part(name, content_type, Packed(blob, *about), [Relationship(*row) for row in related])
        for (name, content_type, about, related), blob in zip(head["parts"], blobs, strict=False)
    ]
    media = dict(zip(head["media"], blobs[len(head["parts"]) :], strict=True))
    return Printed(slide, notes[0] if notes else None, {**given, **media})
