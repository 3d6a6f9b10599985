"""The words of a figure in the language of its deck: Chinese first, English beside it."""

from __future__ import annotations

from collections.abc import Mapping

Wording = Mapping[str, tuple[str, str]]
"""Each phrase by its name: Chinese, English."""


def words(wording: Wording, lang: str) -> dict[str, str]:
    """The phrases in English where `lang` is English (`en`, `en-GB`, …), else in Chinese."""
    column = 1 if lang.lower().startswith("en") else 0
    return {name: phrase[column] for name, phrase in wording.items()}
