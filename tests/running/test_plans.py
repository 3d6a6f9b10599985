"""Plans from an earlier build: used while nothing has changed, and never when something has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from deck_builder import paths
from deck_builder.cache import FOLDER, Cache
from deck_builder.errors import DeckError
from deck_builder.model import FigureCall, Settings, SnippetCall, TableCall
from deck_builder.running import reads
from deck_builder.running.places import places_of
from deck_builder.running.plan import Planner
from deck_builder.running.plans import KIND, Plans
from deck_builder.running.tickets import Ticket
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions

Lesson = Callable[[Mapping[str, str]], Path]
Keys = tuple[list[str], list[str]]

FILES = {
    "lab/__init__.py": "",
    "lab/maps.py": """\
import json
from pathlib import Path
from typing import Annotated

from lab.training import train
from lab import ops

TABLE = Path(__file__).parents[1] / "colours.csv"

def heat(model: Annotated[object, train], rows: int = 2):
    return ops.soft(model, rows)

def curve(points: Path):
    return TABLE.read_text(), points.read_text()

def table():
    return ["a"], [[1]], "l"
""",
    "lab/ops.py": "def soft(model, rows):\n    return rows\n\ndef apart():\n    return 1\n",
    "lab/training.py": "def train():\n    return {}\n",
    "colours.csv": "red",
    "content/points.csv": "1,2",
}
CALLS = (
    FigureCall("lab.maps.heat", {"rows": 3}, "heat"),
    FigureCall("lab.maps.curve", {"points": "points.csv"}, "curve"),
    TableCall("lab.maps.table", {}, "table"),
)
SNIPPETS = (SnippetCall("lab.ops.soft"), SnippetCall("lab.ops.soft", "body"))


def plans_of(folder: Path, **settings: object) -> Plans:
    cache = Cache(str(folder / FOLDER))
    return Plans(places_of(folder), cache, Settings(lang="en", **settings), Tool())  # type: ignore[arg-type]


def planned(folder: Path, **settings: object) -> Keys:
    """What a build knows of its calls."""
    made = plans_of(folder, **settings)
    made.prepare(CALLS, SNIPPETS)
    return [str(made.ticket(call)) for call in CALLS], [made.excerpt(snippet) for snippet in SNIPPETS]


def planned_anew(folder: Path, **settings: object) -> Keys:
    """The same without what was kept."""
    made = plans_of(folder, **settings)
    return [str(made.node(call).ticket) for call in CALLS], [made.excerpt(snippet) for snippet in SNIPPETS]


@pytest.fixture
def folder(lesson: Lesson) -> Path:
    return lesson(FILES)


@pytest.fixture
def planners(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the functions that are planned, as it happens."""
    functions: list[str] = []
    node = Planner.node

    def noted(self: Planner, block: FigureCall | TableCall) -> object:
        functions.append(block.function)
        return node(self, block)

    monkeypatch.setattr(Planner, "node", noted)
    return functions


def test_a_plan_is_made_once(folder: Path, planners: list[str]) -> None:
    first = planned(folder)
    assert len(planners) == len(CALLS)
    assert planned(folder) == first == planned_anew(folder)
    assert len(planners) == 2 * len(CALLS), "of the three, the second planned nothing"
    assert "return rows" in first[1][0]


def test_a_kept_plan_looks_into_no_source(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(folder)
    monkeypatch.setattr(Plans, "planner", property(lambda _: pytest.fail("sources were looked into")))
    planned(folder)


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(above: Path) -> None:
        path = above / name
        text = path.read_text() if path.exists() else ""
        assert old in text
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text.replace(old, new) if old else new)

    return change


def another_package(above: Path) -> None:
    for name, text in FILES.items():
        if name.startswith("lab/"):
            edit(f"content/{name}", "", text.replace("return rows", "return -rows"))(above)


CHANGES = {
    "a helper": edit("lab/ops.py", "return rows", "return 2 * rows"),
    "a training": edit("lab/training.py", "{}", "{1: 2}"),
    "a default": edit("lab/maps.py", "rows: int = 2", "rows: int = 4"),
    "a dependency": edit("lab/maps.py", "Annotated[object, train]", "Annotated[object, ops.apart]"),
    "a file that code names": edit("colours.csv", "red", "blue"),
    "the same file nearer by": edit("lab/colours.csv", "", "green"),
    "a file that is an argument": edit("content/points.csv", "1,2", "1,3"),
    "a package in front of another": another_package,
    "a package in the place of a module": edit("lab/ops/__init__.py", "", "def soft(model, rows): return 7"),
    "a package that imports": edit("lab/__init__.py", "", "import lab.ops"),
    "a line of a listing": edit("lab/ops.py", "    return rows", "    # rows\n    return rows"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_planned_anew(folder: Path, planners: list[str], change: str) -> None:
    before = planned(folder)
    CHANGES[change](folder.parent)
    planners.clear()
    after = planned(folder)
    assert planners
    assert after == planned_anew(folder)
    if change not in ("a default", "a package that imports"):
        assert after != before


def test_a_file_that_vanishes_is_missed(folder: Path) -> None:
    planned(folder)
    (folder / "points.csv").unlink()
    with pytest.raises(DeckError, match="no file"):
        planned(folder)


def test_a_function_that_vanishes_is_missed(folder: Path) -> None:
    planned(folder)
    edit("lab/ops.py", "def soft(", "def hard(")(folder.parent)
    with pytest.raises(DeckError, match="soft"):
        planned(folder)


def test_a_lesson_file_with_a_protected_name_is_still_refused(folder: Path) -> None:
    planned(folder)
    (folder / "json.py").write_text("")
    with pytest.raises(DeckError, match="has the name of a module"):
        planned(folder)


def test_text_and_pictures_beside_the_code_plan_nothing_anew(folder: Path, planners: list[str]) -> None:
    planned(folder)
    planners.clear()
    (folder / "02.md").write_text("## More")
    (folder.parent / "deck.pptx").write_bytes(b"")
    (folder.parent / "lab" / "__pycache__").mkdir()
    planned(folder)
    assert planners == []


def test_the_decks_language_and_seed_count(lesson: Lesson, planners: list[str]) -> None:
    folder = lesson(
        {**FILES, "lab/maps.py": FILES["lab/maps.py"].replace("rows: int = 2", "rows: int = 2, seed: int = 0")}
    )
    first = planned(folder, seed=1)
    planners.clear()
    assert planned(folder, seed=2) != first
    assert planners


def test_an_installed_version_counts(folder: Path, planners: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    planned(folder)
    planners.clear()
    monkeypatch.setattr(Versions, "installed", {"numpy": "99"})
    planned(folder)
    assert planners


def test_edited_planning_plans_anew(
    folder: Path, planners: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(folder)
    planners.clear()
    rule = tmp_path / "rule.py"
    rule.write_text("# another rule")
    code = (*paths.code("running"), rule)
    monkeypatch.setattr(paths, "code", lambda *_: code)
    planned(folder)
    assert planners


@pytest.mark.parametrize("damage", [lambda _: b"", lambda old: old[:-1], lambda old: old.replace(b"heat", b"cold")])
def test_a_damaged_plan_is_made_again(folder: Path, planners: list[str], damage: Callable[[bytes], bytes]) -> None:
    first = planned(folder)
    (entry,) = (folder / FOLDER / KIND).iterdir()
    entry.write_bytes(damage(entry.read_bytes()))
    planners.clear()
    assert planned(folder) == first
    assert planners


def test_a_kept_plan_holds_no_path_of_the_machine(folder: Path) -> None:
    planned(folder)
    (entry,) = (folder / FOLDER / KIND).iterdir()
    text = entry.read_text()
    assert folder.parent.name not in text
    assert "lab/ops.py" in text


def test_a_plan_that_read_files_elsewhere_is_not_kept(
    lesson: Lesson, planners: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("data") / "colours.csv"
    outside.write_text("red")
    maps = FILES["lab/maps.py"].replace('"colours.csv"', f'"{outside}"')
    folder = lesson({**FILES, "lab/maps.py": maps})
    first = planned(folder)
    outside.write_text("blue")
    planners.clear()
    assert planned(folder) != first
    assert planners


def test_what_does_not_fit_is_told_together_and_keeps_nothing(lesson: Lesson) -> None:
    folder = lesson({**FILES, "lab/ops.py": "", "lab/maps.py": FILES["lab/maps.py"].replace("def table", "def tables")})
    with pytest.raises(DeckError) as caught:
        planned(folder)
    assert len(caught.value.lines()) == 3, "one call and two listings"
    assert not (folder / FOLDER / KIND).exists()


def test_a_lesson_that_cannot_be_written_to_is_planned_all_the_same(folder: Path) -> None:
    (folder / FOLDER).write_text("a file in the way")
    assert planned(folder) == planned_anew(folder)


def test_the_state_of_a_place_tells_apart_what_planning_tells_apart(tmp_path: Path) -> None:
    states = [reads.state_of(tmp_path / "nothing"), reads.state_of(tmp_path)]
    (tmp_path / "module.py").write_text("")
    states.append(reads.state_of(tmp_path))
    (tmp_path / "inner").mkdir()
    states += [reads.state_of(tmp_path), reads.state_of(tmp_path / "module.py"), reads.state_of(tmp_path / "inner")]
    assert len(set(states)) == 6 - 1, "two empty folders are alike"
    (tmp_path / "notes.txt").write_text("")
    assert reads.state_of(tmp_path) == states[3]


def test_tickets_come_back_whole(folder: Path) -> None:
    planned(folder)
    made = plans_of(folder)
    made.prepare(CALLS, SNIPPETS)
    ticket = made.ticket(CALLS[0])
    assert isinstance(ticket, Ticket)
    assert ticket == made.node(CALLS[0]).ticket
    assert json.dumps(dict(ticket.versions)) == json.dumps(dict(made.node(CALLS[0]).ticket.versions))
