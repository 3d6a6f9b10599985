"""Text measured before it is placed: pieces that may not be broken, and the lines they make in a given width."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from deck_builder.model import Run
from deck_builder.theming.metrics import Metrics, is_wide

SPARE = 1.05
"""Faces differ from machine to machine: text is taken to be this much wider and higher than the tables say."""
SCRIPT_SCALE = 0.7
"""Size of sub- and superscripts."""

_OPENING = frozenset("（【《〈「『〔［｛“‘")
_CLOSING = frozenset("，。：；！？、）】》〉」』〕］｝”’…—～·％")
_CLOSING_ASCII = frozenset(",.:;!?)]}%")
_PIECE = re.compile(
    "(?:[OQ][Gs]*)*(?:[GHPQ](?:[CPc]|[Gs]+[CP])*|(?:[-Cacx]*?a-(?=a)|[-Cacx]+(?:[CP]|[Gs]+[CP])*))|[OQ]+"
)
"""What stays together on a line: a Han character or a Latin word with the punctuation that may not leave it.

Of kinds of characters rather than of characters: Python takes long to prepare classes that hold all of Han."""
_HAN = re.compile("[GHPQ]")


def _kind(character: str) -> str:
    """The kind of a character, as a letter.

    Wide ones are H, those that close something P, that open something Q, gaps G. Of the narrow ones, those that close
    something are C (c in ASCII), that open something O, gaps s, line ends n, letters a, hyphens themselves, others x.
    """
    wide = is_wide(character)
    if character in _OPENING:
        return "Q" if wide else "O"
    if character in _CLOSING:
        return "P" if wide else "C"
    if character == "\n":
        return "n"
    if character.isspace():
        return "G" if wide else "s"
    if wide:
        return "H"
    if character in _CLOSING_ASCII:
        return "c"
    return "a" if character.isascii() and character.isalpha() else "-" if character == "-" else "x"


class _Kinds(dict[int, str]):
    """The kind of each character, found out once."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = _kind(chr(code))
        return kind


_KINDS = _Kinds()


def kinds(text: str) -> str:
    """A text by kinds of characters, one letter for each."""
    return text.translate(_KINDS)


def holds_han(text: str) -> bool:
    """Whether the East Asian face sets any of it."""
    return not text.isascii() and _HAN.search(kinds(text)) is not None


class SetLine(NamedTuple):
    """One line as it is broken: characters `start` to `end` of the text, its width in em, whether it holds Han."""

    start: int
    end: int
    width: float
    wide: bool


class Measured:
    """A paragraph with the width of each of its characters; breaks itself into lines of any width."""

    def __init__(self, text: str, advances: list[float]) -> None:
        self.text = text
        self._kinds = kinds(text)
        self.wide = _HAN.search(self._kinds) is not None
        self._lengths = [0.0, *accumulate(advances)]
        """Width of the text before each character, in em."""
        self.natural = max(self._lengths[end] - self._lengths[start] for start, end in self._segments())
        """Width of the longest line when nothing but hard breaks ends one, in em."""
        self._cache: dict[float, tuple[SetLine, ...]] = {}

    @cached_property
    def _pieces(self) -> tuple[list[int], list[int], list[float]]:
        """Starts and ends of the pieces, and the width of the text up to each end."""
        spans = [match.span() for match in _PIECE.finditer(self._kinds)]
        return [start for start, _ in spans], [end for _, end in spans], [self._lengths[end] for _, end in spans]

    @cached_property
    def widest(self) -> float:
        """Width of the widest piece, in em: narrower than this, words are broken."""
        starts, _, lengths = self._pieces
        return max((length - self._lengths[start] for start, length in zip(starts, lengths, strict=True)), default=0.0)

    def lines(self, width: float) -> tuple[SetLine, ...]:
        """The lines it takes in `width` em; at least one. A piece wider than the line is broken between characters."""
        if width not in self._cache:
            self._cache[width] = tuple(
                line for start, end in self._segments() for line in self._broken(start, end, width)
            )
        return self._cache[width]

    def _segments(self) -> list[tuple[int, int]]:
        """Start and end of what stands between hard breaks."""
        if "\n" not in self.text:
            return [(0, len(self.text))]
        ends = [match.start() for match in re.finditer("\n", self.text)]
        return list(zip([0, *(end + 1 for end in ends)], [*ends, len(self.text)], strict=True))

    def _line(self, start: int, end: int) -> SetLine:
        wide = self.wide and _HAN.search(self._kinds, start, end) is not None
        return SetLine(start, end, self._lengths[end] - self._lengths[start], wide)

    def _broken(self, start: int, end: int, width: float) -> Iterator[SetLine]:
        lengths = self._lengths
        starts, stops, reaches = ([], [], []) if lengths[end] - lengths[start] <= width else self._pieces
        index, final = bisect_left(starts, start), bisect_left(starts, end)
        if index >= final:
            yield self._line(start, end)
        at = starts[index] if index < final else end
        while index < final:
            limit = lengths[at] + width
            last = bisect_right(reaches, limit, index, final) - 1
            stop = stops[last] if last >= index else max(at + 1, bisect_right(lengths, limit, at + 1) - 1)
            yield self._line(at, stop)
            index = max(last, index)
            if stop >= stops[index]:
                index += 1
                stop = starts[index] if index < final else stop
            at = stop

    def cut(self, offset: int) -> tuple[Measured, Measured]:
        """The paragraph before and after a character."""
        advances = [after - before for before, after in pairwise(self._lengths)]
        return Measured(self.text[:offset], advances[:offset]), Measured(self.text[offset:], advances[offset:])


def measure(runs: tuple[Run, ...], metrics: Metrics, *, bold: bool = False) -> Measured:
    """Runs as a measured paragraph; `bold` is laid over each run's own style, as in titles and header rows."""
    text = "".join(run.text for run in runs)
    chinese = holds_han(text)
    advances: list[float] = []
    for run in runs:
        style, end = run.style, len(advances) + len(run.text)
        widths = metrics.advances(
            run.text, bold=bold or style.bold, code=style.code, east_asian=chinese, after=text[end : end + 1]
        )
        advances += [SCRIPT_SCALE * width for width in widths] if style.baseline else widths
    return Measured(text, advances)


def lines_height(lines: Iterable[SetLine], metrics: Metrics) -> float:
    """Height of set lines in em, spare included: each as high as the larger of its faces."""
    tall = max(metrics.east_asian_line_height, metrics.line_height)
    return SPARE * sum(tall if line.wide else metrics.line_height for line in lines)


def line_text(measured: Measured, line: SetLine) -> str:
    """What stands on a line."""
    return measured.text[line.start : line.end]


def cut(runs: tuple[Run, ...], offset: int) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Runs before and after a character offset."""
    head: list[Run] = []
    tail: list[Run] = []
    for run in runs:
        if offset >= len(run.text):
            head.append(run)
        elif offset <= 0:
            tail.append(run)
        else:
            head.append(Run(run.text[:offset], run.style))
            tail.append(Run(run.text[offset:], run.style))
        offset -= len(run.text)
    return tuple(head), tuple(tail)
