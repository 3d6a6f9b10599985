"""Pictures of the package: each content once, named in the order of first use."""

from __future__ import annotations

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


class Media:
    """Adds pictures to a package, the same bytes only once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._parts: dict[bytes, Part] = {}
        taken = (name for name in package.parts if name.startswith("ppt/media/"))
        self._next = 1 + sum(1 for _ in taken)

    def add(self, blob: bytes) -> Part:
        """The part that holds these bytes."""
        if blob in self._parts:
            return self._parts[blob]
        extension = extension_of(blob)
        name = f"ppt/media/picture{self._next}.{extension}"
        self._next += 1
        self._parts[blob] = self._package.add(Part(name, DEFAULT_TYPES[extension], blob))
        return self._parts[blob]
