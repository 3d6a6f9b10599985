"""Very short summaries: the first sentence of a docstring, and the name that its author gave to the function."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType

import babel
import matplotlib as mpl
import numpy as np
import PIL

from figures.data.pairs import Pair

PACKAGES = (mpl, np, babel, PIL)
"""Their sources are read, not run."""


def named_functions() -> tuple[Pair, ...]:
    """Sentences of 4 to 20 words and names of 2 to 4 words, at least one of which occurs in the sentence; none twice.

    `gold[t]` are the positions in the sentence of word t of the name, empty if the author chose a word of his own.
    """
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], None] = {}
    for package in PACKAGES:
        for source in sources(package):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found |= dict.fromkeys(described(node))
    return tuple(aligned(sentence, name) for sentence, name in sorted(found))


def sources(package: ModuleType) -> list[str]:
    """The Python files of an installed package, tests apart."""
    folder = Path(package.__path__[0])
    paths = [path.relative_to(folder) for path in folder.rglob("*.py")]
    kept = [path for path in sorted(paths) if not any("test" in part for part in path.parts)]
    return [(folder / path).read_text(encoding="utf-8") for path in kept]


def described(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The sentence and the name of one function, or nothing if they do not fit."""
    text = re.split(r"(?<=\w)\.(?:\s|$)|\n\s*\n", ast.get_docstring(node) or "")[0]
    sentence = tuple(re.findall(r"[a-z]+", text.lower()))
    name = tuple(word for word in node.name.lower().split("_") if word.isalpha())
    fits = 4 <= len(sentence) <= 20 and 2 <= len(name) <= 4 and not set(name).isdisjoint(sentence)
    return [(sentence, name)] if fits else []


def aligned(sentence: tuple[str, ...], name: tuple[str, ...]) -> Pair:
    """The pair with the places of each word of the name."""
    gold = tuple(tuple(i for i, other in enumerate(sentence) if other == word) for word in name)
    return Pair(sentence, name, gold, "en")
