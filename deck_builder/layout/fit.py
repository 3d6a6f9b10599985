"""Sizes and pages: the largest type at which a slide is one page, else the fewest pages, evenly filled."""

from __future__ import annotations

from collections.abc import Iterator

from deck_builder.layout.flow import fill
from deck_builder.layout.parts import Flow
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.theming.theme import Sizes
from deck_builder.values import dataclass, replace

AIRS = (1.6, 1.3)
"""How much wider than tight the space between paragraphs is set where there is room."""
SMALLEST_PT = 11.0
"""No text is set smaller, whatever `fit=shrink` asks for."""
MOST_BALANCED = 8
"""A slide that goes on over more pages than this is simply filled page by page."""
HALVINGS = 6
"""Of the search for the least height that needs no further page."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A slide's pages and the sizes they are set in."""

    pages: tuple[Flow, ...]
    step: Step


def ladder(sizes: Sizes, mode: str) -> tuple[Step, ...]:
    """Sizes to try, largest first: down to the floor, below it for `shrink`, the top alone for `split`."""
    if mode == "split":
        return (_step(sizes, 0.0),)
    rungs = max(len(sizes.body), len(sizes.code), len(sizes.table))
    steps = [_step(sizes, rung / (rungs - 1) if rungs > 1 else 0.0) for rung in range(rungs)]
    if mode == "shrink":
        floor = steps[-1]
        while floor.body > SMALLEST_PT:
            floor = Step(
                *(max(SMALLEST_PT, size - 1) for size in (floor.body, floor.code, floor.table, floor.equation))
            )
            steps.append(floor)
    return tuple(steps)


def _step(sizes: Sizes, at: float) -> Step:
    picked = (row[round(at * (len(row) - 1))] for row in (sizes.body, sizes.code, sizes.table, sizes.equation))
    return Step(*picked)


def fit(candidates: tuple[Flow, ...], area: Area, mode: str, setting: Setting) -> Fitted:
    """One page in the largest type any arrangement allows, the preferred first; else the fewest pages."""
    steps = ladder(setting.theme.sizes, mode)
    for rung, step in enumerate(steps):
        for flow in candidates:
            if not fill(flow, area.width, area.height, step, setting)[1]:
                return Fitted((flow,), _airy(flow, area, step, setting) if rung == 0 else step)
    return _continued(candidates, area, steps, setting)


def _airy(flow: Flow, area: Area, step: Step, setting: Setting) -> Step:
    """With as much air as the page has room for."""
    for air in AIRS:
        wider = replace(step, air=air)
        if not fill(flow, area.width, area.height, wider, setting)[1]:
            return wider
    return step


def _continued(candidates: tuple[Flow, ...], area: Area, steps: tuple[Step, ...], setting: Setting) -> Fitted:
    """As few pages as the floor needs, in the largest type that needs no more, evenly filled."""
    counts = [len(paginated(flow, area, area.height, steps[-1], setting)) for flow in candidates]
    flow = candidates[counts.index(min(counts))]
    tried = ((rung, step, paginated(flow, area, area.height, step, setting)) for rung, step in enumerate(steps))
    rung, step, pages = next(found for found in tried if len(found[2]) <= min(counts))
    airy = (replace(step, air=air) for air in AIRS if rung == 0)
    step = next((wide for wide in airy if len(paginated(flow, area, area.height, wide, setting)) <= len(pages)), step)
    return Fitted(_balanced(flow, pages, area, step, setting), step)


def paginated(flow: Flow, area: Area, room: float, step: Step, setting: Setting) -> tuple[Flow, ...]:
    """The pages that a flow makes when each takes at most `room` points."""
    return tuple(_pages(flow, area, room, step, setting))


def _pages(flow: Flow, area: Area, room: float, step: Step, setting: Setting) -> Iterator[Flow]:
    rest = flow
    while rest:
        page, rest = fill(rest, area.width, room, step, setting, page=area.height)
        yield page


def _balanced(flow: Flow, pages: tuple[Flow, ...], area: Area, step: Step, setting: Setting) -> tuple[Flow, ...]:
    """The same number of pages, none fuller than it need be. Figures keep their frames, so their page stays full."""
    count = len(pages)
    pages = paginated(flow, area, area.height, step, setting)
    low, high = area.height / 3, area.height
    for _ in range(HALVINGS if count <= MOST_BALANCED else 0):
        middle = (low + high) / 2
        tried = paginated(flow, area, middle, step, setting)
        if len(tried) <= count:
            pages, high = tried, middle
        else:
            low = middle
    return pages
