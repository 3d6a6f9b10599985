"""Placed boxes as shapes of a slide: one function a kind, ids from one counter, relations on the slide's part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import assert_never

from lxml import etree

from deck_builder.elements.code import paragraphs as code_paragraphs
from deck_builder.elements.colour import SLOTS
from deck_builder.elements.table import table
from deck_builder.elements.text import Context, paragraphs, solid, text_body
from deck_builder.elements.xml import NAMESPACES, element, qualified
from deck_builder.model import Run, Style
from deck_builder.pages import (
    CODE_CAPTION_PT,
    CODE_INSET_PT,
    CODE_LINE_SPACING,
    EMU_PER_POINT,
    Box,
    CodeBox,
    DrawingBox,
    EquationBox,
    Frame,
    Line,
    PictureBox,
    RuleBox,
    TableBox,
    TextBox,
)
from deck_builder.theming.theme import Placeholder
from deck_builder.values import dataclass
from deck_builder.writing.media import digest_of
from deck_builder.writing.package import Part
from deck_builder.writing.sources import Surroundings

BAR_WIDTH_EMU = 57_150
CODE_CAPTION_SIZE_PT = 12.0
ANCHORS = {"top": "t", "middle": "ctr", "bottom": "b"}
TABLE_URI = "http://schemas.openxmlformats.org/drawingml/2006/table"
ROLE_COLOURS = {"caption": "tx2", "footnote": "tx2"}


@dataclass(slots=True)
class SlideContext:
    """What the boxes of one slide share."""

    part: Part
    media: dict[str, bytes]
    """Pictures used so far; the package names them later, by then they are known by their digests."""
    text: Context
    placeholders: Mapping[int, Placeholder]
    deck: Surroundings
    ids: Iterator[int]

    def relate_media(self, blob: bytes) -> str:
        """The id of the slide's relationship to a picture."""
        name = digest_of(blob)
        self.media[name] = blob
        return self.part.relate("image", name)


def new_ids() -> Iterator[int]:
    """Shape ids of one slide; 1 is the shape tree itself."""
    return count(2)


def shapes(box: Box, context: SlideContext) -> list[etree._Element]:
    """The shapes of a box, back to front."""
    match box:
        case TextBox():
            return text_shapes(box, context)
        case CodeBox():
            return [code_shape(box, context)]
        case TableBox():
            return [table_frame(box, context)]
        case EquationBox():
            return [equation_shape(box, context)]
        case PictureBox():
            return [picture_shape(box, context)]
        case DrawingBox():
            return [drawing_group(box, context)]
        case RuleBox():
            return [rule_shape(box, context)]
    assert_never(box)


# ---------------------------------------------------------------- parts of a shape


def transform(frame: Frame, tag: str = "a:xfrm") -> etree._Element:
    """Place and size."""
    return element(
        tag,
        None,
        element("a:off", {"x": frame.left, "y": frame.top}),
        element("a:ext", {"cx": frame.width, "cy": frame.height}),
    )


def preset(name: str = "rect") -> etree._Element:
    """A preset geometry without adjustments."""
    return element("a:prstGeom", {"prst": name}, element("a:avLst"))


def shape(
    context: SlideContext,
    name: str,
    frame: Frame | None,
    body: etree._Element | None,
    *,
    alt: str = "",
    fill: etree._Element | None = None,
    line: etree._Element | None = None,
    placeholder: Placeholder | None = None,
    text_box: bool = False,
    identifier: int | None = None,
) -> etree._Element:
    """`p:sp`. A placeholder inherits what it does not say."""
    attributes = {"id": identifier or next(context.ids), "name": name, "descr": alt or None}
    non_visual = element(
        "p:nvSpPr",
        None,
        element("p:cNvPr", attributes),
        element(
            "p:cNvSpPr",
            {"txBox": True if text_box else None},
            element("a:spLocks", {"noGrp": True}) if placeholder else None,
        ),
        element("p:nvPr", None, placeholder_reference(placeholder) if placeholder else None),
    )
    properties = element(
        "p:spPr",
        None,
        transform(frame) if frame else None,
        None if placeholder else preset(),
        fill if fill is not None or placeholder else element("a:noFill"),
        line,
    )
    return element("p:sp", None, non_visual, properties, body)


def placeholder_reference(placeholder: Placeholder) -> etree._Element:
    """`p:ph`: which placeholder of the layout this shape fills."""
    return element("p:ph", placeholder.reference)


# ---------------------------------------------------------------- text


def text_shapes(box: TextBox, context: SlideContext) -> list[etree._Element]:
    """A text box or placeholder, and the bar at its left edge when it has one."""
    placeholder = context.placeholders.get(box.placeholder) if box.placeholder is not None else None
    colour = ROLE_COLOURS.get(box.role)
    content = paragraphs(box.lines, context.text, line_spacing=box.line_spacing, colour=colour)
    left, top, right, bottom = (round(inset * EMU_PER_POINT) for inset in box.inset_pt)
    body = text_body("p:txBody", content, inset_emu=(left, top, right, bottom), anchor=ANCHORS[box.anchor])
    fill = solid(SLOTS.get(box.fill, box.fill)) if box.fill else None
    sp = shape(context, box.name, box.frame, body, fill=fill, placeholder=placeholder, text_box=placeholder is None)
    if not box.bar:
        return [sp]
    bar_frame = Frame(box.frame.left, box.frame.top, BAR_WIDTH_EMU, box.frame.height)
    bar = shape(
        context,
        f"{box.name} bar",
        bar_frame,
        None,
        fill=solid(SLOTS.get(box.bar, box.bar)),
        line=element("a:ln", None, element("a:noFill")),
    )
    _mark_decorative(bar)
    return [sp, bar]


def _mark_decorative(node: etree._Element) -> None:
    properties = node[0][0]
    extension = element(
        "a:ext",
        {"uri": "{C183D7F6-B498-43B3-948B-1728B52AA6E4}"},
        element("adec:decorative", {"val": "1"}),
    )
    properties.append(element("a:extLst", None, extension))


def code_shape(box: CodeBox, context: SlideContext) -> etree._Element:
    """A listing as highlighted text in its own box."""
    content = code_paragraphs(
        context.deck.listings.lines(box.text, box.language, box.before),
        size_pt=box.size_pt,
        highlight=box.highlight,
        numbers=box.numbers,
        line_spacing=CODE_LINE_SPACING,
        faces=context.text.faces,
    )
    if box.filename:
        content = [_code_caption(box.filename, context), *content]
    inset = round(CODE_INSET_PT * EMU_PER_POINT)
    body = text_body("p:txBody", content, inset_emu=(inset, inset, inset, inset))
    return shape(context, box.name, box.frame, body, fill=solid("bg2"), text_box=True)


def _code_caption(filename: str, context: SlideContext) -> etree._Element:
    """The strip that names the file, as high as layout kept for it."""
    line = Line(runs=(Run(filename, Style(role="muted")),), size_pt=CODE_CAPTION_SIZE_PT)
    paragraph = paragraphs([line], context.text)[0]
    spacing = element("a:lnSpc", None, element("a:spcPts", {"val": round(CODE_CAPTION_PT * 100)}))
    paragraph[0].insert(0, spacing)
    return paragraph


# ---------------------------------------------------------------- tables, formulas, pictures, figures


def table_frame(box: TableBox, context: SlideContext) -> etree._Element:
    """`p:graphicFrame` that carries a table."""
    return element(
        "p:graphicFrame",
        None,
        element(
            "p:nvGraphicFramePr",
            None,
            element("p:cNvPr", {"id": next(context.ids), "name": box.name, "descr": box.alt or None}),
            element("p:cNvGraphicFramePr", None, element("a:graphicFrameLocks", {"noGrp": True})),
            element("p:nvPr"),
        ),
        transform(box.frame, "p:xfrm"),
        element("a:graphic", None, element("a:graphicData", {"uri": TABLE_URI}, table(box, context.text))),
    )


def equation_shape(box: EquationBox, context: SlideContext) -> etree._Element:
    """A formula alone in its shape, with a picture (or its text) for viewers without equations."""
    formula = context.deck.formulas.omml(box.tex, box.size_pt)
    paragraph = element("a:p", None, element("a14:m", None, formula))
    body = text_body("p:txBody", [paragraph], wrap=False, anchor="ctr")
    # Choice and Fallback are the same shape to the reader and carry the same id, as PowerPoint writes them.
    identifier = next(context.ids)
    choice = shape(context, box.name, box.frame, body, alt=box.alt, text_box=True, identifier=identifier)
    alternate = element(
        "mc:AlternateContent",
        None,
        element("mc:Choice", {"Requires": "a14"}, choice),
        element("mc:Fallback", None, _equation_fallback(box, context, identifier)),
    )
    etree.cleanup_namespaces(alternate, top_nsmap={"a14": NAMESPACES["a14"]}, keep_ns_prefixes=["a14"])
    return alternate


def _equation_fallback(box: EquationBox, context: SlideContext, identifier: int) -> etree._Element:
    if context.deck.math_fallback == "text":
        line = Line(runs=context.deck.formulas.linear(box.tex), size_pt=box.size_pt, alignment="center")
        body = text_body("p:txBody", paragraphs([line], context.text), wrap=False, anchor="ctr")
        return shape(context, box.name, box.frame, body, alt=box.alt, text_box=True, identifier=identifier)
    relation = context.relate_media(context.deck.formulas.png(box.tex, box.size_pt))
    fill = element(
        "a:blipFill",
        None,
        element("a:blip", {"r:embed": relation}),
        element("a:stretch", None, element("a:fillRect")),
    )
    body = text_body("p:txBody", [element("a:p")])
    return shape(context, box.name, box.frame, body, alt=box.alt, fill=fill, text_box=True, identifier=identifier)


def picture_shape(box: PictureBox, context: SlideContext) -> etree._Element:
    """A picture in its own aspect, or a visible stand-in that says what is missing."""
    picture = context.deck.pictures.get(box.path)
    if picture is None or picture.blob is None:
        return _stand_in(box, context, picture.reason if picture else "")
    blip = element("a:blip", {"r:embed": context.relate_media(picture.blob)})
    if picture.svg is not None:
        svg = element("asvg:svgBlip", {"r:embed": context.relate_media(picture.svg)})
        extension = element("a:ext", {"uri": "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"}, svg)
        blip.append(element("a:extLst", None, extension))
    properties = element(
        "p:cNvPr", {"id": next(context.ids), "name": box.name, "descr": None if box.decorative else box.alt or None}
    )
    if box.link and context.text.link:
        link = context.text.link(box.link)
        if link is not None:
            properties.append(link)
    node = element(
        "p:pic",
        None,
        element(
            "p:nvPicPr",
            None,
            properties,
            element("p:cNvPicPr", None, element("a:picLocks", {"noChangeAspect": True})),
            element("p:nvPr"),
        ),
        element("p:blipFill", None, blip, element("a:stretch", None, element("a:fillRect"))),
        element("p:spPr", None, transform(box.frame), preset()),
    )
    if box.decorative:
        _mark_decorative(node)
    return node


def _stand_in(box: PictureBox, context: SlideContext, reason: str) -> etree._Element:
    text = " ".join(part for part in (box.alt, f"[{reason}]" if reason else "") if part)
    line = Line(runs=(Run(text, Style(role="muted")),), size_pt=12, alignment="center")
    inset = 6 * EMU_PER_POINT
    body = text_body("p:txBody", paragraphs([line], context.text), inset_emu=(inset,) * 4, anchor="ctr")
    outline = element("a:ln", {"w": 12_700}, solid("tx2"), element("a:prstDash", {"val": "dash"}))
    return shape(
        context, box.name, box.frame, body, alt=box.alt or reason, fill=solid("bg2"), line=outline, text_box=True
    )


def drawing_group(box: DrawingBox, context: SlideContext) -> etree._Element:
    """A drawn figure moved to its frame, its ids and picture relations made this slide's own."""
    drawing = context.deck.drawings[box.label]
    group = etree.fromstring(drawing.group)
    numbers = {}
    for node in group.iter(qualified("p:cNvPr")):
        numbers[node.get("id")] = str(next(context.ids))
        node.set("id", numbers[node.get("id")])
    for tag in ("a:stCxn", "a:endCxn"):
        for node in group.iter(qualified(tag)):
            node.set("id", numbers[node.get("id")])
    embed = qualified("r:embed")
    for node in group.iter(qualified("a:blip")):
        node.set(embed, context.relate_media(drawing.media[node.get(embed) or ""]))
    offset = group.find(f"{qualified('p:grpSpPr')}/{qualified('a:xfrm')}/{qualified('a:off')}")
    if offset is None:
        raise ValueError(f"the drawing of {box.label} has no place")
    offset.set("x", str(int(offset.get("x") or 0) + box.frame.left))
    offset.set("y", str(int(offset.get("y") or 0) + box.frame.top))
    properties = group.find(f"{qualified('p:nvGrpSpPr')}/{qualified('p:cNvPr')}")
    if properties is not None:
        properties.set("name", box.label)
        properties.set("descr", box.alt)
    return group


def rule_shape(box: RuleBox, context: SlideContext) -> etree._Element:
    """A thin horizontal line."""
    return element(
        "p:cxnSp",
        None,
        element(
            "p:nvCxnSpPr",
            None,
            element("p:cNvPr", {"id": next(context.ids), "name": box.name}),
            element("p:cNvCxnSpPr"),
            element("p:nvPr"),
        ),
        element(
            "p:spPr",
            None,
            transform(Frame(box.frame.left, box.frame.top + box.frame.height // 2, box.frame.width, 0)),
            preset("line"),
            element("a:ln", {"w": 12_700}, solid("tx2")),
        ),
    )
