"""An Office package in memory: parts, their types and relationships; read from a template, saved with fixed bytes."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from deck_builder.elements.xml import clean
from deck_builder.values import dataclass, field
from deck_builder.writing.zip import Packed, write_zip

RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
COMPRESSED = ("image/png", "image/jpeg", "image/gif")

DEFAULT_TYPES = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "xml": "application/xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "emf": "image/x-emf",
    "wmf": "image/x-wmf",
    "bin": "application/vnd.openxmlformats-officedocument.oleObject",
}


@dataclass(slots=True)
class Relationship:
    """One relationship of a part; `target` is an absolute part name, or an address when external."""

    identifier: str
    type: str
    target: str
    external: bool = False


@dataclass(slots=True)
class Part:
    """One part; its name has no leading slash. Its content may be packed already."""

    name: str
    content_type: str
    content: bytes | Packed = field(repr=False)
    relationships: list[Relationship] = field(default_factory=list)

    @property
    def blob(self) -> bytes:
        """The part's bytes."""
        return self.content.content if isinstance(self.content, Packed) else self.content

    def packed(self) -> Packed:
        """The part as a zip file holds it, which it is from now on; pictures are compressed already."""
        if not isinstance(self.content, Packed):
            self.content = Packed.of(self.content, stored=self.content_type in COMPRESSED)
        return self.content

    def relate(self, kind: str, target: str, *, external: bool = False) -> str:
        """The id of the relationship to `target`, made on first use. `kind` is the last word of an Office type."""
        type_ = kind if "/" in kind else f"{OFFICE}/{kind}"
        for relationship in self.relationships:
            if (relationship.type, relationship.target, relationship.external) == (type_, target, external):
                return relationship.identifier
        used = {relationship.identifier for relationship in self.relationships}
        number = len(used) + 1
        while f"rId{number}" in used:
            number += 1
        self.relationships.append(Relationship(f"rId{number}", type_, target, external))
        return f"rId{number}"

    def related(self, kind: str) -> list[str]:
        """Targets of one kind of relationship, in order."""
        return [r.target for r in self.relationships if r.type.rpartition("/")[2] == kind and not r.external]


@dataclass(slots=True)
class Package:
    """Parts by name, in the order they are saved, and the package's own relationships."""

    parts: dict[str, Part]
    root: Part

    def add(self, part: Part) -> Part:
        """The part, now in the package; a name is used once."""
        if part.name in self.parts:
            raise ValueError(f"the package already has a part {part.name}")
        self.parts[part.name] = part
        return part

    def reachable(self) -> dict[str, Part]:
        """The parts that a relationship leads to; the rest would be orphans."""
        seen: dict[str, Part] = {}
        waiting = [r.target for r in self.root.relationships if not r.external]
        while waiting:
            name = waiting.pop()
            if name not in seen and name in self.parts:
                seen[name] = self.parts[name]
                waiting += [r.target for r in self.parts[name].relationships if not r.external]
        return {name: part for name, part in self.parts.items() if name in seen}

    def save(self, path: Path) -> None:
        """Write the package: same parts, same bytes, on any machine and at any time."""
        with path.open("wb") as stream:
            write_zip(stream, self._entries())

    def _entries(self) -> Iterator[tuple[str, Packed]]:
        parts = self.reachable()
        yield "[Content_Types].xml", Packed.of(_content_types(parts.values()))
        yield "_rels/.rels", Packed.of(_relationships(self.root))
        for part in parts.values():
            yield part.name, part.packed()
            if part.relationships:
                yield _relationships_name(part.name), Packed.of(_relationships(part))


def read_package(path: Path) -> Package:
    """The package in a file, its relationships with absolute targets.

    Raises `zipfile.BadZipFile` or `KeyError` for what is not a package.
    """
    with zipfile.ZipFile(path) as archive:
        return package_in(archive)


def package_in(archive: zipfile.ZipFile) -> Package:
    """The package in a zip file that is open."""
    names = dict.fromkeys(archive.namelist())
    types = _read_types(archive.read("[Content_Types].xml"))
    parts = {}
    for name in names:
        if name.endswith(("/", ".rels")) or name == "[Content_Types].xml":
            continue
        type_ = types.get("/" + name) or types.get(name.rpartition(".")[2].lower(), "application/octet-stream")
        relationships = _relationships_name(name)
        loaded = _read_relationships(archive.read(relationships), name) if relationships in names else []
        parts[name] = Part(name, type_, archive.read(name), loaded)
    return Package(parts, Part("", "", b"", _read_relationships(archive.read("_rels/.rels"), "")))


def _default(namespace: str) -> Any:
    return {None: namespace}  # the stubs of lxml know no default namespace


def _relationships_name(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"


def _read_types(blob: bytes) -> dict[str, str]:
    types = {}
    for node in etree.fromstring(blob):
        key = node.get("PartName") or (node.get("Extension") or "").lower()
        types[key] = node.get("ContentType") or ""
    return types


def _read_relationships(blob: bytes, owner: str) -> list[Relationship]:
    out = []
    for node in etree.fromstring(blob):
        external = node.get("TargetMode") == "External"
        target = node.get("Target") or ""
        if not external:
            target = posixpath.normpath(posixpath.join("/", posixpath.dirname(owner), target)).lstrip("/")
        out.append(Relationship(node.get("Id") or "", node.get("Type") or "", target, external))
    return out


def _relationships(part: Part) -> bytes:
    root = etree.Element(f"{{{RELATIONSHIPS}}}Relationships", nsmap=_default(RELATIONSHIPS))
    for relationship in part.relationships:
        node = etree.SubElement(root, f"{{{RELATIONSHIPS}}}Relationship")
        node.set("Id", relationship.identifier)
        node.set("Type", relationship.type)
        target = relationship.target
        node.set("Target", clean(target) if relationship.external else _as_seen_from(part.name, target))
        if relationship.external:
            node.set("TargetMode", "External")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _as_seen_from(name: str, target: str) -> str:
    """`../media/picture1.png`: a part's name as seen from the folder of another part."""
    here, there = name.split("/")[:-1], target.split("/")
    shared = 0
    while shared < len(here) and shared < len(there) - 1 and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])


def _content_types(parts: Iterable[Part]) -> bytes:
    parts = list(parts)
    root = etree.Element(f"{{{CONTENT_TYPES}}}Types", nsmap=_default(CONTENT_TYPES))
    extensions = {part.name.rpartition(".")[2].lower() for part in parts}
    for extension in sorted({"rels", "xml"} | (extensions & DEFAULT_TYPES.keys())):
        etree.SubElement(root, f"{{{CONTENT_TYPES}}}Default", Extension=extension, ContentType=DEFAULT_TYPES[extension])
    for part in parts:
        if DEFAULT_TYPES.get(part.name.rpartition(".")[2].lower()) != part.content_type:
            etree.SubElement(
                root, f"{{{CONTENT_TYPES}}}Override", PartName="/" + part.name, ContentType=part.content_type
            )
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
