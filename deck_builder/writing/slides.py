"""Pages as slide parts and notes parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lxml import etree

from deck_builder.elements.text import Context, paragraphs, runs, solid, text_body
from deck_builder.elements.xml import element, serialise
from deck_builder.model import Run
from deck_builder.pages import Line, Page
from deck_builder.theming.theme import Layout, Placeholder
from deck_builder.values import replace
from deck_builder.writing.boxes import SlideContext, new_ids, shape, shapes, text_shapes
from deck_builder.writing.media import Printed
from deck_builder.writing.package import Part
from deck_builder.writing.sources import Surroundings

SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
NOTES_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml"
NUMBER_FIELD = "{86CB4B4D-7CA3-9044-876B-883B54F8677D}"
NOTES_SIZE_PT = 12.0
SLIDE_JUMP = "ppaction://hlinksldjump"


def slide_name(number: int) -> str:
    """Name of the part of slide `number` (from 1)."""
    return f"ppt/slides/slide{number}.xml"


def link_printer(part: Part, anchors: Mapping[str, int]) -> Callable[[str], etree._Element | None]:
    """How a link on this slide becomes `a:hlinkClick`: an address, or a jump to the slide of an anchor."""

    def print_link(target: str) -> etree._Element | None:
        if not target.startswith("#"):
            return element("a:hlinkClick", {"r:id": part.relate("hyperlink", target, external=True)})
        number = anchors.get(target[1:])
        if number is None:
            return None
        return element("a:hlinkClick", {"r:id": part.relate("slide", slide_name(number)), "action": SLIDE_JUMP})

    return print_link


def printed(page: Page, number: int, layout: Layout, deck: Surroundings) -> Printed:
    """The parts of one page, with their relationships to layout, notes, pictures and links."""
    part = Part(slide_name(number), SLIDE_TYPE, b"")
    part.relate("slideLayout", layout.part)
    context = SlideContext(
        part=part,
        media={},
        text=Context(lang=deck.lang, link=link_printer(part, deck.anchors)),
        placeholders={placeholder.index: placeholder for placeholder in layout.placeholders},
        deck=deck,
        ids=new_ids(),
    )
    part.content = serialise(_slide(page, number, layout, context))
    notes = _notes_part(page, number, part, deck) if page.notes else None
    return Printed(part, notes, context.media)


def _slide(page: Page, number: int, layout: Layout, context: SlideContext) -> etree._Element:
    nodes = text_shapes(page.title, context)
    for box in page.boxes:
        nodes += shapes(box, context)
    nodes += _furniture(page, number, layout, context)
    tree = element("p:spTree", None, *_tree_head(), *nodes)
    return element(
        "p:sld",
        {"show": False if page.hidden else None},
        element("p:cSld", None, _background(page), tree),
        _colour_map(context.deck.colour_map),
    )


def _colour_map(mapping: Mapping[str, str] | None) -> etree._Element:
    """What `tx2` and the like stand for: what the master says, unless the theme knows better."""
    own = element("a:overrideClrMapping", mapping) if mapping else element("a:masterClrMapping")
    return element("p:clrMapOvr", None, own)


def _tree_head() -> tuple[etree._Element, etree._Element]:
    zero = {"x": 0, "y": 0}
    none = {"cx": 0, "cy": 0}
    group = element(
        "a:xfrm",
        None,
        element("a:off", zero),
        element("a:ext", none),
        element("a:chOff", zero),
        element("a:chExt", none),
    )
    non_visual = element(
        "p:nvGrpSpPr",
        None,
        element("p:cNvPr", {"id": 1, "name": ""}),
        element("p:cNvGrpSpPr"),
        element("p:nvPr"),
    )
    return non_visual, element("p:grpSpPr", None, group)


def _background(page: Page) -> etree._Element | None:
    if not page.background:
        return None
    return element("p:bg", None, element("p:bgPr", None, solid(page.background), element("a:effectLst")))


def _furniture(page: Page, number: int, layout: Layout, context: SlideContext) -> list[etree._Element]:
    """Footer text and slide number, where the layout has a place for them."""
    out = []
    footer, place = layout.first("footer"), layout.first("number")
    if footer is not None and page.footer:
        content = paragraphs_of(page.footer, context.text)
        out.append(_furniture_shape(footer, content, context))
    if place is not None and page.show_number:
        field = element(
            "a:fld",
            {"id": NUMBER_FIELD, "type": "slidenum"},
            element("a:rPr", {"lang": context.text.lang}),
            element("a:t", text=str(number)),
        )
        out.append(_furniture_shape(place, [element("a:p", None, field)], context))
    return out


def paragraphs_of(text: str, context: Context) -> list[etree._Element]:
    """One paragraph that inherits everything but its language."""
    return [element("a:p", None, *runs([Run(text)], context))]


def _furniture_shape(placeholder: Placeholder, content: list[etree._Element], context: SlideContext) -> etree._Element:
    body = element("p:txBody", None, element("a:bodyPr"), element("a:lstStyle"), *content)
    return shape(context, placeholder.name, None, body, placeholder=placeholder)


def _notes_part(page: Page, number: int, slide: Part, deck: Surroundings) -> Part:
    """The notes of a slide: its picture and its text, lists kept."""
    part = Part(f"ppt/notesSlides/notesSlide{number}.xml", NOTES_TYPE, b"")
    part.relate("notesMaster", deck.notes_master)
    part.relate("slide", slide.name)
    lines = [_plain_size(line) for line in page.notes]
    body = text_body("p:txBody", paragraphs(lines, Context(lang=deck.lang)), inset_emu=None, anchor=None)
    body.replace(body[0], element("a:bodyPr"))
    picture = element(
        "p:sp",
        None,
        element(
            "p:nvSpPr",
            None,
            element("p:cNvPr", {"id": 2, "name": "Slide Image"}),
            element("p:cNvSpPr", None, element("a:spLocks", {"noGrp": True, "noRot": True, "noChangeAspect": True})),
            element("p:nvPr", None, element("p:ph", {"type": "sldImg"})),
        ),
        element("p:spPr"),
    )
    text = element(
        "p:sp",
        None,
        element(
            "p:nvSpPr",
            None,
            element("p:cNvPr", {"id": 3, "name": "Notes"}),
            element("p:cNvSpPr", None, element("a:spLocks", {"noGrp": True})),
            element("p:nvPr", None, element("p:ph", {"type": "body", "idx": 1})),
        ),
        element("p:spPr"),
        body,
    )
    root = element(
        "p:notes",
        None,
        element("p:cSld", None, element("p:spTree", None, *_tree_head(), picture, text)),
        _colour_map(None),
    )
    part.content = serialise(root)
    slide.relate("notesSlide", part.name)
    return part


def _plain_size(line: Line) -> Line:
    """Notes are read, not projected: one size, no links (their relations would belong to the notes part)."""
    plain = tuple(Run(run.text, replace(run.style, link=None)) for run in line.runs)
    return replace(line, runs=plain, size_pt=NOTES_SIZE_PT, space_before_pt=0, space_after_pt=3)
