"""The boxes that a layout reserves, with what they inherit from its master."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from lxml import etree

from deck_builder.pages import Frame
from deck_builder.theming.colours import SLOTS
from deck_builder.theming.package import NAMESPACES
from deck_builder.theming.theme import Placeholder, PlaceholderKind
from deck_builder.values import dataclass, replace

KINDS: Mapping[str, PlaceholderKind] = {
    "title": "title",
    "ctrTitle": "title",
    "subTitle": "subtitle",
    "body": "body",
    "obj": "body",
    "tbl": "body",
    "chart": "body",
    "dgm": "body",
    "media": "body",
    "clipArt": "picture",
    "pic": "picture",
    "ftr": "footer",
    "sldNum": "number",
    "dt": "date",
}
MASTER_TYPES: Mapping[PlaceholderKind, str] = {"title": "title", "footer": "ftr", "number": "sldNum", "date": "dt"}
"""Which placeholder of the master a kind inherits from; all else from `body`."""
STYLES: Mapping[PlaceholderKind, str] = {
    "title": "titleStyle",
    "footer": "otherStyle",
    "number": "otherStyle",
    "date": "otherStyle",
}
ANCHORS: Mapping[str, Literal["top", "middle", "bottom"]] = {"t": "top", "ctr": "middle", "b": "bottom"}
FIRST_SYNTHETIC_INDEX = 1000


@dataclass(frozen=True, slots=True)
class Master:
    """What layouts inherit: the master's shapes by placeholder type, and its text styles."""

    shapes: Mapping[str, etree._Element]
    styles: Mapping[str, etree._Element]
    slots: Mapping[str, str]
    """A colour as XML names it → the slot that plays its part (dk1 is the text's, lt1 the background's)."""


def read_master(root: etree._Element, mapping: Mapping[str, str]) -> Master:
    """The master of a slide master part; `mapping` says what its colours stand for."""
    shapes: dict[str, etree._Element] = {}
    for shape, reference in _shapes(root):
        shapes.setdefault(reference.get("type", "body"), shape)
    styles = {etree.QName(style).localname: style for style in root.iterfind("p:txStyles/*", NAMESPACES)}
    direct = {mapping[name]: part for name, part in SLOTS.items() if name in mapping}
    return Master(shapes, styles, {**direct, **SLOTS})


def read_placeholders(root: etree._Element, master: Master, page: Frame) -> tuple[tuple[Placeholder, ...], bool]:
    """The placeholders of a layout part, and whether any of them runs vertically. Every one has its own index."""
    placeholders: list[Placeholder] = []
    vertical = False
    used: set[int] = set()
    for shape, reference in _shapes(root):
        kind = KINDS.get(reference.get("type", "obj"))
        if kind is None:
            continue
        vertical = vertical or reference.get("orient") == "vert"
        placeholder = _placeholder(shape, reference, kind, master, page)
        if placeholder.index in used or (kind != "title" and placeholder.index == 0):
            placeholder = replace(placeholder, index=FIRST_SYNTHETIC_INDEX + len(placeholders), idx=placeholder.index)
        used.add(placeholder.index)
        placeholders.append(placeholder)
    return tuple(placeholders), vertical


def _shapes(root: etree._Element) -> Iterator[tuple[etree._Element, etree._Element]]:
    """Shapes that are placeholders, each with its `p:ph`."""
    for shape in root.iterfind("p:cSld/p:spTree/*", NAMESPACES):
        reference = shape.find("./*/p:nvPr/p:ph", NAMESPACES)
        if reference is not None:
            yield shape, reference


def _placeholder(
    shape: etree._Element, reference: etree._Element, kind: PlaceholderKind, master: Master, page: Frame
) -> Placeholder:
    inherited = master.shapes.get(MASTER_TYPES.get(kind, "body"))
    sources = [source for source in (shape, inherited) if source is not None]
    style = master.styles.get(STYLES.get(kind, "bodyStyle"))
    levels = [source.find("p:txBody/a:lstStyle/a:lvl1pPr/a:defRPr", NAMESPACES) for source in sources]
    levels.append(style.find("a:lvl1pPr/a:defRPr", NAMESPACES) if style is not None else None)
    runs = [run for run in levels if run is not None]
    bodies = [body for source in sources if (body := source.find("p:txBody/a:bodyPr", NAMESPACES)) is not None]
    named = shape.find("./*/p:cNvPr", NAMESPACES)
    size = _first(runs, "sz") or _first(_prompts(sources), "sz")
    idx = int(reference.get("idx", "0"))
    return Placeholder(
        index=0 if kind == "title" else idx,
        idx=idx if kind == "title" and idx else None,
        kind=kind,
        frame=next((frame for source in sources if (frame := _frame(source))), None) or default_frame(kind, page),
        name=named.get("name", "") if named is not None else "",
        type=reference.get("type", ""),
        size_pt=int(size) / 100 if size else None,
        anchor=ANCHORS.get(_first(bodies, "anchor") or "t", "top"),
        bold=_first(runs, "b") in ("1", "true"),
        colour=next((colour for run in runs if (colour := _colour(run, master.slots))), None),
    )


def _prompts(shapes: list[etree._Element]) -> list[etree._Element]:
    """How the prompts of placeholders are set: LibreOffice says a size only there."""
    found = (
        shape.find(f"p:txBody/a:p[1]/{path}", NAMESPACES) for shape in shapes for path in ("a:r/a:rPr", "a:endParaRPr")
    )
    return [properties for properties in found if properties is not None]


def _first(elements: list[etree._Element], attribute: str) -> str | None:
    return next((value for element in elements if (value := element.get(attribute)) is not None), None)


def _frame(shape: etree._Element) -> Frame | None:
    offset = shape.find("p:spPr/a:xfrm/a:off", NAMESPACES)
    extent = shape.find("p:spPr/a:xfrm/a:ext", NAMESPACES)
    if offset is None or extent is None:
        return None
    left, top, width, height = offset.get("x", 0), offset.get("y", 0), extent.get("cx", 0), extent.get("cy", 0)
    return Frame(int(left), int(top), int(width), int(height))


def _colour(run: etree._Element, slots: Mapping[str, str]) -> str | None:
    fill = run.find("a:solidFill/*", NAMESPACES)
    if fill is None:
        return None
    value = fill.get("lastClr") or fill.get("val")
    return slots.get(value, value) if value else None


def default_frame(kind: PlaceholderKind, page: Frame) -> Frame:
    """Where a placeholder stands that neither layout nor master places: in the proportions of an ordinary slide."""
    left, top, width, height = {
        "title": (0.0525, 0.03, 0.895, 0.12),
        "subtitle": (0.0525, 0.51, 0.895, 0.12),
        "footer": (0.0525, 0.937, 0.56, 0.036),
        "date": (0.64, 0.937, 0.19, 0.036),
        "number": (0.8725, 0.937, 0.075, 0.036),
    }.get(kind, (0.0525, 0.193, 0.895, 0.72))
    return Frame(
        round(page.width * left), round(page.height * top), round(page.width * width), round(page.height * height)
    )
