"""Which artist is drawing: a renderer is told paths and text, but not whose they are.

Every artist's `draw` is wrapped on the instance while one figure is drawn, so that the renderer knows the chain of
artists at work, whether or not they open groups, and whether or not they close them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Protocol

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.image import AxesImage
from matplotlib.patches import ArrowStyle, FancyArrowPatch
from matplotlib.patheffects import AbstractPathEffect, Stroke
from matplotlib.table import Cell
from matplotlib.text import Text

from deck_builder.drawing.grids import MOST_CELLS
from deck_builder.drawing.marks import Halo
from deck_builder.elements.colour import Colour
from deck_builder.elements.line import Head

_HEADS: dict[type, tuple[Any, Any]] = {
    ArrowStyle.Curve: (None, None),
    ArrowStyle.CurveA: ("arrow", None),
    ArrowStyle.CurveB: (None, "arrow"),
    ArrowStyle.CurveAB: ("arrow", "arrow"),
    ArrowStyle.CurveFilledA: ("triangle", None),
    ArrowStyle.CurveFilledB: (None, "triangle"),
    ArrowStyle.CurveFilledAB: ("triangle", "triangle"),
}
"""Arrow styles that are a line with native heads at its start and end; the others are drawn as outlines."""

Heads = tuple[Head | None, Head | None]


class Watcher(Protocol):
    """What is told who draws."""

    def begin(self, artist: Artist) -> None:
        """It starts to draw."""

    def finish(self, artist: Artist) -> None:
        """It has drawn, and all that it is made of."""


@contextmanager
def watched(root: Artist, watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` of every artist under `root` that draws, from before it does until after."""
    seen: dict[int, tuple[Artist, Any]] = {}

    def watch(artist: Artist) -> None:
        if id(artist) not in seen:
            seen[id(artist)] = artist, vars(artist).get("draw")
            vars(artist)["draw"] = partial(draw, artist, artist.draw)

    def draw(artist: Artist, original: Callable[..., None], renderer: Any, *args: Any, **options: Any) -> None:
        for child in _children(artist, renderer):
            watch(child)
        watcher.begin(artist)
        try:
            with _native(artist):
                original(renderer, *args, **options)
        finally:
            watcher.finish(artist)

    watch(root)
    try:
        yield
    finally:
        for artist, own in seen.values():
            if own is None:
                del vars(artist)["draw"]
            else:
                vars(artist)["draw"] = own


def _children(artist: Artist, renderer: Any) -> Iterator[Artist]:
    """The artists that this one draws, those made while drawing included."""
    if isinstance(artist, Axis) and artist.get_visible():
        artist.get_tightbbox(renderer)  # makes its ticks
    yield from artist.get_children()
    if isinstance(artist, Text) and (patch := artist.get_bbox_patch()):
        yield patch
    if isinstance(artist, Cell):
        yield artist.get_text()
    arrow = getattr(artist, "arrow_patch", None)
    if isinstance(arrow, Artist):
        yield arrow


# ---------------------------------------------------------------- what must be asked of an artist to draw natively


@contextmanager
def _native(artist: Artist) -> Iterator[None]:
    """Have the artist pass on what it is, not what a printer of pixels would need; then put it back as it was."""
    with ExitStack() as stack:
        if isinstance(artist, FancyArrowPatch) and heads(artist):
            _changed(stack, artist.get_arrowstyle(), artist.set_arrowstyle, "-")
        if type(artist) is AxesImage and _is_grid(artist):
            _changed(stack, artist.get_interpolation(), artist.set_interpolation, "none")
        if isinstance(artist, Text) and artist.get_path_effects():
            _changed(stack, artist.get_path_effects(), artist.set_path_effects, [])
        yield


def _changed(stack: ExitStack, old: Any, setter: Callable[[Any], Any], new: Any) -> None:
    stack.callback(setter, old)
    setter(new)


def _is_grid(image: AxesImage) -> bool:
    """Whether each value of the image is a visible cell."""
    array = image.get_array()
    few = array is not None and int(np.prod(array.shape[:2])) <= MOST_CELLS
    return few and image.get_interpolation() in ("none", "nearest", "auto", "antialiased")


def heads(arrow: FancyArrowPatch) -> Heads | None:
    """Native heads at the start and end of an arrow; None where its style is more than a line with heads."""
    style: Any = arrow.get_arrowstyle()
    kinds = _HEADS.get(type(style))
    if kinds is None:
        return None
    width = float(arrow.get_linewidth())
    length = getattr(style, "head_length", 0.4) * arrow.get_mutation_scale() + width
    # The format knows heads of 2, 3 and 5 line widths; viewers take thinner lines for 2 pt.
    ratio = length / max(width, 2.0)
    size: Any = "sm" if ratio < 2.5 else "med" if ratio < 4 else "lg"
    start, end = (Head(kind, size) if kind else None for kind in kinds)
    return start, end


def halo(effects: list[AbstractPathEffect], colour: Callable[[Any], Colour | None]) -> Halo | None:
    """The outline that path effects draw around letters (`withStroke`), as a glow."""
    for effect in effects:
        settings: dict[str, Any] = getattr(effect, "_gc", {}) if isinstance(effect, Stroke) else {}
        found = colour(settings.get("foreground", "white"))
        if settings.get("linewidth", 0) > 0 and found:
            return Halo(found, float(settings["linewidth"]) / 2)
    return None
