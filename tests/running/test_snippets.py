from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from deck_builder.errors import DeckError
from deck_builder.model import Code, SnippetCall
from deck_builder.running.names import resolve
from deck_builder.running.places import places_of
from deck_builder.running.project import Project
from deck_builder.running.snippets import excerpt, listing

Lesson = Callable[[Mapping[str, str]], Path]

SOURCE = '''"""Ops."""
from functools import cache

# about the limit
LIMIT: int = 3  # three
SCORES = {
    "dot": 1,
}


@cache
@staticmethod
def scaled(
    q, k=lambda x: x, *, table: dict[str, int] = {"a": 1}
) -> dict[str, int]:  # the end
    """Scaled.

    More.
    """
    # first a comment
    text = """a
  b"""

    return text  # 注意力


class Heads:
    """Heads."""

    size = 1

    def split(self, x):
        if x:
            return x
        return None

    def bare(self): return 1

    def only(self):
        """Nothing else."""
'''


@pytest.fixture
def shown(lesson: Lesson) -> Callable[..., Code]:
    folder = lesson({"ops.py": SOURCE})

    def make(name: str, lines: str = "all", highlight: str = "") -> Code:
        text = excerpt(resolve(Project(places_of(folder)), f"ops.{name}"), lines)
        return listing(SnippetCall(f"ops.{name}", lines, highlight), text, "")

    return make


Shown = Callable[..., Code]


def test_a_listing_is_the_definition_with_its_decorators(shown: Shown) -> None:
    code = shown("scaled")
    assert code.language == "python"
    assert code.text.startswith("@cache\n@staticmethod\ndef scaled(")
    assert code.text.endswith("return text  # 注意力")
    assert code.text in SOURCE


def test_a_method_loses_its_indentation(shown: Shown) -> None:
    assert shown("Heads.split").text == "def split(self, x):\n    if x:\n        return x\n    return None"


def test_a_body_begins_after_the_docstring_and_keeps_comments(shown: Shown) -> None:
    assert shown("scaled", "body").text == '# first a comment\ntext = """a\nb"""\n\nreturn text  # 注意力'
    assert shown("Heads.split", "body").text == "if x:\n    return x\nreturn None"
    assert shown("Heads.bare", "body").text == "return 1"
    assert shown("Heads", "body").text.startswith("size = 1\n\ndef split")


def test_a_signature_ends_at_its_colon(shown: Shown) -> None:
    assert shown("scaled", "signature").text == (
        'def scaled(\n    q, k=lambda x: x, *, table: dict[str, int] = {"a": 1}\n) -> dict[str, int]:  # the end'
    )
    assert shown("Heads.split", "signature").text == "def split(self, x):"
    assert shown("Heads", "signature").text == "class Heads:"


def test_constants_are_shown(shown: Shown) -> None:
    assert shown("LIMIT").text == "LIMIT: int = 3  # three"
    assert shown("SCORES").text == 'SCORES = {\n    "dot": 1,\n}'


def test_a_range_counts_from_the_first_line_of_the_definition(shown: Shown) -> None:
    assert shown("Heads.split", "2-3").text == "    if x:\n        return x"
    assert shown("Heads.split", "1").text == "def split(self, x):"


def test_highlighted_lines_are_those_shown(shown: Shown) -> None:
    assert shown("Heads.split", "body", "1|2-3").highlight == "1|2-3"


@pytest.mark.parametrize(
    ("name", "lines", "highlight", "message"),
    [
        ("Heads.split", "3-9", "", r"lines 3-9 of ops.Heads.split, which has 4; a range lies within 1-4"),
        ("Heads.split", "0-1", "", "within 1-4"),
        ("Heads.split", "3-2", "", "within 1-4"),
        ("Heads.split", "first", "", "'first' is not understood; it is all, body, signature"),
        ("LIMIT", "body", "", "is a constant, which has no body"),
        ("Heads.only", "body", "", "no body beside its docstring"),
        ("Heads.split", "body", "4", "the listing shows lines 1-3"),
        ("Heads.split", "body", "a", "'a' is not understood"),
        ("Heads.spilt", "all", "", "did you mean 'split'"),
    ],
)
def test_lines_that_do_not_exist_are_an_error(
    shown: Shown, name: str, lines: str, highlight: str, message: str
) -> None:
    with pytest.raises(DeckError, match=message):
        shown(name, lines, highlight)


def test_every_function_of_the_standard_library_that_is_shown_compiles(lesson: Lesson) -> None:
    project = Project(places_of(lesson({})))
    for name in ("argparse", "textwrap", "statistics", "heapq"):
        module = project.module(name)
        assert module
        functions = [node.name for node in module.tree.body if isinstance(node, ast.FunctionDef)]
        assert functions
        for function in functions:
            target = resolve(project, f"{name}.{function}")
            whole, signature, body = (excerpt(target, lines) for lines in ("all", "signature", "body"))
            indented = "\n".join(f"    {line}" if line else "" for line in body.splitlines())
            again = ast.parse(f"{signature}\n{indented}").body[0]
            node = ast.parse(whole).body[0]
            assert isinstance(node, ast.FunctionDef)
            node.body = node.body[1:] if ast.get_docstring(node) else node.body
            node.decorator_list = []
            assert ast.dump(again) == ast.dump(node)


def test_the_fingerprint_of_a_listing_is_that_of_its_text(shown: Shown) -> None:
    assert shown("LIMIT").fingerprint != shown("SCORES").fingerprint
    assert shown("LIMIT").fingerprint == shown("LIMIT").fingerprint
