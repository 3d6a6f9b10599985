"""A native table: grid, rows, cells; ruled lightly, the header row flagged."""

from __future__ import annotations

from lxml import etree

from deck_builder.elements.text import Context, runs, solid, text_body
from deck_builder.elements.xml import element, stencil
from deck_builder.model import Run
from deck_builder.pages import CELL_INSET_PT, EMU_PER_POINT, TableBox

NO_STYLE = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""PowerPoint's "No Style, No Grid": the cells bring their own rules."""
ALIGN = {"left": "l", "center": "ctr", "right": "r"}
RULE_EMU = 12_700


def table(box: TableBox, context: Context) -> etree._Element:
    """`a:tbl`: as many `a:gridCol` as columns, as many `a:tc` in each row."""
    properties = element(
        "a:tblPr",
        {"firstRow": box.header, "bandRow": False},
        element("a:tableStyleId", text=NO_STYLE),
    )
    grid = element("a:tblGrid", None, *(element("a:gridCol", {"w": width}) for width in box.column_widths))
    rows = []
    for number, (row, height) in enumerate(zip(box.rows, box.row_heights, strict=True)):
        head = box.header and number == 0
        last = number == len(box.rows) - 1
        cells = (_cell(box, context, row, column, head=head, last=last) for column in range(len(box.column_widths)))
        rows.append(element("a:tr", {"h": height}, *cells))
    return element("a:tbl", None, properties, grid, *rows)


def _cell(
    box: TableBox, context: Context, row: tuple[tuple[Run, ...], ...], column: int, *, head: bool, last: bool
) -> etree._Element:
    content = row[column] if column < len(row) else ()
    paragraph = element(
        "a:p",
        None,
        element("a:pPr", {"algn": ALIGN[box.alignments[column]]}),
        *runs(content, context, size_pt=box.size_pt, bold=head),
    )
    body = text_body("a:txBody", [paragraph], inset_emu=None, anchor=None)
    body.replace(body[0], element("a:bodyPr"))
    return element("a:tc", None, body, _cell_properties(head, last))


@stencil
def _cell_properties(head: bool, last: bool) -> etree._Element:
    side, edge = (round(inset * EMU_PER_POINT) for inset in CELL_INSET_PT)
    return element(
        "a:tcPr",
        {"marL": side, "marR": side, "marT": edge, "marB": edge, "anchor": "ctr"},
        *(_rule(side, None) for side in ("a:lnL", "a:lnR")),
        _rule("a:lnT", "tx1" if head else None),
        _rule("a:lnB", "tx1" if head or last else "bg2"),
        solid("bg2") if head else element("a:noFill"),
    )


def _rule(tag: str, colour: str | None) -> etree._Element:
    if colour is None:
        return element(tag, {"w": 0}, element("a:noFill"))
    return element(tag, {"w": RULE_EMU}, solid(colour), element("a:prstDash", {"val": "solid"}))
