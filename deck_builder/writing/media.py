"""Pictures of the package: each content once, named in the order of first use."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from deck_builder.values import dataclass
from deck_builder.writing.package import DEFAULT_TYPES, Package, Part

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"\xd7\xcd\xc6\x9a", "wmf"),
    (b"\x01\x00\x00\x00", "emf"),
)


def extension_of(blob: bytes) -> str:
    """The extension that matches the bytes, whatever the file was called."""
    for signature, extension in SIGNATURES:
        if blob.startswith(signature):
            return extension
    if b"<svg" in blob[:4096]:
        return "svg"
    raise ValueError("a picture in a format that PowerPoint does not show")


def digest_of(blob: bytes) -> str:
    """The name of a picture before it is part of a package."""
    return "media:" + hashlib.sha256(blob).hexdigest()


@dataclass(frozen=True, slots=True)
class Printed:
    """A page as parts: its slide, its notes. Their relationships name pictures by digest, which are keys of `media`."""

    slide: Part
    notes: Part | None
    media: Mapping[str, bytes]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Slide and notes."""
        return (self.slide,) if self.notes is None else (self.slide, self.notes)


class Media:
    """Adds pictures to a package, the same bytes only once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._parts: dict[str, Part] = {}
        taken = (name for name in package.parts if name.startswith("ppt/media/"))
        self._next = 1 + sum(1 for _ in taken)

    def put(self, page: Printed) -> None:
        """Add the pictures of a page; its relationships name their parts from now on."""
        for part in page.parts:
            for relationship in part.relationships:
                if relationship.target in page.media:
                    relationship.target = self._name(relationship.target, page.media[relationship.target])

    def _name(self, digest: str, blob: bytes) -> str:
        if digest not in self._parts:
            extension = extension_of(blob)
            name = f"ppt/media/picture{self._next}.{extension}"
            self._next += 1
            self._parts[digest] = self._package.add(Part(name, DEFAULT_TYPES[extension], blob))
        return self._parts[digest].name
