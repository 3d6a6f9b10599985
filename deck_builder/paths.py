"""Where the files that ship with the tool are."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def templates() -> Path:
    """The folder of templates, fonts and metrics: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


@cache
def code(*rooms: str) -> tuple[Path, ...]:
    """The source of these rooms, and of the values and helpers that all rooms share."""
    package = Path(__file__).resolve().parent
    folders = (package, *(package / room for room in rooms))
    return tuple(path for folder in folders for path in sorted(folder.glob("*.py")))
