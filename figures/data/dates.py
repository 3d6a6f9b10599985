"""Dates written out in English, French and German, and the same dates in Chinese, from the Unicode CLDR data in Babel.

The Chinese order (year, month, day, weekday) turns the sentence round, so an alignment of the two is not a diagonal.
Both sides are formatted field by field: which characters belong together is known, not guessed. The units 年, 月 and 日
stand in the pattern, not in the source, so they come from nowhere.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import torch
from babel.dates import DateTimeFormat, get_date_format, tokenize_pattern

from figures.data.pairs import Pair

LANGUAGES = ("en", "fr", "de")
FIRST_DAY = datetime.date(1600, 1, 1)
LAST_DAY = datetime.date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a formatted date, and the field that it shows: `y`, `M`, `d`, `E`, or "" for literal text."""

    text: str
    field: str


def date_pairs(count: int, seed: int) -> tuple[Pair, ...]:
    """`count` different dates between 1600 and 2199, each in one of three languages and in Chinese."""
    generator = torch.Generator().manual_seed(seed)
    days = (LAST_DAY - FIRST_DAY).days + 1
    chosen = torch.randperm(days, generator=generator)[:count].tolist()
    languages = torch.randint(len(LANGUAGES), (count,), generator=generator).tolist()
    return tuple(
        date_pair(FIRST_DAY + datetime.timedelta(day), LANGUAGES[language])
        for day, language in zip(chosen, languages, strict=True)
    )


def date_pair(day: datetime.date, language: str) -> Pair:
    """One date in `language` and in Chinese; a word is one token, so is each digit and each Chinese unit."""
    source = [(token, piece) for piece in pieces(day, language) for token in tokens(piece)]
    target = [(token, piece) for piece in pieces(day, "zh") for token in tokens(piece)]
    places: dict[str, list[int]] = {}
    for position, (_, piece) in enumerate(source):
        places.setdefault(piece.field, []).append(position)
    gold: list[tuple[int, ...]] = []
    used = dict.fromkeys("yMdE", 0)
    for _, piece in target:
        if not piece.field:
            gold.append(())
            continue
        own, nth = places[piece.field], used[piece.field]
        gold.append((own[nth],) if len(own) > 1 else (own[0],))  # digit from digit, name from name
        used[piece.field] = nth + 1
    return Pair(tuple(t for t, _ in source), tuple(t for t, _ in target), tuple(gold), language)


def pieces(day: datetime.date, language: str) -> list[Piece]:
    """The full date of CLDR in `language`, cut where its pattern is."""
    formatted = DateTimeFormat(day, language)
    found: list[Piece] = []
    for _, content in tokenize_pattern(get_date_format("full", language).pattern):
        if not isinstance(content, str):
            letter, width = content
            found.append(Piece(formatted[letter * width], letter))
        else:
            found.append(Piece(content, ""))
    return found


def tokens(piece: Piece) -> list[str]:
    """Digits one by one; a word, a mark or a Chinese unit whole; white space is dropped."""
    text = piece.text.strip()
    if text.isdigit():
        return list(text)
    return [text] if text else []
