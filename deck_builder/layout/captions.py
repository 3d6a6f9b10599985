"""Captions: "图 4  …" or "Figure 4: …" in small muted type."""

from __future__ import annotations

from deck_builder.layout.inlines import flat_runs, joined
from deck_builder.layout.measure import measure
from deck_builder.layout.parts import Entry, Prose
from deck_builder.layout.setting import Setting
from deck_builder.layout.words import caption_label
from deck_builder.model import Alignment, Inlines, Notice, Run, Source


def caption_prose(
    kind: str, number: int | None, caption: Inlines, setting: Setting, source: Source, *, alignment: Alignment
) -> tuple[Prose | None, tuple[Notice, ...]]:
    """The caption with its number; None where there is neither."""
    runs, notices = flat_runs(caption, setting.formulas, source)
    label = caption_label(kind, number, chinese=setting.chinese, caption=bool(runs))
    runs = joined((Run(label), *runs)) if label else runs
    if not runs:
        return None, notices
    entry = Entry(runs=runs, measured=measure(runs, setting.metrics), alignment=alignment, after=0.0, source=source)
    return Prose(entries=(entry,), role="caption", size_pt=setting.theme.sizes.caption, source=source), notices
