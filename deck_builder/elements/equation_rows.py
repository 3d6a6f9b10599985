"""What the nodes of a row are to each other: operands, partners, limits. Reads MathML and prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from lxml import etree

from deck_builder.elements.operators import (
    BARS,
    BIG,
    BINARIES,
    CLOSING,
    NOTHING,
    OPENING,
    PUNCTUATION,
    RELATIONS,
    SIGNS,
)


def text_of(nodes: Sequence[etree._Element], at: int) -> str:
    """The operator at a place; nothing beyond the ends and where no operator stands."""
    return (nodes[at].text or "") if 0 <= at < len(nodes) and nodes[at].tag == "mo" else ""


def base_text(node: etree._Element) -> str:
    """The operator that a node is or carries scripts on; else nothing."""
    while node.tag in ("msub", "msup", "msubsup") and len(node):
        node = node[0]
    return (node.text or " ") if node.tag == "mo" else " "


def limits(node: etree._Element) -> tuple[etree._Element | None, etree._Element | None]:
    """What stands below (or at the foot) and above (or at the head) of a base."""
    if node.tag in ("munder", "msub"):
        return node[1], None
    if node.tag in ("mover", "msup"):
        return None, node[1]
    return (node[1], node[2]) if node.tag in ("munderover", "msubsup") else (None, None)


def is_nary(node: etree._Element) -> bool:
    """Whether a node is a big operator, with limits or without."""
    base = node[0] if node.tag in ("munderover", "munder", "mover", "msub", "msup", "msubsup") and len(node) else node
    return base.tag == "mo" and (base.text or "") in BIG


def operand_end(nodes: Sequence[etree._Element], start: int) -> int:
    """Where the operand of a big operator ends: before a relation, sign, comma, space or fence of its own level."""
    depth = 0
    for at in range(start, len(nodes)):
        text = base_text(nodes[at])
        if text in CLOSING and depth == 0:
            return at
        depth += (text in OPENING) - (text in CLOSING)
        ends = text in RELATIONS or (at > start and text in SIGNS | PUNCTUATION) or _is_wide_space(nodes[at])
        if ends and depth == 0:
            return at
    return len(nodes)


def _is_wide_space(node: etree._Element) -> bool:
    return node.tag == "mspace" and float(node.get("width", "0em").removesuffix("em")) >= 1


def incomplete(nodes: Sequence[etree._Element]) -> set[int]:
    """Operators that lack an operand and fences that lack their partner: LibreOffice's language demands them."""
    found: set[int] = set()
    open_fences: list[int] = []
    for at in range(len(nodes)):
        text, before, after = (text_of(nodes, at + step) for step in (0, -1, 1))
        if text in RELATIONS | BINARIES:
            opened = at == 0 or before in RELATIONS | BINARIES | OPENING | PUNCTUATION
            closed = at + 1 == len(nodes) or after in RELATIONS | (BINARIES - SIGNS) | CLOSING | PUNCTUATION
            if closed or (opened and text not in SIGNS):
                found.add(at)
        elif text in _PARTNERS:
            open_fences.append(at)
        elif text in _PARTNERS.values():
            if open_fences and _PARTNERS[text_of(nodes, open_fences[-1])] == text:
                open_fences.pop()
            else:
                found.add(at)
    return found | set(open_fences)


_PARTNERS = MappingProxyType({"(": ")", "[": "]"})


def sized_fence(nodes: Sequence[etree._Element], at: int) -> int:
    r"""For a fence sized by hand (`\bigl(`), where its partner is; 0 where there is none."""
    if "minsize" not in nodes[at].attrib or (nodes[at].text or "") not in OPENING | BARS:
        return 0
    bar = (nodes[at].text or "") in BARS
    depth = 0
    for end in range(at + 1, len(nodes)):
        fence = nodes[end][0] if nodes[end].tag in ("msub", "msup", "msubsup") else nodes[end]
        if "minsize" not in fence.attrib:
            continue
        text = fence.text or ""
        if (bar and text == nodes[at].text) or (not bar and text in CLOSING and depth == 0):
            return end
        depth += (text in OPENING) - (text in CLOSING)
    return 0


def stretches(node: etree._Element) -> bool:
    r"""Whether a node is a fence of `\left` or `\right`."""
    fences = OPENING | CLOSING | BARS | {NOTHING}
    return node.tag == "mo" and node.get("stretchy") is None and "minsize" not in node.attrib and node.text in fences
