"""Shapes that move as one."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from deck_builder.elements.geometry import group_transform
from deck_builder.elements.xml import element
from deck_builder.pages import Frame


def group(
    identifier: int, name: str, frame: Frame, children: Iterable[etree._Element], *, alt: str = ""
) -> etree._Element:
    """`p:grpSp`; the children are placed in the coordinates in which `frame` is given."""
    return element(
        "p:grpSp",
        None,
        element(
            "p:nvGrpSpPr",
            None,
            element("p:cNvPr", {"id": identifier, "name": name, "descr": alt or None}),
            element("p:cNvGrpSpPr"),
            element("p:nvPr"),
        ),
        element("p:grpSpPr", None, group_transform(frame)),
        *children,
    )
