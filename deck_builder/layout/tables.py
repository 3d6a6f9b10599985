"""Tables: column widths from content, measured rows, rows carried over with the header repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from deck_builder.layout.captions import caption_prose
from deck_builder.layout.inlines import flat_runs, plain_text
from deck_builder.layout.measure import SPARE, cut, lines_height, measure
from deck_builder.layout.parts import Cell, Grid
from deck_builder.layout.prose import prose_box, prose_height
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.model import Alignment, Inlines, Notice, Table
from deck_builder.pages import CELL_INSET_PT, EMU_PER_POINT, TableBox, TextBox
from deck_builder.values import replace

WIDEST_WORD = 14.0
"""A word may ask for a column this wide, in em; a longer one is broken."""
GROWTH = 1.6
"""A table that needs little is not stretched further than this many times its natural width."""
LEAST_SHARE = 0.5
"""But it takes at least this much of its column."""
MOST_HEADER = 0.5
"""A header row higher than this part of a page is a row like any other and is not repeated."""
CAPTION_GAP = 4.0
HAIR = 0.01
LEFT: Final[Alignment] = "left"


def grid(block: Table, setting: Setting) -> Iterator[Grid | Notice]:
    """A table with measured cells; rows are made as long as the longest, so that none loses a cell."""
    header = any(plain_text(flat_runs(cell, setting.formulas, block.source)[0]).strip() for cell in block.header)
    given = ((block.header,) if header else ()) + block.rows
    columns = max((len(row) for row in (block.header, *block.rows)), default=0)
    if not columns or not given:
        return
    rows = []
    for index, row in enumerate(given):
        cells, flattened = _cells(row, columns, setting, block, bold=header and index == 0)
        rows.append(cells)
        yield from flattened
    caption, notices = caption_prose("table", block.number, block.caption, setting, block.source, alignment="left")
    yield from notices
    yield Grid(
        rows=tuple(rows),
        header=header,
        alignments=tuple([*block.alignments, *[LEFT] * columns][:columns]),
        widths=block.widths if len(block.widths) == columns and all(block.widths) else (),
        caption=caption,
        name=block.label or "",
        alt=block.alt or _described(block, setting),
        fingerprint=block.fingerprint,
        source=block.source,
    )


def _cells(
    row: tuple[Inlines, ...], columns: int, setting: Setting, block: Table, *, bold: bool
) -> tuple[tuple[Cell, ...], list[Notice]]:
    cells: list[Cell] = []
    notices: list[Notice] = []
    for inlines in (*row, *((),) * (columns - len(row))):
        runs, found = flat_runs(inlines, setting.formulas, block.source)
        notices += found
        cells.append(Cell(runs, measure(runs, setting.metrics, bold=bold)))
    return tuple(cells), notices


def _described(block: Table, setting: Setting) -> str:
    """What a screen reader says of a table without words of its own: its caption, or its header."""
    caption = plain_text(flat_runs(block.caption, setting.formulas, block.source)[0]).strip()
    header = (plain_text(flat_runs(cell, setting.formulas, block.source)[0]).strip() for cell in block.header)
    separator = "、" if setting.chinese else ", "
    return caption or separator.join(filter(None, header)) or ("表格" if setting.chinese else "Table")


# ---------------------------------------------------------------- widths


def _extremes(block: Grid, size: float) -> tuple[list[float], list[float]]:
    """Least and natural width of each column in points, padding included."""
    padding = 2 * CELL_INSET_PT[0]
    least, natural = [], []
    for column in zip(*block.rows, strict=True):
        words = (min(cell.measured.widest, WIDEST_WORD) for cell in column)
        least.append(max(1.0, *words) * size * SPARE + padding)
        natural.append(max(1.0, *(cell.measured.natural for cell in column)) * size * SPARE + padding)
    return least, natural


def column_widths(block: Grid, width: float, size: float) -> list[float]:
    """Width of each column in points: as given, else each its least and a share of the rest by what it could use."""
    if block.size_pt is not None:  # continued: as on the page before
        return [width * share / sum(block.widths) for share in block.widths]
    least, natural = _extremes(block, size)
    if block.widths:
        return _as_given(block.widths, least, width)
    if sum(natural) <= width:
        total = min(width, max(GROWTH * sum(natural), LEAST_SHARE * width))
        return [total * length / sum(natural) for length in natural]
    if sum(least) >= width:
        return [width * length / sum(least) for length in least]
    rest, wish = width - sum(least), sum(natural) - sum(least)
    return [low + rest * (high - low) / wish for low, high in zip(least, natural, strict=True)]


def _as_given(shares: Sequence[float], least: Sequence[float], width: float) -> list[float]:
    """Widths in the given proportion, except that no column is narrower than its longest word, if all can have that."""
    lengths = [width * share / sum(shares) for share in shares]
    if sum(least) >= width:
        return lengths
    tight: set[int] = set()
    while True:
        free = width - sum(least[index] for index in tight)
        given = sum(share for index, share in enumerate(shares) if index not in tight)
        lengths = [least[index] if index in tight else free * share / given for index, share in enumerate(shares)]
        more = {index for index, length in enumerate(lengths) if length < least[index] - HAIR} - tight
        if not more:
            return lengths
        tight |= more


def whole(lengths: Sequence[float]) -> tuple[int, ...]:
    """Points as whole EMU whose sum is the rounded sum."""
    edges = [0, *(round(edge * EMU_PER_POINT) for edge in accumulate(lengths))]
    return tuple(after - before for before, after in pairwise(edges))


def table_size(block: Grid, width: float, step: Step, setting: Setting) -> float:
    """The largest size up to the step's at which no word is broken; the smallest where there is none."""
    if block.size_pt is not None:
        return block.size_pt
    sizes = [size for size in setting.theme.sizes.table if size <= step.table] or [step.table]
    return next((size for size in sizes if sum(_extremes(block, size)[0]) <= width), sizes[-1])


def fits_unbroken(block: Grid, width: float, setting: Setting) -> bool:
    """Whether no word need be broken in `width` points at the floor size."""
    return sum(_extremes(block, setting.theme.sizes.table[-1])[0]) <= width


# ---------------------------------------------------------------- heights


def row_height(row: tuple[Cell, ...], widths: Sequence[float], size: float, setting: Setting) -> float:
    """Height of a row in points."""
    aside, above = CELL_INSET_PT
    cells = (
        lines_height(cell.measured.lines(_em(width - 2 * aside, size)), setting.metrics)
        for cell, width in zip(row, widths, strict=True)
    )
    return max(cells) * size + 2 * above


def _em(width: float, size: float) -> float:
    return max(1.0, width / (size * SPARE))


def grid_height(block: Grid, width: float, step: Step, setting: Setting) -> float:
    """Height of table and caption in points."""
    size = table_size(block, width, step, setting)
    widths = column_widths(block, width, size)
    return _caption_height(block, width, step, setting) + sum(
        row_height(row, widths, size, setting) for row in block.rows
    )


def _caption_height(block: Grid, width: float, step: Step, setting: Setting) -> float:
    return prose_height(block.caption, width, step, setting) + CAPTION_GAP if block.caption else 0.0


def place_grid(block: Grid, area: Area, step: Step, setting: Setting) -> Iterator[TableBox | TextBox | Notice]:
    """The caption above, the table under it; a notice where a column is too narrow for its words."""
    if not fits_unbroken(block, area.width, setting):
        yield Notice(
            "the table is so wide that words in it are broken; use fewer columns or shorter words", block.source
        )
    size = table_size(block, area.width, step, setting)
    widths = column_widths(block, area.width, size)
    heights = [row_height(row, widths, size, setting) for row in block.rows]
    top = area.top + _caption_height(block, area.width, step, setting)
    if block.caption:
        yield prose_box(
            block.caption, Area(area.left, area.top, area.width, top - area.top - CAPTION_GAP), step, setting
        )
    frame = Area(area.left, top, sum(widths), sum(heights)).frame
    whole_widths, whole_heights = whole(widths), whole(heights)
    yield TableBox(
        frame=replace(frame, width=sum(whole_widths), height=sum(whole_heights)),
        rows=tuple(tuple(cell.runs for cell in row) for row in block.rows),
        alignments=block.alignments,
        column_widths=whole_widths,
        row_heights=whole_heights,
        size_pt=size,
        header=block.header,
        name=block.name,
        alt=block.alt,
        fingerprint=block.fingerprint,
        source=block.source,
    )


# ---------------------------------------------------------------- continuation


def split_grid(
    block: Grid, width: float, room: float, step: Step, setting: Setting, *, fresh: bool
) -> tuple[Grid | None, Grid | None]:
    """Rows that fit and rows that do not; the header is repeated, the caption is not. A huge row is cut in two."""
    size = table_size(block, width, step, setting)
    widths = column_widths(block, width, size)
    heights = [row_height(row, widths, size, setting) for row in block.rows]
    block = replace(block, size_pt=size, widths=tuple(widths))
    used = [_caption_height(block, width, step, setting) + height for height in accumulate(heights)]
    count = sum(height <= room for height in used)
    if count == len(block.rows):
        return block, None
    if fresh and block.header and heights[0] > MOST_HEADER * room:
        return split_grid(replace(block, header=False), width, room, step, setting, fresh=True)
    first = int(block.header)
    if count == len(block.rows) - 1 and count > first + 2:
        count -= 1  # no lone last row
    if count > first:
        return replace(block, rows=block.rows[:count]), _continued(block, block.rows[count:])
    if not fresh:
        return None, block
    above = used[first - 1] if first else _caption_height(block, width, step, setting)
    head, tail = _cut_row(block.rows[first], widths, size, room - above, setting)
    rest = ((tail,) if tail else ()) + block.rows[first + 1 :]
    return replace(block, rows=(*block.rows[:first], head)), _continued(block, rest) if rest else None


def _continued(block: Grid, rows: tuple[tuple[Cell, ...], ...]) -> Grid:
    return replace(block, rows=block.rows[: int(block.header)] + rows, caption=None, joined=False)


def _cut_row(
    row: tuple[Cell, ...], widths: Sequence[float], size: float, room: float, setting: Setting
) -> tuple[tuple[Cell, ...], tuple[Cell, ...] | None]:
    """A row that no page can hold, as two: each cell gives as many lines as fit."""
    aside, above = CELL_INSET_PT
    heads, tails = [], []
    for cell, width in zip(row, widths, strict=True):
        lines = cell.measured.lines(_em(width - 2 * aside, size))
        heights = accumulate(lines_height((line,), setting.metrics) * size for line in lines)
        count = max(1, sum(height + 2 * above <= room for height in heights))
        offset = lines[count].start if count < len(lines) else len(cell.measured.text)
        runs, measured = cut(cell.runs, offset), cell.measured.cut(offset)
        heads.append(Cell(runs[0], measured[0]))
        tails.append(Cell(runs[1], measured[1]))
    return tuple(heads), tuple(tails) if any(cell.runs for cell in tails) else None
