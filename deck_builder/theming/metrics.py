"""One metric for all machines: widths of text by tables shipped with the templates, never by the fonts of the machine.

The tables hold plain advances, without kerning: PowerPoint kerns by none, LibreOffice by under one per cent. Text that
holds Han is measured by the wider of two habits. PowerPoint and LibreOffice both set quotation marks, dashes, arrows
and their like in the East Asian face there; LibreOffice alone also adds a gap wherever the script changes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

from deck_builder.values import dataclass, field

CODE_ADVANCE = 0.602
"""Widest of the usual code faces (DejaVu Sans Mono); Consolas is .55, so a line that fits here fits there."""

SCRIPT_GAP = 0.24
"""What LibreOffice 7.4 adds between Han and Latin, whether or not a space is there: in em, a fifth of the line."""

_WIDE = "\u2e80"
"""From here on characters are East Asian; from U+2000 up to here, marks and symbols that take the face before them."""
# Said by what is not wide: Python takes milliseconds to prepare a class that reaches to the end of Unicode.
_HAS_WIDE = re.compile("[^\0-\u2e7f]")
_SCRIPTS = re.compile("[\0-\x1f!-\u1fff]+|[^\0-\u2e7f]+")
"""Runs of one script; spaces belong to none."""


class _Widths(dict[str, float]):
    """Widths by character; what is not listed is asked of the rule once."""

    def __init__(self, listed: Mapping[str, float], rule: Callable[[str], float]) -> None:
        super().__init__(listed)
        self.rule = rule

    def __missing__(self, character: str) -> float:
        width = self[character] = self.rule(character)
        return width


def _east_asian(character: str) -> float:
    """In the East Asian face: one em, marks and joiners none."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0.0
    return 1.4 if "\U0001f300" <= character <= "\U0001faff" else 1.0


def _code(character: str) -> float:
    return _east_asian(character) if is_wide(character) else CODE_ADVANCE


def _code_beside_han(character: str) -> float:
    return _east_asian(character) if character >= "\u2000" else CODE_ADVANCE


@dataclass(frozen=True, slots=True)
class Metrics:
    """Advance widths in em by character, for the body face (Carlito's, equal to Calibri's) and the East Asian face."""

    regular: Mapping[str, float] = field(repr=False)
    bold: Mapping[str, float] = field(repr=False)
    east_asian: Mapping[str, float] = field(repr=False)
    """Only what is not 1 em wide there."""
    line_height: float = 1.22
    """Of a line of Latin text, in em of its size (Calibri and Carlito 1.2207)."""
    east_asian_line_height: float = 1.4
    """Of a line that holds Han characters. With Calibri, Microsoft YaHei makes it 1.33 and Noto Sans CJK 1.45; this is
    between the two, so that the spare 5 % covers a viewer that has only the latter."""
    code_line_height: float = 1.2
    """Consolas 1.17, DejaVu Sans Mono 1.16; LibreOffice without their metrics 1.2."""
    _tables: Mapping[tuple[bool, bool, bool], _Widths] = field(init=False, repr=False, compare=False)
    """By bold, code, and whether the text holds Han."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tables", _tables(self.regular, self.bold, self.east_asian))

    def advance(
        self, text: str, *, bold: bool = False, code: bool = False, east_asian: bool | None = None, after: str = ""
    ) -> float:
        """Width of `text` on one line in em of its size, without any spare.

        `east_asian` says whether the paragraph that it is part of holds Han (None looks at `text` alone); `after` is
        the character that follows on the line, for the gap between scripts.
        """
        if text.isascii() and not after:
            return sum(map(self._tables[bold, code, False].__getitem__, text))
        mixed = _HAS_WIDE.search(text + after) is not None
        width = sum(map(self._tables[bold, code, mixed or bool(east_asian)].__getitem__, text))
        return width + SCRIPT_GAP * len(_gaps(text, after)) if mixed else width

    def advances(
        self, text: str, *, bold: bool = False, code: bool = False, east_asian: bool | None = None, after: str = ""
    ) -> list[float]:
        """Width of each character of `text`, a gap between scripts counted to the one before it; in all `advance`."""
        mixed = _HAS_WIDE.search(text + after) is not None
        widths = list(map(self._tables[bold, code, mixed or bool(east_asian)].__getitem__, text))
        for index in _gaps(text, after) if mixed else ():
            widths[index] += SCRIPT_GAP
        return widths

    def height(self, text: str, *, code: bool = False) -> float:
        """Height of a line that holds `text`, in em of its size: the larger of its faces."""
        latin = self.code_line_height if code else self.line_height
        if text.isascii() or (not _HAS_WIDE.search(text) and self.regular.keys() >= set(text)):
            return latin
        return max(latin, self.east_asian_line_height)


def _tables(
    regular: Mapping[str, float], bold: Mapping[str, float], east_asian: Mapping[str, float]
) -> Mapping[tuple[bool, bool, bool], _Widths]:
    tables = {}
    for is_bold, latin in ((False, regular), (True, bold)):
        alone = {**east_asian, **latin}
        weak = dict.fromkeys((mark for mark, width in latin.items() if width and "\u2010" <= mark < _WIDE), 1.0)
        tables[is_bold, False, False] = _Widths(alone, _east_asian)
        tables[is_bold, False, True] = _Widths({**alone, **weak, "·": 1.0}, _east_asian)
        tables[is_bold, True, False] = _Widths({}, _code)
        tables[is_bold, True, True] = _Widths({}, _code_beside_han)
    return tables


def _gaps(text: str, after: str) -> list[int]:
    """The characters of `text` that a change of script follows."""
    whole = text + after
    starts = [match.start() for match in _SCRIPTS.finditer(whole)]
    return [start - 1 for before, start in pairwise(starts) if (whole[before] < _WIDE) != (whole[start] < _WIDE)]


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
