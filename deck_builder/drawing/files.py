"""A figure as a file of its own, by matplotlib's own backends: the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FileKind = Literal["png", "svg", "pdf"]

_UNDATED: Mapping[FileKind, Mapping[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_STEADY: Mapping[Any, Any] = {"svg.hashsalt": "deckbuild"}
"""Names of things inside an SVG are else drawn by lot."""


def file_of(figure: Figure, kind: FileKind, *, size_inches: tuple[float, float] | None, dpi: int) -> bytes:
    """The content of the file. Without a size the figure keeps its own; `dpi` is that of a PNG and of images."""
    import matplotlib

    if size_inches:
        figure.set_size_inches(*size_inches)
    content = BytesIO()
    with matplotlib.rc_context(dict(_STEADY)):
        figure.savefig(content, format=kind, dpi=dpi, metadata=dict(_UNDATED[kind]))
    return content.getvalue()
