"""Captions of directives are Markdown, whatever YAML thinks of their first mark."""

from __future__ import annotations

from pathlib import Path

from deck_builder.model import FigureCall, Run, Style, Value
from deck_builder.reading import read


def test_a_caption_may_begin_with_a_mark_that_yaml_keeps_for_itself(tmp_path: Path) -> None:
    lesson = tmp_path / "a.md"
    lesson.write_text(
        "## S\n\n```{figure} m.f\nlabel: fig-a\ncaption: `{value} .x:.1f` of **all**\n```\n", encoding="utf-8"
    )
    (call,) = read(lesson).slides[0].blocks
    assert isinstance(call, FigureCall)
    assert call.caption[0] == Value("", "x", None, ".1f")
    assert call.caption[-1] == Run("all", Style(bold=True))
