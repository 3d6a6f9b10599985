"""Han in pictures of formulas: ziamath's face has none, and ziafont cannot read the CID-keyed face that ships here."""

from __future__ import annotations

from functools import cache
from typing import Any

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from ziafont.fonttypes import BBox
from ziafont.glyph import SimpleGlyph
from ziafont.svgpath import Cubic, Lineto, Moveto, Point
from ziamath.mathfont import MathFont

from deck_builder.paths import templates
from deck_builder.theming.metrics import is_wide

_BEYOND = 0x10000
"""Numbers of borrowed glyphs begin above those that a face can have."""

_OPERATORS = {"moveTo": Moveto, "lineTo": Lineto, "curveTo": Cubic}


class FontWithHan(MathFont):
    """A mathematical face that borrows wide characters from the face of the templates."""

    def findglyph(self, char: str, variant: Any) -> Any:
        """The glyph of a character in a variant."""
        if is_wide(char) and (glyph := _han_glyph(self, char)):
            return glyph
        return super().findglyph(char, variant)


class _HanGlyph(SimpleGlyph):
    """A glyph of another face on the grid of this one."""

    width = 0

    def advance(self, nextchr: object = None) -> int:  # noqa: ARG002 - ziafont's signature; Han is not kerned
        return self.width


def _han_glyph(font: MathFont, char: str) -> _HanGlyph | None:
    glyphs, names, grid = _face()
    name = names.get(ord(char))
    if name is None:
        return None
    scale = font.info.layout.unitsperem / grid
    recording, bounds = DecomposingRecordingPen(glyphs), BoundsPen(glyphs)
    glyphs[name].draw(recording)
    glyphs[name].draw(bounds)
    operators = [
        _OPERATORS[operator](*(_point(x * scale, y * scale) for x, y in points))
        for operator, points in recording.value
        if operator in _OPERATORS
    ]
    left, bottom, right, top = (edge * scale for edge in bounds.bounds or (0, 0, 0, 0))
    glyph = _HanGlyph(_BEYOND + ord(char), operators, BBox(left, right, bottom, top), font)
    glyph.width = round(glyphs[name].width * scale)
    return glyph


def _point(x: float, y: float) -> Point:
    return Point(x, y)  # type: ignore[no-untyped-call]


@cache
def _face() -> tuple[Any, dict[int, str], int]:
    font = TTFont(templates() / "fonts" / "LectureSansSC-Regular.otf", lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm
