"""Identifiers made from titles, as pandoc makes them (manual, "auto_identifiers"), unique in the deck."""

from __future__ import annotations

import re

from deck_builder.model import Source
from deck_builder.reading.log import Log
from deck_builder.values import dataclass, field

_DROPPED = re.compile(r"[^\w\s.-]")
_GAP = re.compile(r"\s+")
# Said by what is no letter: Python takes milliseconds to prepare a class that reaches to the end of Unicode.
_LEADING = re.compile("^[\0-@\\[-`{-\u00a9]+")


def from_title(title: str) -> str:
    """Lower case, no punctuation, gaps as hyphens, nothing before the first letter; `section` when nothing is left."""
    lower = "".join(character.lower()[0] for character in title)  # letter by letter: İ becomes i, not i with a dot
    name = _GAP.sub("-", _DROPPED.sub("", lower).strip())
    return _LEADING.sub("", name) or "section"


@dataclass(slots=True)
class Identifiers:
    """The identifiers given so far."""

    taken: dict[str, Source] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """The last number given to a name that repeats."""

    def make(self, title: str, source: Source) -> str:
        """A fresh identifier for a title: `attention`, then `attention-1`."""
        return self._fresh(from_title(title), source)

    def claim(self, identifier: str, source: Source, log: Log) -> str:
        """The author's own identifier; a second use of it is reported and numbered."""
        if identifier in self.taken:
            log.notice(f"`#{identifier}` is already used at {self.taken[identifier]}; links lead there", source)
        return self._fresh(identifier, source)

    def _fresh(self, base: str, source: Source) -> str:
        identifier, number = base, self.numbers.get(base, 0)
        while identifier in self.taken:
            number += 1
            identifier = f"{base}-{number}"
        self.numbers[base] = number
        self.taken[identifier] = source
        return identifier
