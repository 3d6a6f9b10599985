"""A figure drawn as shapes, read back: what tests ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lxml import etree
from matplotlib.figure import Figure

from deck_builder.drawing import draw_figure
from deck_builder.drawing.canvas import Canvas
from deck_builder.drawing.lettering import Typesetter
from deck_builder.drawing.paint import Palette
from deck_builder.drawing.renderer import Renderer
from deck_builder.drawing.style import apply
from deck_builder.elements.xml import NAMESPACES
from deck_builder.pages import EMU_PER_INCH, EMU_PER_POINT, Drawing
from deck_builder.paths import templates
from deck_builder.theming.metrics import load_metrics

METRICS = load_metrics(templates() / "metrics.json")

COLOURS = {
    "dk1": "1B2A41",
    "lt1": "FFFFFF",
    "dk2": "5C6B7F",
    "lt2": "F4F6FA",
    "accent1": "2A66CF",
    "accent2": "AB5500",
    "accent3": "247F57",
    "accent4": "7A4FC9",
    "accent5": "C93C3C",
    "accent6": "147A8B",
    "hlink": "2A66CF",
    "folHlink": "7A4FC9",
}
SIZE = (6.0, 4.0)
"""Inches of the frame."""

_SPACES = {prefix: NAMESPACES[prefix] for prefix in ("a", "p", "r")}


def blank(**options: object) -> Figure:
    """An empty figure in the deck's style."""
    apply(COLOURS, SIZE)
    return Figure(**options)  # type: ignore[arg-type]


def sheet() -> Figure:
    """A figure whose one axes cover it, without axis lines; its data are points from the lower left."""
    figure = blank(layout="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, SIZE[0] * 72)
    axes.set_ylim(0, SIZE[1] * 72)
    return figure


def ask(node: etree._Element, path: str) -> list[Any]:
    """The elements, attributes or texts that an XPath with the usual prefixes finds."""
    found: Any = node.xpath(path, namespaces=_SPACES)
    return list(found)


@dataclass(frozen=True)
class Drawn:
    """The group of a drawing, to be asked with XPath."""

    drawing: Drawing

    @cached_property
    def group(self) -> etree._Element:
        """The parsed group."""
        return etree.fromstring(self.drawing.group)

    def find(self, path: str) -> list[etree._Element]:
        """The elements that a path with the usual prefixes finds."""
        return ask(self.group, path)

    def values(self, path: str) -> list[str]:
        """The attributes or texts that a path finds."""
        return [str(value) for value in ask(self.group, path)]

    @property
    def names(self) -> list[str]:
        """Names of all shapes and groups but the whole, in document order."""
        return self.values(".//p:cNvPr/@name")[1:]

    @property
    def identifiers(self) -> list[int]:
        """Their ids, the whole's first."""
        return [int(value) for value in self.values(".//p:cNvPr/@id")]

    def shape(self, name: str) -> etree._Element:
        """The one shape, connector, picture or group of a name."""
        (found,) = self.find(f'.//p:cNvPr[@name="{name}"]/../..')
        return found

    def box(self, name: str) -> tuple[float, float, float, float]:
        """Left, top, width and height of a shape in points, unturned."""
        node = self.shape(name)
        (place,) = ask(node, "./*/a:xfrm")
        off, ext = place[0], place[1]
        numbers = (off.get("x"), off.get("y"), ext.get("cx"), ext.get("cy"))
        left, top, width, height = (int(number or 0) / EMU_PER_POINT for number in numbers)
        return left, top, width, height

    def text(self, name: str) -> str:
        """The text of a shape, its paragraphs joined by newlines."""
        paragraphs = ask(self.shape(name), "./p:txBody/a:p")
        return "\n".join("".join(ask(one, ".//a:t/text()")) for one in paragraphs)


def renderer_for(figure: Figure) -> Renderer:
    """A renderer that measures as a drawing does, lent to the figure."""
    width, height = figure.get_size_inches() * 72
    renderer = Renderer(float(width), float(height), Palette.of(COLOURS), Typesetter(METRICS))
    Canvas(figure, renderer)
    return renderer


def draw(figure: Figure, size: tuple[float, float] = SIZE, *, name: str = "fig-test") -> Drawn:
    """The figure drawn for a frame of a size in inches."""
    frame = round(size[0] * EMU_PER_INCH), round(size[1] * EMU_PER_INCH)
    return Drawn(draw_figure(figure, frame_size=frame, colours=COLOURS, name=name, alt="what is seen"))
