"""Rules of the package: parts, content types, relationships, the presentation's own lists."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from deck_builder.elements.xml import NAMESPACES, qualified
from deck_builder.values import dataclass, field
from deck_builder.writing.media import extension_of
from deck_builder.writing.package import DEFAULT_TYPES, Package, Part, package_in
from deck_builder.writing.presentation import ORDER

REFERENCES = etree.XPath("//@r:id[. != ''] | //@r:embed | //@r:link | //@r:pict", namespaces=NAMESPACES)
LATER = etree.XPath(
    "//*[not(self::a:* or self::p:* or self::mc:*)]"
    "[not(ancestor::mc:AlternateContent or ancestor::a:ext or ancestor::p:ext)]",
    namespaces=NAMESPACES,
)
"""Elements of later vocabularies that stand outside of what older readers pass over."""


@dataclass(slots=True)
class Parsed:
    """A package whose XML parts are parsed when they are asked for, each once."""

    package: Package
    _trees: dict[str, etree._Element | etree.XMLSyntaxError] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Part]:
        """Parts whose content type ends in `kind+xml`."""
        return [part for part in self.package.parts.values() if is_kind(part, kind)]

    def read(self, part: Part) -> etree._Element | etree.XMLSyntaxError:
        """The tree of a part, or what is wrong with its text."""
        if part.name not in self._trees:
            try:
                self._trees[part.name] = etree.fromstring(part.blob)
            except etree.XMLSyntaxError as error:
                self._trees[part.name] = error
        return self._trees[part.name]

    def tree(self, name: str) -> etree._Element | None:
        """The tree of the part of that name, if there is one that can be read."""
        part = self.package.parts.get(name)
        found = self.read(part) if part else None
        return None if isinstance(found, etree.XMLSyntaxError) else found


def is_kind(part: Part, kind: str) -> bool:
    """Whether the content type of a part ends in `kind+xml`."""
    return part.content_type.endswith(f".{kind}+xml")


def package_problems(path: Path) -> tuple[list[str], Parsed | None]:
    """What is wrong with the package as a whole, and the package itself unless it cannot be read at all."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = _zip_problems(archive)
            package = package_in(archive)
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError) as error:
        return [f"the file is not a package: {error}"], None
    parsed = Parsed(package)
    found += _relationship_problems(package)
    found += _media_problems(package)
    found += _orphan_problems(package)
    found += _presentation_problems(parsed)
    return found, parsed


def xml_problems(part: Part, tree: etree._Element) -> Iterator[str]:
    """What is wrong with one part, whatever stands in the others."""
    known = {relationship.identifier for relationship in part.relationships}
    for name in map(str, select(REFERENCES, tree)):
        if name not in known:
            yield f"uses {name}, which is no relationship of it"
    if part.name.startswith(("ppt/slides/", "ppt/notesSlides/", "ppt/presentation")):
        yield from _prefix_problems(tree)
    if is_kind(part, "theme"):
        yield from _theme_problems(tree)


def select(path: etree.XPath, tree: etree._Element) -> list[Any]:
    """What a path of nodes or attributes finds."""
    found = path(tree)
    return found if isinstance(found, list) else []


def _zip_problems(archive: zipfile.ZipFile) -> list[str]:
    names = Counter(archive.namelist())
    found = [f"{name} stands in the package twice" for name, times in names.items() if times > 1]
    found += [f"{name} is spelled with a backslash" for name in names if "\\" in name]
    types = etree.fromstring(archive.read("[Content_Types].xml"))
    keys = Counter(node.get("PartName") or (node.get("Extension") or "").lower() for node in types)
    found += [f"{key} has {times} content types" for key, times in keys.items() if times > 1]
    for key in keys:
        if str(key).startswith("/") and str(key)[1:] not in names:
            found.append(f"{key} has a content type but is not in the package")
    defaults = {key for key in keys if not str(key).startswith("/")}
    for name in names:
        if name != "[Content_Types].xml" and not name.endswith("/"):
            extension = name.rpartition(".")[2].lower()
            if f"/{name}" not in keys and extension not in defaults:
                found.append(f"{name} has no content type")
    return found


def _relationship_problems(package: Package) -> list[str]:
    found = []
    for part in (package.root, *package.parts.values()):
        label = part.name or "the package"
        identifiers = Counter(relationship.identifier for relationship in part.relationships)
        found += [f"{label} uses {name} for {n} relationships" for name, n in identifiers.items() if n > 1]
        for relationship in part.relationships:
            if not relationship.target:
                found.append(f"{label} has an empty link")
            elif not relationship.external and relationship.target not in package.parts:
                found.append(f"{label} refers to {relationship.target}, which is not in the package")
    return found


def _media_problems(package: Package) -> list[str]:
    found = []
    for part in package.parts.values():
        if part.name.startswith("ppt/media/") and part.content_type.startswith("image/"):
            try:
                expected = DEFAULT_TYPES[extension_of(part.blob)]
            except ValueError:
                continue
            if expected != part.content_type:
                found.append(f"{part.name} is {expected} but typed {part.content_type}")
    return found


def _orphan_problems(package: Package) -> list[str]:
    reachable = package.reachable()
    return [f"nothing refers to {name}" for name in package.parts if name not in reachable]


def _prefix_problems(tree: etree._Element) -> Iterator[str]:
    """Later vocabularies belong in an extension, an alternate content, or a namespace said to be ignorable."""
    ignorable = {tree.nsmap.get(prefix) for prefix in (tree.get(qualified("mc:Ignorable")) or "").split()}
    for node in select(LATER, tree):
        if etree.QName(node).namespace not in ignorable:
            yield f"holds {etree.QName(node).localname} where PowerPoint does not expect it"


def _presentation_problems(parsed: Parsed) -> list[str]:
    package = parsed.package
    main = package.root.related("officeDocument")
    tree = parsed.tree(main[0]) if len(main) == 1 else None
    if tree is None:
        return ["the package has no presentation"]
    part = package.parts[main[0]]
    found = []
    places = [ORDER.index(str(child.tag)) for child in tree if child.tag in ORDER]
    if places != sorted(places):
        found.append("the lists of the presentation are in the wrong order")
    size = tree.find(qualified("p:sldSz"))
    if size is None or size.get("type"):
        found.append("the slide size is missing or contradicts its type")
    if part.related("printerSettings"):
        found.append("printer settings were left in the presentation")
    listed = [node.get(qualified("r:id")) for node in tree.iter(qualified("p:sldId"))]
    slides = [r.identifier for r in part.relationships if r.type.endswith("/slide")]
    if sorted(map(str, listed)) != sorted(slides):
        found.append("the list of slides differs from the slides in the package")
    numbers = [node.get("id") for node in tree.iter(qualified("p:sldId"))]
    if len(set(numbers)) != len(numbers) or any(int(number or 0) < 256 for number in numbers):
        found.append("slide ids are not unique numbers from 256")
    return found + _notes_problems(parsed, part, tree)


def _notes_problems(parsed: Parsed, part: Part, tree: etree._Element) -> list[str]:
    found = []
    masters = part.related("notesMaster")
    if masters and tree.find(qualified("p:notesMasterIdLst")) is None:
        found.append("the notes master is not listed in the presentation")
    owners: Counter[str] = Counter()
    for slide in parsed.of_kind("slide"):
        for name in slide.related("notesSlide"):
            owners[name] += 1
            notes = parsed.package.parts.get(name)
            if notes is None or notes.related("slide") != [slide.name] or notes.related("notesMaster") != masters:
                found.append(f"the notes of {slide.name} do not lead back to it and to the notes master")
        if len(slide.related("slideLayout")) != 1:
            found.append(f"{slide.name} has no layout")
    found += [f"{name} belongs to {times} slides" for name, times in owners.items() if times > 1]
    return found


def _theme_problems(tree: etree._Element) -> Iterator[str]:
    for name in ("fillStyleLst", "lnStyleLst", "effectStyleLst", "bgFillStyleLst"):
        for node in tree.iter(qualified(f"a:{name}")):
            if len(node) < 3:
                yield f"has fewer than three entries in {name}"
