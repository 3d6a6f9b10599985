"""Characters of mathematics as faces for prose have them: operators, accents, small letters."""

from __future__ import annotations

import unicodedata
from types import MappingProxyType

PROSE = MappingProxyType(
    {
        "⋅": "·",
        "∗": "*",
        "⋯": "…",
        "∼": "~",
        "∣": "|",
        "∥": "‖",
        "∖": "\\",
        "⟂": "⊥",
        "⊺": "⊤",
        "∙": "•",
        "\u2061": "",
        "\u2062": "",
        "\u2063": "",
        "\u200b": "",
    }
)
"""Characters of mathematics → those that faces for prose have and that say the same."""

MARKS = MappingProxyType(
    {
        "ˆ": "\u0302",
        "˜": "\u0303",
        "¯": "\u0304",
        "_": "\u0332",
        "˘": "\u0306",
        "˙": "\u0307",
        "¨": "\u0308",
        "⃛": "\u20db",
        "˚": "\u030a",
        "ˇ": "\u030c",
        "´": "\u0301",
        "`": "\u0300",
        "\u20d7": "\u20d7",
        "→": "\u20d7",
        "←": "\u20d6",
        "↔": "\u20e1",
    }
)
"""Accents as they stand alone → as they combine with the letter before them."""

_SUBSCRIPTS = dict(zip("0123456789+−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
_SUPERSCRIPTS = dict(
    zip(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθιφχ⊤",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᵠᵡᵀ",
        strict=True,
    )
)


def small(text: str, direction: int) -> str | None:
    """`text` in Unicode's subscript (-1) or superscript (1) characters; None where one is missing."""
    table = _SUBSCRIPTS if direction < 0 else _SUPERSCRIPTS
    return "".join(table[character] for character in text) if all(map(table.__contains__, text)) else None


def accented(text: str, mark: str) -> str | None:
    """`text` with an accent on its letter, or a line along its letters; None for an accent on a whole word."""
    combining = MARKS.get(mark)
    if combining is None or (len(text) > 1 and mark not in "¯_"):
        return None
    combining = "\u0305" if mark == "¯" and len(text) > 1 else combining
    return unicodedata.normalize("NFC", "".join(letter + combining for letter in text))
