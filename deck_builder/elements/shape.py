"""An autoshape or freeform, with its text."""

from __future__ import annotations

from lxml import etree

from deck_builder.elements.xml import element


def shape(
    identifier: int,
    name: str,
    transform: etree._Element,
    geometry: etree._Element,
    fill: etree._Element,
    line: etree._Element,
    *,
    body: etree._Element | None = None,
    text_box: bool = False,
    alt: str = "",
) -> etree._Element:
    """`p:sp`. It names no theme style, so that it has exactly the fill and line said here."""
    return element(
        "p:sp",
        None,
        element(
            "p:nvSpPr",
            None,
            element("p:cNvPr", {"id": identifier, "name": name, "descr": alt or None}),
            element("p:cNvSpPr", {"txBox": True if text_box else None}),
            element("p:nvPr"),
        ),
        element("p:spPr", None, transform, geometry, fill, line),
        body,
    )
