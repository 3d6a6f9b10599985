"""Lessons run from end to end, in real worker processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support import ROOT

from deck_builder.errors import DeckError
from deck_builder.model import (
    Block,
    Callout,
    Code,
    Column,
    Columns,
    Deck,
    Figure,
    FigureCall,
    Item,
    List,
    Paragraph,
    Quote,
    Run,
    SnippetCall,
    Table,
    TableCall,
    Value,
)
from deck_builder.running import Event, Runner

Lesson = Callable[[Mapping[str, str]], Path]
Call = Callable[..., FigureCall]
TablesCall = Callable[..., TableCall]
MakeDeck = Callable[..., Deck]

MODELS = '''
from dataclasses import dataclass
import numpy as np

@dataclass(frozen=True)
class Trained:
    weights: np.ndarray
    score: str

def train(score: str = "dot", seed: int = 0) -> Trained:
    """Train."""
    print("training on stdout")
    return Trained(np.random.default_rng(seed).normal(size=(4, 3)), score)
'''
MAPS = """
import os
import sys
from types import SimpleNamespace
from typing import Annotated
import numpy as np
from matplotlib.figure import Figure
from lab.models import Trained, train

def heat(model: Annotated[Trained, train], score: str = "dot", size=None):
    figure = Figure(figsize=(6, 3))
    figure.add_subplot().plot(model.weights[:, 0])
    return SimpleNamespace(figure=figure, values={"mean": twice(model.weights.mean()), "score": model.score}, alt="")

def twice(x):
    # doubled
    return 2 * x

def curve(n: int = 3):
    figure = Figure()
    figure.add_subplot().plot(range(n))
    return figure

def counts(model: Annotated[Trained, train]):
    return ("what", "$n$"), [("**rows**", len(model.weights))], "lr"

def fails(x: float = 1.0):
    return helper(x)

def helper(x):
    return sorted([1, "a"], key=lambda item: x / (1 if item == 1 else 0))

def dies():
    os._exit(9)

def exits():
    sys.exit("no data")

def wrong():
    return 3
"""
STATE = """
import locale
import os
import random
from types import SimpleNamespace
import matplotlib
import numpy as np

AT_IMPORT = float(np.random.rand())
matplotlib.rcParams["savefig.dpi"] = 44

def state(n: int = 0, seed: int = 5):
    import matplotlib.pyplot as plt
    values = {"at_import": AT_IMPORT,
        "folder": os.path.basename(os.getcwd()), "hash": hash("a"), "random": random.random(),
        "numpy": float(np.random.rand()), "dpi": matplotlib.rcParams["savefig.dpi"],
        "threads": os.environ["OMP_NUM_THREADS"],
        "encoding": locale.getpreferredencoding(False).lower(), "open": len(plt.get_fignums()),
    }
    matplotlib.rcParams["savefig.dpi"] = 55
    figure = plt.figure()
    return SimpleNamespace(figure=figure, values=values)
"""
FILES = {"lab/models.py": MODELS, "lab/maps.py": MAPS, "lab/state.py": STATE}


class Log:
    """What was run, by name, and what was reused."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def names(self, kind: str = "finished") -> list[str]:
        return [event.name for event in self.events if event.kind == kind]


def run(folder: Path, deck: Deck, *, execute: bool = True) -> tuple[Deck, list[str]]:
    """The evaluated deck, and the names of what ran for it, sorted."""
    log = Log()
    with Runner(folder, jobs=1, run=execute, progress=log) as runner:
        made = runner.evaluate(deck)
    assert sorted(log.names()) == sorted(runner.report.names)
    return made, sorted(log.names())


def blocks(deck: Deck) -> tuple[Block, ...]:
    return deck.slides[0].blocks


def test_a_lesson_is_evaluated_wherever_its_calls_stand(
    lesson: Lesson, deck: MakeDeck, figure: Call, table: TablesCall, capfd: pytest.CaptureFixture[str]
) -> None:
    quoted = FigureCall("lab.maps.heat", {}, "fig-a", caption=(Run("mean "), Value("", "mean", format=".3f")))
    made, ran = run(
        lesson(FILES),
        deck(
            quoted,
            Columns((Column((List((Item((figure("lab.maps.curve", "fig-b", n=5),)),)),)),)),
            Callout("note", (Value("fig-a", "score"),), (Quote((table("lab.maps.counts"),)),)),
            SnippetCall("lab.models.train", "body", caption=(Value("fig-a", "score"),)),
            notes=(Paragraph((Value("fig-a", "mean", format=".3f"),)),),
            title=(Value("fig-a", "score"),),
            toc_notes=(Paragraph((Value("fig-a", "score"),)),),
        ),
    )
    heat, columns, callout, snippet = blocks(made)
    assert isinstance(heat, Figure)
    mean = f"{heat.values['mean']:.3f}"
    assert heat.values == {"mean": pytest.approx(float(mean), abs=1e-3), "score": "dot"}
    assert made.settings.toc_notes == (Paragraph((Run("dot"),)),)
    assert (heat.aspect, heat.alt, heat.caption[1]) == (2.0, f"mean {mean}", Run(mean))
    assert isinstance(columns, Columns)
    (item,) = columns.columns[0].blocks[0].items  # type: ignore[union-attr]
    assert isinstance(item.blocks[0], Figure)
    assert isinstance(callout, Callout)
    assert callout.title == (Run("dot"),)
    counts = callout.blocks[0].blocks[0]  # type: ignore[union-attr]
    assert isinstance(counts, Table)
    assert counts.rows[0][1] == (Run("4"),)
    assert counts.alignments == ("left", "right")
    assert isinstance(snippet, Code)
    assert snippet.text.startswith('print("training on stdout")')
    assert snippet.filename == "dot"
    assert made.slides[0].notes == (Paragraph((Run(mean),)),)
    assert made.settings.title == (Run("dot"),)
    assert ran == ["counts", "curve(n=5)", "heat", "train"]
    assert [str(notice) for notice in made.notices] == [
        "content/01.md:10: fig-b has no alternative text; write alt: or caption:, or let lab.maps.curve return `alt`"
    ]
    assert "training on stdout" not in capfd.readouterr().out


def test_only_what_changed_runs_again(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson(FILES)
    calls = deck(figure("lab.maps.heat", "a"), figure("lab.maps.curve", "b"), figure("lab.maps.heat", "c"))
    first, ran = run(folder, calls)
    assert ran == ["curve", "heat", "train"]

    def after(old: str, new: str, file: str = "lab/maps.py") -> list[str]:
        path = folder.parent / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return run(folder, calls)[1]

    assert after("# doubled", "# twice as much") == []
    assert after("2 * x", "3 * x") == ["heat"]
    assert after("range(n)", "range(n + 1)") == ["curve"]
    assert after('"""Train."""', '"""Train a model."""', "lab/models.py") == []
    assert after("normal(size=(4, 3))", "normal(size=(5, 3))", "lab/models.py") == ["heat", "train"]
    assert after("3 * x", "2 * x") == ["heat"]
    assert after("size=(5, 3)", "size=(4, 3)", "lab/models.py") == []
    assert run(folder, calls)[0].slides[0].blocks[0] == first.slides[0].blocks[0]


def test_a_damaged_or_deleted_cache_is_made_again(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson(FILES)
    calls = deck(figure("lab.maps.heat"))
    first, _ = run(folder, calls)
    entries = [path for path in (folder / ".deckbuild").glob("*/*") if path.is_file()]
    assert {path.parent.name for path in entries} == {"outlines", "plans", "records", "results"}
    for path in entries:
        path.write_bytes(path.read_bytes()[:-3] + b"!!!")
    again, ran = run(folder, calls)
    assert ran == ["heat", "train"]
    assert again == first
    for path in (folder / ".deckbuild" / "results").iterdir():
        path.unlink()
    assert run(folder, calls) == (first, ["heat"])


def test_nothing_of_this_machine_is_in_the_cache(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson(FILES)
    run(folder, deck(figure("lab.maps.heat")))
    for path in (folder / ".deckbuild").rglob("*"):
        if path.is_file():
            assert str(folder.parent).encode() not in path.read_bytes(), path


def test_every_call_starts_from_the_same_state(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson(FILES)
    made, _ = run(folder, deck(figure("lab.state.state", "a", n=1), figure("lab.state.state", "b", n=2)))
    first, second = blocks(made)
    assert isinstance(first, Figure)
    assert isinstance(second, Figure)
    assert first.values == second.values
    assert (first.values["folder"], first.values["threads"], first.values["open"]) == ("content", "1", 0)
    assert first.values["encoding"] in ("utf-8", "utf8")
    assert first.values["dpi"] not in (44, 55)
    other, _ = run(folder, deck(figure("lab.state.state", "c", seed=7)))
    (third,) = blocks(other)
    assert isinstance(third, Figure)
    assert third.values["at_import"] == first.values["at_import"]
    assert third.values["numpy"] != first.values["numpy"]


def test_torch_runs_on_one_thread_and_its_records_come_back(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    code = """
from types import SimpleNamespace
from typing import Annotated
def train():
    import torch
    return {"w": torch.rand(3), "threads": torch.get_num_threads(), "seed": torch.initial_seed()}
def show(model: Annotated[dict, train]):
    from matplotlib.figure import Figure
    import torch
    values = {"w": model["w"], "threads": [model["threads"], torch.get_num_threads()], "seed": model["seed"]}
    return SimpleNamespace(figure=Figure(), values=values, alt="x")
"""
    made, ran = run(lesson({"lab.py": code}), deck(figure("lab.show")))
    (shown,) = blocks(made)
    assert isinstance(shown, Figure)
    assert (shown.values["threads"], shown.values["seed"]) == ((1, 1), 0)
    assert len(shown.values["w"]) == 3
    assert ran == ["show", "train"]


def test_a_failing_function_is_named_with_the_users_own_line(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson(FILES)
    line = 1 + MAPS.splitlines().index('    return sorted([1, "a"], key=lambda item: x / (1 if item == 1 else 0))')
    with pytest.raises(DeckError) as caught:
        run(folder, deck(figure("lab.maps.curve", "a"), figure("lab.maps.fails", "b", line=41, x=2.0)))
    assert caught.value.lines() == (
        f"content/01.md:41: fails(x=2.0) failed: ZeroDivisionError: float division by zero (lab/maps.py:{line})",
    )
    assert run(folder, deck(figure("lab.maps.curve", "a")))[1] == [], "what had succeeded is kept"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("dies", "a worker process died while dies ran, perhaps for lack of memory"),
        ("exits", r"exits failed: SystemExit: no data \(lab/maps.py:"),
        ("wrong", "wrong returned a int; a figure function returns a matplotlib Figure"),
    ],
)
def test_whatever_a_function_does_the_build_ends_with_one_line(
    lesson: Lesson, deck: MakeDeck, figure: Call, function: str, message: str
) -> None:
    with pytest.raises(DeckError, match=message) as caught:
        run(lesson(FILES), deck(figure(f"lab.maps.{function}")))
    assert str(caught.value.source) == "content/01.md:10"


def test_a_dependency_that_returns_no_record_is_an_error(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    code = "from typing import Annotated\ndef load(): return {'f': open}\ndef show(x: Annotated[dict, load]): pass"
    with pytest.raises(DeckError, match=r"load returned no record: result\['f'\] is a builtin_function_or_method"):
        run(lesson({"lab.py": code}), deck(figure("lab.show")))


def test_all_calls_that_do_not_fit_are_reported_together(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    with pytest.raises(DeckError) as caught:
        run(lesson(FILES), deck(figure("lab.maps.heta", "a", line=3), figure("lab.maps.curve", "b", line=9, m=1)))
    assert [line.split(" ")[0] for line in caught.value.lines()] == ["content/01.md:3:", "content/01.md:11:"]


def test_two_calls_of_one_label_are_an_error_with_both_lines(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    with pytest.raises(DeckError, match=r"'fig-x' is also that of content/01.md:3"):
        run(lesson(FILES), deck(figure("lab.maps.heat", line=3), figure("lab.maps.curve", line=9)))


def test_a_call_in_the_notes_is_an_error(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    with pytest.raises(DeckError, match="notes hold no figures"):
        run(lesson(FILES), deck(notes=(figure("lab.maps.heat"),)))


def test_without_calls_nothing_is_opened(lesson: Lesson, deck: MakeDeck) -> None:
    folder = lesson({"content/random.py": ""})
    made, ran = run(folder, deck(Paragraph((Run("text"),))))
    assert (blocks(made), ran) == ((Paragraph((Run("text"),)),), [])
    assert not (folder / ".deckbuild").exists()


def test_a_lesson_that_cannot_be_written_to_is_built_uncached(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    folder = lesson({**FILES, "content/.deckbuild": "in the way"})
    for _ in range(2):
        made, ran = run(folder, deck(figure("lab.maps.heat", score="dot")))
        assert ran == ["heat", "train"]
        assert made.notices[0].message.startswith("results cannot be kept in content/.deckbuild")


def test_no_run_uses_what_is_there_and_shows_the_code_of_the_rest(
    lesson: Lesson, deck: MakeDeck, figure: Call, table: TablesCall
) -> None:
    folder = lesson(FILES)
    heat = figure("lab.maps.heat", "fig-a")
    run(folder, deck(heat))
    quoted = Paragraph((Value("fig-a", "score"), Value("fig-b", "n")))
    made, ran = run(
        folder, deck(heat, figure("lab.maps.curve", "fig-b"), table("lab.maps.counts"), quoted), execute=False
    )
    shown, curve, counts, text = blocks(made)
    assert ran == []
    assert isinstance(shown, Figure)
    assert isinstance(curve, Code)
    assert isinstance(counts, Code)
    assert curve.text.startswith("def curve(n: int = 3):")
    assert text == Paragraph((Run("dot"), Run("?")))
    assert [notice.message for notice in made.notices if "never run" in notice.message] == [
        "fig-b was never run, so its code is shown; build without --no-run",
        "tbl-x was never run, so its code is shown; build without --no-run",
    ]


def test_no_run_says_with_which_versions_a_result_was_made(lesson: Lesson, deck: MakeDeck, figure: Call) -> None:
    from deck_builder.cache import Cache

    folder = lesson(FILES)
    calls = deck(figure("lab.maps.heat", "fig-a"))
    run(folder, calls)
    cache = Cache(str(folder / ".deckbuild"))
    (key,) = cache.keys("results", "")
    data = json.loads(cache.read("results", key) or b"")
    data["versions"]["numpy"] = "1.0.0"
    cache.write("results", f"{key.partition('.')[0]}.0123456789abcdef", json.dumps(data).encode())
    Path(cache.folder, "results", key).unlink()
    made, _ = run(folder, calls, execute=False)
    assert isinstance(blocks(made)[0], Figure)
    assert any("fig-a was made with numpy 1.0.0 (now " in notice.message for notice in made.notices)


SCRIPT = """
import signal
import sys
from pathlib import Path
from deck_builder.model import Deck, FigureCall, Settings, Slide
from deck_builder.running import Runner

def main(folder, *functions):
    calls = tuple(FigureCall(f"lab.maps.{name}", {}, name) for name in functions)
    with Runner(Path(folder), jobs=2) as runner:
        deck = runner.evaluate(Deck(Settings(), (Slide("content", (), calls),)))
    print([(block.values, block.fingerprint) for block in deck.slides[0].blocks])
    print(runner.report.ran, sorted({"torch", "matplotlib", "numpy", "multiprocessing.pool", "lab"} & set(sys.modules)))

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run in the background, where it is ignored
    main(*sys.argv[1:])
"""


def start(folder: Path, *functions: str) -> subprocess.Popen[str]:
    """A build of its own process."""
    script = folder.parent / "build_it.py"
    script.write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, str(script), str(folder), *functions],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def test_two_builds_at_once_agree_and_the_command_imports_nothing_heavy(lesson: Lesson) -> None:
    folder = lesson(FILES)
    builds = [start(folder, "heat", "curve") for _ in range(2)]
    outputs = [build.communicate(timeout=300) for build in builds]
    assert [build.returncode for build in builds] == [0, 0], outputs
    (first, counted), (second, _) = (output.splitlines() for output, _ in outputs)
    assert first == second
    assert counted == "2 []"
    third, _ = start(folder, "heat", "curve").communicate(timeout=300)
    assert third.splitlines() == [first, "0 []"]


SLOW = "import time\nfrom pathlib import Path\ndef waits():\n    Path('running').touch()\n    time.sleep(600)\n"


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def gone(group: int) -> bool:
    """Whether no process of a session is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="process groups of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_build_leaves_no_worker_behind(lesson: Lesson, how: signal.Signals) -> None:
    folder = lesson({"lab/maps.py": SLOW})
    build = start(folder, "waits")
    try:
        assert wait_for((folder / "running").exists)
        build.send_signal(how)
        _, errors = build.communicate(timeout=120)
        assert build.returncode != 0
        assert wait_for(lambda: gone(build.pid))
        assert "KeyboardInterrupt" in errors or how is signal.SIGKILL
    finally:
        if not gone(build.pid):
            os.killpg(build.pid, signal.SIGKILL)
