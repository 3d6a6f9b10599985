"""A straight line, free or glued to the shapes at its ends."""

from __future__ import annotations

from lxml import etree

from deck_builder.elements.geometry import preset_geometry
from deck_builder.elements.xml import element
from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True)
class Glue:
    """The end of a connector: the id of a shape and the number of its connection site."""

    identifier: int
    site: int


def connector(
    identifier: int,
    name: str,
    transform: etree._Element,
    line: etree._Element,
    *,
    start: Glue | None = None,
    end: Glue | None = None,
) -> etree._Element:
    """`p:cxnSp`; it follows the shapes that it is glued to."""
    return element(
        "p:cxnSp",
        None,
        element(
            "p:nvCxnSpPr",
            None,
            element("p:cNvPr", {"id": identifier, "name": name}),
            element("p:cNvCxnSpPr", None, _glue("a:stCxn", start), _glue("a:endCxn", end)),
            element("p:nvPr"),
        ),
        element("p:spPr", None, transform, preset_geometry("straightConnector1" if start or end else "line"), line),
    )


def _glue(tag: str, glue: Glue | None) -> etree._Element | None:
    return None if glue is None else element(tag, {"id": glue.identifier, "idx": glue.site})
