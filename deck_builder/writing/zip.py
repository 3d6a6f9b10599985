"""Zip files of fixed bytes, of entries that may have been deflated in an earlier build.

The format is PKWARE's APPNOTE.TXT 6.3: local headers with their data, then the central directory.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import BinaryIO, Self

from deck_builder.errors import DeckError
from deck_builder.values import dataclass

LEVEL = 6
STORED, DEFLATED = 0, 8
VERSION = 20
UNIX = 3 << 8
UTF_8 = 0x800
PERMISSIONS = 0o600 << 16
MIDNIGHT, NEW_YEAR_1980 = 0, 1 << 5 | 1
LOCAL = struct.Struct("<4s5H3L2H")
CENTRAL = struct.Struct("<4s6H3L5H2L")
END = struct.Struct("<4s4H2LH")
MOST_ENTRIES, MOST_BYTES = 0xFFFF, 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Packed:
    """Content as a zip file holds it; `size` and `crc` are those of the content itself."""

    data: bytes
    size: int
    crc: int
    method: int = DEFLATED

    @classmethod
    def of(cls, content: bytes, *, stored: bool = False) -> Self:
        """Content deflated, or as it is where that would not make it smaller."""
        if stored:
            return cls(content, len(content), zlib.crc32(content), STORED)
        deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        return cls(deflate.compress(content) + deflate.flush(), len(content), zlib.crc32(content))

    @property
    def content(self) -> bytes:
        """What was packed."""
        return self.data if self.method == STORED else zlib.decompress(self.data, -zlib.MAX_WBITS)


def write_zip(stream: BinaryIO, entries: Iterable[tuple[str, Packed]]) -> None:
    """Write a zip file: same entries, same bytes. Raises `DeckError` when it becomes larger than the format allows."""
    at = 0
    directory: list[bytes] = []
    for name, packed in entries:
        written = name.encode()
        flags = 0 if name.isascii() else UTF_8
        fields = (
            *(VERSION, flags, packed.method, MIDNIGHT, NEW_YEAR_1980),
            *(packed.crc, len(packed.data), packed.size, len(written), 0),
        )
        if at + len(packed.data) > MOST_BYTES or packed.size > MOST_BYTES or len(directory) >= MOST_ENTRIES:
            raise DeckError("the deck is larger than a presentation can be (4 GB); show smaller pictures, or split it")
        directory.append(CENTRAL.pack(b"PK\1\2", UNIX | VERSION, *fields, 0, 0, 0, PERMISSIONS, at) + written)
        entry = LOCAL.pack(b"PK\3\4", *fields) + written
        stream.write(entry)
        stream.write(packed.data)
        at += len(entry) + len(packed.data)
    content = b"".join(directory)
    stream.write(content)
    stream.write(END.pack(b"PK\5\6", 0, 0, len(directory), len(directory), len(content), at, 0))
