"""Rules of the house, read from the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT

ROOMS = ("reading", "running", "theming", "layout", "elements", "formulas", "drawing", "writing", "checking")
ALLOWED = {
    "reading": set(),
    "running": {"drawing", "theming", "elements", "formulas"},
    "theming": set(),
    "layout": {"theming"},
    "elements": {"theming"},
    "formulas": {"elements", "theming"},
    "drawing": {"elements", "theming", "formulas"},
    "writing": {"elements", "theming"},
    "checking": {"elements", "writing", "theming"},
}
ONLY_IN = {
    "markdown_it": {"reading"},
    "mdit_py_plugins": {"reading"},
    "matplotlib": {"drawing", "running"},
    "torch": {"running"},
    "safetensors": {"running"},
    "pptx": set(),
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_along_the_arrows(room: str) -> None:
    for path in (ROOT / "deck_builder" / room).rglob("*.py"):
        for name in imports(path):
            match = re.match(r"deck_builder\.(\w+)", name)
            if match and match[1] in ROOMS and match[1] != room:
                assert match[1] in ALLOWED[room], f"{path.name} of {room} imports {name}"


@pytest.mark.parametrize(("library", "rooms"), ONLY_IN.items())
def test_a_library_is_known_only_in_its_rooms(library: str, rooms: set[str]) -> None:
    for path in (ROOT / "deck_builder").rglob("*.py"):
        if any(name.split(".")[0] == library for name in imports(path)):
            assert path.parent.name in rooms, f"{path} imports {library}"


def test_dataclasses_are_those_of_the_house() -> None:
    for path in (ROOT / "deck_builder").rglob("*.py"):
        names = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
            for alias in node.names
        }
        assert path.name == "values.py" or not names & {"dataclass", "field", "replace"}, path


def test_figures_know_nothing_of_slides() -> None:
    for path in (ROOT / "figures").rglob("*.py"):
        assert not [name for name in imports(path) if name.startswith("deck_builder")], path


def test_figures_never_touch_pyplot() -> None:
    for path in (ROOT / "figures").rglob("*.py"):
        assert not [name for name in imports(path) if name == "matplotlib.pyplot"], path


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from deck_builder.cli import cli\n"
        "try:\n    cli.main(['--help'], prog_name='deckbuild')\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'matplotlib', 'pptx', 'numpy', 'lxml', 'markdown_it', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=ROOT)


def test_every_package_is_pinned() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line)
    assert pinned["torch"] == "2.13.0"
    text = (ROOT / "pyproject.toml").read_text()
    wanted = re.findall(r'^    "([A-Za-z0-9_-]+)[>=\[]', text, flags=re.MULTILINE)
    names = {name.lower().replace("_", "-") for name in pinned}
    assert {name.lower().replace("_", "-") for name in wanted} <= names
