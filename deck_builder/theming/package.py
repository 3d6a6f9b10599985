"""A template as a package: its parts, and where their relationships lead."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from deck_builder.errors import DeckError
from deck_builder.values import dataclass

_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "r": _RELATIONSHIPS,
}
RELATION_ID = f"{{{_RELATIONSHIPS}}}id"

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)


@dataclass(frozen=True, slots=True)
class Related:
    """Where a relationship leads: `kind` is the last word of its type, `part` the name of its target."""

    kind: str
    part: str


@dataclass(frozen=True, slots=True)
class Package:
    """An open template. Parts are read when asked for."""

    path: Path
    archive: zipfile.ZipFile

    def xml(self, part: str) -> etree._Element:
        """The root element of a part."""
        try:
            return etree.fromstring(self.archive.read(part), _PARSER)
        except KeyError:
            raise DeckError(
                f"{self.path.name}: the part {part} is missing; save the template again in PowerPoint"
            ) from None
        except (etree.XMLSyntaxError, zipfile.BadZipFile) as error:
            raise DeckError(f"{self.path.name}: the part {part} is damaged ({error})") from None

    def related(self, part: str) -> Mapping[str, Related]:
        """The part's relationships to other parts, by id."""
        folder, name = posixpath.split(part)
        try:
            root = etree.fromstring(self.archive.read(f"{folder}/_rels/{name}.rels".lstrip("/")), _PARSER)
        except KeyError:
            return {}
        return {
            relation.get("Id", ""): Related(relation.get("Type", "").rpartition("/")[2], _target(folder, relation))
            for relation in root
            if relation.get("TargetMode") != "External"
        }

    def main(self) -> str:
        """The presentation part; an error when the package holds another kind of document."""
        part = next(
            (relation.part for relation in self.related("").values() if relation.kind == "officeDocument"), None
        )
        root = self.xml(part) if part in self.archive.namelist() else None
        if part is None or root is None or etree.QName(root).localname != "presentation":
            raise DeckError(f"{self.path.name} holds no presentation; a template is a .pptx or .potx file")
        if etree.QName(root).namespace != NAMESPACES["p"]:
            raise DeckError(
                f"{self.path.name} is Strict Open XML; save it as an ordinary PowerPoint presentation (.pptx)"
            )
        return part


def _target(folder: str, relation: etree._Element) -> str:
    target = relation.get("Target", "")
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))


def open_package(path: Path) -> Package:
    """The package at `path`, to be closed by its `archive`; errors say what is there instead."""
    try:
        return Package(path, zipfile.ZipFile(path))
    except (FileNotFoundError, IsADirectoryError):
        raise DeckError(f"there is no template {path.name}{_beside(path)}") from None
    except PermissionError:
        raise DeckError(f"the template {path.name} cannot be read; is it open in another program?") from None
    except zipfile.BadZipFile:
        raise DeckError(f"{path.name} is not a .pptx file; {_what_it_is(path)}") from None


def _beside(path: Path) -> str:
    if not path.parent.is_dir():
        return "; its folder does not exist"
    names = sorted(entry.name for entry in path.parent.iterdir() if entry.suffix.lower() in (".pptx", ".potx"))
    return f"; beside it there are: {', '.join(names)}" if names else "; its folder holds no .pptx"


def _what_it_is(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return "it is an old or encrypted Office file: save it again as .pptx without a password"
    if not start:
        return "it is empty"
    return "save it again as .pptx in PowerPoint or LibreOffice"
