"""What holds for every exhibit: it can be read in every frame, it says what it shows, it comes out the same again."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from exhibits import MAKERS
from legible import FRAMES, complaints, course_style, in_frame

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def style() -> Iterator[None]:
    with course_style():
        yield


PLACES = [*((frame, "zh") for frame in FRAMES), ("beside text", "en"), ("full", "en")]


@pytest.mark.parametrize(("frame", "lang"), PLACES)
@pytest.mark.parametrize("name", MAKERS)
def test_every_exhibit_can_be_read_in_every_frame(name: str, frame: str, lang: str) -> None:
    with in_frame(FRAMES[frame]):
        exhibit = MAKERS[name](FRAMES[frame], lang)
        assert complaints(exhibit.figure) == []


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int | float):
        yield float(value)


@pytest.mark.parametrize("name", MAKERS)
def test_every_exhibit_has_alt_text_and_values_that_json_can_keep(name: str) -> None:
    chinese, english = (MAKERS[name]((7.0, 4.6), lang) for lang in ("zh", "en"))
    for exhibit in (chinese, english):
        assert len(exhibit.alt) > 30
        assert "{" not in exhibit.alt
    assert chinese.alt != english.alt
    assert chinese.values
    assert json.loads(json.dumps(dict(chinese.values), allow_nan=False)) is not None
    assert all(math.isfinite(number) for value in chinese.values.values() for number in numbers(value))
    assert all(key.isidentifier() for key in chinese.values)


@pytest.mark.parametrize("name", MAKERS)
def test_every_exhibit_comes_out_the_same_in_another_frame(name: str) -> None:
    one, other = (MAKERS[name](FRAMES[frame], "zh") for frame in ("full", "beside text"))
    assert dict(one.values) == dict(other.values)
    assert one.alt == other.alt


@pytest.mark.parametrize("name", MAKERS)
def test_every_exhibit_takes_the_frame_it_is_given(name: str) -> None:
    figure = MAKERS[name]((7.0, 4.6), "zh").figure
    assert tuple(figure.get_size_inches()) == (7.0, 4.6)
