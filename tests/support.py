"""What tests of several rooms use: tools that may be missing, the corpus beside the project, values made short."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deck_builder.model import Run
from deck_builder.pages import EMU_PER_INCH, Frame, Line, TextBox

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real lectures is not beside the project")


def needs(tool: str) -> pytest.MarkDecorator:
    """Skip where a program is missing; with CI=true a missing program is a failure (conftest sees to it)."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"needs {tool}")


def inches(left: float, top: float, width: float, height: float) -> Frame:
    """A frame by inches."""
    return Frame(*(round(length * EMU_PER_INCH) for length in (left, top, width, height)))


def text_line(text: str, **fields: object) -> Line:
    """A line of plain text."""
    return Line(runs=(Run(text),), **fields)  # type: ignore[arg-type]


def title_box(text: str) -> TextBox:
    """A page's title in its placeholder."""
    frame = inches(0.7, 0.42, 11.93, 0.7)
    return TextBox(frame=frame, lines=(text_line(text, size_pt=30.0),), name="Title", placeholder=0, role="title")
