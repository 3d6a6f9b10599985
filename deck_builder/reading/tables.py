"""Pipe tables and grid tables: rules that find them, and their cells, alignments and widths.

Pipe tables follow pandoc ("pipe_tables"): the dashes say how many columns there are and, where a line of the source
is wider than a terminal's 72 columns, how wide they are; a bar in code or in a formula parts no cells. Grid tables are
read without spans; one with spans is left as it is and reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from markdown_it.rules_block import StateBlock

from deck_builder.model import Alignment
from deck_builder.reading.block_rules import line_text

_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DASHES = re.compile(r":?-+:?")
_PIECE = re.compile(
    r"\\.|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|\$\$.+?\$\$|\$(?![\s$])(?:\\.|[^$\\])*?[^\s\\]\$(?!\d)|\||[^\\`$|]+|."
)
_GRID = re.compile(r"\+(?:[-=:]+\+)+[ \t]*$")
_TERMINAL_WIDTH = 72


class Grid(NamedTuple):
    """A table as written: cells are Markdown, each row with its line."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    """First line of each row, counted from the table's first."""
    alignments: tuple[Alignment, ...]
    widths: tuple[float, ...]
    extra: tuple[int, ...] = ()
    """Lines with more cells than columns."""


def pipe_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Rule for a header row, a row of dashes, and rows up to a blank line."""
    if start + 1 >= end or state.sCount[start + 1] < state.blkIndent:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1):
        return False
    header, dashes = line_text(state, start), line_text(state, start + 1)
    if "|" not in header or dashes[:1] not in "|:-" or not re.search(r"[|+]", dashes) or not _DELIMITER.match(dashes):
        return False
    if silent:
        return True
    before, state.parentType = state.parentType, "table"
    terminators = state.md.block.ruler.getRules("blockquote")
    line = start + 2
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if state.is_code_block(line) or any(rule(state, line, end, True) for rule in terminators):
            break
        line += 1
    state.parentType = before
    lines = [line_text(state, index) for index in range(start, line)]
    return _push(state, start, line, read_pipe_table(lines))


def _push(state: StateBlock, start: int, end: int, grid: Grid) -> bool:
    token = state.push("table", "", 0)
    token.map = [start, end]
    token.meta = {"grid": grid}
    state.line = end
    return True


def read_pipe_table(lines: Sequence[str]) -> Grid:
    """The cells of a pipe table: header, dashes, rows."""
    dashes = _DASHES.findall(lines[1])
    rows = [split_cells(line) for line in (lines[0], *lines[2:])]
    extra = tuple(index + bool(index) for index, row in enumerate(rows) if len(row) > len(dashes))
    fitted = [tuple((*row, *[""] * len(dashes))[: len(dashes)]) for row in rows]
    wide = any(display_width(line) > _TERMINAL_WIDTH for line in lines)
    return Grid(
        header=fitted[0] if any(fitted[0]) else (),
        rows=tuple(fitted[1:]),
        lines=tuple(range(2, len(lines))),
        alignments=tuple(map(_alignment, dashes)),
        widths=tuple(float(len(dash)) for dash in dashes) if wide else (),
        extra=extra,
    )


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a row; a bar in code or in a formula, or behind a backslash, parts nothing."""
    cells, current = [], ""
    for match in _PIECE.finditer(line.strip()):
        if match[0] == "|":
            cells.append(current.strip())
            current = ""
        else:
            current += match[0].replace("\\|", "|") if match["ticks"] else match[0]
    cells.append(current.strip())
    bounded = line.strip()
    first = 1 if bounded.startswith("|") else 0
    last = len(cells) - (1 if bounded.endswith("|") and not bounded.endswith("\\|") else 0)
    return tuple(cells[first:last])


def _alignment(dashes: str) -> Alignment:
    if dashes.endswith(":"):
        return "center" if dashes.startswith(":") else "right"
    return "left"


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def grid_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Rule for a table drawn with `+---+` and `|`."""
    if state.is_code_block(start) or not line_text(state, start).startswith("+"):
        return False
    if not _GRID.match(line_text(state, start)) or start + 2 >= end:
        return False
    line = start
    while line < end and not state.isEmpty(line) and line_text(state, line)[0] in "+|":
        line += 1
    lines = [line_text(state, index).rstrip() for index in range(start, line)]
    if len(lines) < 3 or not _GRID.match(lines[-1]):
        return False
    if silent:
        return True
    grid = read_grid_table(lines)
    if grid is not None:
        return _push(state, start, line, grid)
    token = state.push("grid_table", "", 0)
    token.map = [start, line]
    token.content = "\n".join(lines)
    state.line = line
    return True


def read_grid_table(lines: Sequence[str]) -> Grid | None:
    """The cells of a grid table; None when cells span rows or columns."""
    edges = [index for index, character in enumerate(_columns(lines[0])) if character == "+"]
    rows: list[tuple[str, ...]] = []
    starts: list[int] = []
    header_rows = 0
    alignments = _alignments(lines[0], edges)
    current: list[str] = []
    for index, line in enumerate(lines):
        columns = _columns(line)
        if line.startswith("+"):
            if not _GRID.match(line) or [i for i, c in enumerate(columns) if c == "+"] != edges:
                return None
            if "=" in line and not header_rows:
                header_rows, alignments = len(rows) + 1, _alignments(line, edges)
            if current:
                rows.append(tuple(_cell(current, left, right) for left, right in pairwise(edges)))
                starts.append(index - len(current))
            current = []
        elif len(columns) <= edges[-1] or any(columns[edge] != "|" for edge in edges):
            return None
        else:
            current.append(columns)
    widths = [right - left for left, right in pairwise(edges)]
    if header_rows > 1:
        return None
    wide = edges[-1] + 1 > _TERMINAL_WIDTH
    return Grid(
        header=rows[0] if header_rows else (),
        rows=tuple(rows[header_rows:]),
        lines=tuple(starts[header_rows:]),
        alignments=alignments,
        widths=tuple(map(float, widths)) if wide else (),
    )


def _columns(line: str) -> str:
    """The line with a filler after each full-width character, so that an index is a terminal column."""
    if line.isascii():
        return line
    return "".join(c + "\0" if unicodedata.east_asian_width(c) in "WF" else c for c in line)


def _cell(lines: Sequence[str], left: int, right: int) -> str:
    return " ".join(piece for line in lines if (piece := line[left + 1 : right].replace("\0", "").strip()))


def _alignments(line: str, edges: Sequence[int]) -> tuple[Alignment, ...]:
    return tuple(_alignment(line[left + 1 : right]) for left, right in pairwise(edges))
