"""Document properties: what the deck says of itself, and what a later build must know of it."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from deck_builder.elements.xml import clean
from deck_builder.writing.package import Package, Part

CORE = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
DC = "http://purl.org/dc/elements/1.1/"
CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
EXTENDED = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
VARIANT = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
CORE_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"
CUSTOM_TYPE = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
EXTENDED_TYPE = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
CORE_RELATION = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
FORMAT_ID = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
CUSTOM_PART = "docProps/custom.xml"
DIGEST = "deckbuild.digest"
FIGURE = "deckbuild.figure."
FINGERPRINT_LENGTH = 32


def describe(package: Package, *, title: str, author: str, lang: str, slides: int) -> None:
    """Write `docProps/core.xml` and `docProps/app.xml`. They hold no clock: the same lesson gives the same bytes."""
    core = etree.Element(f"{{{CORE}}}coreProperties", nsmap={"cp": CORE, "dc": DC})
    for name, value in (("title", title), ("creator", author), ("language", lang)):
        if value:
            etree.SubElement(core, f"{{{DC}}}{name}").text = clean(value)
    _property_part(package, "docProps/core.xml", CORE_TYPE, CORE_RELATION, core)
    extended = etree.Element(f"{{{EXTENDED}}}Properties", nsmap={"ep": EXTENDED})
    etree.SubElement(extended, f"{{{EXTENDED}}}Application").text = "deckbuild"
    etree.SubElement(extended, f"{{{EXTENDED}}}Slides").text = str(slides)
    _property_part(package, "docProps/app.xml", EXTENDED_TYPE, "extended-properties", extended)


def stamp(package: Package, fingerprints: Mapping[str, str]) -> None:
    """Write `docProps/custom.xml`: label → fingerprint of what was generated, and the digest of the whole deck."""
    root = etree.Element(f"{{{CUSTOM}}}Properties", nsmap={"op": CUSTOM, "vt": VARIANT})
    values = {FIGURE + label: value[:FINGERPRINT_LENGTH] for label, value in fingerprints.items()}
    values[DIGEST] = digest({name: part.packed().crc for name, part in package.reachable().items()})
    for number, (name, value) in enumerate(values.items(), 2):
        node = etree.SubElement(root, f"{{{CUSTOM}}}property", fmtid=FORMAT_ID, pid=str(number), name=clean(name))
        etree.SubElement(node, f"{{{VARIANT}}}lpwstr").text = clean(value)
    _property_part(package, CUSTOM_PART, CUSTOM_TYPE, "custom-properties", root)


def digest(checksums: Mapping[str, int]) -> str:
    """A digest of a deck's parts by their CRC-32, document properties aside: it changes when anybody saves an edit.

    The directory of a zip file lists these, so that a deck is recognised without unpacking it.
    """
    total = hashlib.sha256()
    for name in sorted(checksums):
        if not name.startswith(("docProps/", "_rels/", "[Content_Types]")) and not name.endswith(".rels"):
            total.update(f"{name} {checksums[name]:08x}\n".encode())
    return total.hexdigest()


def recorded(path: Path) -> tuple[dict[str, str], str]:
    """The custom properties that this product wrote into a deck, and the digest of the deck as it is now.

    Raises `zipfile.BadZipFile`, `OSError` or `etree.XMLSyntaxError` for what is no package.
    """
    with zipfile.ZipFile(path) as archive:
        now = digest({entry.filename: entry.CRC for entry in archive.infolist() if not entry.is_dir()})
        if CUSTOM_PART not in archive.namelist():
            return {}, now
        root = etree.fromstring(archive.read(CUSTOM_PART))
    properties = ((node.get("name") or "", "".join(map(str, node.itertext())).strip()) for node in root)
    return {name: value for name, value in properties if name.startswith("deckbuild.")}, now


def _property_part(package: Package, name: str, content_type: str, relation: str, root: etree._Element) -> None:
    blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    package.parts.pop(name, None)
    package.add(Part(name, content_type, blob))
    package.root.relate(relation, name)
