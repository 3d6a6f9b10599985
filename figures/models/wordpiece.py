"""WordPiece as BERT reads text: clean, lower case, split at spaces and marks, then the longest known pieces.

Devlin et al. 2019, arXiv:1810.04805; the segmentation is the greedy one of Wu et al. 2016, arXiv:1609.08144.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

UNKNOWN = "[UNK]"
START, END = "[CLS]", "[SEP]"
LONGEST = 100
"""Words of more characters are not looked at."""
IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class UnknownPieces(ValueError):
    """A text that the vocabulary does not cover: what a model does with it says nothing about the text."""


@dataclass(frozen=True, slots=True)
class WordPiece:
    """A vocabulary of lower-case pieces; those that go on inside a word begin with `##`."""

    numbers: Mapping[str, int]

    @classmethod
    def of_file(cls, path: Path) -> WordPiece:
        """One piece a line; its number is that of its line, from 0 on."""
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        return cls({piece: number for number, piece in enumerate(lines)})

    def split(self, text: str) -> tuple[str, ...]:
        """The pieces of a text; a word without any is one `[UNK]`."""
        return tuple(piece for word in basic_words(text) for piece in self._pieces(word))

    def unknown_share(self, text: str) -> float:
        """The share of `[UNK]` among the pieces of a text, 0 for an empty one."""
        pieces = self.split(text)
        return pieces.count(UNKNOWN) / max(len(pieces), 1)

    def read(self, text: str) -> tuple[str, ...]:
        """The pieces of a text between `[CLS]` and `[SEP]`; UnknownPieces if any is `[UNK]`."""
        pieces = self.split(text)
        unknown = pieces.count(UNKNOWN)
        if unknown:
            raise UnknownPieces(
                f"{unknown} of the {len(pieces)} pieces of “{text}” are {UNKNOWN}: to the model they are all the same, "
                "so its weights say nothing about this text; take a model that was trained on its language"
            )
        return (START, *pieces, END)

    def encode(self, pieces: Sequence[str]) -> list[int]:
        """The numbers of known pieces."""
        return [self.numbers[piece] for piece in pieces]

    def _pieces(self, word: str) -> list[str]:
        found: list[str] = []
        start = 0
        while start < len(word):
            inside = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if inside + word[start:end] in self.numbers), None)
            if end is None or len(word) > LONGEST:
                return [UNKNOWN]
            found.append(inside + word[start:end])
            start = end
        return found


def basic_words(text: str) -> list[str]:
    """Lower-case words without accents; every mark and every Han character is a word of its own."""
    spaced = "".join(_spaced(text)).lower()
    plain = "".join(one for one in unicodedata.normalize("NFD", spaced) if unicodedata.category(one) != "Mn")
    return "".join(f" {one} " if is_mark(one) else one for one in plain).split()


def _spaced(text: str) -> Iterator[str]:
    for one in text:
        if one.isspace():
            yield " "
        elif one == "\ufffd" or unicodedata.category(one).startswith("C"):
            continue
        else:
            yield f" {one} " if any(low <= ord(one) <= high for low, high in IDEOGRAPHS) else one


def is_mark(character: str) -> bool:
    """Punctuation, and every visible sign of ASCII that is neither letter nor digit."""
    ascii_sign = character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    return ascii_sign or unicodedata.category(character).startswith("P")
