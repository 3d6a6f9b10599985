"""`deckbuild figure`: one figure alone, as a picture or a deck of one slide."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree
from PIL import Image
from pptx import Presentation

from deck_builder.checking import problems
from deck_builder.cli import cli
from deck_builder.paths import templates

Project = Callable[[Mapping[str, str]], Path]

CODE = """\
from typing import Annotated, Literal

from matplotlib.figure import Figure

from figures import Exhibit


def train(steps: int = 2) -> list[float]:
    print("training")
    return [0.5] * steps


def bars(
    model: Annotated[list[float], train],
    steps: int = 2,
    score: Literal["dot", "additive"] = "dot",
    lang: str = "en",
    seed: int = 0,
    size: tuple[float, float] | None = None,
) -> Exhibit:
    figure = Figure(figsize=(4, 2))
    axes = figure.add_subplot()
    axes.bar([f"权 {number}" for number in range(steps)], model, label=lang)
    axes.imshow([[0.0, 1.0]], extent=(0, 1, 0, 1))
    axes.legend()
    said = {"mean": sum(model) / steps, "lang": lang, "seed": seed, "score": score, "told": list(size or ())}
    return Exhibit(figure, "bars", said)
"""
FRONT = "---\ntitle: T\nlang: zh-CN\nseed: 7\n---\n\n"
CALL = "## A\n\n```{figure} lab.bars\nlabel: fig-a\nsteps: 3\n```\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lesson in `content/`, and the code beside it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "content").mkdir()
    (folder / "content" / "01.md").write_text(FRONT + CALL, encoding="utf-8")
    (folder / "lab.py").write_text(CODE, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def draw(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["figure", "lab.bars", *arguments, "--jobs", "1"])


def test_a_picture_has_the_size_asked_for_and_its_values_are_told(folder: Path) -> None:
    result = draw("steps=3", "-o", "a.png", "--size", "6x3.5", "--dpi", "100")
    assert result.exit_code == 0, result.output
    assert [line.split() for line in result.stdout.splitlines()[:-1]] == [
        ["bars.mean", "0.5"],
        ["bars.lang", "zh-CN"],
        ["bars.seed", "7"],
        ["bars.score", "dot"],
        ["bars.told", "[]"],
    ]
    assert result.stdout.splitlines()[-1].startswith("a.png: 1 run, 0 reused, ")
    assert pixels((folder / "a.png").read_bytes()) == (600, 350)


def pixels(content: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(content)) as image:
        return image.size


def test_its_training_and_values_are_those_of_the_build(folder: Path) -> None:
    assert draw("steps=3", "-o", "b.png").exit_code == 0
    assert not (folder / ".deckbuild").exists()
    listed = CliRunner().invoke(cli, ["values", "content", "--no-run", "--format", "json"])
    assert [value["value"] for value in json.loads(listed.stdout)] == [0.5, "zh-CN", 7, "dot", []]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_command_gives_the_same_bytes(folder: Path, suffix: str) -> None:
    first, second = folder / f"first.{suffix}", folder / f"second.{suffix}"
    assert draw("-o", first.name).exit_code == 0
    for kept in (folder / "content" / ".deckbuild" / "pictures").iterdir():
        kept.unlink()
    assert "1 run, 0 reused" in draw("-o", second.name).stdout
    assert first.read_bytes() == second.read_bytes()
    assert "0 run, 1 reused" in draw("-o", second.name).stdout
    content = first.read_bytes()
    if suffix == "png":
        assert pixels(content) == (800, 400)
    elif suffix == "svg":
        assert (etree.fromstring(content).get("width"), etree.fromstring(content).get("height")) == ("288pt", "144pt")
    else:
        assert b"/MediaBox [ 0 0 288 144 ]" in content
        assert b"CreationDate" not in content


def test_language_seed_and_template_can_be_others(folder: Path) -> None:
    recoloured = with_accent(folder, "ppt/theme/theme1.xml", "C00000")
    settings = ("--lang", "en-GB", "--seed", "1", "--template", recoloured.name)
    result = draw("score=additive", "-o", "red.svg", *settings)
    words = dict(line.split() for line in result.stdout.splitlines()[:4])
    assert words == {"bars.mean": "0.5", "bars.lang": "en-GB", "bars.seed": "1", "bars.score": "additive"}
    assert "#c00000" in (folder / "red.svg").read_text()


def with_accent(folder: Path, part: str, colour: str) -> Path:
    target = folder / "school.pptx"
    with zipfile.ZipFile(templates() / "lecture.pptx") as source, zipfile.ZipFile(target, "w") as made:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                pattern = rb'(<a:accent1><a:srgbClr val=")[0-9A-Fa-f]{6}'
                content, count = re.subn(pattern, rb"\g<1>" + colour.encode(), content)
                assert count == 1
            made.writestr(name, content)
    return target


def test_a_deck_of_one_slide_holds_the_figure_as_shapes(folder: Path) -> None:
    result = draw("steps=3", "-o", "d.pptx")
    assert result.exit_code == 0, result.output
    assert "bars.mean" in result.stdout
    assert problems(folder / "d.pptx") == []
    (slide,) = Presentation(str(folder / "d.pptx")).slides
    group = next(shape for shape in slide.shapes if shape.name == "bars")
    assert str(group.shape_type).startswith("GROUP")


def test_without_a_lesson_the_folder_itself_is_one(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project({"lab.py": CODE})
    monkeypatch.chdir(root)
    assert "bars.lang   en-US" in draw("-o", "a.svg").stdout
    assert (root / ".deckbuild" / "results").is_dir()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("scoer=dot",), 1, "lab.bars has no argument 'scoer'; did you mean 'score'?"),
        (("score=dto",), 1, "the argument 'score' does not fit: 'dto' is not 'dot' or 'additive'; did you mean 'dot'?"),
        (("steps=many",), 1, "the argument 'steps' does not fit: int is expected, not 'many'"),
        (("model=1",), 1, "'model' is not for the lesson to give: lab.bars is handed it"),
        (("steps=0",), 1, "bars(steps=0) failed: ZeroDivisionError: division by zero (lab.py:26)"),
        (("score",), 2, "'score' is no argument of the figure; write name=value, such as score=dot"),
        (("steps=1", "steps=2"), 2, "'steps' is given twice; keep one"),
        (("score=@x",), 2, "'score=@x': YAML: a value cannot begin with this character"),
        (("--size", "8"), 2, "'8' is no width and height from 0.5 to 60 inches; write 8x4.5"),
    ],
)
def test_what_does_not_fit_is_one_line_and_the_old_file_stays(
    folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (folder / "old.png").write_bytes(b"old")
    result = draw(*arguments, "-o", "old.png")
    assert (result.exit_code, result.stdout) == (code, "")
    last = result.stderr.splitlines()[-1]
    assert message in last
    assert last.startswith(("Error: ", message))
    assert (folder / "old.png").read_bytes() == b"old"
    assert not list(folder.glob(".old*"))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("a.jpg", "a.jpg has the suffix .jpg; a figure is written as .png, .svg, .pdf or .pptx"),
        ("nowhere/a.png", "there is no folder nowhere"),
        ("content", "content has the suffix (none)"),
    ],
)
def test_a_target_that_cannot_be_is_said_before_anything_runs(output: str, message: str) -> None:
    result = draw("-o", output)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert "running" not in result.stderr


def test_a_mistake_elsewhere_in_the_lesson_is_no_hindrance(folder: Path) -> None:
    (folder / "content" / "02.md").write_text("## `{value} nowhere.x`\n", encoding="utf-8")
    try:
        assert CliRunner().invoke(cli, ["values", "content"]).exit_code == 1
        assert draw("-o", "a.svg").exit_code == 0
    finally:
        (folder / "content" / "02.md").unlink()


def test_a_function_elsewhere_is_named_closely() -> None:
    result = CliRunner().invoke(cli, ["figure", "lab.bras", "-o", "a.png"])
    assert (result.exit_code, result.stderr) == (1, "lab has no function 'bras'; did you mean 'bars'?\n")
