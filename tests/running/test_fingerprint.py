from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from deck_builder.cache import Cache
from deck_builder.model import FigureCall
from deck_builder.running.places import places_of
from deck_builder.running.plan import Planner
from deck_builder.running.project import Project
from deck_builder.running.tool import Tool
from deck_builder.running.versions import Versions

Lesson = Callable[[Mapping[str, str]], Path]
Plan = Callable[..., Planner]
Call = Callable[..., FigureCall]

FILES = {
    "lab/__init__.py": '"""The lab."""\nfrom lab.maps import heat, curve\n',
    "lab/maps.py": '''"""Maps."""
import numpy as np
from lab import ops
from lab.ops import scale as rescale
from lab.style import COLOUR
import lab.shapes

LIMIT = 3
UNUSED = 4

def heat(n: int = 2):
    """A heatmap."""
    # a comment
    rescale = 1
    return helper(n) + lab.shapes.box()

def curve():
    helper_of_curve = ops.soft(LIMIT)
    def inner():
        return rescale(helper_of_curve)
    return inner

def helper(n):
    return [twice(one) for one in range(n)]

def twice(n): return 2 * n

def lonely(): return np.nan
''',
    "lab/ops.py": """def soft(x): return hard(x)
def hard(x): return x
def scale(x, by=None): return x
def apart(x): return x
""",
    "lab/shapes.py": """class Shape:
    side = 1
class Box(Shape):
    def area(self): return self.side * edge()
def box(): return Box()
def edge(): return 1
""",
    "lab/style.py": "COLOUR = 'red'\n",
}
FUNCTIONS = ("heat", "curve")


@pytest.fixture
def keys(lesson: Lesson, plan: Plan, figure: Call) -> Callable[..., dict[str, str]]:
    """Fingerprints of the functions after some files were replaced."""

    def of(changes: Mapping[str, str] | None = None, module: str = "lab") -> dict[str, str]:
        planner = plan(lesson({**FILES, **(changes or {})}))
        return {name: planner.node(figure(f"{module}.{name}")).key.code for name in FUNCTIONS}

    return of


Keys = Callable[..., dict[str, str]]


def changed(keys: Keys, file: str, old: str, new: str) -> set[str]:
    """The functions whose fingerprint changes when a text is replaced in a file."""
    assert old in FILES[file]
    before = keys()
    after = keys({file: FILES[file].replace(old, new)})
    return {name for name in FUNCTIONS if before[name] != after[name]}


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("lab/maps.py", "rescale = 1", "rescale = 2", {"heat"}),
        ("lab/maps.py", "return inner", "return inner()", {"curve"}),
        ("lab/maps.py", "2 * n", "3 * n", {"heat"}),
        ("lab/maps.py", "range(n)", "range(n + 1)", {"heat"}),
        ("lab/maps.py", "LIMIT = 3", "LIMIT = 4", {"curve"}),
        ("lab/maps.py", "UNUSED = 4", "UNUSED = 5", set()),
        ("lab/maps.py", "np.nan", "np.inf", set()),
        ("lab/ops.py", "hard(x): return x", "hard(x): return -x", {"curve"}),
        ("lab/ops.py", "by=None): return x", "by=None): return -x", {"curve"}),
        ("lab/ops.py", "by=None", "by=2", {"curve"}),
        ("lab/ops.py", "apart(x): return x", "apart(x): return -x", set()),
        ("lab/shapes.py", "side = 1", "side = 2", {"heat"}),
        ("lab/shapes.py", "edge(): return 1", "edge(): return 2", {"heat"}),
        ("lab/style.py", "red", "blue", set()),
    ],
)
def test_an_edit_changes_what_reaches_it_and_nothing_else(
    keys: Keys, file: str, old: str, new: str, expected: set[str]
) -> None:
    assert changed(keys, file, old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# a comment", "# another comment\n\n    # and one more"),
        ('"""A heatmap."""', '"""A heatmap, explained at length."""'),
        ("return helper(n) + lab.shapes.box()", "return (\n        helper(n)\n        + lab.shapes.box()\n    )"),
        ("LIMIT = 3", "\n\nLIMIT = 3  # more"),
    ],
)
def test_comments_docstrings_and_layout_change_nothing(keys: Keys, old: str, new: str) -> None:
    assert changed(keys, "lab/maps.py", old, new) == set()


def test_a_docstring_that_is_read_counts(keys: Keys) -> None:
    reading = FILES["lab/maps.py"].replace("return helper(n)", "return helper.__doc__, helper(n)")
    reading = reading.replace("def helper(n):", 'def helper(n):\n    """One."""')
    before = keys({"lab/maps.py": reading})
    after = keys({"lab/maps.py": reading.replace("One.", "Two.")})
    assert before["heat"] != after["heat"]
    assert before["curve"] == after["curve"]


def effect(keys: Keys, files: Mapping[str, str], edit: Mapping[str, str]) -> bool:
    """Whether an edit of some files changes the fingerprint of `heat`."""
    return keys(files)["heat"] != keys({**files, **edit})["heat"]


HEAT = "\ndef curve(): pass\n"


@pytest.mark.parametrize(
    "head",
    [
        "from lab.ops import *\ndef heat(): return 1",
        "import lab.ops\ndef heat(name=1): return getattr(lab.ops, name)",
        "from lab import ops\ndef heat(): return run(ops)\ndef run(x): return x",
        "def heat(): return globals()['apart']\nfrom lab.ops import apart",
        "def heat():\n    from importlib import import_module\n    return import_module('lab.ops')",
        "def heat():\n    from lab.ops import apart\n    return apart(1)",
        "from lab.ops import apart\nheat = apart",
        "from lab import ops\ndef heat(): return getattr(ops, 'apart')",
        "from lab import ops\n@ops.apart\ndef heat(): return 1",
        "from lab import ops\ndef heat(x=ops.apart): return x",
        "from lab.ops import apart\nTABLE = {'a': apart}\ndef heat(): return TABLE['a']",
        "from lab.ops import apart\ndef heat():\n    def apart(): pass\n    return apart\n    \nprint(apart)",
        "from lab.ops import apart\ndef heat(): return [apart for one in ()]",
        "from lab.ops import apart\ndef heat():\n    def inner():\n        apart = 1\n    return apart(1)",
        "from lab.ops import apart\ndef heat():\n    global apart\n    apart = 1",
        "from lab.ops import apart\nclass Map:\n    def draw(self): return apart(1)\ndef heat(): return Map()",
        "import lab.ops\nclass Record:\n    x: lab.ops.apart\ndef heat(): return Record",
    ],
)
def test_what_a_function_reaches_by_any_path_counts(keys: Keys, head: str) -> None:
    edit = FILES["lab/ops.py"].replace("apart(x): return x", "apart(x): return -x")
    assert effect(keys, {"lab/maps.py": head + HEAT}, {"lab/ops.py": edit})


@pytest.mark.parametrize(
    "head",
    [
        "from lab.ops import apart\ndef heat(): return 1",
        "from lab.ops import apart\ndef heat(apart=1): return apart(1)",
        "from lab.ops import apart\ndef heat():\n    apart = 1\n    return apart",
        "from lab.ops import apart\ndef heat(): return [apart for apart in ()]",
        "from lab.ops import apart\ndef heat(x: apart = 1): return x",
        "from lab.ops import apart\ndef heat(): return 1\nif __name__ == '__main__':\n    apart(1)",
        "from lab import ops\ndef heat(): return ops.soft(1)",
        "def heat(model=1): return model.eval().apart",
    ],
)
def test_what_a_function_only_mentions_does_not_count(keys: Keys, head: str) -> None:
    edit = FILES["lab/ops.py"].replace("apart(x): return x", "apart(x): return -x")
    assert not effect(keys, {"lab/maps.py": head + HEAT}, {"lab/ops.py": edit})


def test_a_module_that_acts_when_imported_counts_whole(keys: Keys) -> None:
    acting = "import numpy as np\nnp.seterr(all='raise')\ndef other(): return 1\n"
    assert effect(keys, {"lab/style.py": acting + "COLOUR = 1"}, {"lab/style.py": acting + "COLOUR = 2"})


def test_a_module_that_acts_counts_though_imported_from_afar(keys: Keys) -> None:
    files = {"lab/style.py": "import lab.deep\nCOLOUR = 1", "lab/deep.py": "print('loaded')"}
    assert effect(keys, files, {"lab/deep.py": "print('unloaded')"})


def test_what_a_decorator_of_the_project_collects_counts(keys: Keys) -> None:
    register = "SCORES = {}\ndef register(f):\n    SCORES[f.__name__] = f\n    return f\n"
    scores = "from lab.style import register\n@register\ndef dot(): return 1\n"
    maps = "from lab.style import SCORES\nimport lab.ops\ndef heat(): return SCORES['dot']()\n" + HEAT
    files = {"lab/style.py": register, "lab/ops.py": scores, "lab/maps.py": maps}
    assert effect(keys, files, {"lab/ops.py": scores.replace("return 1", "return 2")})


def test_arguments_count_and_spelt_out_defaults_do_not(lesson: Lesson, plan: Plan, figure: Call) -> None:
    planner = plan(lesson(FILES))
    default = planner.node(figure("lab.heat")).key
    assert planner.node(figure("lab.heat", n=2)).key == default
    assert planner.node(figure("lab.heat", n=3)).key != default


@pytest.mark.parametrize(
    "code",
    [
        "def heat(): return open('pairs.tsv')",
        "DATA = 'pairs.tsv'\ndef heat(): return DATA",
        "from pathlib import Path\ndef heat(): return Path(__file__).parent / 'data' / 'pairs.tsv'",
        "from pathlib import Path\ndef heat(): return Path(__file__).parent.joinpath('data/pairs.tsv')",
    ],
)
def test_a_file_that_the_code_names_counts_with_its_content(keys: Keys, code: str) -> None:
    files = {"lab/maps.py": code + HEAT, "lab/data/pairs.tsv": "a", "content/pairs.tsv": "a"}
    assert effect(keys, files, {"lab/data/pairs.tsv": "b", "content/pairs.tsv": "b"})


def test_a_file_that_an_argument_names_counts_with_its_content(lesson: Lesson, plan: Plan, figure: Call) -> None:
    folder = lesson({"lab.py": "def heat(files=()): pass", "content/a.csv": "1"})
    before = plan(folder).node(figure("lab.heat", files=["a.csv"])).key
    (folder / "a.csv").write_text("2")
    assert plan(folder).node(figure("lab.heat", files=["a.csv"])).key != before


def test_only_packages_that_are_reached_count_with_their_version(lesson: Lesson, plan: Plan, figure: Call) -> None:
    code = "import numpy as np\nimport torch\nimport yaml\ndef heat(): return np.nan\ndef parse(): return yaml.load"
    planner = plan(lesson({"lab.py": code}))
    assert set(planner.node(figure("lab.heat")).versions) == {"numpy"}
    assert set(planner.node(figure("lab.parse")).versions) == {"pyyaml"}


def test_versions_are_those_that_python_reports(plan: Plan, lesson: Lesson) -> None:
    from importlib import metadata

    planner = plan(lesson({}))
    found = planner.versions.of(["torch", "PIL", "numpy", "no_such_package"])
    assert found == {name: metadata.version(name) for name in ("numpy", "pillow", "torch")}


def test_another_version_changes_the_versions_and_not_the_code(
    lesson: Lesson, plan: Plan, figure: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lesson({"lab.py": "import numpy\ndef heat(): return numpy.nan"})
    before = plan(folder).node(figure("lab.heat")).key
    monkeypatch.setattr(Versions, "installed", {"numpy": "1.0"})
    after = plan(folder).node(figure("lab.heat")).key
    assert after.code == before.code
    assert after.versions != before.versions


def test_training_code_counts_for_the_figures_that_need_it(lesson: Lesson, plan: Plan, figure: Call) -> None:
    code = (
        "from typing import Annotated\n"
        "def train(steps: int = 3): return steps\n"
        "def heat(model: Annotated[int, train]): return model\n"
        "def other(): return 1\n"
    )

    def keys_of(code: str) -> dict[str, str]:
        planner = plan(lesson({"lab.py": code}))
        return {name: planner.node(figure(f"lab.{name}")).key.code for name in ("heat", "other")}

    before, after = keys_of(code), keys_of(code.replace("return steps", "return steps + 1"))
    assert before["heat"] != after["heat"]
    assert before["other"] == after["other"]


def test_the_same_lesson_elsewhere_has_the_same_fingerprints(tmp_path: Path, plan: Plan, figure: Call) -> None:
    found = []
    for place in ("one", "two/deeper"):
        for name, text in {**FILES, "content/01.md": ""}.items():
            path = tmp_path / place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        planner = plan(tmp_path / place / "content")
        found.append([planner.node(figure(f"lab.{name}")).key for name in FUNCTIONS])
    assert found[0] == found[1]


def test_outlines_kept_in_the_cache_give_the_same_fingerprints(lesson: Lesson, figure: Call) -> None:
    from deck_builder.cache import Cache
    from deck_builder.running.places import places_of
    from deck_builder.running.plan import outlines_in
    from deck_builder.running.project import Project
    from deck_builder.running.tool import Tool

    folder = lesson(FILES)
    cache = Cache(str(folder / ".deckbuild"))
    places = places_of(folder)

    def keys_now() -> list[str]:
        planner = Planner(Project(places, outlines_in(cache)), Versions(places.installed, cache), "en", None, Tool())
        return [str(planner.node(figure(f"lab.{name}")).key) for name in FUNCTIONS]

    first = keys_now()
    assert len(list((folder / ".deckbuild" / "outlines").iterdir())) == len(FILES)
    assert keys_now() == first


def test_fingerprints_do_not_depend_on_the_order_of_hashes(lesson: Lesson) -> None:
    folder = lesson(FILES)
    code = (
        "import sys; from pathlib import Path\n"
        "from deck_builder.model import FigureCall\n"
        "from deck_builder.running.workshop import open_workshop\n"
        "from deck_builder.model import Settings\n"
        "shop = open_workshop(Path(sys.argv[1]), Settings(), jobs=1, run=True, progress=print)\n"
        "print([str(shop.plans.node(FigureCall(f'lab.{name}')).key) for name in ('heat', 'curve')])\n"
    )
    seen = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        seen.add(done.stdout)
    assert len(seen) == 1
    assert re.search(r"[0-9a-f]{32}\.[0-9a-f]{16}", seen.pop())


@pytest.mark.parametrize(
    ("where", "function", "counts"),
    [
        ("env/site-packages", "labs.heat", True),
        ("env/site-packages", "mine.heat", False),
        ("src", "labs.heat", True),
        ("src", "mine.heat", True),
    ],
)
def test_the_source_of_a_package_counts_when_the_lesson_calls_it_or_it_is_being_developed(
    lesson: Lesson, figure: Call, where: str, function: str, counts: bool
) -> None:
    code = {f"{where}/labs.py": "def heat(): return 1", "mine.py": "import labs\ndef heat(): return labs.heat()"}

    def key(code: Mapping[str, str]) -> str:
        folder = lesson(code)
        places = places_of(folder, [str(folder.parent / where)])
        versions = Versions(places.installed, Cache(str(folder / ".deckbuild")))
        return Planner(Project(places), versions, "en", None, Tool()).node(figure(function)).key.code

    before = key(code)
    after = key({**code, f"{where}/labs.py": "def heat(): return 2"})
    assert (before != after) is counts


@pytest.mark.parametrize(
    "code",
    [
        "from importlib.util import find_spec\ndef heat(): return helper()\ndef helper(): return find_spec('an_extra')",
        "import importlib.util\ndef heat(): return importlib.util.find_spec('an_extra') is None",
        "def heat():\n    try:\n        import an_extra\n    except ImportError: return 0\n    return an_extra.x",
        "from importlib import import_module\ndef heat(): return import_module('an_extra')",
    ],
)
def test_an_optional_package_counts_when_it_comes_and_when_it_goes(
    lesson: Lesson, figure: Call, tmp_path: Path, code: str
) -> None:
    folder = lesson({"lab.py": code + "\ndef curve(): return 1"})
    packages = tmp_path / "site-packages"
    packages.mkdir()

    def keys() -> tuple[object, object]:
        places = places_of(folder, [str(packages)])
        versions = Versions(places.installed, Cache(str(folder / ".deckbuild")))
        planner = Planner(Project(places), versions, "en", None, Tool())
        return planner.node(figure("lab.heat")).key, planner.node(figure("lab.curve")).key

    missing = keys()
    (packages / "an_extra").mkdir()
    (packages / "an_extra/__init__.py").write_text("raise RuntimeError('it was imported')")
    (packages / "an_extra-1.0.dist-info").mkdir()
    installed = keys()
    assert installed[0] != missing[0]
    assert installed[1] == missing[1]
    (packages / "an_extra-1.0.dist-info").rename(packages / "an_extra-1.1.dist-info")
    assert keys()[0] not in (missing[0], installed[0])
    (packages / "an_extra-1.1.dist-info").rmdir()
    (packages / "an_extra/__init__.py").unlink()
    (packages / "an_extra").rmdir()
    assert keys() == missing
