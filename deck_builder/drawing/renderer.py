"""matplotlib's renderer that records marks: one unit is one point, y runs up, nothing is rounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axis import Tick
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform

from deck_builder.drawing.clipping import Region, region_of
from deck_builder.drawing.grids import BARE, Part, image, mesh, unit_grid, veiled
from deck_builder.drawing.lettering import ASCENT, DESCENT, LINE_GAP, Typesetter, glyphs
from deck_builder.drawing.marks import Box, Halo, Mark, Outline, Paint, bounds
from deck_builder.drawing.naming import quoted
from deck_builder.drawing.paint import RGBA, Palette, is_mapped
from deck_builder.drawing.placing import Written, into_frame, text_box
from deck_builder.drawing.rasters import PIXELS_PER_POINT, resampled
from deck_builder.drawing.sheet import Sheet, is_superfluous
from deck_builder.drawing.tracing import trace
from deck_builder.drawing.watching import Heads, halo, heads
from deck_builder.errors import DeckError
from deck_builder.values import dataclass, field, replace

DPI = 72
"""One unit is one point."""


@dataclass(slots=True)
class _Scope:
    """An artist at work: what must be known of it before it draws, and the lines of text it has written so far."""

    artist: Artist | None
    heads: Heads | None = None
    halo: Halo | None = None
    written: list[Written] = field(default_factory=list)
    rgba: RGBA = (0.0, 0.0, 0.0, 1.0)
    region: Region | None = None


class Renderer(RendererBase):
    """Records what a figure draws as marks on a sheet; `notices` say what a reader of the slide should know."""

    def __init__(self, width_pt: float, height_pt: float, palette: Palette, typesetter: Typesetter) -> None:
        super().__init__()
        self.frame = Box(0.0, 0.0, width_pt, height_pt)
        self.dpi = DPI
        self.sheet = Sheet()
        self.notices: list[str] = []
        self._palette = palette
        self._typesetter = typesetter
        self._scopes: list[_Scope] = []
        self._artists: tuple[Artist, ...] = ()
        self._part = ""
        self._regions: dict[tuple[int, int], tuple[Any, Region | None]] = {}

    # ------------------------------------------------------------ who draws

    def begin(self, artist: Artist) -> None:
        """An artist starts to draw."""
        scope = _Scope(artist)
        if isinstance(artist, FancyArrowPatch):
            scope.heads = heads(artist)
        if isinstance(artist, Text) and artist.get_path_effects():
            scope.halo = halo(artist.get_path_effects(), lambda colour: self._palette.colour(to_rgba(colour)))
            if scope.halo is None:
                self.notices.append("path effects of text are shown only where they are withStroke")
        if artist.get_url() is not None:
            self.notices.append(f"the link {artist.get_url()} of a part of the figure is not kept")
        if artist.get_sketch_params() is not None:
            self.notices.append("lines that were to look sketched are drawn straight")
        self._scopes.append(scope)
        self._artists = (*self._artists, artist)

    def finish(self, artist: Artist) -> None:  # noqa: ARG002 - the innermost one
        """It has drawn: its lines of text become one box."""
        scope = self._scopes[-1]
        if scope.written:
            self._set(scope)
        self._scopes.pop()
        self._artists = self._artists[:-1]

    # ------------------------------------------------------------ what matplotlib asks

    def flipy(self) -> bool:
        """Text is placed in the same coordinates as paths."""
        return False

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Size in points."""
        return self.frame.width, self.frame.height

    def points_to_pixels(self, points: Any) -> Any:
        """At 72 dpi they are the same."""
        return points

    def option_image_nocomposite(self) -> bool:
        """Images stay apart."""
        return True

    def option_scale_image(self) -> bool:
        """Images may come as they are, with a transform."""
        return True

    def get_image_magnification(self) -> float:
        """Pixels per point of resampled images."""
        return PIXELS_PER_POINT

    def start_filter(self) -> NoReturn:
        """Filters work on pixels."""
        raise DeckError("agg_filter works on pixels and cannot be drawn as shapes; draw the figure without it")

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        """Size of a line as the slide will set it; of a formula that is drawn as outlines, its own."""
        size = prop.get_size_in_points()
        line = self._line(s, prop, ismath)
        if line is None:
            width, height, descent = super().get_text_width_height_descent(s, prop, ismath)
            return width, height, descent
        extent = self._typesetter.extent(line, size)
        return extent.width, extent.ascent + extent.descent, extent.descent

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[float, float, float]:
        """The hook for backends that do not measure with its fonts: ascent, descent and gap between lines."""
        size = prop.get_size_in_points()
        return ASCENT * size, DESCENT * size, LINE_GAP * size

    # ------------------------------------------------------------ paths

    def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None) -> None:
        """The one primitive: what is seen of it becomes marks."""
        region = self._region(gc)
        if region is None:
            return
        paint = self._paint(gc, rgbFace)
        if paint.fill is None and paint.stroke is None:
            return
        for outline, seen in trace(path, transform, paint, region):
            self._add(outline, seen)

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,
    ) -> None:
        """One shape for each."""
        self._part = "marker" if self._on_line() else ""
        super().draw_markers(gc, marker_path, marker_trans, path, trans, rgbFace)
        self._part = ""

    def draw_gouraud_triangles(self, *_: Any) -> NoReturn:
        """Shapes have no colour that runs between three corners."""
        raise DeckError('shading="gouraud" cannot be drawn as shapes; use shading="nearest", "flat" or contourf')

    # ------------------------------------------------------------ grids

    def draw_quad_mesh(
        self,
        gc: GraphicsContextBase,
        master_transform: Transform,
        mesh_width: int,
        mesh_height: int,
        coordinates: Any,
        offsets: Any,
        offset_trans: Transform,
        facecolors: Any,
        antialiased: Any,  # noqa: ARG002 - viewers always do
        edgecolors: Any,
    ) -> None:
        """A cell for each quadrilateral; a colour scale is one rectangle, a mesh of very many cells a picture."""
        region = self._region(gc)
        if region is None:
            return
        flat = master_transform.transform(np.ma.filled(coordinates, np.nan).reshape(-1, 2))
        corners = flat.reshape(mesh_height + 1, mesh_width + 1, 2) + offset_trans.transform(offsets)[0]
        cells = mesh_height * mesh_width
        lines = None if edgecolors is None or not len(edgecolors) else np.resize(edgecolors, (cells, 4))
        width = float(gc.get_linewidth())
        self._add_all(mesh(corners, np.resize(facecolors, (cells, 4)), lines, width, self._palette, region))

    def draw_image(
        self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Transform | None = None
    ) -> None:
        """Cells where the image comes as it is and is small, else a picture."""
        region = self._region(gc)
        rows, columns = im.shape[:2]
        if region is None or not rows or not columns:
            return
        if transform is None:
            box = Box(x, y, x + columns / PIXELS_PER_POINT, y + rows / PIXELS_PER_POINT)
            self._add(resampled(im[::-1], box, region), BARE)
        else:
            corners = unit_grid(rows, columns, transform + Affine2D().translate(x, y))
            own = self._artists[-1].get_alpha() if self._artists else None
            self._add_all(image(corners, veiled(im, own, float(gc.get_alpha())), self._palette, region))

    # ------------------------------------------------------------ text

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: Any = False,
        mtext: Text | None = None,
    ) -> None:
        """A line of text: kept until its artist has written all, or drawn as outlines where runs cannot show it."""
        line = self._line(s, prop, ismath)
        if line is None:
            self._draw_glyphs(gc, glyphs(s, prop), Affine2D().rotate_deg(angle).translate(x, y))
            return
        region = self._region(gc)
        if region is None:
            return
        alpha = gc.get_alpha() if gc.get_forced_alpha() else gc.get_rgb()[3]
        own = self._scopes[-1] if self._scopes and isinstance(self._scopes[-1].artist, Text) else None
        scope = own or _Scope(mtext)
        scope.rgba, scope.region = (*gc.get_rgb()[:3], float(alpha)), region
        scope.written.append(Written(float(x), float(y), float(angle), line, float(prop.get_size_in_points())))
        if own is None:
            self._set(scope)

    def _draw_glyphs(self, gc: GraphicsContextBase, path: Path, transform: Transform) -> None:
        """A formula of two dimensions as outlines: sharp at any size, but not typed text."""
        self._part = "formula"
        gc.set_linewidth(0.0)
        self.draw_path(gc, path, transform, gc.get_rgb())
        self._part = ""

    def draw_tex(self, *_: Any, **__: Any) -> NoReturn:
        """LaTeX makes pictures of text."""
        raise DeckError("text.usetex cannot be drawn as shapes; set it to False: formulas between $ work without LaTeX")

    def _line(self, text: str, prop: FontProperties, ismath: Any) -> Any:
        if ismath == "TeX":
            self.draw_tex()
        return self._typesetter.line(text, prop, formula=bool(ismath))

    def _set(self, scope: _Scope) -> None:
        """The lines of one text as a box of its own, or as the text of the shape that they are centred in."""
        colour, literal = self._palette.colour(scope.rgba), self._palette.colour(scope.rgba, literal=True)
        if colour is None or literal is None or not any(line.runs for line in scope.written):
            return
        artist = scope.artist if isinstance(scope.artist, Text) else None
        mark = replace(text_box(scope.written, colour, scope.halo, artist, self._typesetter), scopes=self._artists)
        if scope.region and not scope.region.meets(bounds(mark.outline)):
            if scope.region.box == self.frame:
                self._say(mark, "lies outside the figure and is not shown")
            return
        mark, done = into_frame(mark, self.frame)
        self._say(mark, done)
        if not self.sheet.letter(mark, literal):
            self.sheet.add(mark)

    def _say(self, mark: Mark, what: str) -> None:
        if what:
            self.notices.append(f"text {quoted(mark.label)!r} {what}")

    # ------------------------------------------------------------ marks

    def _add(self, outline: Outline | None, paint: Paint, part: str = "") -> None:
        if outline is None:
            return
        mark = Mark(outline=outline, paint=paint, scopes=self._artists, part=part or self._part)
        if not is_superfluous(mark, self.sheet):
            self.sheet.add(mark)

    def _add_all(self, parts: Iterable[Part]) -> None:
        for outline, paint, part in parts:
            self._add(outline, paint, part)

    def _paint(self, gc: GraphicsContextBase, face: RGBA | None) -> Paint:
        artist = self._artists[-1] if self._artists else None
        paint = self._palette.paint(gc, face, literal=is_mapped(artist))
        scope = self._scopes[-1] if self._scopes else None
        if scope and scope.heads and paint.stroke:
            start, end = scope.heads
            return Paint(None, replace(paint.stroke, start=start, end=end))
        return paint

    def _on_line(self) -> bool:
        """Whether a data line is drawing, which may have a line besides its markers."""
        *around, artist = self._artists or (None,)
        return isinstance(artist, Line2D) and not (around and isinstance(around[-1], Tick))

    def _region(self, gc: GraphicsContextBase) -> Region | None:
        """Where a graphics context lets drawing show, within the frame; None where it is nowhere."""
        rectangle, (path, transform) = gc.get_clip_rectangle(), gc.get_clip_path()
        key = id(rectangle), id(path)
        if key not in self._regions:
            # The clips are kept with the result, so that their identities stay theirs.
            self._regions[key] = (rectangle, path), region_of(self.frame, rectangle, path, transform)
        return self._regions[key][1]
