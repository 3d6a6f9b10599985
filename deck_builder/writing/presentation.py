"""The presentation part: masters, slides, sections, in the order that the schema asks for."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

from lxml import etree

from deck_builder.elements.xml import element, qualified, serialise
from deck_builder.pages import Page
from deck_builder.writing.package import Package, Part, read_package

FIRST_SLIDE_ID = 256
SECTIONS_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
SECTION_NAMES = uuid.UUID("6d0a4f52-5f0b-4f7e-9d0c-0d6f6ed1f5a1")
ORDER = tuple(
    qualified(f"p:{name}")
    for name in (
        "sldMasterIdLst",
        "notesMasterIdLst",
        "handoutMasterIdLst",
        "sldIdLst",
        "sldSz",
        "notesSz",
        "smartTags",
        "embeddedFontLst",
        "custShowLst",
        "photoAlbum",
        "custDataLst",
        "kinsoku",
        "defaultTextStyle",
        "modifyVerifier",
        "extLst",
    )
)
DROPPED_RELATIONS = ("slide", "printerSettings", "commentAuthors", "font")
NOTES_MASTER = "ppt/notesMasters/notesMaster1.xml"


class Presentation:
    """The presentation part of a package made from a template, its slides emptied out."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.part = package.parts[package.root.related("officeDocument")[0]]
        self._root = etree.fromstring(self.part.blob)
        self.part.content_type = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
        self.part.relationships = [
            r for r in self.part.relationships if r.type.rpartition("/")[2] not in DROPPED_RELATIONS
        ]
        for name in ("sldIdLst", "custShowLst", "embeddedFontLst", "smartTags"):
            self._remove(f"p:{name}")
        size = self._root.find(qualified("p:sldSz"))
        if size is not None and "type" in size.attrib:
            del size.attrib["type"]  # a type that contradicts the numbers makes Keynote refuse the file
        self._drop_extension(SECTIONS_URI)

    def notes_master(self, fallback: Path) -> str:
        """Name of the notes master's part; a template without one borrows that of the shipped template."""
        if not self.part.related("notesMaster"):
            lender = read_package(fallback)
            master = lender.parts[NOTES_MASTER]
            theme_name = f"ppt/theme/theme{1 + sum(n.startswith('ppt/theme/') for n in self.package.parts)}.xml"
            theme = lender.parts[master.related("theme")[0]]
            self.package.add(Part(theme_name, theme.content_type, theme.blob))
            borrowed = self.package.add(Part(master.name, master.content_type, master.blob))
            borrowed.relate("theme", theme_name)
            self.part.relate("notesMaster", borrowed.name)
        name = self.part.related("notesMaster")[0]
        identifier = self.part.relate("notesMaster", name)
        self._put(element("p:notesMasterIdLst", None, element("p:notesMasterId", {"r:id": identifier})))
        return name

    def list_slides(self, slides: Sequence[Part]) -> None:
        """Write `p:sldIdLst`."""
        nodes = [
            element("p:sldId", {"id": FIRST_SLIDE_ID + number, "r:id": self.part.relate("slide", slide.name)})
            for number, slide in enumerate(slides)
        ]
        self._put(element("p:sldIdLst", None, *nodes))

    def list_sections(self, pages: Sequence[Page], opening: str) -> None:
        """PowerPoint sections from the lesson's; slides before the first are the `opening`."""
        spans: list[tuple[str, list[int]]] = []
        for number, page in enumerate(pages):
            name = page.section or opening
            if not spans or spans[-1][0] != name:
                spans.append((name, []))
            spans[-1][1].append(FIRST_SLIDE_ID + number)
        if len(spans) < 2:
            return
        nodes = []
        for position, (name, identifiers) in enumerate(spans):
            guid = "{" + str(uuid.uuid5(SECTION_NAMES, f"{position} {name}")).upper() + "}"
            members = (element("p14:sldId", {"id": identifier}) for identifier in identifiers)
            nodes.append(element("p14:section", {"name": name, "id": guid}, element("p14:sldIdLst", None, *members)))
        extension = element("p:ext", {"uri": SECTIONS_URI}, element("p14:sectionLst", None, *nodes))
        extensions = self._root.find(qualified("p:extLst"))
        if extensions is None:
            extensions = element("p:extLst")
            self._put(extensions)
        extensions.insert(0, extension)

    def finish(self) -> None:
        """Write the part back."""
        etree.cleanup_namespaces(self._root)
        self.part.content = serialise(self._root)

    def _remove(self, tag: str) -> None:
        for node in self._root.findall(qualified(tag)):
            self._root.remove(node)

    def _put(self, node: etree._Element) -> None:
        for old in self._root.findall(str(node.tag)):
            self._root.remove(old)
        place = ORDER.index(str(node.tag))
        position = sum(1 for child in self._root if child.tag in ORDER[:place])
        self._root.insert(position, node)

    def _drop_extension(self, uri: str) -> None:
        extensions = self._root.find(qualified("p:extLst"))
        for node in extensions if extensions is not None else ():
            if node.get("uri") == uri:
                node.getparent().remove(node)  # type: ignore[union-attr]
        if extensions is not None and len(extensions) == 0:
            self._root.remove(extensions)
