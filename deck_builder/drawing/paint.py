"""matplotlib's graphics contexts as fills and lines: theme colours where they are the theme's, hatches as patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.colors import to_hex, to_rgb, to_rgba

from deck_builder.drawing.marks import Fill, Paint, Pattern
from deck_builder.elements.colour import SLOTS, Colour
from deck_builder.elements.line import Cap, Join, Stroke
from deck_builder.errors import DeckError
from deck_builder.values import dataclass

RGBA = Sequence[float]

_CAPS: Mapping[str, Cap] = {"butt": "flat", "projecting": "sq", "round": "rnd"}
_JOINS: Mapping[str, Join] = {"miter": "miter", "round": "round", "bevel": "bevel"}

_HATCHES = {
    "/": ("wdUpDiag", "ltUpDiag"),
    "\\": ("wdDnDiag", "ltDnDiag"),
    "|": ("ltVert", "narVert"),
    "-": ("ltHorz", "narHorz"),
    "+": ("lgGrid", "smGrid"),
    "x": ("openDmnd", "diagCross"),
    "o": ("pct10", "pct25"),
    "O": ("sphere", "sphere"),
    ".": ("pct5", "pct20"),
    "*": ("dotDmnd", "smConfetti"),
}
"""Each hatch character as a preset pattern: as it is, and denser."""
_DENSE = 5
"""Repeated as often as this, a hatch is dense."""
_COMBINED = {frozenset("/\\"): "x", frozenset("-|"): "+"}


@dataclass(frozen=True, slots=True)
class Palette:
    """The theme's colours; `slots` maps RRGGBB to the slot's name on slides."""

    slots: Mapping[str, str]
    paper: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @classmethod
    def of(cls, colours: Mapping[str, str]) -> Palette:
        """From a theme's slots; where two have one colour, the first counts."""
        slots = {value.upper(): SLOTS.get(slot, slot) for slot, value in reversed(list(colours.items()))}
        return cls(slots, to_rgb(f"#{colours['lt1']}"))

    def on_paper(self, rgba: RGBA) -> Colour:
        """The solid colour that a clear one has where it lies on paper."""
        mixed = [
            channel * rgba[3] + ground * (1 - rgba[3]) for channel, ground in zip(rgba[:3], self.paper, strict=True)
        ]
        return Colour(_hex(*map(float, mixed)))

    def colour(self, rgba: RGBA, *, alpha: float | None = None, literal: bool = False) -> Colour | None:
        """The colour as a theme slot where it is one of the theme's (unless `literal`); None where it is clear."""
        opacity = alpha if alpha is not None else rgba[3] if len(rgba) == 4 else 1.0
        if opacity <= 0:
            return None
        value = _hex(float(rgba[0]), float(rgba[1]), float(rgba[2]))
        return Colour(value if literal else self.slots.get(value, value), round(min(1.0, float(opacity)), 4))

    def paint(self, gc: GraphicsContextBase, face: RGBA | None, *, literal: bool = False) -> Paint:
        """Fill and line of a shape. `literal` keeps colours that stand for values from following the theme."""
        forced = float(gc.get_alpha()) if gc.get_forced_alpha() else None
        fill: Fill | None = None if face is None else self.colour(face, alpha=forced, literal=literal)
        if gc.get_hatch():
            fill = self._pattern(gc, fill if isinstance(fill, Colour) else None, forced)
        return Paint(fill, self._stroke(gc, forced, literal=literal))

    def _stroke(self, gc: GraphicsContextBase, forced: float | None, *, literal: bool) -> Stroke | None:
        width = float(gc.get_linewidth())
        colour = self.colour(gc.get_rgb(), alpha=forced, literal=literal)
        if width <= 0 or colour is None:
            return None
        _, pattern = gc.get_dashes()
        lengths = [] if pattern is None else np.asarray(pattern, dtype=float).tolist()
        dashes = tuple(round(length / width, 4) for length in lengths)
        return Stroke(colour, width, _CAPS[gc.get_capstyle()], _JOINS[gc.get_joinstyle()], dashes)

    def _pattern(self, gc: GraphicsContextBase, background: Colour | None, forced: float | None) -> Pattern:
        foreground = self.colour(to_rgba(gc.get_hatch_color()), alpha=forced)
        clear = Colour(self.slots.get("FFFFFF", "FFFFFF"), 0.0)
        return Pattern(pattern_of(str(gc.get_hatch())), foreground or clear, background or clear)


def pattern_of(hatch: str) -> str:
    """The preset pattern nearest to a hatch string such as `///` or `x.`; the first character counts for more."""
    counts = Counter(hatch)
    if unknown := set(counts) - set(_HATCHES):
        known = " ".join(_HATCHES)
        raise DeckError(f"hatch {hatch!r} has {', '.join(sorted(unknown))!r}; hatches are made of {known}")
    character = _COMBINED.get(frozenset(counts), max(counts, key=lambda kind: (counts[kind], -hatch.index(kind))))
    return _HATCHES[character][max(counts.values()) >= _DENSE]


@lru_cache(maxsize=4096)
def _hex(red: float, green: float, blue: float) -> str:
    return to_hex((red, green, blue))[1:].upper()


def is_mapped(artist: Any) -> bool:
    """Whether the artist's colours stand for values: they come out of a colormap, or are the pixels of an image."""
    return getattr(artist, "get_array", None) is not None and artist.get_array() is not None
