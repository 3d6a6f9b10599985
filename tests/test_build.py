"""From a folder of files to a deck, through the command: what a teacher meets."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from openxml_audit import validate_pptx
from PIL import Image
from pptx import Presentation
from support import ROOT, remapped

from deck_builder.build import formulas_of
from deck_builder.checking import problems
from deck_builder.cli import ProgressLine, cli
from deck_builder.model import Deck, Settings
from deck_builder.running import Event
from deck_builder.theming.read import read_theme
from deck_builder.writing.properties import recorded

Project = Callable[[Mapping[str, str]], Path]

LESSON = """\
---
title: 权重
lang: zh-CN
---

# 第一章

## 分数越高，份额越大 {#shares}

- 最大的一份是 `{value} fig-shares.largest:.0%`
- 见 @fig-shares，公式 $e^{x_i}$

```{figure} my_figures.shares
label: fig-shares
caption: 温度 `{value} .temperature`
temperature: 0.5
```

::: notes
先问一句
:::

## 代码

```{snippet} my_figures.softmax
```

## 表

| a | b |
|---|--:|
| 1 | 2 |

: 一张表 {#tbl-a}
"""

FIGURES = '''\
import math

from matplotlib.figure import Figure

from figures import Exhibit


def softmax(scores: list[float], temperature: float) -> list[float]:
    """Shares of the scores."""
    powers = [math.exp(score / temperature) for score in scores]
    return [power / sum(powers) for power in powers]


def shares(temperature: float = 1.0) -> Exhibit:
    weights = softmax([2.0, 1.0, 0.5], temperature)
    figure = Figure()
    figure.add_subplot().bar(["甲", "乙", "丙"], weights)
    return Exhibit(figure, "三个权重", {"largest": max(weights), "temperature": temperature})
'''


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lesson with one figure, built once in `deck.pptx`."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "lesson").mkdir()
    (folder / "lesson" / "01.md").write_text(LESSON, encoding="utf-8")
    (folder / "lesson" / "my_figures.py").write_text(FIGURES, encoding="utf-8")
    result = run(folder / "lesson", "-o", folder / "deck.pptx")
    assert result.exit_code == 0, result.output
    return folder


def test_a_lesson_becomes_a_native_valid_deck(lesson: Path) -> None:
    deck = lesson / "deck.pptx"
    assert problems(deck) == []
    assert [str(error) for error in validate_pptx(str(deck)).errors if "'rPr'" not in str(error)] == []
    slides = list(Presentation(str(deck)).slides)
    assert [slide.shapes.title.text for slide in slides] == ["权重", "第一章", "分数越高，份额越大", "代码", "表"]
    text = " ".join(shape.text_frame.text for shape in slides[2].shapes if shape.has_text_frame)
    assert "最大的一份是 84%" in text
    assert "见 图 1" in text
    assert "温度 0.5" in text
    group = next(shape for shape in slides[2].shapes if shape.name == "fig-shares")
    assert str(group.shape_type).startswith("GROUP")
    assert not any("PICTURE" in str(shape.shape_type) for shape in group.shapes)
    assert "def softmax" in " ".join(s.text_frame.text for s in slides[3].shapes if s.has_text_frame)


def test_the_deck_records_what_each_figure_was_made_of(lesson: Path) -> None:
    values, digest = recorded(lesson / "deck.pptx")
    assert values["deckbuild.digest"] == digest
    assert {"deckbuild.digest", "deckbuild.figure.fig-shares"} <= set(values)
    assert all(0 < len(value) <= 64 for value in values.values())


def test_a_second_build_runs_nothing_and_gives_the_same_bytes(lesson: Path) -> None:
    first = (lesson / "deck.pptx").read_bytes()
    result = run(lesson / "lesson", "-o", lesson / "deck.pptx")
    assert result.exit_code == 0
    assert "0 run" in result.output
    assert (lesson / "deck.pptx").read_bytes() == first


HEAVY = {"torch", "matplotlib", "numpy", "ziamath", "pygments", "pptx"}
UNTOUCHED = {"math_core", "deck_builder.running.plan", "deck_builder.running.worker"}
"""What reads formulas and sources, and what runs."""


def test_a_text_edit_loads_neither_torch_nor_matplotlib_nor_the_sources_of_figures(lesson: Path) -> None:
    source = lesson / "lesson" / "01.md"
    command = [sys.executable, "-X", "importtime", "-m", "deck_builder.cli", str(source.parent), "-o"]
    for text in (LESSON, LESSON, LESSON.replace("一张表", "两张表")):
        # the first of these has another import path than the build in this process, and plans for once
        source.write_text(text, encoding="utf-8")
        deck = str(lesson / "edit.pptx")
        result = subprocess.run([*command, deck], check=True, capture_output=True, cwd=ROOT, text=True)
        loaded = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if "import time" in line}
        assert "deck_builder.build" in loaded
        assert not loaded & HEAVY
        assert "0 run" in result.stdout
    assert not loaded & UNTOUCHED
    source.write_text(LESSON, encoding="utf-8")


EDITS = {
    "a word": ("最大的一份是", "最大一份占了"),
    "a formula": ("e^{x_i}", "e^{x_i/T}"),
    "a caption": ("caption: 温度", "caption: 此处温度"),
    "a slide more": ("## 代码", "## 又一张\n\n- 见[份额](#shares)\n\n## 代码"),
    "a slide less": ("## 表\n", ""),
    "another anchor": ("{#shares}", "{#parts}"),
    "a figure's argument": ("temperature: 0.5", "temperature: 0.25"),
    "the language": ("lang: zh-CN", "lang: en-US"),
    "notes": ("先问一句", "再问一句"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_rebuild_gives_the_bytes_of_a_first_build(lesson: Path, tmp_path: Path, edit: str) -> None:
    old, new = EDITS[edit]
    assert old in LESSON
    shutil.copytree(lesson / "lesson", tmp_path / "lesson")
    (tmp_path / "lesson" / "01.md").write_text(LESSON.replace(old, new), encoding="utf-8")
    for deck in ("rebuilt.pptx", "first.pptx"):
        result = run(tmp_path / "lesson", "-o", tmp_path / deck)
        assert result.exit_code == 0, result.output
        shutil.rmtree(tmp_path / "lesson" / ".deckbuild")
    assert (tmp_path / "rebuilt.pptx").read_bytes() == (tmp_path / "first.pptx").read_bytes()


def test_no_path_of_this_machine_is_in_the_deck(lesson: Path) -> None:
    with zipfile.ZipFile(lesson / "deck.pptx") as archive:
        for name in archive.namelist():
            assert str(lesson).encode() not in archive.read(name), name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shares\n": "sharse\n"}, "01.md:13: "),
        ({"temperature: 0.5": "temprature: 0.5"}, "01.md:16: "),
        ({"fig-shares.largest": "fig-shares.biggest"}, "01.md:10: "),
        ({"@fig-shares": "@fig-share"}, "01.md:11: "),
        ({"$e^{x_i}$": "$$\\frac{a$$"}, "01.md:11: "),
        ({"::: notes": "::: {.callout-note}\n::: notes"}, "01.md:"),
    ],
)
def test_a_mistake_is_one_line_with_its_place_and_the_old_deck_stays(
    lesson: Path, change: Mapping[str, str], message: str
) -> None:
    deck, source = lesson / "deck.pptx", lesson / "lesson" / "01.md"
    before = deck.read_bytes()
    text = LESSON
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    source.write_text(text, encoding="utf-8")
    result = run(source.parent, "-o", deck)
    source.write_text(LESSON, encoding="utf-8")
    assert result.exit_code == 1, result.output
    assert message in result.output
    assert "Traceback" not in result.output
    assert deck.read_bytes() == before
    assert not list(lesson.glob(".*part*"))


def test_code_that_fails_fails_the_build_with_the_line_of_the_users_own_code(project: Project) -> None:
    folder = project({"a.md": "## S\n\n```{figure} broken.f\n```\n", "broken.py": "def f():\n    return 1 / 0\n"})
    result = run(folder, "-o", folder / "deck.pptx")
    assert result.exit_code == 1
    assert "a.md:3" in result.output
    assert "ZeroDivisionError" in result.output
    assert "broken.py:2" in result.output
    assert not (folder / "deck.pptx").exists()


def test_strict_makes_a_notice_an_error(project: Project) -> None:
    folder = project({"a.md": "## S\n\n![gone](gone.png)\n"})
    loose = run(folder, "-o", folder / "deck.pptx")
    assert loose.exit_code == 0
    assert "a.md:3" in loose.output
    strict = run(folder, "-o", folder / "strict.pptx", "--strict")
    assert strict.exit_code == 1
    assert not (folder / "strict.pptx").exists()


@pytest.mark.parametrize("arguments", [["nowhere.md"], ["--jobs", "0", "."], [".", "-o", "deck.pdf"], ["build"]])
def test_usage_errors_end_with_two(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_names_of_files_in_chinese_and_with_spaces_work(project: Project) -> None:
    folder = project({"第 一 课/讲义 一.md": "## 标题\n\n正文\n"})
    result = run(folder / "第 一 课", "-o", folder / "课件 一.pptx")
    assert result.exit_code == 0, result.output
    assert len(Presentation(str(folder / "课件 一.pptx")).slides) == 1


def test_a_console_of_another_encoding_does_not_stop_the_build(project: Project) -> None:
    folder = project({"a.md": "## 标题\n\n![缺](gone.png)\n"})
    command = [sys.executable, "-m", "deck_builder.cli", str(folder), "-o", str(folder / "deck.pptx")]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    result = subprocess.run(command, capture_output=True, env=environment)
    assert result.returncode == 0, result.stderr.decode()


def test_continued_slides_are_reported_with_their_place(project: Project) -> None:
    items = "\n".join(f"{n}. step number {n} of a long recipe" for n in range(1, 31))
    folder = project({"a.md": f"## Steps\n\n{items}\n"})
    result = run(folder, "-o", folder / "deck.pptx")
    assert "a.md:1" in result.output
    slides = list(Presentation(str(folder / "deck.pptx")).slides)
    assert len(slides) >= 2
    assert slides[0].shapes.title.text == f"Steps (1/{len(slides)})"


def test_pictures_of_formulas_have_the_colours_of_the_template(tmp_path: Path) -> None:
    dark = read_theme(remapped(tmp_path / "dark.pptx", ink="lt1", paper="dk1", second_ink="lt2", second_paper="dk2"))
    formulas = formulas_of(Deck(Settings(), (), folder=str(tmp_path)), dark)
    content = formulas.png(r"a = \textcolor{muted}{b} + \textcolor{q}{c}", 20)
    with Image.open(BytesIO(content)) as picture:
        found = picture.convert("RGBA").getcolors(100_000) or []
    colours = {bytes(colour[:3]).hex().upper() for _, colour in found if isinstance(colour, tuple) and colour[3] == 255}
    assert {"FFFFFF", "F4F6FA", "2A66CF"} <= colours, "text, muted text and queries as the template has them"
    assert "1B2A41" not in colours


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_what_runs_is_wiped_from_a_terminal_before_anything_else_is_said() -> None:
    terminal = Terminal()
    with ProgressLine(terminal) as progress:
        progress(Event("started", "train"))
    assert terminal.getvalue() == "\r\x1b[Krunning train …\r\x1b[K"
