"""Listings coloured once and kept beside the lesson, so that an unchanged listing does not even load Pygments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from deck_builder.cache import kept, key_of
from deck_builder.elements import code
from deck_builder.elements.code import Span, coloured
from deck_builder.values import dataclass

PACKAGES = ("pygments",)
CODE = (Path(code.__file__),)


@dataclass(frozen=True, slots=True)
class Listings:
    """Coloured listings, kept in `folder/listings`; without a folder nothing is kept."""

    folder: Path | None = None

    def lines(self, text: str, language: str, before: str = "") -> Sequence[Sequence[Span]]:
        """The coloured lines of a listing. `before` comes first and is not shown: a string may have begun there."""
        whole = f"{before}\n{text}" if before else text
        content = kept(
            self.folder,
            "listings",
            key_of([whole, language], CODE, PACKAGES),
            lambda: json.dumps(coloured(whole, language), ensure_ascii=False).encode(),
        )
        lines = [[Span(*span) for span in line] for line in json.loads(content)]
        return lines[before.count("\n") + 1 if before else 0 :]
