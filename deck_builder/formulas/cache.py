"""Pictures of formulas on disk, so that an unchanged deck draws none again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deck_builder.cache import kept, key_of
from deck_builder.formulas import picture
from deck_builder.formulas.conversion import Macros, mathml
from deck_builder.formulas.extent import size
from deck_builder.model import EMPTY
from deck_builder.values import dataclass

PACKAGES = ("ziamath", "ziafont", "resvg_py")
CODE = tuple(Path(__file__).with_name(name) for name in ("picture.py", "han.py"))


@dataclass(frozen=True, slots=True)
class FormulaCache:
    """Pictures in `folder/formulas`, found by what they show and what draws them; without a folder nothing is kept."""

    folder: Path | None = None

    def png(
        self,
        tex: str,
        size_pt: float,
        *,
        colour: str = picture.INK,
        macros: Macros = EMPTY,
        palette: Mapping[str, str] = picture.PALETTE,
    ) -> bytes:
        """The formula as PNG, as `picture.png` makes it."""
        markup = mathml(tex, display=True, macros=macros)
        shape = size(tex, size_pt, macros=macros)
        key = key_of([markup, size_pt, shape, colour, sorted(palette.items())], CODE, PACKAGES)
        return kept(
            self.folder,
            "formulas",
            key,
            lambda: picture.png(tex, size_pt, colour=colour, macros=macros, palette=palette),
        )
