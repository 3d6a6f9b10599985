"""Prose set at a size: its height in a width, its box, and where it may be cut."""

from __future__ import annotations

from collections.abc import Iterator

from deck_builder.layout.measure import SPARE, SetLine, cut, lines_height
from deck_builder.layout.parts import Entry, Prose
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.pages import HANG_EM, Line, TextBox
from deck_builder.values import replace

LINE_SPACING = 1.1
SECOND_LINE = 2
"""A paragraph that must be cut leaves at least this many lines on each side, where it has them."""


def entry_size(entry: Entry, prose: Prose, step: Step, setting: Setting) -> float:
    """Size of a paragraph in points: whole, and no smaller than the floor that the body itself keeps."""
    if prose.size_pt is not None:
        return prose.size_pt
    floor = min(step.body, setting.theme.sizes.body[-1])
    if entry.scale < 0.9:  # small print: footnotes, sources
        floor = setting.theme.sizes.caption
    return max(floor, float(round(entry.scale * step.body)))


def left_of(entry: Entry) -> float:
    """Where a paragraph's text begins, in em."""
    outer = entry.level * HANG_EM if entry.outer is None else entry.outer
    return outer + entry.hang if entry.mark != "none" or entry.indent else outer


def set_lines(prose: Prose, step: Step, setting: Setting) -> tuple[Line, ...]:
    """All its paragraphs; the space around them grows with the air; none stands before the first or after the last."""
    last = len(prose.entries) - 1
    return tuple(
        set_line(entry, entry_size(entry, prose, step, setting), step, first=index == 0, last=index == last)
        for index, entry in enumerate(prose.entries)
    )


def set_line(entry: Entry, size: float, step: Step, *, first: bool, last: bool) -> Line:
    """The paragraph as a line of its box."""
    return Line(
        runs=entry.runs,
        level=entry.level,
        mark=entry.mark,
        number=entry.number,
        size_pt=size,
        space_before_pt=0.0 if first else space(entry.before, size, step),
        space_after_pt=0.0 if last else space(entry.after, size, step),
        alignment=entry.alignment,
        indent=entry.indent,
        heading=entry.heading,
        hang_em=entry.hang,
        outer_em=entry.outer,
    )


def space(em: float, size: float, step: Step) -> float:
    """Space around a paragraph in points."""
    return round(em * size * step.air, 1)


def broken(entry: Entry, size: float, inner: float) -> tuple[SetLine, ...]:
    """The lines that a paragraph makes in a text width of `inner` points."""
    return entry.measured.lines(max(1.0, (inner / size - left_of(entry)) / SPARE))


def entry_height(entry: Entry, size: float, inner: float, spacing: float, setting: Setting) -> float:
    """Height of a paragraph in points, without the space around it."""
    return lines_height(broken(entry, size, inner), setting.metrics) * size * spacing


def spacing_of(prose: Prose) -> float:
    """Line spacing: captions are tight."""
    return 1.0 if prose.role == "caption" else LINE_SPACING


def prose_height(prose: Prose, width: float, step: Step, setting: Setting) -> float:
    """Height of its box in a width, in points."""
    left, top, right, bottom = prose.inset
    inner, spacing, text = width - left - right, spacing_of(prose), 0.0
    last = len(prose.entries) - 1
    for index, entry in enumerate(prose.entries):
        size = entry_size(entry, prose, step, setting)
        text += entry_height(entry, size, inner, spacing, setting)
        text += (space(entry.before, size, step) if index else 0.0) + (
            space(entry.after, size, step) if index < last else 0.0
        )
    return top + text + bottom


def prose_box(prose: Prose, area: Area, step: Step, setting: Setting) -> TextBox:
    """The box that holds it."""
    return TextBox(
        frame=area.frame,
        lines=set_lines(prose, step, setting),
        role=prose.role,
        fill=prose.fill,
        bar=prose.bar,
        inset_pt=prose.inset,
        line_spacing=spacing_of(prose),
        source=prose.source,
    )


def split_prose(
    prose: Prose, width: float, room: float, step: Step, setting: Setting, *, fresh: bool
) -> tuple[Prose | None, Prose | None]:
    """What fits in `room` points, and what does not. Cut between paragraphs; inside one only on a `fresh` page."""
    count = _fitting(prose, width, room, step, setting)
    if count == len(prose.entries):
        return prose, None
    kept = count
    while kept and keeps_with_next(prose.entries[kept - 1]):
        kept -= 1
    if kept:
        return _part(prose, prose.entries[:kept]), _part(prose, prose.entries[kept:])
    if not fresh:
        return None, prose
    if count:
        return _part(prose, prose.entries[:count]), _part(prose, prose.entries[count:])
    head, tail = _cut_entry(prose, width, room, step, setting)
    rest = (*tail, *prose.entries[1:])
    return _part(prose, (head,)), _part(prose, rest) if rest else None


def keeps_with_next(entry: Entry) -> bool:
    """Whether a paragraph may not be the last on a page: a heading, or a sentence that announces what follows."""
    return entry.heading or entry.measured.text.rstrip().endswith(("：", ":"))


def _part(prose: Prose, entries: tuple[Entry, ...]) -> Prose:
    return replace(prose, entries=entries, source=entries[0].source)


def _fitting(prose: Prose, width: float, room: float, step: Step, setting: Setting) -> int:
    """How many paragraphs fit."""
    left, top, right, bottom = prose.inset
    used = top + bottom
    for index, entry in enumerate(prose.entries):
        size = entry_size(entry, prose, step, setting)
        used += space(entry.before, size, step) if index else 0.0
        used += entry_height(entry, size, width - left - right, spacing_of(prose), setting)
        if used > room:
            return index
        used += space(entry.after, size, step)
    return len(prose.entries)


def _cut_entry(
    prose: Prose, width: float, room: float, step: Step, setting: Setting
) -> tuple[Entry, tuple[Entry, ...]]:
    """The first paragraph cut at a line: at least one line stays, whatever the room."""
    entry = prose.entries[0]
    left, top, right, bottom = prose.inset
    size = entry_size(entry, prose, step, setting)
    lines = broken(entry, size, width - left - right)
    room = (room - top - bottom) / (size * spacing_of(prose))
    fitting = sum(1 for _ in _while_fitting(lines, room, setting))
    count = max(1, min(fitting, len(lines) - SECOND_LINE) if fitting >= SECOND_LINE else fitting)
    if count >= len(lines):
        return entry, ()
    offset = lines[count].start
    runs, measured = cut(entry.runs, offset), entry.measured.cut(offset)
    rest = replace(entry, runs=runs[1], measured=measured[1], before=0.0)
    if entry.mark != "none":
        rest = replace(rest, mark="none", indent=True)
    return replace(entry, runs=runs[0], measured=measured[0], after=0.0), (rest,)


def _while_fitting(lines: tuple[SetLine, ...], room: float, setting: Setting) -> Iterator[SetLine]:
    used = 0.0
    for line in lines:
        used += lines_height((line,), setting.metrics)
        if used > room:
            return
        yield line
