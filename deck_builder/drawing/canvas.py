"""A figure on a canvas of its own, drawn without pyplot."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure

from deck_builder.drawing.arrows import bind
from deck_builder.drawing.emission import Emitter
from deck_builder.drawing.lettering import Typesetter
from deck_builder.drawing.naming import arrange
from deck_builder.drawing.paint import Palette
from deck_builder.drawing.renderer import DPI, Renderer
from deck_builder.drawing.watching import watched
from deck_builder.elements.text import Context
from deck_builder.elements.xml import fragment
from deck_builder.pages import EMU_PER_INCH, EMU_PER_POINT, Drawing, Frame
from deck_builder.paths import templates
from deck_builder.theming.metrics import load_metrics

SMALLEST_PT = 11.0
"""Smaller text cannot be read from the back of a room."""
MANY = 1_000
"""PowerPoint grows slow with more shapes than this on a slide."""


class Canvas(FigureCanvasBase):
    """Lends the figure the renderer that will draw it, so that layout measures text as the slide shows it."""

    def __init__(self, figure: Figure, renderer: Renderer) -> None:
        super().__init__(figure)
        self._renderer = renderer

    def get_renderer(self) -> Renderer:
        """The renderer that matplotlib asks for sizes."""
        return self._renderer


def draw(
    figure: Figure, *, frame_size: tuple[int, int], colours: Mapping[str, str], name: str, alt: str, lang: str
) -> Drawing:
    """See `deck_builder.drawing.draw_figure`."""
    width_emu, height_emu = frame_size
    typesetter = Typesetter(load_metrics(templates() / "metrics.json"))
    renderer = Renderer(width_emu / EMU_PER_POINT, height_emu / EMU_PER_POINT, Palette.of(colours), typesetter)
    _record(figure, renderer, (width_emu / EMU_PER_INCH, height_emu / EMU_PER_INCH))
    marks, bonds = bind(renderer.sheet.marks)
    emitter = Emitter(marks, bonds, renderer.frame.height, Context(lang=lang))
    group = emitter.group(name, alt, Frame(0, 0, width_emu, height_emu), arrange(marks, taken=name))
    return Drawing(
        group=fragment(group),
        media=emitter.media,
        shapes=len(marks),
        notices=(*dict.fromkeys(renderer.notices), *_remarks(renderer)),
    )


def _record(figure: Figure, renderer: Renderer, size_inches: tuple[float, float]) -> None:
    """Draw on a sheet, and leave the figure as it was but for its size."""
    canvas, dpi = figure.canvas, figure.dpi
    try:
        Canvas(figure, renderer)
        figure.set_dpi(DPI)
        figure.set_size_inches(*size_inches)
        with watched(figure, renderer), warnings.catch_warnings():
            # Axes placed by hand need no layout.
            warnings.filterwarnings("ignore", "There are no gridspecs with layoutgrids")
            figure.draw(renderer)
    finally:
        figure.set_dpi(dpi)
        figure.set_canvas(canvas)


def _remarks(renderer: Renderer) -> tuple[str, ...]:
    marks = renderer.sheet.marks
    smallest = min((mark.label.size_pt for mark in marks if mark.label), default=SMALLEST_PT)
    remarks = []
    if smallest < SMALLEST_PT - 0.01:
        remarks.append(f"its smallest text is {smallest:.1f} pt; {SMALLEST_PT:.0f} pt can be read from the back")
    if len(marks) > MANY:
        remarks.append(f"it has {len(marks)} shapes; with more than {MANY} PowerPoint grows slow")
    return tuple(remarks)
