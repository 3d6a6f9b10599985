"""Markdown → `Deck`: the one room that knows how lessons are written."""

from __future__ import annotations

from deck_builder.reading.lesson import read, read_settings

__all__ = ["read", "read_settings"]
