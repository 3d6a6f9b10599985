"""One metric for all machines: widths of text by tables shipped with the templates, never by the fonts of the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

CODE_ADVANCE = 0.602
"""Widest of the usual code faces (DejaVu Sans Mono); Consolas is .55, so a line that fits here fits there."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Advance widths in em by character, for the body face (Carlito's, equal to Calibri's) and the East Asian face."""

    regular: Mapping[str, float] = field(repr=False)
    bold: Mapping[str, float] = field(repr=False)
    east_asian: Mapping[str, float] = field(repr=False)
    """Only what is not 1 em wide there."""
    line_height: float = 1.22
    """Of a line of Latin text, in em of its size."""
    east_asian_line_height: float = 1.32
    """Of a line that holds Han characters; a line takes the larger of its faces."""
    code_line_height: float = 1.17

    def advance(self, text: str, *, bold: bool = False, code: bool = False) -> float:
        """Width of `text` on one line in em of its size, without any spare."""
        if code:
            return sum(1.0 if is_wide(character) else CODE_ADVANCE for character in text)
        table = self.bold if bold else self.regular
        return sum(
            table[character] if character in table else self.east_asian.get(character, 1.0) for character in text
        )

    def height(self, text: str, *, code: bool = False) -> float:
        """Height of a line that holds `text`, in em of its size."""
        wide = any(is_wide(character) for character in text)
        if wide:
            return self.east_asian_line_height
        return self.code_line_height if code else self.line_height


def is_wide(character: str) -> bool:
    """Whether the East Asian face sets this character one em wide (Han, kana, full-width punctuation, hangul)."""
    code = ord(character)
    return code >= 0x2E80 and (
        code <= 0xA4CF
        or 0xAC00 <= code <= 0xD7A3
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFF60
        or 0xFFE0 <= code <= 0xFFE6
        or 0x1F300 <= code <= 0x1FAFF
        or 0x20000 <= code <= 0x3FFFD
    )


@cache
def load_metrics(path: Path) -> Metrics:
    """The tables in `metrics.json`, made beside the templates."""
    tables = json.loads(path.read_text(encoding="utf-8"))
    return Metrics(**tables)
