"""Markdown and running Python become a native, editable PowerPoint deck."""

__version__ = "0.1.0"
