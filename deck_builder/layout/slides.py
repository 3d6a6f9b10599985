"""One slide as pages: cover, section or content, with title, boxes, notes, footer and anchor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import ceil

from deck_builder.errors import DeckError
from deck_builder.layout.compose import compose
from deck_builder.layout.fit import Fitted, fit, ladder
from deck_builder.layout.flow import place_stack
from deck_builder.layout.inlines import flat_runs
from deck_builder.layout.measure import SPARE
from deck_builder.layout.names import named
from deck_builder.layout.notes import note_lines
from deck_builder.layout.parts import Flow, Prose, Row
from deck_builder.layout.places import asked_layout, content_area, in_placeholders, layout_for, title_beside
from deck_builder.layout.prose import prose_box, prose_height
from deck_builder.layout.setting import Area, Setting, area_of
from deck_builder.layout.text import parts_of
from deck_builder.layout.titles import title_box
from deck_builder.model import Block, Notice, Paragraph, Settings, Slide
from deck_builder.pages import EMU_PER_INCH, Box, DrawingBox, Page, TextBox
from deck_builder.theming.theme import Layout
from deck_builder.values import dataclass, replace

MOST_FOOT = 0.35
"""Footnotes that need more than this part of the height are set as text."""
FOOT_GAP = 8.0
"""Between the body and its footnotes, in points."""
LEAST_DRAWING = 6.0
"""Square inches below which a figure is hardly read from the back of a room."""
FITS = ("auto", "shrink", "split", "error")
HEX = re.compile(r"#?([0-9A-Fa-f]{6})")
SHORT_HEX = re.compile(r"#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])")


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Pages of one slide, what a reader would miss, and what was fitted."""

    pages: tuple[Page, ...]
    notices: tuple[Notice, ...] = ()
    fitted: tuple[Notice, ...] = ()


def content_pages(slide: Slide, settings: Settings, setting: Setting) -> LaidOut:
    """A content slide: composed, fitted, continued where it must be."""
    body, feet = parted(slide.blocks)
    asked = asked_layout(slide, setting)
    area = content_area(slide, asked, setting)
    foot, flattened = footnote(feet, area, setting)
    parts, notices = parts_of(slide.blocks if foot is None else body, setting)
    notices = (*notices, *flattened)
    area = area if foot is None else replace(area, height=area_of(foot.frame).top - FOOT_GAP - area.top)
    here = replace(setting, theme=replace(setting.theme, body=area.frame))
    mode = fit_mode(slide, settings)
    fitted = fit(compose(parts, area, here), area, mode, here) if parts else None
    flows: Sequence[Flow] = fitted.pages if fitted else ((),)
    if mode == "error" and len(flows) > 1:
        raise DeckError(
            f"the slide does not fit on one page at the smallest sizes (it needs {len(flows)}); "
            "shorten it, or allow `fit=split`",
            slide.source,
        )
    pages = []
    for index, flow in enumerate(flows):
        suffix = f" ({index + 1}/{len(flows)})" if len(flows) > 1 else ""
        page, found = _content_page(slide, settings, flow, fitted, asked, area, suffix, here)
        page = page if index == 0 else replace(page, identifier=None, notes=())
        last = foot is not None and index == len(flows) - 1
        pages.append(replace(page, boxes=named((*page.boxes, foot))) if foot is not None and last else page)
        notices = (*notices, *found)
    report = (*_report(slide, fitted, setting.theme.sizes.body[0]), *_small_drawings(pages))
    return LaidOut(tuple(pages), notices, report)


def parted(blocks: tuple[Block, ...]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """What stands on a slide, and the footnotes after it: paragraphs all in small type."""
    count = len(blocks)
    while count and _is_small(blocks[count - 1]):
        count -= 1
    return (blocks[:count], blocks[count:]) if count else (blocks, ())


def _is_small(block: Block) -> bool:
    return isinstance(block, Paragraph) and all(inline.style.role == "small" for inline in block.inlines)


def footnote(feet: tuple[Block, ...], area: Area, setting: Setting) -> tuple[TextBox | None, tuple[Notice, ...]]:
    """Footnotes at the foot of the area. Their room grows by two lines at a time, so that few words move a figure."""
    parts, notices = parts_of(feet, setting)
    entries = tuple(entry for part in parts if isinstance(part, Prose) for entry in part.entries)
    if not entries:
        return None, ()
    prose = Prose(entries=entries, role="caption", size_pt=setting.theme.sizes.caption, source=entries[0].source)
    step = ladder(setting.theme.sizes, "auto")[-1]
    two_lines = 2 * setting.theme.sizes.caption * setting.metrics.east_asian_line_height * SPARE
    height = two_lines * ceil(prose_height(prose, area.width, step, setting) / two_lines)
    if height > MOST_FOOT * area.height:
        return None, ()
    place = Area(area.left, area.bottom - height, area.width, height)
    return replace(prose_box(prose, place, step, setting), role="footnote", anchor="bottom"), notices


def _content_page(
    slide: Slide,
    settings: Settings,
    flow: Flow,
    fitted: Fitted | None,
    asked: Layout | None,
    area: Area,
    suffix: str,
    setting: Setting,
) -> tuple[Page, tuple[Notice, ...]]:
    placed = tuple(place_stack(flow, area, fitted.step, setting)) if fitted else ()
    boxes = in_reading_order([item for item in placed if not isinstance(item, Notice)])
    layout = asked or layout_for(flow, boxes, setting)
    title, found = title_box(
        slide.title, suffix, title_beside(layout, area, setting), area, setting, slide.source, hidden=slide.title_hidden
    )
    page = page_of(slide, settings, setting, layout=layout, title=title, boxes=in_placeholders(boxes, layout))
    notices = (*(item for item in placed if isinstance(item, Notice)), *found)
    return page, notices


def page_of(
    slide: Slide, settings: Settings, setting: Setting, *, layout: Layout, title: TextBox, boxes: Iterable[Box]
) -> Page:
    """A page of a slide, with what every page carries whatever its kind."""
    return Page(
        layout=layout.name,
        title=replace(title, name="Title"),
        boxes=named(boxes),
        notes=tuple(note_lines(slide.notes, setting)),
        section=slide.section,
        identifier=slide.identifier,
        hidden=slide.hidden,
        background=background(slide),
        footer=settings.footer if settings.footer is not None else slide.section,
        source=slide.source,
    )


def fit_mode(slide: Slide, settings: Settings) -> str:
    """How the slide shall be fitted: as it says, else as the deck says."""
    mode = slide.attributes.get("fit", settings.fit)
    if mode not in FITS:
        from difflib import get_close_matches

        close = get_close_matches(mode, FITS, 1)
        hint = f"did you mean {close[0]}?" if close else f"it is one of {', '.join(FITS)}"
        raise DeckError(f"fit={mode} is not known; {hint}", slide.source)
    return mode


def background(slide: Slide) -> str | None:
    """The colour asked for, as RRGGBB or an accent's name."""
    colour = slide.attributes.get("background-color", "").strip()
    if match := HEX.fullmatch(colour):
        return match[1].upper()
    if match := SHORT_HEX.fullmatch(colour):
        return "".join(digit * 2 for digit in match.groups()).upper()
    return colour if re.fullmatch(r"accent[1-6]", colour) else None


def in_reading_order(boxes: Sequence[Box]) -> list[Box]:
    """Boxes in the order in which they were written, where all come from one file."""
    if len({box.source.path for box in boxes}) == 1:
        return sorted(boxes, key=lambda box: box.source.line)
    return list(boxes)


def _report(slide: Slide, fitted: Fitted | None, largest: float) -> Iterable[Notice]:
    """What was done so that the slide fits: continued, or set in smaller type than the largest."""
    if fitted is None:
        return
    title = "".join(getattr(inline, "text", "") for inline in slide.title).strip()
    if len(fitted.pages) > 1:
        yield Notice(f"“{title}” is continued on {len(fitted.pages)} slides", slide.source)
    elif fitted.step.body < largest and any(_holds_prose(flow) for flow in fitted.pages):
        yield Notice(f"“{title}” is set at {fitted.step.body:g} pt to fit", slide.source)


def _small_drawings(pages: Sequence[Page]) -> Iterable[Notice]:
    """Figures for which the rest of their slide left next to no room."""
    for page in pages:
        for box in page.boxes:
            if isinstance(box, DrawingBox):
                width, height = (length / EMU_PER_INCH for length in (box.frame.width, box.frame.height))
                if width * height < LEAST_DRAWING:
                    yield Notice(
                        f"{box.label} is drawn only {width:.1f} × {height:.1f} in; shorten what stands beside it",
                        box.source,
                    )


def _holds_prose(flow: Flow) -> bool:
    return any(
        isinstance(part, Prose) or (isinstance(part, Row) and any(_holds_prose(stack.parts) for stack in part.columns))
        for part in flow
    )


def plain_title(slide: Slide, setting: Setting) -> str:
    """The title's characters."""
    return "".join(run.text for run in flat_runs(slide.title, setting.formulas, slide.source)[0])
