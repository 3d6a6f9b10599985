"""Slides laid out once: while a slide and what it is laid out by stay as they are, its pages come out of the cache."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from deck_builder import model, pages
from deck_builder.cache import kept, key_of
from deck_builder.layout import Keep, LaidOut
from deck_builder.model import Settings, Slide
from deck_builder.paths import code, templates
from deck_builder.pictures import Pictures, images
from deck_builder.plain import as_json, compared, from_json, whole
from deck_builder.theming.theme import Theme

KIND = "layouts"
PACKAGES = ("lxml", "math_core")
ROOMS = ("elements", "formulas", "layout", "theming")
SIGN = "\0"
"""JSON never holds it."""
CLASSES = {
    cls.__name__: cls
    for cls in (
        *(LaidOut, model.Notice, model.Source, model.Run, model.Style),
        *(pages.Page, pages.Line, pages.Frame, pages.TextBox, pages.CodeBox, pages.TableBox, pages.EquationBox),
        *(pages.PictureBox, pages.DrawingBox, pages.RuleBox),
    )
}
"""What the layout of a slide is made of."""


def keeper(folder: Path, settings: Settings, theme: Theme, formulas: object, pictures: Pictures) -> Keep:
    """What gives the kept layout of a slide of this deck, or makes and keeps it in `folder`."""
    shared = compared([settings, theme, formulas])
    made_by = sources()

    def keep(slide: Slide, make: Callable[[], LaidOut]) -> LaidOut:
        shown = [image.path for image in images(slide.blocks)]
        sizes = [(pictures[path].width, pictures[path].height) for path in shown]
        paths = [slide.source.path, *shown]
        key = key_of([whole(slide), shared, sizes], made_by, PACKAGES)
        content = kept(folder, KIND, key, lambda: _without(paths, as_json(make())).encode())
        found: LaidOut = from_json(_with(paths, content.decode()), CLASSES)
        return found

    return keep


def _without(paths: list[str], text: str) -> str:
    """JSON in which numbers stand for paths of the lesson and its pictures, which are those of one machine."""
    for number, path in enumerate(paths):
        text = text.replace(json.dumps(path, ensure_ascii=False), f"{SIGN}{number}{SIGN}")
    return text


def _with(paths: list[str], text: str) -> str:
    """JSON as it was before `_without`."""
    for number, path in enumerate(paths):
        text = text.replace(f"{SIGN}{number}{SIGN}", json.dumps(path, ensure_ascii=False))
    return text


def sources() -> tuple[Path, ...]:
    """What lays slides out, and the widths of text."""
    return (*code(*ROOMS), templates() / "metrics.json")
