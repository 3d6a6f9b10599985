"""Namespaces and the one way to make an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache, wraps
from typing import ParamSpec

from lxml import etree

Arguments = ParamSpec("Arguments")

NAMESPACES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "a16": "http://schemas.microsoft.com/office/drawing/2014/main",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "asvg": "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
    "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
}

# Declared once at the root of a slide; the rest are declared where they are used.
COMMON = {prefix: NAMESPACES[prefix] for prefix in ("a", "r", "p")}

_QUALIFIED = {prefix: "{" + uri + "}" for prefix, uri in NAMESPACES.items()}
# Prefixes are given to lxml once: a map on every element would cost more than the element.
for _prefix, _uri in NAMESPACES.items():
    etree.register_namespace(_prefix, _uri)
_make = etree.XMLParser().makeelement
_TAGS: dict[str, str] = {}

_NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def qualified(name: str) -> str:
    """`a:off` as lxml spells it; a name without prefix stays as it is."""
    prefix, colon, local = name.partition(":")
    return _QUALIFIED[prefix] + local if colon else name


def clean(text: str) -> str:
    """The text without terminal colours and without what XML 1.0 cannot hold."""
    return _NOT_XML.sub("", _ANSI.sub("", text)) if not text.isprintable() else text


def element(
    tag: str,
    attributes: Mapping[str, object] | None = None,
    *children: etree._Element | None,
    text: str | None = None,
) -> etree._Element:
    """An element by its prefixed name. Attributes and children that are None are left out; booleans become 1 and 0."""
    node = _make(_TAGS.get(tag) or _TAGS.setdefault(tag, qualified(tag)))
    if attributes:
        for name, value in attributes.items():
            if value is not None:
                text_value = str(int(value)) if value is True or value is False else str(value)
                node.set(qualified(name), text_value if text_value.isprintable() else clean(text_value))
    for child in children:
        if child is not None:
            node.append(child)
    if text is not None:
        node.text = clean(text)
    return node


def stencil(printer: Callable[Arguments, etree._Element]) -> Callable[Arguments, etree._Element]:
    """A printer whose elements are printed once for the same arguments and copied after that, which is much cheaper.

    Runs and paragraphs of a deck carry few different properties, thousands of times.
    """
    printed = lru_cache(maxsize=1024)(printer)

    @wraps(printer)
    def copied(*arguments: Arguments.args, **options: Arguments.kwargs) -> etree._Element:
        return deepcopy(printed(*arguments, **options))  # type: ignore[arg-type]

    return copied


def serialise(node: etree._Element) -> bytes:
    """A part's bytes."""
    etree.cleanup_namespaces(node, top_nsmap=COMMON, keep_ns_prefixes=["a", "r", "p"])
    return etree.tostring(node, xml_declaration=True, encoding="UTF-8", standalone=True)


def fragment(node: etree._Element) -> bytes:
    """An element's bytes, its namespaces declared once."""
    etree.cleanup_namespaces(node, top_nsmap=COMMON)
    return etree.tostring(node, encoding="UTF-8")
