"""Marks as DrawingML: the one place where points become EMU, y is turned to run down, and numbers are rounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import count

from lxml import etree
from matplotlib.path import Path

from deck_builder.drawing.arrows import Bond, End, sites
from deck_builder.drawing.marks import (
    Box,
    Fill,
    Freeform,
    Gradient,
    Halo,
    Label,
    Mark,
    Pattern,
    Preset,
    Raster,
    Segment,
    bounds,
)
from deck_builder.drawing.naming import Branch, Leaf, Node
from deck_builder.elements.colour import Colour, colour, gradient_fill, pattern_fill, solid_fill
from deck_builder.elements.connector import Glue, connector
from deck_builder.elements.geometry import Point, Verb, custom_geometry, preset_geometry, transform
from deck_builder.elements.group import group
from deck_builder.elements.line import line
from deck_builder.elements.picture import picture
from deck_builder.elements.shape import shape
from deck_builder.elements.text import Context, paragraph, text_body
from deck_builder.elements.xml import clean, element, qualified
from deck_builder.model import Run
from deck_builder.pages import EMU_PER_POINT, Frame, Line
from deck_builder.theming.metrics import is_wide
from deck_builder.values import dataclass, field, replace

_VERBS: Mapping[int, tuple[Verb, int]] = {
    int(Path.MOVETO): ("moveTo", 1),
    int(Path.LINETO): ("lnTo", 1),
    int(Path.CURVE3): ("quadBezTo", 2),
    int(Path.CURVE4): ("cubicBezTo", 3),
    int(Path.CLOSEPOLY): ("close", 1),
}
"""Each code of a path as the format's verb, and how many vertices it takes."""

_NOWHERE = Preset("rect", Box(0.0, 0.0, 0.0, 0.0))
_BLANKS = (" ", "\u3000")
"""What stands for the text of a stamp: its language tag depends on whether it holds Han."""


@dataclass(slots=True)
class Emitter:
    """Prints the marks of one figure. `media` collects its pictures."""

    marks: Sequence[Mark]
    bonds: Mapping[int, Bond]
    height_pt: float
    context: Context
    media: dict[str, bytes] = field(default_factory=dict)
    _identifiers: dict[int, int] = field(default_factory=dict)
    _stamps: dict[Mark, etree._Element] = field(default_factory=dict)

    def group(self, name: str, alt: str, frame: Frame, nodes: Sequence[Node]) -> etree._Element:
        """The whole figure as one group."""
        root = Branch(name, tuple(nodes))
        numbers = self._number(root, count(1))
        return group(1, name, frame, [self._node(node, numbers) for node in root.children], alt=alt)

    def _number(self, root: Branch, ids: Iterator[int]) -> dict[int, int]:
        """Ids in document order: of marks by their number, of groups by their identity."""
        numbers: dict[int, int] = {}

        def visit(node: Node) -> None:
            if isinstance(node, Leaf):
                self._identifiers[node.mark] = next(ids)
            else:
                numbers[id(node)] = next(ids)
                for child in node.children:
                    visit(child)

        visit(root)
        return numbers

    def _node(self, node: Node, numbers: Mapping[int, int]) -> etree._Element:
        if isinstance(node, Leaf):
            return self._mark(node)
        children = [self._node(child, numbers) for child in node.children]
        return group(numbers[id(node)], node.name, self._around(node), children)

    def _around(self, branch: Branch) -> Frame:
        frames = [self.frame(bounds(self.marks[number].outline)) for number in _leaves(branch)]
        left, top = min(frame.left for frame in frames), min(frame.top for frame in frames)
        right, bottom = max(frame.right for frame in frames), max(frame.bottom for frame in frames)
        return Frame(left, top, right - left, bottom - top)

    # ------------------------------------------------------------ coordinates

    def point(self, x: float, y: float) -> Point:
        """A point in EMU from the upper left corner."""
        return round(x * EMU_PER_POINT), round((self.height_pt - y) * EMU_PER_POINT)

    def frame(self, box: Box) -> Frame:
        """A box in EMU. Its edges are rounded, not its size, so that neighbours still touch."""
        left, top = self.point(box.left, box.top)
        right, bottom = self.point(box.right, box.bottom)
        return Frame(left, top, right - left, bottom - top)

    # ------------------------------------------------------------ shapes

    def _mark(self, leaf: Leaf) -> etree._Element:
        mark, identifier = self.marks[leaf.mark], self._identifiers[leaf.mark]
        match mark.outline:
            case Segment():
                return self._segment(leaf, mark.outline)
            case Preset():
                return self._stamped(identifier, leaf.name, mark)
            case Freeform():
                return self._freeform(identifier, leaf, mark.outline)
            case Raster(box=box, png=png, alpha=alpha):
                relation = f"image-{len(self.media)}"
                self.media[relation] = png
                return picture(identifier, leaf.name, transform(self.frame(box)), relation, alpha=alpha)

    def _segment(self, leaf: Leaf, segment: Segment) -> etree._Element:
        (x0, y0), (x1, y1) = self.point(*segment.start), self.point(*segment.end)
        place = transform(Frame(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)), flip_h=x1 < x0, flip_v=y1 < y0)
        bond = self.bonds.get(leaf.mark, Bond(None, None))
        stroke = line(self.marks[leaf.mark].paint.stroke)
        return connector(
            self._identifiers[leaf.mark],
            leaf.name,
            place,
            stroke,
            start=self._glue(bond.start),
            end=self._glue(bond.end),
        )

    def _glue(self, end: End | None) -> Glue | None:
        return Glue(self._identifiers[end.mark], end.site) if end else None

    def _stamped(self, identifier: int, name: str, mark: Mark) -> etree._Element:
        """A preset shape. Many are alike but for place, name and text, so each kind is printed once and then copied."""
        assert isinstance(mark.outline, Preset)
        words = _words(mark.label)
        kind = replace(
            mark,
            outline=replace(mark.outline, box=_NOWHERE.box) if mark.outline.kind != "roundRect" else mark.outline,
            label=_blanked(mark.label) if words is not None else mark.label,
            scopes=(),
            lettering=(),
            part="",
        )
        stamp = self._stamps.get(kind)
        if stamp is None:
            stamp = self._stamps[kind] = self._preset(kind)
        printed = deepcopy(stamp)
        _fill_in(printed, identifier, name, self.frame(mark.outline.box), words)
        return printed

    def _preset(self, mark: Mark) -> etree._Element:
        outline = mark.outline
        assert isinstance(outline, Preset)
        adjustments = None
        if outline.kind == "roundRect":
            adjustments = {"adj": round(outline.radius / min(outline.box.width, outline.box.height) * 100_000)}
        return shape(
            0,
            "",
            transform(Frame(0, 0, 0, 0), rotation=-outline.angle),
            preset_geometry(outline.kind, adjustments),
            fill(mark.paint.fill),
            line(mark.paint.stroke),
            body=self._body(mark.label) if mark.label else None,
            text_box=mark.text_box,
        )

    def _freeform(self, identifier: int, leaf: Leaf, outline: Freeform) -> etree._Element:
        mark = self.marks[leaf.mark]
        frame = self.frame(bounds(outline))
        glued = any(end and end.mark == leaf.mark for bond in self.bonds.values() for end in (bond.start, bond.end))
        geometry = custom_geometry(
            self._verbs(outline, frame),
            (frame.width, frame.height),
            filled=mark.paint.fill is not None,
            sites=[self._within(frame, *site) for site in sites(mark)] if glued else (),
        )
        return shape(identifier, leaf.name, transform(frame), geometry, fill(mark.paint.fill), line(mark.paint.stroke))

    def _within(self, frame: Frame, x: float, y: float) -> Point:
        left, top = self.point(x, y)
        return left - frame.left, top - frame.top

    def _verbs(self, outline: Freeform, frame: Frame) -> Iterator[tuple[Verb, list[Point]]]:
        points = [self._within(frame, x, y) for x, y in outline.vertices.tolist()]
        codes = outline.codes.tolist()
        position = 0
        while position < len(codes):
            verb, length = _VERBS[codes[position]]
            yield verb, [] if verb == "close" else points[position : position + length]
            position += length

    # ------------------------------------------------------------ text

    def _body(self, label: Label) -> etree._Element:
        lines = (Line(runs=runs, size_pt=label.size_pt, alignment=label.alignment) for runs in label.lines)
        content = [
            paragraph(one, self.context, line_spacing=label.line_spacing, colour=label.colour.value) for one in lines
        ]
        for properties in (node for one in content for node in one.iter(qualified("a:rPr"))):
            _refine(properties, label.colour, label.halo)
        inset = round(label.inset_pt * EMU_PER_POINT)
        insets = (0, inset, 0, inset) if label.vertical else (inset, 0, inset, 0)
        return text_body("p:txBody", content, inset_emu=insets, anchor="ctr", wrap=False, vertical=label.vertical)


def fill(value: Fill | None) -> etree._Element:
    """The element of any fill."""
    match value:
        case Pattern():
            return pattern_fill(value.preset, value.foreground, value.background)
        case Gradient():
            return gradient_fill(value.stops, value.angle)
        case Colour() | None:
            return solid_fill(value)


def _refine(properties: etree._Element, colour_: Colour, halo: Halo | None) -> None:
    """What the printer of runs does not know: the text's alpha, and its halo."""
    filled = properties.find(qualified("a:solidFill"))
    assert filled is not None
    if colour_.alpha < 1:
        filled.replace(filled[0], colour(colour_))
    if halo:
        glow = element("a:glow", {"rad": round(halo.width_pt * EMU_PER_POINT)}, colour(halo.colour))
        filled.addnext(element("a:effectLst", None, glow))


def _words(label: Label | None) -> str | None:
    """The text of a label that is one run, so that copies can exchange it; faces of formulas depend on their text."""
    if label is None or len(label.lines) != 1 or len(label.lines[0]) != 1:
        return None
    run = label.lines[0][0]
    return None if run.style.math or "\n" in run.text else run.text


def _blanked(label: Label | None) -> Label | None:
    if label is None:
        return None
    run = label.lines[0][0]
    blank = _BLANKS[any(map(is_wide, run.text))]
    return replace(label, lines=((Run(blank, run.style),),))


def _fill_in(printed: etree._Element, identifier: int, name: str, frame: Frame, words: str | None) -> None:
    """What is a copy's own: id, name, place and text."""
    properties, place = printed[0][0], printed[1][0]
    properties.set("id", str(identifier))
    properties.set("name", clean(name))
    place[0].set("x", str(frame.left))
    place[0].set("y", str(frame.top))
    place[1].set("cx", str(frame.width))
    place[1].set("cy", str(frame.height))
    if words is not None:
        text = next(printed.iter(qualified("a:t")))
        text.text = clean(words)


def _leaves(branch: Branch) -> Iterator[int]:
    for child in branch.children:
        if isinstance(child, Leaf):
            yield child.mark
        else:
            yield from _leaves(child)
