"""`deckbuild values`: what a lesson measures, and where it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pptx import Presentation
from support import ROOT

from deck_builder.cli import cli
from deck_builder.measurements import as_json, as_text, measurements, short
from deck_builder.model import Deck, Source
from deck_builder.reading import read
from deck_builder.running import Evidence
from deck_builder.running.values import Measured

Project = Callable[[Mapping[str, str]], Path]

EVERYWHERE = """\
---
title: "In front $x = `{value} fig-a.x`$"
subtitle: below `{value} fig-a.x`
toc: true
notes: |
  on the cover
  `{value} fig-a.x`
toc-notes: on the agenda `{value} fig-a.x`
---

# Section `{value} fig-a.x`

## Title `{value} fig-a.x`

- item

  - inner `{value} fig-a.x`, twice `{value} fig-a.x:.1f`

> quote `{value} fig-a.x`

::: {.callout-note title="`{value} fig-a.x`"}
remark `{value} fig-a.x`
:::

:::: columns
::: column
left `{value} fig-a.x`
:::
::::

| `{value} fig-a.x` | b |
|---|---|
| 1 | `{value} fig-a.x` |

: caption `{value} fig-a.x` {#tbl-written}

![`{value} fig-a.x`](a.png)

```{figure} my.figure
label: fig-a
caption: own `{value} .x`
```

```{table} my.table
label: tbl-b
caption: of another `{value} fig-a.x`
```

```{snippet} my.figure
caption: code `{value} fig-a.x`
```

$$
y = `{value} fig-a.x`
$$

::: notes
said `{value} fig-a.x`
:::
"""
EVIDENCE = Evidence(
    {
        "fig-a": Measured({"x": 2.5, "curve": (1.0, float("inf"), float("nan"))}, "my.figure", Source("a.md", 40)),
        "tbl-b": Measured({"name": "加性"}, "my.table", Source("a.md", 45)),
    }
)


@pytest.fixture
def deck(project: Project, monkeypatch: pytest.MonkeyPatch) -> Deck:
    """A lesson that quotes one value in every kind of place."""
    folder = project({"a.md": EVERYWHERE})
    monkeypatch.chdir(folder)
    return read(folder)


def test_every_place_that_quotes_a_value_is_listed(deck: Deck) -> None:
    x, curve, name = measurements(deck, EVIDENCE).values
    lines = EVERYWHERE.splitlines()
    expected = [number for number, line in enumerate(lines, 1) for _ in range(line.count("{value}"))]
    assert sorted(quotation.source.line for quotation in x.quoted) == expected
    assert all(quotation.written in lines[quotation.source.line - 1] for quotation in x.quoted)
    assert {quotation.shown for quotation in x.quoted} == {"2.5"}
    assert (curve.quoted, name.quoted) == ((), ())


def test_json_is_whole_and_valid_where_numbers_are_not_finite(deck: Deck) -> None:
    text = as_json(measurements(deck, EVIDENCE).values)
    x, curve, name = json.loads(text, parse_constant=pytest.fail)
    assert (x["label"], x["function"], x["name"], x["value"]) == ("fig-a", "my.figure", "x", 2.5)
    assert x["quoted"][0] == {"file": "a.md", "line": 2, "written": "{value} fig-a.x", "shown": "2.5"}
    assert curve["value"] == [1.0, "Infinity", "NaN"]
    assert [float(entry) for entry in curve["value"][:2]] == [1.0, float("inf")]
    assert (name["value"], name["quoted"]) == ("加性", [])
    assert as_json(()) == "[]"


def test_text_is_a_line_a_value_in_columns(deck: Deck) -> None:
    x, curve, name = as_text(measurements(deck, EVIDENCE).values)
    assert x.startswith("fig-a.x      2.5            a.md:2, a.md:3, a.md:7, a.md:8, ")
    assert x.count("a.md:17") == 1
    assert curve == "fig-a.curve  [1, inf, nan]"
    assert name == "tbl-b.name   加性"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456789, "0.123457"),
        (12345678, "12345678"),
        (True, "True"),
        ("a\nb", "a b"),
        ("x" * 60, "x" * 47 + "…"),
        ((0.5, 1, 2.0, 3), "[0.5, 1, 2, 3]"),
        (tuple(range(300)), "300 entries [0, 1, 2, 3, …]"),
        (((1, 2), (3, 4)), "[[1, 2], [3, 4]]"),
    ],
)
def test_a_value_is_short(value: Any, text: str) -> None:
    assert short(value) == text


def test_what_was_never_run_is_listed_as_far_as_it_is_quoted(deck: Deck) -> None:
    unknown = Evidence({"fig-a": Measured(None, "my.figure", Source("a.md", 40)), "tbl-b": EVIDENCE.labels["tbl-b"]})
    found = measurements(deck, unknown)
    assert [(value.name, value.value, {at.shown for at in value.quoted}) for value in found.values] == [
        ("x", None, {"?"}),
        ("name", "加性", set()),
    ]
    assert [str(notice) for notice in found.notices] == [
        "a.md:40: fig-a was never run, so its values are not known; list them without --no-run"
    ]


FIGURES = """\
from types import SimpleNamespace

from matplotlib.figure import Figure

import torch


def line(n: int = 3) -> SimpleNamespace:
    figure = Figure()
    figure.add_subplot().plot(range(n))
    return SimpleNamespace(figure=figure, alt="a line", values={"mean": torch.arange(float(n)).mean(), "n": n})
"""
LESSON = """\
## Title

The mean is `{value} fig-line.mean:.2f`.

```{figure} my_figures.line
label: fig-line
```
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lesson")
    (folder / "01.md").write_text(LESSON, encoding="utf-8")
    (folder / "my_figures.py").write_text(FIGURES, encoding="utf-8")
    return folder


def test_values_are_those_of_the_build_and_stay_in_its_cache(lesson: Path) -> None:
    listed = run("values", lesson, "--format", "json", "--jobs", "1")
    assert listed.exit_code == 0, listed.output
    mean, _ = json.loads(listed.stdout)
    built = run(lesson, "-o", lesson / "deck.pptx", "--no-run")
    assert "never run" not in built.output
    words = [
        shape.text_frame.text
        for shape in Presentation(str(lesson / "deck.pptx")).slides[0].shapes
        if shape.has_text_frame
    ]
    assert f"The mean is {mean['quoted'][0]['shown']}." in words
    assert mean["value"] == 1.0
    again = run("values", lesson, "--no-run")
    assert again.stdout.splitlines() == [f"fig-line.mean  1  {mean['quoted'][0]['file']}:3", "fig-line.n     3"]
    assert again.stderr == "2 values, 1 of them quoted\n"


def test_listing_what_is_cached_loads_nothing_heavy(lesson: Path) -> None:
    assert run("values", lesson, "--jobs", "1").exit_code == 0
    code = (
        "import sys\n"
        "from deck_builder.cli import cli\n"
        "cli.main(['values', sys.argv[1], '--format', 'json'], standalone_mode=False)\n"
        "heavy = {'torch', 'matplotlib', 'numpy', 'pptx', 'multiprocessing'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code, str(lesson)], check=True, capture_output=True, cwd=ROOT)


def test_a_quotation_of_nothing_is_an_error_below_the_list(project: Project, lesson: Path) -> None:
    folder = project({"01.md": LESSON.replace("fig-line.mean", "fig-line.maen"), "my_figures.py": FIGURES})
    result = run("values", folder, "--jobs", "1")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["fig-line.mean  1", "fig-line.n     3"]
    assert "01.md:3: fig-line has no value 'maen'; did you mean 'mean'?" in result.stderr
