"""Figures and pictures in frames of the ladder: the frame is the place's, never measured from the text beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from deck_builder.layout.captions import caption_prose
from deck_builder.layout.measure import SPARE
from deck_builder.layout.parts import Prose, Visual
from deck_builder.layout.prose import prose_box
from deck_builder.layout.setting import Area, Setting, Step, sized_frame
from deck_builder.model import Figure, Image, Notice
from deck_builder.pages import DrawingBox, PictureBox, TextBox
from deck_builder.values import replace

CAPTION_LINES = 2
"""Every caption is given this many lines, so that a word more or less moves no figure."""
CAPTION_GAP = 5.0
MOST_CAPTION = 0.4
"""Of a frame's height, for its caption."""
TOLERANCE = 1.25
"""A figure fills its frame as long as its own aspect is no further from it than this factor."""
ENLARGED = 2.0
"""A picture is shown at most this much larger than at 96 dots an inch."""
POINTS_PER_PIXEL = 0.75
MISSING = (400, 300)
LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(%|in|cm|mm|pt|px|em)?\s*")
POINTS = {
    "in": 72.0,
    "cm": 72 / 2.54,
    "mm": 72 / 25.4,
    "pt": 1.0,
    "px": POINTS_PER_PIXEL,
    "": POINTS_PER_PIXEL,
    "em": 12.0,
}


def visual(block: Figure | Image, setting: Setting) -> Iterator[Visual | Notice]:
    """A figure or picture; composition gives it its height."""
    caption, notices = caption_prose("figure", block.number, block.caption, setting, block.source, alignment="center")
    yield from notices
    yield Visual(block=block, caption=caption, height=0.0, source=block.source)


def aspect_of(part: Visual, setting: Setting) -> float:
    """Width over height that it wishes."""
    if isinstance(part.block, Figure):
        return max(0.05, part.block.aspect)
    width, height = pixels(part.block, setting)
    return max(0.05, width / max(1, height))


def pixels(block: Image, setting: Setting) -> tuple[int, int]:
    """Size of a picture; of one that is missing, that of its stand-in."""
    picture = setting.pictures.get(block.path)
    return (picture.width, picture.height) if picture is not None else MISSING


def wished(part: Visual, whole: Area) -> tuple[float | None, float | None]:
    """Width and height in points that its author asked for; percent are of the whole area."""
    block = part.block
    if isinstance(block, Image):
        return _points(block.width, whole.width), _points(block.height, whole.height)
    call = block.call
    if call is None:
        return None, None
    width = call.width / 100 * whole.width if call.width else None
    return width, call.height / 100 * whole.height if call.height else None


def _points(length: str | None, whole: float) -> float | None:
    """`50%` of the whole, `3in`, `5cm`, `200px`, or plain pixels, in points."""
    match = LENGTH.fullmatch(length or "")
    if match is None or float(match[1]) == 0:
        return None
    return float(match[1]) * (whole / 100 if match[2] == "%" else POINTS[match[2] or ""])


def framed(part: Visual, width: float, height: float, whole: Area, setting: Setting) -> tuple[Visual | Prose, ...]:
    """With the height of its frame, caption included, and no larger than its author asked for.

    A caption that would leave too little of the frame follows as a text of its own.
    """
    limit, wish = wished(part, whole)
    room = caption_room(part, width, setting)
    apart: tuple[Prose, ...] = ()
    if part.caption is not None and room > MOST_CAPTION * height:
        apart, part, height = (part.caption,), replace(part, caption=None), (1 - MOST_CAPTION) * height
    return replace(part, height=height, limit=(limit or inf, wish or inf)), *apart


def caption_room(part: Visual, width: float, setting: Setting) -> float:
    """What is kept for the caption: two lines, two more where it is much too long for them; nothing without one."""
    if part.caption is None:
        return 0.0
    size = setting.theme.sizes.caption
    lines = len(part.caption.entries[0].measured.lines(width / (size * SPARE)))
    kept = max(CAPTION_LINES, lines + lines % 2)
    return CAPTION_GAP + kept * setting.metrics.east_asian_line_height * SPARE * size


def place_visual(
    part: Visual, area: Area, step: Step, setting: Setting, *, band: float = 0.0
) -> Iterator[DrawingBox | PictureBox | TextBox]:
    """The drawing in the middle of its frame, its caption right under it; under a `band` that it shares with others."""
    room = caption_room(part, area.width, setting)
    width, height = drawing_size(part, area.width, area.height - room, setting)
    band = max(band, height)
    top = area.top + max(0.0, area.height - room - band) / 2
    yield _box(part.block, Area(area.left + (area.width - width) / 2, top + (band - height) / 2, width, height))
    if part.caption is not None:
        below = top + band + CAPTION_GAP
        yield prose_box(part.caption, Area(area.left, below, area.width, room - CAPTION_GAP), step, setting)


def drawing_height(part: Visual, width: float, setting: Setting) -> float:
    """Height of the drawing alone in a column of `width` points."""
    return drawing_size(part, width, part.height - caption_room(part, width, setting), setting)[1]


def drawing_offset(part: Visual, width: float, setting: Setting) -> float:
    """How far below the top of its frame the drawing begins."""
    return (part.height - caption_room(part, width, setting) - drawing_height(part, width, setting)) / 2


def drawing_size(part: Visual, width: float, height: float, setting: Setting) -> tuple[float, float]:
    """Width and height of the drawing in a frame: the frame's own, unless that would distort it; pictures never are."""
    aspect, wide, height = aspect_of(part, setting), min(width, part.limit[0]), min(height, part.limit[1])
    if isinstance(part.block, Figure) and 1 / TOLERANCE <= aspect * height / wide <= TOLERANCE:
        return wide, height
    wide = min(wide, height * aspect)
    if isinstance(part.block, Image) and not (part.block.width or part.block.height):
        wide = min(wide, pixels(part.block, setting)[0] * POINTS_PER_PIXEL * ENLARGED)
    return wide, wide / aspect


def _box(block: Figure | Image, area: Area) -> DrawingBox | PictureBox:
    if isinstance(block, Figure):
        return DrawingBox(
            frame=sized_frame(area),
            label=block.label,
            alt=block.alt,
            fingerprint=block.fingerprint,
            source=block.source,
        )
    return PictureBox(
        frame=area.frame,
        path=block.path,
        name=block.label or "",
        alt=block.alt,
        decorative=block.decorative,
        link=block.link,
        source=block.source,
    )
