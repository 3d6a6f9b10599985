"""Rules of a slide: ids, text, tables, formulas, faces, places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lxml import etree

from deck_builder.checking.package import Parsed
from deck_builder.elements.xml import NAMESPACES, qualified
from deck_builder.writing.package import Package, Part

RUN_CHILDREN = """
ln noFill solidFill gradFill blipFill pattFill grpFill effectLst effectDag highlight uLnTx uLn uFillTx uFill
latin ea cs sym hlinkClick hlinkMouseOver rtl extLst
"""
RUN_ORDER = tuple(qualified(f"a:{name}") for name in RUN_CHILDREN.split())
RUN_TAGS = tuple(qualified(f"a:{name}") for name in ("rPr", "endParaRPr", "defRPr"))
ANCHORS = ("t", "ctr", "b", "just", "dist")


def slide_problems(parsed: Parsed, part: Part, tree: etree._Element) -> Iterator[str]:
    """What is wrong on a slide or in its notes."""
    yield from _identifier_problems(tree)
    yield from _text_problems(tree)
    yield from _number_problems(tree)
    yield from _table_problems(tree)
    yield from _formula_problems(tree)
    yield from _placeholder_problems(parsed, part, tree)
    for node in tree.iter(qualified("p:bgPr")):
        if node.find(qualified("a:effectLst")) is None:
            yield "a background without a:effectLst"


def _identifier_problems(tree: etree._Element) -> Iterator[str]:
    # The nodes themselves, not their id(): lxml frees a proxy that nobody holds, and its id() then names another node.
    fallbacks = {node for fallback in tree.iter(qualified("mc:Fallback")) for node in fallback.iter()}
    owners = [node for node in tree.iter(qualified("p:cNvPr")) if node not in fallbacks]
    identifiers = Counter(node.get("id") or "" for node in owners)
    for identifier, times in identifiers.items():
        if times > 1 or not identifier.isdigit() or int(identifier) < 1:
            yield f"shape id {identifier} is used {times} times"
    for tag in ("a:stCxn", "a:endCxn", "p:spTgt"):
        for node in tree.iter(qualified(tag)):
            target = node.get("id") or node.get("spid")
            if target not in identifiers:
                yield f"{tag} refers to shape {target}, which is not on the slide"


def _text_problems(tree: etree._Element) -> Iterator[str]:
    for tag in ("p:txBody", "a:txBody"):
        for node in tree.iter(qualified(tag)):
            if node.find(qualified("a:p")) is None:
                yield "a text body without a paragraph"
    for node in tree.iter(qualified("a:p")):
        places = [place for place, child in enumerate(node) if child.tag == qualified("a:pPr")]
        if places not in ([], [0]):
            yield "paragraph properties that are not first in their paragraph"
    for node in tree.iter(*RUN_TAGS):
        order = [RUN_ORDER.index(str(child.tag)) for child in node if child.tag in RUN_ORDER]
        if order != sorted(order):
            yield "run properties in the wrong order"
        named = {etree.QName(child).localname for child in node} & {"latin", "ea", "cs"}
        in_formula = str(getattr(node.getparent(), "tag", "")).startswith("{" + NAMESPACES["m"])
        if named and not in_formula and named != {"latin", "ea", "cs"}:
            yield "a run that names one typeface and not the others"


def _number_problems(tree: etree._Element) -> Iterator[str]:
    for node in tree.iter(qualified("a:ext"), qualified("a:chExt"), qualified("a:off"), qualified("a:chOff")):
        for name in ("cx", "cy", "x", "y"):
            value = node.get(name)
            if value is not None and (not value.lstrip("-").isdigit() or (name[0] == "c" and value[0] == "-")):
                yield f"{name}={value} is not a length"
    for node in tree.iter(qualified("a:bodyPr"), qualified("a:tcPr")):
        if node.get("anchor") not in (None, *ANCHORS):
            yield f"anchor={node.get('anchor')} is not in the schema"


def _table_problems(tree: etree._Element) -> Iterator[str]:
    for node in tree.iter(qualified("a:tbl")):
        columns = len(node.findall(f"{qualified('a:tblGrid')}/{qualified('a:gridCol')}"))
        for row in node.iter(qualified("a:tr")):
            if len(row.findall(qualified("a:tc"))) != columns:
                yield "a table row with too few or too many cells"
        for cell in node.iter(qualified("a:tc")):
            if cell.find(qualified("a:txBody")) is None:
                yield "a table cell without text"


def _formula_problems(tree: etree._Element) -> Iterator[str]:
    for node in tree.iter(qualified("a14:m")):
        choices = list(node.iterancestors(qualified("mc:Choice")))
        if not choices:
            yield "a formula outside an alternate content"
        elif choices[0].getparent().find(qualified("mc:Fallback")) is None:  # type: ignore[union-attr]
            yield "a formula without a fallback"


def model_of(package: Package, part: Part) -> Part | None:
    """The layout of a slide, or the master of notes: where their placeholders come from."""
    models = part.related("slideLayout") or part.related("notesMaster")
    return package.parts.get(models[0]) if models else None


def _placeholder_problems(parsed: Parsed, part: Part, tree: etree._Element) -> Iterator[str]:
    model = model_of(parsed.package, part)
    offering = parsed.tree(model.name) if model else None
    if offering is None:
        return
    # PowerPoint matches a notes placeholder to its master by type: their indices differ even in its own files.
    slot = _slot if part.related("slideLayout") else _kind
    offered = {slot(node) for node in offering.iter(qualified("p:ph"))}
    used = Counter(slot(node) for node in tree.iter(qualified("p:ph")))
    for name, times in used.items():
        if name not in offered:
            yield f"a placeholder {name} that its layout does not have"
        if times > 1:
            yield f"the placeholder {name} is filled {times} times"


def _slot(node: etree._Element) -> str:
    """Placeholders match by index, those without by type."""
    index = node.get("idx")
    return _kind(node) if index in (None, "0") else f"idx {index}"


def _kind(node: etree._Element) -> str:
    kind = node.get("type", "obj")
    return "title" if kind in ("title", "ctrTitle") else kind
