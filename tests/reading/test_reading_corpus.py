"""Real decks read without an error, and nothing of their markup stands on a slide unreported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from deck_builder.errors import DeckError
from deck_builder.model import Code, Deck, Run
from deck_builder.reading import read

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
READ = ["parsiad-transformers", "elte-seq2seq", "elte-transformers", "monatis-mlprojects", "tidymodels-intro"]
REFUSED = {"ursho-pytorch-slidev": "Slidev", "kaisugi-academic-marp": "Marp"}
MARKUP = re.compile(r":::|\{\.|\{#|\{=|\$\$|\[@[\w:-]+|\. \. \.|\{\{<|^#{1,6} |\+---|#\|")

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus of real decks")


def deck_file(name: str) -> Path:
    return next(path for path in sorted((CORPUS / name).iterdir()) if path.suffix in (".md", ".qmd"))


def texts(value: object) -> Iterator[str]:
    """Every text a slide shows as prose; listings are meant to show markup."""
    if isinstance(value, Run):
        yield value.text
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)
    elif is_dataclass(value) and not isinstance(value, Code):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def unreported(deck: Deck) -> list[str]:
    messages = " ".join(notice.message for notice in deck.notices)
    found = [match[0].removeprefix("[") for text in texts(deck.slides) for match in MARKUP.finditer(text)]
    return [markup for markup in found if markup not in messages]


@pytest.mark.parametrize("name", READ)
def test_a_real_deck_reads_and_shows_no_markup_unreported(name: str) -> None:
    deck = read(deck_file(name))
    assert len(deck.slides) >= 14
    assert unreported(deck) == []
    assert all(slide.title for slide in deck.slides)


@pytest.mark.parametrize(("name", "tool"), list(REFUSED.items()))
def test_a_deck_of_another_tool_is_refused_in_one_line(name: str, tool: str) -> None:
    with pytest.raises(DeckError, match=f"this is a {tool} deck") as caught:
        read(deck_file(name))
    assert len(caught.value.lines()) == 1


def test_grid_tables_formulas_and_columns_of_a_real_deck_arrive() -> None:
    deck = read(deck_file("elte-transformers"))
    kinds = [type(block).__name__ for slide in deck.slides for block in slide.blocks]
    assert kinds.count("Table") == 4
    assert kinds.count("Columns") >= 5
    assert kinds.count("Equation") >= 6
