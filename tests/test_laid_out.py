"""Slides that are not laid out again: the same pages as without a cache, whatever changes between two builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT

from deck_builder import laid_out, layout
from deck_builder.formulas import Formulas
from deck_builder.layout import lay_out, slides
from deck_builder.model import Deck, FigureCall, Run, Slide, SnippetCall, TableCall
from deck_builder.numbering import number
from deck_builder.pages import Pages
from deck_builder.pictures import Picture, images
from deck_builder.plain import whole
from deck_builder.reading import read
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Theme
from deck_builder.values import replace
from deck_builder.walk import walk

THEME = read_theme()
LESSON = r"""---
title: A lecture
lang: en-US
macros: {vec: '\mathbf{#1}'}
---

# Part

## Lists {#lists}

1. one with $\vec{x}_i$
2. **two**, see [tables](#tables)

[^1]: A foot.

A sentence.[^1]

## Listing

```python {.numberLines startFrom=3}
x = 1
y = 2
```

> quoted

## Tables {#tables background-color="#ffeeaa"}

| a | b |
|--:|---|
| 1 | 2 |

: Numbers {#tbl-a}

$$\frac{1}{2}$$ {#eq-half}

::: notes
Say it.
:::

## Picture

![A picture](a.png){width=50%}

***

## Long

LONG
"""


def lesson(folder: Path, text: str = LESSON) -> Deck:
    path = folder / "lesson.md"
    path.write_text(text.replace("LONG", "\n".join(f"- point {n} of many words and more" for n in range(60))), "utf-8")
    return number(read(path))


def laid(deck: Deck, folder: Path | None, theme: Theme = THEME, width: int = 40) -> Pages:
    """The pages, slides kept in a folder."""
    pictures = {image.path: Picture(width, 30) for slide in deck.slides for image in images(slide.blocks)}
    formulas = Formulas(deck.settings.macros, lang=deck.settings.lang)
    if folder is None:
        return lay_out(deck, theme, formulas, pictures)
    keep = laid_out.keeper(folder, deck.settings, theme, formulas, pictures)
    return lay_out(deck, theme, formulas, pictures, keep)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of the slides that are laid out, as it happens."""
    titles: list[str] = []

    def noted(slide: Slide, *others: object) -> object:
        titles.append("".join(inline.text for inline in slide.title if isinstance(inline, Run)))
        return content_pages(slide, *others)

    content_pages: Callable[..., object] = slides.content_pages
    monkeypatch.setattr(layout, "content_pages", noted)
    return titles


ALL = ["Lists", "Listing", "Tables", "Picture", "Long"]


def test_layouts_from_the_cache_are_the_same_to_the_last_field(tmp_path: Path, made: list[str]) -> None:
    deck = lesson(tmp_path)
    plain = laid(deck, None)
    assert plain.fitted
    made.clear()
    assert whole(laid(deck, tmp_path / "cache")) == whole(plain)
    assert made == ALL
    assert whole(laid(deck, tmp_path / "cache")) == whole(plain)
    assert made == ALL, "the second time nothing is laid out"


def with_figures(slide: Slide) -> bool:
    return any(isinstance(block, FigureCall | TableCall | SnippetCall) for block in walk(slide.blocks))


@pytest.mark.parametrize("name", ["blocks", "code", "images", "inline", "tables"])
def test_layouts_of_every_construct_come_back_whole(tmp_path: Path, name: str) -> None:
    deck = read(ROOT / "tests" / "cases" / f"{name}.md")
    deck = number(replace(deck, slides=tuple(slide for slide in deck.slides if not with_figures(slide))))
    plain = laid(deck, None)
    for _ in range(2):
        assert whole(laid(deck, tmp_path)) == whole(plain)


CHANGES: dict[str, tuple[list[str], Callable[[str], str]]] = {
    "a word": (["Lists"], lambda text: text.replace("**two**", "**too**")),
    "a line more": (ALL, lambda text: text.replace("1. one", "\n1. one")),
    "notes": (["Tables"], lambda text: text.replace("Say it", "Say that")),
    "a macro": (ALL, lambda text: text.replace("mathbf", "mathsf")),
    "the footer": (ALL, lambda text: text.replace("lang:", "footer: left\nlang:")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_laid_out_and_nothing_else(tmp_path: Path, made: list[str], change: str) -> None:
    again, edit = CHANGES[change]
    laid(lesson(tmp_path), tmp_path / "cache")
    deck = lesson(tmp_path, edit(LESSON))
    plain = laid(deck, None)
    made.clear()
    assert whole(laid(deck, tmp_path / "cache")) == whole(plain)
    assert made == again


def test_another_theme_or_size_of_a_picture_is_another_layout(tmp_path: Path, made: list[str]) -> None:
    deck = lesson(tmp_path)
    laid(deck, tmp_path / "cache")
    wider = laid(deck, None, width=300)
    made.clear()
    assert whole(laid(deck, tmp_path / "cache", width=300)) == whole(wider)
    assert made == ["Picture"]
    theme = replace(THEME, sizes=replace(THEME.sizes, body=(14.0, 12.0)))
    smaller = laid(deck, None, theme)
    made.clear()
    assert whole(laid(deck, tmp_path / "cache", theme)) == whole(smaller)
    assert made == ALL


def test_edited_layout_code_lays_everything_out_again(
    tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = lesson(tmp_path)
    laid(deck, tmp_path / "cache")
    rule = tmp_path / "rule.py"
    rule.write_text("# another rule")
    sources = (*laid_out.sources(), rule)
    monkeypatch.setattr(laid_out, "sources", lambda: sources)
    made.clear()
    laid(deck, tmp_path / "cache")
    assert made == ALL


def test_everything_that_lays_out_counts() -> None:
    names = {f"{path.parent.name}/{path.name}" for path in laid_out.sources()}
    wanted = {"layout/flow.py", "theming/metrics.py", "formulas/extent.py", "deck_builder/pages.py"}
    assert wanted <= names
    assert any(path.name == "metrics.json" for path in laid_out.sources())


def test_damaged_layouts_are_made_again(tmp_path: Path, made: list[str]) -> None:
    deck = lesson(tmp_path)
    plain = laid(deck, tmp_path / "cache")
    for entry in (tmp_path / "cache" / laid_out.KIND).iterdir():
        entry.write_bytes(entry.read_bytes()[:-2])
    made.clear()
    assert whole(laid(deck, tmp_path / "cache")) == whole(plain)
    assert made == ALL


def test_kept_layouts_hold_no_path_of_the_machine(tmp_path: Path) -> None:
    deck = lesson(tmp_path)
    laid(deck, tmp_path / "cache")
    assert deck.slides[1].source.path in whole(laid(deck, tmp_path / "cache"))
    assert str(tmp_path / "a.png") in whole(laid(deck, tmp_path / "cache"))
    for entry in (tmp_path / "cache" / laid_out.KIND).iterdir():
        assert tmp_path.name not in entry.read_text("utf-8")
