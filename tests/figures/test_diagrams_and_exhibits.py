"""What holds for every exhibit: it can be read in every frame, says what it shows, and comes out the same again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from exhibits import MAKERS
from legible import FRAMES, complaints, course_style, in_frame

PLACES = [*((frame, "zh") for frame in FRAMES), ("beside text", "en")]


@pytest.fixture(autouse=True)
def style() -> Iterator[None]:
    with course_style():
        yield


@pytest.mark.parametrize("name", MAKERS)
def test_every_exhibit_can_be_read_everywhere_and_says_what_it_shows(name: str) -> None:
    said: dict[str, tuple[str, str]] = {}
    for frame, lang in PLACES:
        with in_frame(FRAMES[frame]):
            exhibit = MAKERS[name](FRAMES[frame], lang)
            assert tuple(exhibit.figure.get_size_inches()) == FRAMES[frame], "it takes the frame it is given"
            assert complaints(exhibit.figure) == [], (frame, lang)
        assert all(key.isidentifier() for key in exhibit.values), "prose can quote them"
        values = json.dumps(dict(exhibit.values), allow_nan=False, sort_keys=True)
        assert said.setdefault(lang, (exhibit.alt, values)) == (exhibit.alt, values), "whatever the frame"
    for alt, values in said.values():
        assert len(alt) > 30
        assert "{" not in alt
        assert values != "{}"
    assert said["zh"][0] != said["en"][0]
