"""The few words that layout adds, in the deck's language."""

from __future__ import annotations

from typing import Final

CALLOUTS: Final = {
    "note": ("注意", "Note"),
    "tip": ("提示", "Tip"),
    "warning": ("警告", "Warning"),
    "caution": ("小心", "Caution"),
    "important": ("重要", "Important"),
}


def callout_title(kind: str, *, chinese: bool) -> str:
    """The title of a callout that has none of its own."""
    return CALLOUTS.get(kind, (kind, kind.capitalize()))[not chinese]


def caption_label(kind: str, number: int | None, *, chinese: bool, caption: bool) -> str:
    """What stands before a caption: "图 4  " or "Figure 4: ", nothing without a number."""
    if number is None:
        return ""
    if chinese:
        return f"{'图' if kind == 'figure' else '表'} {number}{'  ' if caption else ''}"
    return f"{kind.capitalize()} {number}{': ' if caption else ''}"


def agenda_title(*, chinese: bool) -> str:
    """The title of the agenda slide."""
    return "目录" if chinese else "Outline"
