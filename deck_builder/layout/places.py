"""Which of the template's layouts a page uses, where its content may stand, and which text fills which placeholder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deck_builder.errors import DeckError
from deck_builder.layout.parts import Flow, Prose, Row
from deck_builder.layout.setting import Area, Setting, area_of
from deck_builder.model import Slide
from deck_builder.pages import Box, DrawingBox, Frame, PictureBox, TextBox
from deck_builder.theming.theme import Layout, Placeholder
from deck_builder.values import replace

LEAST_AREA = 0.25
"""A layout's boxes that are lower than this part of the usual body are not meant for content."""


def asked_layout(slide: Slide, setting: Setting) -> Layout | None:
    """The layout that the slide names; an error lists what there is."""
    name = slide.attributes.get("layout")
    if name is None:
        return None
    layouts = {layout.name: layout for layout in setting.theme.layouts}
    if name not in layouts:
        from difflib import get_close_matches

        close = get_close_matches(name, layouts, 1)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(layouts)}"
        raise DeckError(f"the template has no layout {name}; {hint}", slide.source)
    return layouts[name]


def content_area(slide: Slide, asked: Layout | None, setting: Setting) -> Area:
    """The drawing area: the theme's body, or that of the layout asked for; up to the top without a title."""
    area = area_of(setting.theme.body) if asked is None else _area_in(asked, setting)
    if slide.title_hidden:
        title = area_of(title_place(setting.theme.layout("content"), setting).frame)
        top = max(min(area.top, title.top), area.left / 2)
        area = Area(area.left, top, area.width, area.bottom - top)
    return area


def _area_in(layout: Layout, setting: Setting) -> Area:
    """What a layout gives to content: all its boxes together, else the largest, else what is left under its title."""
    body = area_of(setting.theme.body)
    title = area_of(title_place(layout, setting).frame)
    under = Area(body.left, title.bottom, body.width, body.bottom - title.bottom)
    frames = [placeholder.frame for placeholder in layout.placeholders if placeholder.kind == "body"]
    largest = max(frames, key=lambda frame: frame.width * frame.height, default=setting.theme.body)
    together = _around(frames) if frames else largest
    candidates = (area_of(together), area_of(largest))
    free = (area for area in candidates if not _overlap(area, title) and area.height >= LEAST_AREA * body.height)
    return next(free, under if under.height >= LEAST_AREA * body.height else body)


def _around(frames: Sequence[Frame]) -> Frame:
    """The smallest frame that holds all of them."""
    left, top = min(frame.left for frame in frames), min(frame.top for frame in frames)
    right, bottom = max(frame.right for frame in frames), max(frame.bottom for frame in frames)
    return Frame(left, top, right - left, bottom - top)


def _overlap(one: Area, other: Area) -> bool:
    aside = one.left + one.width <= other.left or other.left + other.width <= one.left
    return not aside and one.top < other.bottom and other.top < one.bottom


def title_beside(layout: Layout, area: Area, setting: Setting) -> Placeholder:
    """The layout's title; where that would cover the content, moved to where ordinary slides have it."""
    own = title_place(layout, setting)
    if not _overlap(area_of(own.frame), area):
        return own
    return replace(own, frame=title_place(setting.theme.layout("content"), setting).frame)


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


def layout_for(flow: Flow, boxes: Sequence[Box], setting: Setting) -> Layout:
    """The layout whose placeholders the page fills: none is left empty."""
    texts = sum(isinstance(box, TextBox) and box.role == "body" for box in boxes)
    if not texts:
        return setting.theme.layout("title-only")
    if any(isinstance(box, DrawingBox | PictureBox) for box in boxes):
        return setting.theme.layout("figure")
    columns = flow[0].columns if len(flow) == 1 and isinstance(flow[0], Row) else ()
    sides = [any(isinstance(part, Prose) and part.role == "body" for part in stack.parts) for stack in columns]
    return setting.theme.layout("two-contents" if len(sides) == 2 and all(sides) else "content")


def in_placeholders(boxes: Sequence[Box], layout: Layout) -> Iterator[Box]:
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
