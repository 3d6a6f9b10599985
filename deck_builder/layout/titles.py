"""Titles: one line as large as it can be, else two; a hidden one stands above the slide's upper edge."""

from __future__ import annotations

from itertools import accumulate
from typing import Literal

from deck_builder.layout.inlines import flat_runs, joined
from deck_builder.layout.measure import SPARE, cut, lines_height, measure
from deck_builder.layout.setting import Area, Setting, area_of
from deck_builder.model import Inlines, Notice, Run, Source
from deck_builder.pages import Line, TextBox
from deck_builder.theming.theme import Placeholder
from deck_builder.values import replace

FLOOR_PT = 20.0
SMALLEST_PT = 11.0
BODY_GAP = 4.0
"""Between a title of two lines and the body, in points."""
ABOVE = 6.0
"""How far above the slide a hidden title ends, in points."""
HAIR = 0.01


def title_box(
    inlines: Inlines,
    suffix: str,
    placeholder: Placeholder,
    body: Area,
    setting: Setting,
    source: Source,
    *,
    hidden: bool = False,
) -> tuple[TextBox, tuple[Notice, ...]]:
    """The title with what is added to it (" (2/3)"), in the layout's placeholder, grown towards the body if need be."""
    runs, notices = flat_runs(inlines, setting.formulas, source)
    runs = joined((*runs, Run(suffix))) if suffix else runs
    area = area_of(placeholder.frame)
    most = max(area.height, body.top - BODY_GAP - area.top if body.top > area.top else 0.0)
    size, height = text_size(runs, replace(area, height=most), setting.theme.sizes.title, setting, bold=True)
    if size < FLOOR_PT:
        notices = (*notices, Notice(f"the title is so long that it is set at {size:g} pt; shorten it", source))
    area = replace(area, height=min(most, max(area.height, height)))
    runs = fitting(runs, size, area, setting, bold=True)
    if hidden:
        area = replace(area, top=-area.height - ABOVE)
    return filled(placeholder, runs, size, "title", source, area=area), notices


def filled(
    placeholder: Placeholder,
    runs: tuple[Run, ...],
    size: float,
    role: Literal["title", "subtitle", "body", "section-number"],
    source: Source,
    *,
    area: Area | None = None,
) -> TextBox:
    """A placeholder with one paragraph."""
    return TextBox(
        frame=area.frame if area else placeholder.frame,
        lines=(Line(runs=runs, size_pt=size),),
        placeholder=placeholder.index if placeholder.index >= 0 else None,
        role=role,
        anchor=placeholder.anchor,
        source=source,
    )


def text_size(
    runs: tuple[Run, ...], area: Area, sizes: tuple[float, ...], setting: Setting, *, bold: bool = False
) -> tuple[float, float]:
    """Size and height: one line at any of the sizes, else several at the last, then smaller down to 11 pt."""
    measured = measure(runs, setting.metrics, bold=bold)
    for size in sizes:
        lines = measured.lines(area.width / (size * SPARE))
        height = lines_height(lines, setting.metrics) * size
        if len(lines) == 1 and height <= area.height:
            return size, height
    size = sizes[-1]
    while True:
        height = lines_height(measured.lines(area.width / (size * SPARE)), setting.metrics) * size
        if height <= area.height or size <= SMALLEST_PT:
            return size, height
        size = max(SMALLEST_PT, size - 1)


def fitting(runs: tuple[Run, ...], size: float, area: Area, setting: Setting, *, bold: bool = False) -> tuple[Run, ...]:
    """The text, cut with an ellipsis where even the smallest type cannot hold it."""
    lines = measure(runs, setting.metrics, bold=bold).lines(area.width / (size * SPARE))
    heights = accumulate(lines_height((line,), setting.metrics) * size for line in lines)
    count = max(1, sum(height <= area.height + HAIR for height in heights))
    if count >= len(lines):
        return runs
    kept, _ = cut(runs, max(1, lines[count - 1].end - 2))
    return joined((*kept, Run("…")))
