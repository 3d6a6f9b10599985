"""The tool's own part in a result, as digests: what draws, and the style that figures start from."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from deck_builder.cache import digest_of
from deck_builder.paths import templates

PACKAGE = Path(__file__).parents[1]
ROOMS = ("drawing", "elements", "formulas", "theming")


class Tool:
    """The part of the tool that figures and drawings depend on."""

    @cached_property
    def style(self) -> str:
        """A digest of the look that figures start from."""
        return _digest([PACKAGE / "drawing" / "style.py"])

    @cached_property
    def picture(self) -> str:
        """A digest of all that turns a figure into a file of its own."""
        style = [PACKAGE / "drawing" / "style.py", templates() / "lecture.mplstyle"]
        return _digest([PACKAGE / "drawing" / "files.py", *style, *_fonts()])

    @cached_property
    def drawing(self) -> str:
        """A digest of all that turns a figure into shapes."""
        rooms = [path for room in ROOMS for path in sorted((PACKAGE / room).glob("*.py"))]
        return _digest([*rooms, *_fonts()])


def _fonts() -> list[Path]:
    return sorted((templates() / "fonts").glob("*.*"))


def _digest(paths: list[Path]) -> str:
    return digest_of(paths)[:32]
