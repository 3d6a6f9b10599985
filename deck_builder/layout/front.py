"""Pages that open things: the cover, the agenda, the section slides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deck_builder.layout.fit import ladder
from deck_builder.layout.inlines import flat_runs
from deck_builder.layout.parts import Prose
from deck_builder.layout.places import title_place
from deck_builder.layout.prose import prose_box, prose_height
from deck_builder.layout.setting import Area, Setting, area_of
from deck_builder.layout.slides import LaidOut, content_pages, page_of
from deck_builder.layout.text import parts_of
from deck_builder.layout.titles import filled, fitting, text_size
from deck_builder.layout.words import agenda_title
from deck_builder.model import Inline, Inlines, Item, List, Notice, Paragraph, Run, Settings, Slide, Source
from deck_builder.pages import TextBox
from deck_builder.theming.theme import Layout, Placeholder
from deck_builder.values import replace

NUMBER_PLACE = re.compile(r"number|编号|序号|番号", re.IGNORECASE)
NUMBERED = re.compile(
    r"\s*(?:\d+\s*[.、:：]?\s|\d+[.、:：]|第.{1,3}[章节讲课部]|(?:chapter|part|section|lecture)\s)", re.IGNORECASE
)
"""A section title that brings its own number."""


def cover_pages(slide: Slide, settings: Settings, setting: Setting) -> LaidOut:
    """Title, subtitle, and one line of author, institute and date, each in the layout's own place."""
    layout = setting.theme.layout("cover")
    title, notices = _title(slide.title or settings.title, layout, setting, slide.source)
    boxes = []
    byline = " · ".join(filter(None, (settings.author, settings.institute, settings.date)))
    places = [layout.first("subtitle"), layout.first("body")]
    texts: list[Inlines] = [settings.subtitle, (Run(byline),) if byline else ()]
    if places[1] is None:
        texts = [(*settings.subtitle, *((Run("\n"),) if settings.subtitle and byline else ()), *texts[1]), ()]
    for place, text in zip(places, texts, strict=True):
        runs, found = flat_runs(text, setting.formulas, slide.source)
        notices = (*notices, *found)
        if place is not None and runs:
            boxes.append(_filled(place, runs, setting, slide.source))
    page = page_of(slide, settings, setting, layout=layout, title=title, boxes=boxes)
    page = replace(page, footer="", show_number=False)
    rest = _rest(slide, settings, setting) if slide.blocks else LaidOut(())
    return LaidOut((page, *rest.pages), (*notices, *rest.notices), rest.fitted)


def with_their_text(slides: Sequence[Slide]) -> Iterator[Slide]:
    """Slides, each section with the text that stands right under its heading (which was read as a slide of its own)."""
    follower: Slide | None = None
    for slide, after in zip(slides, (*slides[1:], None), strict=True):
        if slide is follower:
            continue
        own = after is not None and after.kind == "content" and after.source == slide.source
        if slide.kind == "section" and not slide.blocks and after is not None and own and after.title == slide.title:
            follower = after
            yield replace(slide, blocks=after.blocks, notes=slide.notes + after.notes)
        else:
            yield slide


def section_pages(slide: Slide, number: int, settings: Settings, setting: Setting) -> LaidOut:
    """A section slide; its text goes into the layout's place for it, anything else onto a slide of its own."""
    layout = setting.theme.layout("section")
    title, notices = _title(slide.title, layout, setting, slide.source)
    bodies = [placeholder for placeholder in layout.placeholders if placeholder.kind in ("body", "subtitle")]
    counter = next((place for place in bodies if NUMBER_PLACE.search(place.name)), None)
    text = next((place for place in bodies if place is not counter), None)
    boxes: list[TextBox] = []
    heading = "".join(run.text for run in title.lines[0].runs)
    if counter is not None and not NUMBERED.match(heading):
        size = counter.size_pt or setting.theme.sizes.title[0]
        boxes.append(filled(counter, (Run(str(number)),), size, "section-number", slide.source))
    rest = LaidOut(())
    if slide.blocks:
        box, found = _section_text(slide, text, setting)
        notices = (*notices, *found)
        boxes += [box] if box else []
        rest = rest if box else _rest(slide, settings, setting)
    page = page_of(slide, settings, setting, layout=layout, title=title, boxes=boxes)
    return LaidOut((page, *rest.pages), (*notices, *rest.notices), rest.fitted)


def _section_text(
    slide: Slide, place: Placeholder | None, setting: Setting
) -> tuple[TextBox | None, tuple[Notice, ...]]:
    """The section's text in its place, if it is text alone and fits."""
    parts, notices = parts_of(slide.blocks, setting)
    if place is None or len(parts) != 1 or not isinstance(parts[0], Prose) or parts[0].role != "body":
        return None, ()
    area = area_of(place.frame)
    for step in ladder(setting.theme.sizes, "auto"):
        if prose_height(parts[0], area.width, step, setting) <= area.height:
            return replace(prose_box(parts[0], area, step, setting), placeholder=place.index), notices
    return None, ()


def _rest(slide: Slide, settings: Settings, setting: Setting) -> LaidOut:
    """What an opening slide cannot hold, as a content slide of the same title."""
    return content_pages(replace(slide, kind="content", identifier=None, notes=()), settings, setting)


def _title(title: Inlines, layout: Layout, setting: Setting, source: Source) -> tuple[TextBox, tuple[Notice, ...]]:
    runs, notices = flat_runs(title, setting.formulas, source)
    place = title_place(layout, setting)
    return replace(_filled(place, runs, setting, source, bold=True), role="title", name="Title"), notices


def _filled(
    place: Placeholder, runs: tuple[Run, ...], setting: Setting, source: Source, *, bold: bool = False
) -> TextBox:
    """A placeholder's text as large as the template says, smaller where it is long."""
    area: Area = area_of(place.frame)
    start = place.size_pt or setting.theme.sizes.body[0]
    size, _ = text_size(runs, area, (start,), setting, bold=bold)
    return filled(place, fitting(runs, size, area, setting, bold=bold), size, "subtitle", source)


def agenda_slide(sections: Sequence[Slide], settings: Settings, setting: Setting, source: Source) -> Slide:
    """The sections as a numbered list, each a link to its slide; with the deck's notes for it."""
    items = tuple(
        Item((Paragraph(_linked(section), source=source),), source=source) for section in sections if section.title
    )
    own_numbers = all(NUMBERED.match(_text(section.title)) for section in sections)
    return Slide(
        "content",
        (Run(agenda_title(chinese=setting.chinese)),),
        (List(items, ordered=not own_numbers, source=source),),
        notes=settings.toc_notes,
        identifier=None,
        source=source,
    )


def _linked(section: Slide) -> Inlines:
    link = f"#{section.identifier}" if section.identifier else None
    return tuple(_with_link(inline, link) for inline in section.title)


def _with_link(inline: Inline, link: str | None) -> Inline:
    return replace(inline, style=replace(inline.style, link=link))


def _text(inlines: Inlines) -> str:
    return "".join(inline.text if isinstance(inline, Run) else "x" for inline in inlines)
