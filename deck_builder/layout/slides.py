"""One slide as pages: cover, section or content, with title, boxes, notes, footer and anchor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from deck_builder.errors import DeckError
from deck_builder.layout.compose import compose
from deck_builder.layout.fit import Fitted, fit
from deck_builder.layout.flow import place_stack
from deck_builder.layout.inlines import flat_runs
from deck_builder.layout.names import named
from deck_builder.layout.notes import note_lines
from deck_builder.layout.parts import Flow, Prose, Row
from deck_builder.layout.setting import Area, Setting, area_of
from deck_builder.layout.text import parts_of
from deck_builder.layout.titles import title_box
from deck_builder.model import Notice, Settings, Slide
from deck_builder.pages import Box, DrawingBox, Frame, Page, PictureBox, TextBox
from deck_builder.theming.theme import Layout, Placeholder

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
    parts, notices = parts_of(slide.blocks, setting)
    asked = _asked_layout(slide, setting)
    area = _content_area(slide, asked, setting)
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
        pages.append(page if index == 0 else replace(page, identifier=None, notes=()))
        notices = (*notices, *found)
    return LaidOut(tuple(pages), notices, tuple(_report(slide, fitted)))


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
    layout = asked or _layout_for(flow, boxes, setting)
    title, found = title_box(
        slide.title, suffix, title_place(layout, setting), area, setting, slide.source, hidden=slide.title_hidden
    )
    page = page_of(slide, settings, setting, layout=layout, title=title, boxes=_in_placeholders(boxes, layout))
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


# ---------------------------------------------------------------- layouts and placeholders


def _asked_layout(slide: Slide, setting: Setting) -> Layout | None:
    """The layout that the slide names; an error lists what there is."""
    name = slide.attributes.get("layout")
    if name is None:
        return None
    layouts = {layout.name: layout for layout in setting.theme.layouts}
    if name not in layouts:
        close = get_close_matches(name, layouts, 1)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(layouts)}"
        raise DeckError(f"the template has no layout {name}; {hint}", slide.source)
    return layouts[name]


def _content_area(slide: Slide, asked: Layout | None, setting: Setting) -> Area:
    """The drawing area: the theme's body, or the boxes of the layout asked for; up to the top without a title."""
    area = area_of(setting.theme.body)
    bodies = [placeholder.frame for placeholder in asked.placeholders if placeholder.kind == "body"] if asked else []
    if bodies:
        corner = (min(frame.left for frame in bodies), min(frame.top for frame in bodies))
        right, bottom = max(frame.right for frame in bodies), max(frame.bottom for frame in bodies)
        area = area_of(Frame(*corner, right - corner[0], bottom - corner[1]))
    if slide.title_hidden:
        title = area_of(title_place(setting.theme.layout("content"), setting).frame)
        top = max(min(area.top, title.top), area.left / 2)
        area = Area(area.left, top, area.width, area.bottom - top)
    return area


def title_place(layout: Layout, setting: Setting) -> Placeholder:
    """The layout's title; where it has none, a box where other layouts have it."""
    own = layout.first("title")
    if own is not None:
        return own
    others = (other.first("title") for other in (setting.theme.layout("content"), *setting.theme.layouts))
    place = next((placeholder for placeholder in others if placeholder is not None), None)
    if place is not None:
        return replace(place, index=-1)
    body = area_of(setting.theme.body)
    return Placeholder(-1, "title", Area(body.left, max(0.0, body.top - 60.0), body.width, 50.0).frame)


def _layout_for(flow: Flow, boxes: Sequence[Box], setting: Setting) -> Layout:
    """The layout whose placeholders the page fills: none is left empty."""
    texts = sum(isinstance(box, TextBox) and box.role == "body" for box in boxes)
    if not texts:
        return setting.theme.layout("title-only")
    if any(isinstance(box, DrawingBox | PictureBox) for box in boxes):
        return setting.theme.layout("figure")
    columns = flow[0].columns if len(flow) == 1 and isinstance(flow[0], Row) else ()
    sides = [any(isinstance(part, Prose) and part.role == "body" for part in stack.parts) for stack in columns]
    return setting.theme.layout("two-contents" if len(sides) == 2 and all(sides) else "content")


def _in_placeholders(boxes: Sequence[Box], layout: Layout) -> Iterator[Box]:
    """Body texts take the layout's body placeholders, one each, as far as they go; the rest stay free boxes."""
    bodies = [placeholder for placeholder in layout.placeholders if placeholder.kind == "body"]
    if layout.role != "two-contents":
        bodies = bodies[:1]
    free = iter(bodies)
    for box in boxes:
        if isinstance(box, TextBox) and box.role == "body":
            placeholder = next(free, None)
            yield replace(box, placeholder=placeholder.index) if placeholder else box
        else:
            yield box


def in_reading_order(boxes: Sequence[Box]) -> list[Box]:
    """Boxes in the order in which they were written, where all come from one file."""
    if len({box.source.path for box in boxes}) == 1:
        return sorted(boxes, key=lambda box: box.source.line)
    return list(boxes)


def _report(slide: Slide, fitted: Fitted | None) -> Iterable[Notice]:
    """What was done so that the slide fits."""
    if fitted is None:
        return
    title = "".join(getattr(inline, "text", "") for inline in slide.title).strip()
    if len(fitted.pages) > 1:
        yield Notice(f"“{title}” is continued on {len(fitted.pages)} slides", slide.source)
    elif fitted.rung and any(_holds_prose(flow) for flow in fitted.pages):
        yield Notice(f"“{title}” is set at {fitted.step.body:g} pt to fit", slide.source)


def _holds_prose(flow: Flow) -> bool:
    return any(
        isinstance(part, Prose) or (isinstance(part, Row) and any(_holds_prose(stack.parts) for stack in part.columns))
        for part in flow
    )


def plain_title(slide: Slide, setting: Setting) -> str:
    """The title's characters."""
    return "".join(run.text for run in flat_runs(slide.title, setting.formulas, slide.source)[0])
