"""汉字 → 拼音: the phrases of pypinyin, each character with its reading. The order is kept: a staircase alignment."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

import torch
from torch import Generator

from figures.data.pairs import Pair

Phrase = tuple[str, tuple[str, ...]]


def frequent_phrases(characters: int) -> tuple[Phrase, ...]:
    """All phrases written with the `characters` commonest characters of the dictionary, one syllable for each.

    Common means: in most phrases. Ties are broken by code point, so the choice is the same everywhere.
    """
    from pypinyin.phrases_dict import phrases_dict

    read = {phrase: tuple(readings[0] for readings in found) for phrase, found in phrases_dict.items()}
    read = {phrase: syllables for phrase, syllables in read.items() if len(phrase) == len(syllables)}
    counts = Counter(character for phrase in read for character in phrase)
    common = set(sorted(counts, key=lambda character: (-counts[character], character))[:characters])
    return tuple(sorted((phrase, syllables) for phrase, syllables in read.items() if common.issuperset(phrase)))


def chain(phrases: Sequence[Phrase], length: int, generator: Generator) -> Pair:
    """Phrases drawn one after the other, cut at `length` characters; one syllable with its tone for each character."""
    characters: list[str] = []
    syllables: list[str] = []
    while len(characters) < length:
        phrase, reading = phrases[int(torch.randint(len(phrases), (), generator=generator))]
        characters += phrase
        syllables += reading
    gold = tuple((position,) for position in range(length))
    return Pair(tuple(characters[:length]), tuple(syllables[:length]), gold)


def spelt(phrase: Phrase) -> Pair:
    """A phrase and its pinyin letter by letter, without tones: each letter comes from one character."""
    text, reading = phrase
    spelling = ["".join(c for c in unicodedata.normalize("NFD", s) if not is_tone(c)) for s in reading]
    letters = tuple(unicodedata.normalize("NFC", "".join(spelling)))
    gold = tuple((i,) for i, syllable in enumerate(spelling) for _ in unicodedata.normalize("NFC", syllable))
    return Pair(tuple(text), letters, gold)


def is_tone(character: str) -> bool:
    """A combining tone mark (macron, acute, caron, grave); the diaeresis of ü is none."""
    return character in "\u0304\u0301\u030c\u0300"
