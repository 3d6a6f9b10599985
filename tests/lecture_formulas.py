"""Formulas that tests of several rooms set: those of an attention lesson, and those of the real lectures beside."""

from __future__ import annotations

import re
from pathlib import Path

from support import CORPUS

LESSON = tuple((Path(__file__).parent / "cases" / "formulas.txt").read_text(encoding="utf-8").splitlines())
"""Display formulas, one a line."""

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$(?=\S)([^$\n]+?(?:\n[^$\n]+?)?)(?<=\S)\$(?!\d)", re.DOTALL)


def lecture_formulas() -> list[tuple[str, bool]]:
    """Every formula of the corpus as its author wrote it, and whether it is displayed."""
    found = []
    for path in sorted(CORPUS.glob("*/*.*md")):
        text = _CODE.sub("", path.read_text(encoding="utf-8"))
        found += [((match[1] or match[2]).strip(), bool(match[1])) for match in _FORMULA.finditer(text)]
    return found
