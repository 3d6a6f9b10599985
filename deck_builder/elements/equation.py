"""Equations: Presentation MathML → Office Math (ECMA-376 part 1, section 22.1), a printer per element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from lxml import etree

from deck_builder.elements.equation_rows import (
    incomplete,
    is_nary,
    limits,
    operand_end,
    sized_fence,
    stretches,
    text_of,
)
from deck_builder.elements.equation_runs import (
    PLACE,
    Pen,
    control,
    identifier,
    math_run,
    number,
    operator,
    space,
    words,
)
from deck_builder.elements.operators import APPLICATION, NOTHING
from deck_builder.elements.text import ROLE_COLOURS
from deck_builder.elements.xml import element

_ACCENTS = MappingProxyType(
    {
        "ˆ": "\u0302",
        "˜": "\u0303",
        "¯": "\u0305",
        "˘": "\u0306",
        "˙": "\u0307",
        "¨": "\u0308",
        "˚": "\u030a",
        "ˇ": "\u030c",
        "´": "\u0301",
        "`": "\u0300",
        "\u20d7": "\u20d7",
        "→": "\u20d7",
        "←": "\u20d6",
        "↔": "\u20e1",
    }
)
_GROUPS = frozenset("⏞⏟⏜⏝⎴⎵")


def equation(math: etree._Element, *, size_pt: float, lang: str = "en-US") -> etree._Element:
    """`m:oMathPara` of a `<math>` tree: a display formula centred in its shape, letters `size_pt` high.

    Runs carry size, face and language as PowerPoint writes them (`a:rPr`), colours by theme slot.
    """
    pen = Pen(size_pt, lang)
    properties = element("m:oMathParaPr", None, element("m:jc", {"m:val": "center"}))
    return element("m:oMathPara", None, properties, element("m:oMath", None, *_row(math, pen)))


# ---------------------------------------------------------------- rows


def _row(parent: etree._Element, pen: Pen) -> list[etree._Element]:
    return _sequence(list(parent), pen)


def _sequence(nodes: Sequence[etree._Element], pen: Pen) -> list[etree._Element]:
    """What stands side by side: big operators take their operand, functions their argument, fences their content."""
    out: list[etree._Element] = []
    lacking = incomplete(nodes)
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if is_nary(node):
            end = operand_end(nodes, at + 1)
            out.append(_nary(node, nodes[at + 1 : end], pen))
        elif text_of(nodes, at + 1) == APPLICATION:
            end = min(at + 3, len(nodes))
            out.append(_function(node, nodes[at + 2 : end], pen))
        elif closing := sized_fence(nodes, at):
            end = closing + 1
            out.append(_sized(nodes[at:end], pen))
        elif node.tag == "mo":
            end = at + 1
            out += operator(node, pen, literal=at in lacking)
        else:
            end = at + 1
            out += _PRINTERS[str(node.tag)](node, pen)
        at = end
    return out


def _sized(nodes: Sequence[etree._Element], pen: Pen) -> etree._Element:
    """A pair of fences sized by hand grows by itself; scripts on its closing fence are scripts of the pair."""
    last = nodes[-1]
    closing = last[0] if len(last) else last
    pair = _delimiters(nodes[0].text or "", closing.text or "", [nodes[1:-1]], "|", pen)
    return _scripted(last, pair, pen) if len(last) else pair


# ---------------------------------------------------------------- structures


def _slot(tag: str, content: Iterable[etree._Element], pen: Pen) -> etree._Element:
    """An argument that must not be empty."""
    return element(tag, None, *(list(content) or [math_run(PLACE, pen, literal=True)]))


def _one(tag: str, node: etree._Element, pen: Pen) -> etree._Element:
    """An argument made of one node; a row's children stand in it directly."""
    return _slot(tag, _printed(node, pen), pen)


def _printed(node: etree._Element, pen: Pen) -> list[etree._Element]:
    return _sequence([node], pen)


def _group(node: etree._Element, pen: Pen) -> list[etree._Element]:
    nodes = list(node)
    ends = [nodes[0], nodes[-1]] if len(nodes) > 1 else []
    if ends and all(map(stretches, ends)):
        return [_fenced(nodes, pen)]
    return _sequence(nodes, pen)


def _fenced(nodes: Sequence[etree._Element], pen: Pen) -> etree._Element:
    r"""`\left( … \middle| … \right)`."""
    parts: list[list[etree._Element]] = [[]]
    separators = {node.text or "" for node in nodes[1:-1] if node.tag == "mo" and node.get("stretchy") == "true"}
    for node in nodes[1:-1]:
        if len(separators) == 1 and node.tag == "mo" and node.get("stretchy") == "true":
            parts.append([])
        else:
            parts[-1].append(node)
    return _delimiters(nodes[0].text or "", nodes[-1].text or "", parts, next(iter(separators), "|"), pen)


def _delimiters(
    opening: str, closing: str, parts: Sequence[Sequence[etree._Element]], separator: str, pen: Pen
) -> etree._Element:
    properties = element(
        "m:dPr",
        None,
        element("m:begChr", {"m:val": opening.replace(NOTHING, "")}),
        element("m:sepChr", {"m:val": separator}) if len(parts) > 1 else None,
        element("m:endChr", {"m:val": closing.replace(NOTHING, "")}),
        control(pen),
    )
    return element("m:d", None, properties, *(_slot("m:e", _sequence(part, pen), pen) for part in parts))


def _nary(node: etree._Element, operand: Sequence[etree._Element], pen: Pen) -> etree._Element:
    base = node[0] if len(node) else node
    lower, upper = limits(node)
    beside = node.tag in ("msub", "msup", "msubsup")
    properties = element(
        "m:naryPr",
        None,
        element("m:chr", {"m:val": base.text or "∑"}),
        element("m:limLoc", {"m:val": "subSup" if beside else "undOvr"}),
        element("m:subHide", {"m:val": True}) if lower is None else None,
        element("m:supHide", {"m:val": True}) if upper is None else None,
        control(pen),
    )
    return element(
        "m:nary",
        None,
        properties,
        element("m:sub", None, *(_printed(lower, pen) if lower is not None else ())),
        element("m:sup", None, *(_printed(upper, pen) if upper is not None else ())),
        _slot("m:e", _sequence(operand, pen), pen),
    )


def _function(name: etree._Element, argument: Sequence[etree._Element], pen: Pen) -> etree._Element:
    properties = element("m:funcPr", None, control(pen))
    content = _slot("m:e", _sequence(argument, pen), pen)
    return element("m:func", None, properties, element("m:fName", None, *_printed(name, pen)), content)


def _scripts(node: etree._Element, pen: Pen) -> list[etree._Element]:
    return [_scripted(node, None, pen)]


def _scripted(node: etree._Element, base: etree._Element | None, pen: Pen) -> etree._Element:
    lower, upper = limits(node)
    tag = {"msub": "m:sSub", "msup": "m:sSup", "msubsup": "m:sSubSup"}[str(node.tag)]
    return element(
        tag,
        None,
        element(f"{tag}Pr", None, control(pen)),
        _one("m:e", node[0], pen) if base is None else element("m:e", None, base),
        _one("m:sub", lower, pen) if lower is not None else None,
        _one("m:sup", upper, pen) if upper is not None else None,
    )


def _prescripts(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """Scripts on the left of their base, and on its right."""
    tags = [str(child.tag) for child in node]
    left = tags.index("mprescripts")
    inner = element("m:e", None, *_printed(node[0], pen))
    if left > 1:
        after = element("m:sSubSup", None, element("m:sSubSupPr", None, control(pen)), inner)
        after.extend([_one("m:sub", node[1], pen), _one("m:sup", node[2], pen)])
        inner = element("m:e", None, after)
    properties = element("m:sPrePr", None, control(pen))
    return [
        element(
            "m:sPre", None, properties, _one("m:sub", node[left + 1], pen), _one("m:sup", node[left + 2], pen), inner
        )
    ]


def _over_under(node: etree._Element, pen: Pen) -> list[etree._Element]:
    mark = node[1].text or "" if node[1].tag == "mo" else ""
    if node.get("accent") or node.get("accentunder"):
        place = "top" if node.tag == "mover" else "bot"
        if mark == "_" or (mark == "¯" and node[1].get("stretchy") == "true"):
            properties = element("m:barPr", None, element("m:pos", {"m:val": place}), control(pen))
            return [element("m:bar", None, properties, _one("m:e", node[0], pen))]
        if mark in _GROUPS:
            return [_grouped(node[0], mark, place, pen)]
        if mark in _ACCENTS and place == "top":
            properties = element("m:accPr", None, element("m:chr", {"m:val": _ACCENTS[mark]}), control(pen))
            return [element("m:acc", None, properties, _one("m:e", node[0], pen))]
    lower, upper = limits(node)
    inner = _printed(node[0], pen)
    for tag, limit in (("m:limLow", lower), ("m:limUpp", upper)):
        if limit is not None:
            properties = element(f"{tag}Pr", None, control(pen))
            inner = [element(tag, None, properties, _slot("m:e", inner, pen), _one("m:lim", limit, pen))]
    return inner


def _grouped(base: etree._Element, mark: str, place: str, pen: Pen) -> etree._Element:
    properties = element(
        "m:groupChrPr",
        None,
        element("m:chr", {"m:val": mark}),
        element("m:pos", {"m:val": place}),
        element("m:vertJc", {"m:val": "bot" if place == "top" else "top"}),
        control(pen),
    )
    return element("m:groupChr", None, properties, _one("m:e", base, pen))


def _fraction(node: etree._Element, pen: Pen) -> list[etree._Element]:
    bare = node.get("linethickness") == "0"
    properties = element("m:fPr", None, element("m:type", {"m:val": "noBar"}) if bare else None, control(pen))
    return [element("m:f", None, properties, _one("m:num", node[0], pen), _one("m:den", node[1], pen))]


def _root(node: etree._Element, pen: Pen) -> list[etree._Element]:
    hidden = node.tag == "msqrt"
    properties = element("m:radPr", None, element("m:degHide", {"m:val": True}) if hidden else None, control(pen))
    degree = element("m:deg") if hidden else _one("m:deg", node[1], pen)
    content = _row(node, pen) if hidden else _printed(node[0], pen)
    return [element("m:rad", None, properties, degree, _slot("m:e", content, pen))]


def _table(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """A matrix; aligned equations too, since `m:eqArr` shows its marks as ∧ in LibreOffice."""
    aligned = node.get("columnalign", "").split()
    columns = (
        element(
            "m:mc",
            None,
            element("m:mcPr", None, element("m:count", {"m:val": 1}), element("m:mcJc", {"m:val": alignment})),
        )
        for alignment in aligned
    )
    equations = node.get("displaystyle") == "true" and "right" in aligned
    properties = element(
        "m:mPr",
        None,
        element("m:plcHide", {"m:val": True}),
        element("m:cGpRule", {"m:val": 3}) if equations else None,
        element("m:cGp", {"m:val": round(pen.size_pt * 20 * 5 / 18)}) if equations else None,
        element("m:mcs", None, *columns),
        control(pen),
    )
    rows = (
        element("m:mr", None, *(_cell(row[at] if at < len(row) else None, pen) for at in range(len(aligned))))
        for row in node
    )
    return [element("m:m", None, properties, *rows)]


def _cell(cell: etree._Element | None, pen: Pen) -> etree._Element:
    return _slot("m:e", _row(cell, pen) if cell is not None else (), pen)


def _enclosed(node: etree._Element, pen: Pen) -> list[etree._Element]:
    notation = node.get("notation", "").split()
    sides = () if "box" in notation else ("hideTop", "hideBot", "hideLeft", "hideRight")
    strikes = [tag for name, tag in _STRIKES.items() if name in notation]
    flags = (element(f"m:{tag}", {"m:val": True}) for tag in (*sides, *strikes))
    properties = element("m:borderBoxPr", None, *flags, control(pen))
    return [element("m:borderBox", None, properties, _slot("m:e", _row(node, pen), pen))]


_STRIKES = MappingProxyType(
    {
        "horizontalstrike": "strikeH",
        "verticalstrike": "strikeV",
        "updiagonalstrike": "strikeBLTR",
        "downdiagonalstrike": "strikeTLBR",
    }
)


def _phantom(node: etree._Element, pen: Pen) -> list[etree._Element]:
    """Room without ink."""
    width = node.get("width") == "0"
    content = node[0] if node.tag == "mpadded" and len(node) == 1 and node[0].tag == "mphantom" else node
    properties = element(
        "m:phantPr",
        None,
        element("m:show", {"m:val": False}),
        element("m:zeroWid", {"m:val": True}) if width else None,
        control(pen),
    )
    return [element("m:phant", None, properties, _slot("m:e", _row(content, pen), pen))]


def _styled(node: etree._Element, pen: Pen) -> list[etree._Element]:
    colour = ROLE_COLOURS.get(node.get("class", "")) or node.get("mathcolor", "").lstrip("#") or pen.colour
    return _sequence(list(node), Pen(pen.size_pt, pen.lang, colour))


_PRINTERS: Mapping[str, Callable[[etree._Element, Pen], list[etree._Element]]] = MappingProxyType(
    {
        "mi": identifier,
        "mn": number,
        "mo": operator,
        "mtext": words,
        "mspace": space,
        "mrow": _group,
        "mstyle": _styled,
        "msub": _scripts,
        "msup": _scripts,
        "msubsup": _scripts,
        "mmultiscripts": _prescripts,
        "mover": _over_under,
        "munder": _over_under,
        "munderover": _over_under,
        "mfrac": _fraction,
        "msqrt": _root,
        "mroot": _root,
        "mtable": _table,
        "menclose": _enclosed,
        "mphantom": _phantom,
        "mpadded": _phantom,
    }
)
