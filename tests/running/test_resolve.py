from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from deck_builder.errors import DeckError
from deck_builder.running.names import resolve
from deck_builder.running.places import places_of
from deck_builder.running.project import Project

Lesson = Callable[[Mapping[str, str]], Path]


def found(folder: Path, dotted: str) -> str:
    target = resolve(Project(places_of(folder)), dotted)
    return f"{target.module.shown}:{target.node.lineno} {target.qualified}"


def test_a_module_in_the_lesson_comes_before_one_above(lesson: Lesson) -> None:
    folder = lesson({"content/lab.py": "def f(): pass", "lab.py": "\ndef f(): pass"})
    assert found(folder, "lab.f") == "content/lab.py:1 f"


def test_a_module_above_comes_before_an_installed_one(lesson: Lesson) -> None:
    folder = lesson({"click_extra/__init__.py": "def f(): pass", "pytest/__init__.py": "def f(): pass"})
    assert found(folder, "pytest.f") == "pytest/__init__.py:1 f"


def test_a_standard_module_above_the_lesson_is_passed_over(lesson: Lesson) -> None:
    folder = lesson({"textwrap.py": "def mine(): pass"})
    assert found(folder, "textwrap.dedent").endswith(" dedent")


def test_a_folder_without_init_is_a_package(lesson: Lesson) -> None:
    folder = lesson({"lab/heat/maps.py": "def f(): pass"})
    assert found(folder, "lab.heat.maps.f") == "lab/heat/maps.py:1 f"


def test_a_folder_of_pictures_in_the_lesson_hides_no_package_above(lesson: Lesson) -> None:
    folder = lesson({"content/lab/a.txt": "", "lab/__init__.py": "", "lab/maps.py": "def f(): pass"})
    assert found(folder, "lab.maps.f") == "lab/maps.py:1 f"


@pytest.mark.parametrize(
    "export",
    [
        "from .maps import f",
        "from lab.maps import f",
        "from lab.maps import inner as f",
        "from . import maps\nf = 1\nfrom .maps import f",
        "from .maps import *",
        "from .chain import f",
    ],
)
def test_re_exports_are_followed_to_the_definition(lesson: Lesson, export: str) -> None:
    files = {
        "lab/__init__.py": export,
        "lab/maps.py": "def f(): pass\ndef inner(): pass",
        "lab/chain.py": "from .maps import f",
    }
    expected = "inner" if "inner" in export else "f"
    if "f = 1" in export:
        assert found(lesson(files), "lab.f") == "lab/__init__.py:2 f"
    else:
        assert found(lesson(files), "lab.f").endswith(f" {expected}")


def test_imports_in_a_circle_end(lesson: Lesson) -> None:
    folder = lesson(
        {"lab/__init__.py": "from .a import f", "lab/a.py": "from .b import f", "lab/b.py": "from .a import f"}
    )
    with pytest.raises(DeckError, match="no function 'f'"):
        found(folder, "lab.f")


def test_a_package_and_a_function_of_one_name_are_told_apart(lesson: Lesson) -> None:
    folder = lesson({"lab/__init__.py": "from .heat import heat", "lab/heat.py": "def heat(): pass\ndef cool(): pass"})
    assert found(folder, "lab.heat").endswith(" heat")
    assert found(folder, "lab.heat.cool").endswith(" cool")


def test_attributes_of_classes_are_found_in_their_bases(lesson: Lesson) -> None:
    folder = lesson(
        {
            "lab/__init__.py": "from .base import Base\nclass Heads(Base):\n    @staticmethod\n    def own(): pass",
            "lab/base.py": "class Base:\n    @staticmethod\n    def draw(): pass",
        }
    )
    assert found(folder, "lab.Heads.own") == "lab/__init__.py:4 Heads.own"
    assert found(folder, "lab.Heads.draw") == "lab/base.py:3 Base.draw"


def test_functions_of_installed_packages_are_found_without_importing_them(lesson: Lesson) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from deck_builder.running.names import resolve\n"
        "from deck_builder.running.places import places_of\n"
        "from deck_builder.running.project import Project\n"
        "print(resolve(Project(places_of(Path(sys.argv[1]))), 'torch.nn.functional.cross_entropy').module.shown)\n"
        "assert not {'torch', 'numpy'} & set(sys.modules)\n"
    )
    import subprocess

    folder = lesson({})
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "torch/nn/functional.py", done.stderr


@pytest.mark.parametrize(
    ("dotted", "message"),
    [
        ("labb.heat.f", "no module 'labb'.*did you mean 'lab'"),
        ("lab.haet.f", "lab has no module or function 'haet'; did you mean 'heat'"),
        ("lab.heat.alignmnt", "lab.heat has no function 'alignmnt'; did you mean 'alignment'"),
        ("lab.heat", "lab.heat is a module; name a function in it; it has: Map, alignment"),
        ("lab", "lab is a module"),
        ("lab.heat.f()", "no dotted path"),
        ("lab.heat.Map.daw", "Map has no function 'daw'; did you mean 'draw'"),
    ],
)
def test_an_unknown_name_is_an_error_with_close_matches(lesson: Lesson, dotted: str, message: str) -> None:
    folder = lesson({"lab/heat.py": "def alignment(): pass\nclass Map:\n    def draw(self): pass"})
    with pytest.raises(DeckError, match=message):
        found(folder, dotted)


def test_a_syntax_error_names_its_line(lesson: Lesson) -> None:
    folder = lesson({"lab/heat.py": "x = 1\ndef f(:\n    pass"})
    with pytest.raises(DeckError, match=r"lab/heat\.py:2"):
        found(folder, "lab.heat.f")


@pytest.mark.parametrize("name", ["random", "numpy", "deck_builder", "torch"])
def test_a_lesson_file_named_like_a_needed_module_is_an_error(lesson: Lesson, name: str) -> None:
    project = Project(places_of(lesson({f"content/{name}.py": ""})))
    with pytest.raises(DeckError, match=f"rename it, for example my_{name}"):
        project.refuse_shadows()


def test_folders_of_a_lesson_that_are_no_packages_shadow_nothing(lesson: Lesson) -> None:
    Project(places_of(lesson({"content/code/listing.txt": "", "content/my_figures.py": ""}))).refuse_shadows()
