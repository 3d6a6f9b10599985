"""Where text stands: the lines that an artist wrote, as one box of the measured size turned about its own middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.text import Text

from deck_builder.drawing.lettering import Line, Typesetter, line_box
from deck_builder.drawing.marks import Box, Halo, Label, Mark, Point, Preset, around, bounds
from deck_builder.drawing.sheet import SPARE
from deck_builder.elements.colour import Colour
from deck_builder.values import dataclass, replace

Alignment = Literal["left", "center", "right"]
LEEWAY_PT = 1.0
"""A text that leaves the frame by no more is moved inside without a word."""
_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}


@dataclass(frozen=True, slots=True)
class Written:
    """One line as matplotlib placed it: `x`, `y` is where its baseline begins, `angle` its direction."""

    x: float
    y: float
    angle: float
    runs: Line
    size_pt: float


@dataclass(frozen=True, slots=True)
class _Span:
    """A line in coordinates turned with the text: its left end, its width and its baseline."""

    left: float
    width: float
    baseline: float


def text_box(
    lines: Sequence[Written], colour: Colour, halo: Halo | None, artist: Text | None, typesetter: Typesetter
) -> Mark:
    """The lines of one text as a box. They share angle and size; the baselines are where matplotlib put them."""
    angle, size_pt = lines[0].angle, lines[0].size_pt
    spans = [_span(line, typesetter) for line in lines]
    alignment = _alignment(spans, artist, angle)
    left, width = min(span.left for span in spans), max(span.left + span.width for span in spans)
    width -= left
    ascents, descents = zip(*(line_box(line.runs, size_pt) for line in lines), strict=True)
    ascent, descent = max(ascents), max(descents)
    spacing = _spacing(spans, ascent + descent)
    spare = width * (SPARE - 1)
    left -= spare * _SHARE[alignment]
    top, bottom = spans[0].baseline + ascent * spacing, spans[-1].baseline - descent * spacing
    middle = _turned((left + (width + spare) / 2, (top + bottom) / 2), angle)
    label = Label(
        lines=tuple(line.runs for line in lines),
        size_pt=size_pt,
        colour=colour,
        alignment=alignment,
        line_spacing=spacing,
        halo=halo,
    )
    return Mark(outline=Preset("rect", around(middle, width + spare, top - bottom), angle), label=label, text_box=True)


def _span(line: Written, typesetter: Typesetter) -> _Span:
    along, up = _turned((line.x, line.y), -line.angle)
    return _Span(along, typesetter.width(line.runs, line.size_pt), up)


def _spacing(spans: Sequence[_Span], natural: float) -> float:
    """Distance of the lines relative to what a viewer would take."""
    if len(spans) < 2 or natural <= 0:
        return 1.0
    step = (spans[0].baseline - spans[-1].baseline) / (len(spans) - 1)
    spacing = round(step / natural, 2)
    return spacing if spacing > 0 else 1.0


def _alignment(spans: Sequence[_Span], artist: Text | None, angle: float) -> Alignment:
    """Where the text keeps its place when its width changes: at the point that it was aligned to."""
    if artist is None:
        return "left"
    if len(spans) > 1:
        return _common_edge(spans, artist)
    anchor = artist.get_transform().transform(artist.get_unitless_position())
    if spans[0].width <= 0:
        return "center"
    share = (_turned(tuple(anchor.tolist()), -angle)[0] - spans[0].left) / spans[0].width
    return "left" if share < 0.25 else "right" if share > 0.75 else "center"


def _common_edge(spans: Sequence[_Span], artist: Text) -> Alignment:
    """Where the lines of a text line up; its own alignment where they are equally long."""
    spread = {
        "left": np.ptp([span.left for span in spans]),
        "center": np.ptp([span.left + span.width / 2 for span in spans]),
        "right": np.ptp([span.left + span.width for span in spans]),
    }
    own = artist.get_horizontalalignment()
    edges: list[Alignment] = sorted(_SHARE, key=lambda edge: edge != own)  # type: ignore[arg-type]
    return min(edges, key=lambda edge: round(float(spread[edge]), 3))


def _turned(point: Point, angle: float) -> Point:
    if not angle:
        return point
    cosine, sine = float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))
    return point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine


# ---------------------------------------------------------------- the frame


def into_frame(mark: Mark, frame: Box) -> tuple[Mark, str]:
    """A text box moved, or set smaller, so that it does not leave the frame; and what was done, if anything."""
    box, label = mark.outline, mark.label
    assert isinstance(box, Preset)
    assert label is not None
    outer = bounds(box)
    scale = min(1.0, frame.width / outer.width, frame.height / outer.height)
    if scale < 1:
        box = Preset("rect", around(box.box.middle, box.box.width * scale, box.box.height * scale), box.angle)
        label = replace(label, size_pt=label.size_pt * scale)
        outer = bounds(box)
    right = max(0.0, frame.left - outer.left) - max(0.0, outer.right - frame.right)
    up = max(0.0, frame.bottom - outer.bottom) - max(0.0, outer.top - frame.top)
    moved = Box(box.box.left + right, box.box.bottom + up, box.box.right + right, box.box.top + up)
    done = ""
    if scale < 1:
        done = f"is larger than the figure and was set at {label.size_pt:.1f} pt"
    elif max(abs(right), abs(up)) > LEEWAY_PT + box.box.width * (SPARE - 1):
        done = f"left the figure by {max(abs(right), abs(up)):.0f} pt and was moved inside"
    return replace(mark, outline=replace(box, box=moved), label=label), done
