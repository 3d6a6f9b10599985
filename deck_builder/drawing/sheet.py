"""The marks of a figure in drawing order, found by place: which shape a text is centred in, and what covers it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.axis import Tick
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from deck_builder.drawing.marks import Box, Freeform, Label, Mark, Paint, Point, Preset, Raster, Segment, bounds
from deck_builder.elements.colour import Colour
from deck_builder.values import replace

PAPER = Paint(Colour("bg1"), None)
CENTRED_PT = 1.5
"""A text belongs to a shape whose middle is no farther from its own than this."""
_TILE_PT = 32.0
_MOST_TILES = 64
"""A mark over more tiles than this is looked at for every text."""
_VERTICAL: dict[int, Literal["vert", "vert270"] | None] = {0: None, 90: "vert270", 270: "vert"}
"""Text turned against its shape, by degrees anticlockwise."""
SPARE = 1.05
"""Text boxes are this much wider than measured, for viewers whose faces run wider."""


class Sheet:
    """Marks are added one after another; a later one lies above."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._boxes: list[Box] = []
        self._homes: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._tiles: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._wide: list[int] = []

    def add(self, mark: Mark) -> None:
        """Lay a mark on top."""
        number, box = len(self.marks), bounds(mark.outline)
        self.marks.append(mark)
        self._boxes.append(box)
        if isinstance(mark.outline, Preset) and not mark.text_box:
            self._homes[_cell(box.middle)].append(number)
        tiles = list(_tiles(box))
        if len(tiles) > _MOST_TILES:
            self._wide.append(number)
        else:
            for tile in tiles:
                self._tiles[tile].append(number)

    def is_blank(self, box: Box) -> bool:
        """Whether nothing has been drawn in a box yet."""
        return not any(own.meets(box) for own in self._boxes)

    def letter(self, mark: Mark, literal: Colour) -> bool:
        """Make the text box `mark` the text of the smallest shape that it is centred in, if there is one.

        The shape must be large enough, have no text yet, and be covered by nothing where the text is. The text's colour
        follows the theme only where the fill behind it does; else it is `literal`.
        """
        home = self._home(mark)
        if home is None or mark.label is None:
            return False
        shape = self.marks[home]
        fixed = isinstance(shape.paint.fill, Colour) and not shape.paint.fill.themed
        label = _inside(mark, shape)
        self.marks[home] = replace(
            shape, label=replace(label, colour=literal) if fixed else label, lettering=mark.scopes
        )
        return True

    def _home(self, mark: Mark) -> int | None:
        box = bounds(mark.outline)
        fitting = [number for number in self._centred(box) if self._fits(mark, number)]
        for number in sorted(fitting, key=lambda number: (_size(self._boxes[number]), -number)):
            if not self._covered(number, self._boxes[number].common(box)):
                return number
        return None

    def _centred(self, box: Box) -> Iterator[int]:
        column, row = _cell(box.middle)
        for place in ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            for number in self._homes.get(place, ()):
                x, y = self._boxes[number].middle
                if max(abs(x - box.middle[0]), abs(y - box.middle[1])) <= CENTRED_PT:
                    yield number

    def _fits(self, text: Mark, number: int) -> bool:
        shape = self.marks[number]
        if shape.label or not isinstance(shape.outline, Preset) or not isinstance(text.outline, Preset):
            return False
        turn = _turn(text, shape)
        if turn not in _VERTICAL or not _same_gid(text, shape):
            return False
        own, room = text.outline.box, shape.outline.box
        width, height = (room.width, room.height) if turn == 0 else (room.height, room.width)
        # The text's box is a whole line high; its letters fill little more than half of that.
        return own.width / SPARE <= width + 0.5 and own.height * 0.7 <= height

    def _covered(self, number: int, box: Box) -> bool:
        """Whether a mark above shape `number` shows in a part of it."""
        for row in [self._wide, *(self._tiles.get(tile, ()) for tile in _tiles(box))]:
            for above in reversed(row):
                if above <= number:
                    break
                if self._boxes[above].meets(box) and shows_in(self.marks[above], box):
                    return True
        return False


def is_superfluous(mark: Mark, sheet: Sheet) -> bool:
    """Whether the mark is only in the way: paper on paper, or a grid that should be below the image it crosses."""
    artist, around = mark.artist, mark.scopes[-2] if len(mark.scopes) > 1 else None
    if artist is None or artist.get_gid() is not None:
        return False
    if isinstance(around, Axes | Figure) and artist is around.patch:
        return mark.paint == PAPER and sheet.is_blank(bounds(mark.outline))
    if isinstance(around, Tick) and artist is around.gridline:
        # matplotlib draws images below even the grid that is to lie below everything.
        return bool(around.axes.images) and around.axes.get_axisbelow() is True
    return False


def shows_in(mark: Mark, box: Box) -> bool:
    """Whether the mark, whose bounds meet `box`, paints anything in it."""
    if mark.paint.fill is not None or mark.label is not None or isinstance(mark.outline, Raster):
        return True
    if mark.paint.stroke is None:
        return False
    match mark.outline:
        case Preset(kind="rect" | "roundRect", box=own, angle=0.0):
            return not own.holds(box)
        case Freeform():
            return _crosses(mark.outline.path, box)
        case Segment(start=start, end=end):
            return _crosses(Path([start, end]), box)
    return True


def _crosses(path: Path, box: Box) -> bool:
    extent = Bbox.from_extents(box.left, box.bottom, box.right, box.top)
    return bool(path.intersects_bbox(extent, filled=False))


def _inside(text: Mark, shape: Mark) -> Label:
    """The text as that of the shape: one line stands in the middle, several keep their common edge where it was."""
    assert isinstance(text.outline, Preset)
    assert isinstance(shape.outline, Preset)
    assert text.label is not None
    vertical = _VERTICAL[_turn(text, shape)]
    if len(text.label.lines) == 1 or text.label.alignment == "center":
        return replace(text.label, alignment="center", vertical=vertical)
    room = shape.outline.box.height if vertical else shape.outline.box.width
    inset = max(0.0, (room - text.outline.box.width / SPARE) / 2)
    return replace(text.label, vertical=vertical, inset_pt=round(inset, 2))


def _turn(text: Mark, shape: Mark) -> int:
    """Degrees, anticlockwise, of the text against the shape that it would be in."""
    assert isinstance(text.outline, Preset)
    assert isinstance(shape.outline, Preset)
    difference = (text.outline.angle - shape.outline.angle) % 360
    return round(difference) % 360 if abs(difference - round(difference)) < 0.5 else -1


def _same_gid(text: Mark, shape: Mark) -> bool:
    """Whether the shape can carry the name that the text's author gave it."""
    own, other = (mark.artist.get_gid() if mark.artist else None for mark in (text, shape))
    return own is None or other is None or own == other


def _size(box: Box) -> float:
    return round(box.width * box.height, 3)


def _cell(point: Point) -> tuple[int, int]:
    return int(point[0] // (2 * CENTRED_PT)), int(point[1] // (2 * CENTRED_PT))


def _tiles(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box.left // _TILE_PT), int(box.right // _TILE_PT) + 1):
        for row in range(int(box.bottom // _TILE_PT), int(box.top // _TILE_PT) + 1):
            yield column, row
