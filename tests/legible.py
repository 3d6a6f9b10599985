"""What makes a figure unreadable, found by drawing it: text that is small, clipped, or over other text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any
from unittest.mock import patch

from cycler import cycler
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from matplotlib.transforms import Bbox

FRAMES = {"beside text": (7.0, 4.6), "full": (11.9, 5.0), "lower part": (11.9, 3.3)}
"""Inches of the usual frames of a slide."""

SMALLEST = 11.0
SLACK = 1.0
"""Points by which boxes of neighbouring texts may touch: glyphs do not fill their box."""


@contextmanager
def in_frame(size: tuple[float, float]) -> Iterator[None]:
    """The settings under which a worker draws: frame, resolution, constrained layout."""
    with rc_context({"figure.figsize": size, "figure.dpi": 72, "figure.constrained_layout.use": True}):
        yield


def drawn_texts(figure: Figure) -> list[tuple[Text, Bbox]]:
    """Every text that really is drawn, with its box in points; nothing is rasterised."""
    figure.set_dpi(72)
    canvas = FigureCanvasAgg(figure)
    if all(not axes.axison for axes in figure.axes):  # a canvas in points: no ticks, nothing to lay out
        seen = [text for axes in figure.axes for text in axes.texts if text.get_text().strip()]
    else:
        seen = _texts_of_axes(figure)
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    # An annotation's own extent includes its arrow; only the words matter here.
    return [(text, Text.get_window_extent(text, renderer)) for text in seen]


def _texts_of_axes(figure: Figure) -> list[Text]:
    """The texts that draw themselves; of ticks these are not all that exist."""
    seen: list[Text] = []
    draw = Text.draw

    def record(self: Text, *args: Any, **kwargs: Any) -> None:
        if self.get_visible() and self.get_text().strip():
            seen.append(self)
        draw(self, *args, **kwargs)

    figure.draw_without_rendering()  # settles the layout
    with patch.object(Text, "draw", record):
        figure.draw_without_rendering()
    return list(dict.fromkeys(seen))


def complaints(figure: Figure) -> list[str]:
    """What a reader of the figure would complain about; empty when all of its text can be read."""
    width, height = figure.get_size_inches() * 72
    texts = drawn_texts(figure)
    found = []
    for text, box in texts:
        if float(text.get_fontsize()) < SMALLEST:
            found.append(f"{text.get_text()!r} has {text.get_fontsize()} pt")
        if box.x0 < -SLACK or box.y0 < -SLACK or box.x1 > width + SLACK or box.y1 > height + SLACK:
            found.append(f"{text.get_text()!r} leaves the figure: {[round(float(edge)) for edge in box.extents]}")
    for (one, a), (other, b) in combinations(texts, 2):
        wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        if wide > SLACK and high > SLACK:
            found.append(f"{one.get_text()!r} lies over {other.get_text()!r} by {wide:.1f} x {high:.1f} pt")
    return found


@contextmanager
def course_style() -> Iterator[None]:
    """What the course's theme sets, with faces that matplotlib itself ships where the theme's are missing."""
    known = {font.name for font in fontManager.ttflist}
    faces = [face for face in ("Carlito", "Noto Sans SC", "Noto Sans CJK SC") if face in known]
    settings: Any = {
        "axes.prop_cycle": cycler(color=["#2A66CF", "#AB5500", "#247F57", "#7A4FC9", "#C93C3C", "#147A8B"]),
        "text.color": "#1B2A41",
        "axes.labelcolor": "#5C6B7F",
        "axes.facecolor": "#FFFFFF",
        "font.family": [*faces, "DejaVu Sans"],
        "font.size": 12,
    }
    with rc_context(settings):
        yield
