"""Pictures of formulas on disk, so that an unchanged deck draws none again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deck_builder.formulas import picture
from deck_builder.formulas.conversion import Macros, mathml
from deck_builder.formulas.extent import size
from deck_builder.model import EMPTY

KIND = "formulas"
_PACKAGES = ("ziamath", "ziafont", "resvg_py")
_DIGEST = 64


@dataclass(frozen=True, slots=True)
class FormulaCache:
    """Pictures in `folder/formulas`, found by what they show and what draws them; without a folder nothing is kept.

    Each is written whole or not at all, begins with a digest of the rest, and is made again where that is not true; two
    builds at once write the same bytes under one name. A folder that cannot be written is as good as none.
    """

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
        if self.folder is None:
            return picture.png(tex, size_pt, colour=colour, macros=macros, palette=palette)
        markup = mathml(tex, display=True, macros=macros)
        shape = size(tex, size_pt, macros=macros)
        place = self.folder / KIND / _key([markup, size_pt, shape, colour, sorted(palette.items())])
        found = _read(place)
        if found is None:
            found = picture.png(tex, size_pt, colour=colour, macros=macros, palette=palette)
            _write(place, found)
        return found


def _key(parts: object) -> str:
    return hashlib.sha256(json.dumps([parts, *_drawn_by()]).encode()).hexdigest()[:40]


@cache
def _drawn_by() -> tuple[str, ...]:
    """What else decides how a picture looks: the code that draws it, the face with Han, the versions of the packages.

    The names of the `dist-info` folders are read because `importlib.metadata` takes longer than all formulas of a deck.
    """
    from importlib.util import find_spec

    here = Path(__file__).resolve().parent
    code = hashlib.sha256(b"".join((here / name).read_bytes() for name in ("picture.py", "han.py")))
    names: set[str] = set()
    for package in _PACKAGES:
        spec = find_spec(package)
        for location in spec.submodule_search_locations or () if spec else ():
            names |= {path.name for path in Path(location).parent.glob(f"{package}-*.dist-info")}
    return (code.hexdigest(), *sorted(names))


def _read(place: Path) -> bytes | None:
    try:
        content = place.read_bytes()
    except OSError:
        return None
    whole = hashlib.sha256(content[_DIGEST:]).hexdigest().encode() == content[:_DIGEST]
    return content[_DIGEST:] if whole else None


def _write(place: Path, png: bytes) -> None:
    import tempfile

    try:
        _make_folder(place.parent)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(hashlib.sha256(png).hexdigest().encode() + png)
            Path(temporary).replace(place)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError:  # a read-only lesson builds uncached; Windows does not replace a file that another build reads
        return


def _make_folder(folder: Path) -> None:
    """The cache's folder ignores itself for git, whichever room makes it first."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder.parent / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
