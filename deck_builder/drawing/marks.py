"""What a figure consists of once drawn: marks with their outline, paint and text. Values only.

Lengths are points, x runs right and y runs *up* from the frame's lower left corner, as matplotlib draws at 72 dpi;
angles are degrees anticlockwise. Emission flips and rounds, once.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.path import Path
from numpy.typing import NDArray

from deck_builder.elements.colour import Colour
from deck_builder.elements.line import Stroke
from deck_builder.model import Run
from deck_builder.values import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Extent from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Extent from bottom to top."""
        return self.top - self.bottom

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def holds(self, other: Box, slack: float = 0.0) -> bool:
        """Whether the other lies inside, give or take `slack`."""
        return (
            other.left >= self.left - slack
            and other.right <= self.right + slack
            and other.bottom >= self.bottom - slack
            and other.top <= self.top + slack
        )

    def meets(self, other: Box) -> bool:
        """Whether the two overlap; a shared edge is no overlap."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def common(self, other: Box) -> Box:
        """The overlap of two boxes that meet."""
        return Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )


def around(middle: Point, width: float, height: float) -> Box:
    """The box of a size about a point."""
    x, y = middle
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


# ---------------------------------------------------------------- outlines


@dataclass(frozen=True, slots=True)
class Preset:
    """A shape that the format knows by name, turned by `angle` about the middle of its unturned box."""

    kind: Literal["rect", "roundRect", "ellipse"]
    box: Box
    angle: float = 0.0
    radius: float = 0.0
    """Of the corners of a `roundRect`."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line between two points."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True, eq=False)
class Freeform:
    """Any other outline: finite points in the frame's coordinates, and how each is reached (`matplotlib.path.Path`)."""

    vertices: NDArray[np.float64]
    codes: NDArray[np.uint8]

    @property
    def path(self) -> Path:
        """As matplotlib knows it."""
        return Path(self.vertices, self.codes)


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels in a box, as PNG bytes."""

    box: Box
    png: bytes = field(repr=False)
    alpha: float = 1.0
    angle: float = 0.0


Outline = Preset | Segment | Freeform | Raster


def bounds(outline: Outline) -> Box:
    """The upright box around an outline, its rotation included."""
    match outline:
        case Segment(start=(x0, y0), end=(x1, y1)):
            return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        case Freeform(path=path):
            return Box(*map(float, path.get_extents().extents))
        case Preset(box=box, angle=angle) | Raster(box=box, angle=angle):
            return turned(box, angle) if angle else box


def turned(box: Box, angle: float) -> Box:
    """The upright box around `box` turned about its middle."""
    cosine, sine = abs(np.cos(np.radians(angle))), abs(np.sin(np.radians(angle)))
    width, height = box.width * cosine + box.height * sine, box.width * sine + box.height * cosine
    return around(box.middle, float(width), float(height))


# ---------------------------------------------------------------- paint


@dataclass(frozen=True, slots=True)
class Pattern:
    """A hatch in two colours."""

    preset: str
    foreground: Colour
    background: Colour


@dataclass(frozen=True, slots=True)
class Gradient:
    """Colours along a line, `angle` degrees clockwise from left-to-right; positions rise from 0 to 1."""

    stops: tuple[tuple[float, Colour], ...]
    angle: float


Fill = Colour | Pattern | Gradient


@dataclass(frozen=True, slots=True)
class Paint:
    """Fill and line of one shape; None is none."""

    fill: Fill | None
    stroke: Stroke | None


# ---------------------------------------------------------------- text


@dataclass(frozen=True, slots=True)
class Halo:
    """A soft edge around letters, so that they can be read over lines."""

    colour: Colour
    width_pt: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Text set in a shape, around the shape's middle."""

    lines: tuple[tuple[Run, ...], ...]
    size_pt: float
    colour: Colour
    alignment: Literal["left", "center", "right"] = "center"
    line_spacing: float = 1.0
    vertical: Literal["vert", "vert270"] | None = None
    """Text turned within a shape that is not."""
    halo: Halo | None = None
    inset_pt: float = 0.0
    """Room kept at the beginning and at the end of lines, where they are not centred in a larger shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One shape, before it has a name and an id. `scopes` are the artists that were drawing, outermost first."""

    outline: Outline
    paint: Paint = Paint(None, None)
    label: Label | None = None
    scopes: tuple[Artist, ...] = ()
    part: str = ""
    """What part of its artist it is, e.g. `cell 3,5`."""
    text_box: bool = False
    lettering: tuple[Artist, ...] = ()
    """The scopes of the text that it carries, where another artist wrote it."""

    @property
    def artist(self) -> Artist | None:
        """The artist that drew it."""
        return self.scopes[-1] if self.scopes else None
