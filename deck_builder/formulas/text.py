"""TeX → text on one line: inline formulas as runs, alt text and plain text as a string."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from deck_builder.errors import DeckError
from deck_builder.formulas.conversion import FrozenMacros, Macros, freeze, tree
from deck_builder.formulas.rows import BREAKABLE, FIXED, THIN, Piece
from deck_builder.formulas.walker import NeedsTwoDimensions, Walker
from deck_builder.model import EMPTY, PLAIN, Run, Style
from deck_builder.values import replace

SHORT = 24
"""Formulas up to this many characters stay on one line; longer ones may break after a relation."""


def runs(tex: str, *, macros: Macros = EMPTY, style: Style = PLAIN) -> tuple[Run, ...] | None:
    r"""An inline formula as text runs, or None where it needs two dimensions (a matrix, cases, a tall fraction).

    Letters are italic, functions and digits upright, scripts lie on a baseline, √ and / take parentheses where the
    formula would read differently without. `style` (weight, role, link, strike) is that of the surrounding text.
    Raises `DeckError` on TeX that cannot be read.
    """
    pieces = _pieces(tex, freeze(macros))
    return None if pieces is None else tuple(_styled(pieces, style))


def linear(tex: str, *, macros: Macros = EMPTY, style: Style = PLAIN) -> tuple[Run, ...]:
    """Any formula as runs on one line: rows of a matrix or of cases follow one another, set apart by semicolons."""
    pieces = _pieces(tex, freeze(macros))
    return tuple(_styled(_pieces_of_all(tex, freeze(macros)) if pieces is None else pieces, style))


def plain(tex: str, *, macros: Macros = EMPTY) -> str:
    """The formula as plain text with `_` and `^`: `softmax(QK^⊤/√(d_k))V`."""
    items = Walker(flat=True, total=True).row(list(tree(tex, macros=macros)))
    text = "".join(piece.text for item in items for piece in item.pieces)
    return " ".join(text.replace(THIN, " ").split())


def spoken(tex: str, lang: str, *, macros: Macros = EMPTY) -> str:
    """Alt text of a display formula: that it is one, and its plain text; its TeX where that cannot be read."""
    try:
        text = plain(tex, macros=macros)
    except DeckError:
        text = " ".join(tex.split())
    prefix = {"zh": "公式：", "ja": "数式："}.get(lang.split("-")[0].lower(), "Formula: ")
    return prefix + text


# ---------------------------------------------------------------- from pieces to runs


@lru_cache(maxsize=4096)
def _pieces(tex: str, macros: FrozenMacros) -> tuple[Piece, ...] | None:
    try:
        return _laid_out(Walker(), tex, macros)
    except NeedsTwoDimensions:
        return None


def _pieces_of_all(tex: str, macros: FrozenMacros) -> tuple[Piece, ...]:
    return _laid_out(Walker(total=True), tex, macros)


def _laid_out(walker: Walker, tex: str, macros: FrozenMacros) -> tuple[Piece, ...]:
    items = walker.row(list(tree(tex, macros=dict(macros))))
    pieces = [piece for item in items for piece in item.pieces if piece.text]
    if sum(len(piece.text) for piece in pieces) <= SHORT:
        pieces = [replace(piece, text=piece.text.replace(BREAKABLE, FIXED)) for piece in pieces]
    return _trimmed(pieces)


def _trimmed(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Without space at the ends, where the sentence has its own."""
    spaces = FIXED + BREAKABLE + THIN
    trimmed = list(pieces)
    while trimmed and not trimmed[0].text.strip(spaces):
        del trimmed[0]
    while trimmed and not trimmed[-1].text.strip(spaces):
        del trimmed[-1]
    if trimmed:
        trimmed[0] = replace(trimmed[0], text=trimmed[0].text.lstrip(spaces))
        trimmed[-1] = replace(trimmed[-1], text=trimmed[-1].text.rstrip(spaces))
    return tuple(trimmed)


def _styled(pieces: Iterable[Piece], style: Style) -> Iterator[Run]:
    """Runs in the surrounding style, neighbours of one look joined."""
    text, look = "", style
    for piece in pieces:
        own = replace(
            style,
            italic=piece.italic,
            bold=style.bold or piece.bold,
            code=style.code or piece.code,
            baseline=style.baseline or piece.level,
            role=piece.role or style.role,
            colour=piece.colour or style.colour,
            math=True,
        )
        if text and own != look:
            yield Run(text, look)
            text = ""
        look = own
        text += piece.text
    if text:
        yield Run(text, look)
