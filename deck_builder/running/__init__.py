"""The run stage: from a lesson's calls to evidence, and from figures to drawings. Lesson code runs in workers only."""

from __future__ import annotations

from deck_builder.running.progress import Event, Progress, RunReport
from deck_builder.running.runner import Runner
from deck_builder.running.values import Evidence

__all__ = ["Event", "Evidence", "Progress", "RunReport", "Runner"]
