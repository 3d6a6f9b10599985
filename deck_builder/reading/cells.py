"""A table's cells and caption → the table block."""

from __future__ import annotations

import json

from deck_builder.model import Inlines, Source, Table
from deck_builder.reading.attributes import NONE, Attributes, report_unknown, split
from deck_builder.reading.context import Context
from deck_builder.reading.inlines import inlines
from deck_builder.reading.tables import Grid
from deck_builder.reading.tree import Node
from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True)
class _Caption:
    inlines: Inlines
    attributes: Attributes
    source: Source


def table(node: Node, caption: Node | None, context: Context) -> Table:
    """The block of a table; too many cells in a row are reported, too few are filled up."""
    grid: Grid = node.token.meta["grid"]
    source = context.place(node.line)
    for line in grid.extra:
        columns = len(grid.alignments)
        context.log.notice(
            f"this row has more cells than the {columns} columns of its table; left out",
            context.place(node.line + line),
        )
    found = _caption(caption, source, context)
    label = found.attributes.identifier
    if label:
        context.labels.claim(label, found.source, context.log)
    return Table(
        tuple(inlines(cell, node.line, context, "a table") for cell in grid.header),
        tuple(
            tuple(inlines(cell, node.line + line, context, "a table") for cell in row)
            for row, line in zip(grid.rows, grid.lines, strict=True)
        ),
        grid.alignments,
        widths=_widths(found, len(grid.alignments), context) or grid.widths,
        caption=found.inlines,
        label=label,
        alt=found.attributes.pairs.get("tbl-alt", found.attributes.pairs.get("alt")),
        source=source,
    )


def _caption(node: Node | None, source: Source, context: Context) -> _Caption:
    if node is None:
        return _Caption((), NONE, source)
    markdown, attributes = split(node.token.content)
    place = context.place(node.line)
    report_unknown(attributes, "a table", context.log, place, keys=("tbl-colwidths", "tbl-alt", "alt"))
    return _Caption(inlines(markdown, node.line, context, "a caption"), attributes, place)


def _widths(caption: _Caption, count: int, context: Context) -> tuple[float, ...]:
    """`tbl-colwidths="[60,40]"` (Quarto)."""
    written = caption.attributes.pairs.get("tbl-colwidths")
    if written is None:
        return ()
    try:
        widths = tuple(float(width) for width in json.loads(written))
    except (TypeError, ValueError):
        widths = ()
    if len(widths) != count:
        context.log.notice(f'`tbl-colwidths` must be {count} numbers, `"[60,40]"`; left out', caption.source)
        return ()
    return widths
