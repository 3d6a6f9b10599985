"""Shapes that move as one."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from deck_builder.elements.geometry import group_transform
from deck_builder.elements.xml import COMMON, element
from deck_builder.pages import Frame


def group(
    identifier: int, name: str, frame: Frame, children: Iterable[etree._Element], *, alt: str = ""
) -> etree._Element:
    """`p:grpSp`; the children are placed in the coordinates in which `frame` is given."""
    node = element(
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
    )
    # Children that find the prefixes declared above them need not be gone through again when the group is printed.
    etree.cleanup_namespaces(node, top_nsmap=COMMON, keep_ns_prefixes=list(COMMON))
    node.extend(children)
    return node
