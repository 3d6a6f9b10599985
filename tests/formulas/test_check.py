"""Formulas are read before anything is laid out; the same ones once, with a cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from deck_builder.errors import DeckErrors
from deck_builder.formulas import check
from deck_builder.formulas.check import check_formulas
from deck_builder.model import Deck, Equation, Math, Paragraph, Settings, Slide, Source


def deck(*formulas: str, display: str = "x", **macros: str) -> Deck:
    blocks = tuple(Paragraph((Math(tex),), source=Source("a.md", line)) for line, tex in enumerate(formulas, 1))
    return Deck(Settings(macros=macros), (Slide("content", (), (*blocks, Equation(display))),))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Formulas that are read, as it happens."""
    found: list[str] = []
    mathml = check.mathml

    def noted(tex: str, **options: object) -> str:
        found.append(tex)
        return mathml(tex, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(check, "mathml", noted)
    return found


def test_every_mistake_is_told_with_its_line() -> None:
    with pytest.raises(DeckErrors) as caught:
        check_formulas(deck("a", r"\frac{1}", r"\alpah"))
    assert [line.partition(": ")[0] for line in caught.value.lines()] == ["a.md:2", "a.md:3"]


def test_the_same_formulas_are_read_once(tmp_path: Path, read: list[str]) -> None:
    for _ in range(2):
        check_formulas(deck("a", "b"), tmp_path)
    assert read == ["a", "b", "x"]
    check_formulas(deck("b", "a"), tmp_path)
    assert read == ["a", "b", "x"], "in any order"


@pytest.mark.parametrize("other", [deck("a", "c"), deck("a", "b", display="b"), deck("a", "b", v="w")])
def test_other_formulas_or_macros_are_read(tmp_path: Path, read: list[str], other: Deck) -> None:
    check_formulas(deck("a", "b"), tmp_path)
    read.clear()
    check_formulas(other, tmp_path)
    assert read


def test_mistakes_are_never_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(DeckErrors):
            check_formulas(deck(r"\frac{1}"), tmp_path)
    with pytest.raises(DeckErrors):
        check_formulas(deck("a", v=r"\v", display=r"\v"), tmp_path)


def test_an_edited_reader_reads_again(tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    check_formulas(deck("a"), tmp_path)
    rule = tmp_path / "rule.py"
    rule.write_text("# another rule")
    monkeypatch.setattr(check, "CODE", (*check.CODE, rule))
    read.clear()
    check_formulas(deck("a"), tmp_path)
    assert read == ["a", "x"]
