"""Emphasis beside Chinese, Japanese and Korean text: `**重点：**内容`, `**“引号”**后`.

CommonMark lets punctuation next to `*` decide whether it opens or closes, which fails where no spaces stand between
words. The rules here are the "CJK-friendly amendments" to CommonMark 0.31 (issue commonmark/commonmark-spec#650): only
punctuation that is not itself CJK counts, and a CJK neighbour counts like a space.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

_SPACE = frozenset(" \t\n\x0b\x0c\r\u00a0\u1680\u202f\u205f\u3000") | {chr(code) for code in range(0x2000, 0x200B)}
_VARIATION = range(0xFE00, 0xFE0F)
_IDEOGRAPHIC_VARIATION = range(0xE0100, 0xE01F0)
_QUOTES = frozenset("‘’“”")


class _Kind(NamedTuple):
    space: bool
    punctuation: bool
    cjk: bool


@lru_cache(maxsize=4096)
def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean: wide, full- or half-width, or Hangul, but no emoji."""
    code = ord(character)
    if code < 0x1100:
        return False
    if unicodedata.east_asian_width(character) in "WFH":
        symbol = unicodedata.category(character)[0] == "S"
        return not (symbol and (0x2300 <= code < 0x2E80 or code >= 0x1F000))
    return 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FB


@lru_cache(maxsize=4096)
def _kind(character: str) -> _Kind:
    punctuation = unicodedata.category(character)[0] in "PS"
    return _Kind(character in _SPACE, punctuation, is_cjk(character))


def _before(text: str, start: int) -> _Kind:
    """The character before a delimiter run; a variation selector belongs to what it varies."""
    if start == 0:
        return _Kind(True, False, False)
    last = text[start - 1]
    if ord(last) in _IDEOGRAPHIC_VARIATION:
        return _Kind(False, False, True)
    if ord(last) in _VARIATION and start > 1 and not _kind(text[start - 2]).space:
        varied = _kind(text[start - 2])
        fullwidth_quote = last == "\ufe01" and text[start - 2] in _QUOTES
        return varied._replace(cjk=varied.cjk or fullwidth_quote)
    return _kind(last)


def _flanks(text: str, start: int, end: int, maximum: int) -> tuple[bool, bool]:
    """Whether the delimiter run `text[start:end]` can open and can close emphasis."""
    before = _before(text, start)
    after = _kind(text[end]) if end < maximum else _Kind(True, False, False)
    either_cjk = before.cjk or after.cjk
    left = not after.space and (not after.punctuation or before.space or before.punctuation or either_cjk)
    right = not before.space and (not before.punctuation or after.space or after.punctuation or either_cjk)
    if text[start] == "*":
        return left, right
    return left and (not right or before.punctuation), right and (not left or after.punctuation)


def emphasis(state: StateInline, silent: bool) -> bool:
    """Rule for `*` and `_`: each marker becomes a text token and an entry among the delimiters."""
    if silent:
        return False
    start = state.pos
    marker = state.src[start]
    end = start
    while end < state.posMax and state.src[end] == marker:
        end += 1
    can_open, can_close = _flanks(state.src, start, end, state.posMax)
    for _ in range(end - start):
        token = state.push("text", "", 0)
        token.content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=end - start,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open,
                close=can_close,
            )
        )
    state.pos = end
    return True
