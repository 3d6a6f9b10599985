"""What tests of several rooms use: tools that may be missing, the corpus beside the project, values made short."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from deck_builder.model import Run
from deck_builder.pages import EMU_PER_INCH, Frame, Line, TextBox
from deck_builder.paths import templates

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real lectures is not beside the project")


def needs(tool: str) -> pytest.MarkDecorator:
    """Skip where a program is missing; with CI=true a missing program is a failure (conftest sees to it)."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"needs {tool}")


def remapped(target: Path, ink: str, paper: str, second_ink: str, second_paper: str) -> Path:
    """The shipped template with other slots of its theme as the colours of text and background."""
    with zipfile.ZipFile(templates() / "lecture.pptx") as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if "slideMaster" in name and name.endswith(".xml"):
                mapping = f'bg1="{paper}" tx1="{ink}" bg2="{second_paper}" tx2="{second_ink}"'.encode()
                content, count = re.subn(b'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2"', mapping, content)
                assert count == 1
            new.writestr(name, content)
    return target


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
