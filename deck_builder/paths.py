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
