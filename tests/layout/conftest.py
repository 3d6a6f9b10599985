"""The shipped theme, formulas without a typesetter, and a deck of one slide laid out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from deck_builder.layout import Sized, lay_out
from deck_builder.model import Block, Deck, Run, Settings, Slide, Source, Style
from deck_builder.pages import Pages
from deck_builder.pictures import Picture
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Theme

TWO_DIMENSIONAL = ("frac", "sum", "begin")


class PlainFormulas:
    """Formulas as their letters: fractions, sums and matrices need two dimensions, all else is text."""

    def runs(self, tex: str, style: Style) -> tuple[Run, ...] | None:
        if any(command in tex for command in TWO_DIMENSIONAL):
            return None
        return (Run(tex, Style(italic=True, bold=style.bold, role=style.role)),)

    def linear(self, tex: str) -> tuple[Run, ...]:
        return (Run(tex.replace("\\", "")),)

    def size(self, tex: str, size_pt: float) -> tuple[float, float]:
        return 0.5 * len(tex) * size_pt, (2.2 if "frac" in tex else 1.2) * size_pt

    def spoken(self, tex: str) -> str:
        return f"formula {tex}"


@pytest.fixture(scope="session")
def theme() -> Theme:
    return read_theme()


@pytest.fixture(scope="session")
def formulas() -> PlainFormulas:
    return PlainFormulas()


LayOut = Callable[..., Pages]


@pytest.fixture
def set_slide(theme: Theme, formulas: PlainFormulas) -> LayOut:
    """Lay out one content slide of the given blocks; keywords go to the slide, `settings` and `pictures` beside."""

    def lay(
        *blocks: Block,
        title: str = "标题",
        settings: Settings | None = None,
        pictures: Mapping[str, Sized] | None = None,
        **fields: object,
    ) -> Pages:
        slide = Slide("content", (Run(title),), blocks, source=Source("a.md", 3), **fields)  # type: ignore[arg-type]
        deck = Deck(settings or Settings(lang="zh-CN"), (slide,))
        return lay_out(deck, theme, formulas, pictures or {"p.png": Picture(800, 600)})

    return lay
