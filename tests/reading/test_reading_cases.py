"""Golden cases: a title, Markdown, and the deck or the errors it must give, side by side in `tests/cases/*.md`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from deck_builder.errors import DeckError
from deck_builder.model import Deck
from deck_builder.reading import read


class Case(NamedTuple):
    title: str
    markdown: str
    expected: str


def cases() -> Iterator[object]:
    for file in sorted((Path(__file__).parents[1] / "cases").glob("*.md")):
        parts = file.read_text(encoding="utf-8").split("\n.\n")[:-1]
        for title, markdown, expected in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            case = Case(title.strip(), markdown, expected)
            yield pytest.param(case, id=f"{file.stem}: {case.title}")


@pytest.mark.parametrize("case", list(cases()))
def test_a_case_reads_as_written_beside_it(case: Case, folder: Path, dump: Callable[[Deck], str]) -> None:
    (folder / "a.md").write_text(case.markdown + "\n", encoding="utf-8")
    try:
        found = dump(read(folder))
    except DeckError as error:
        found = "".join(f"error {line}\n" for line in error.lines())
    assert found == case.expected + "\n"


def test_there_are_cases() -> None:
    assert len(list(cases())) > 60
