"""A picture."""

from __future__ import annotations

from lxml import etree

from deck_builder.elements.geometry import preset_geometry
from deck_builder.elements.xml import element


def picture(
    identifier: int, name: str, transform: etree._Element, relation: str, *, alpha: float = 1.0, alt: str = ""
) -> etree._Element:
    """`p:pic` that shows the media of a relation over its whole frame."""
    opacity = element("a:alphaModFix", {"amt": round(alpha * 100_000)}) if alpha < 1 else None
    return element(
        "p:pic",
        None,
        element(
            "p:nvPicPr",
            None,
            element("p:cNvPr", {"id": identifier, "name": name, "descr": alt or None}),
            element("p:cNvPicPr", None, element("a:picLocks", {"noChangeAspect": True})),
            element("p:nvPr"),
        ),
        element(
            "p:blipFill",
            None,
            element("a:blip", {"r:embed": relation}, opacity),
            element("a:stretch", None, element("a:fillRect")),
        ),
        element("p:spPr", None, transform, preset_geometry("rect")),
    )
