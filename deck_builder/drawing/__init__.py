"""A matplotlib Figure as one group of native shapes; the only room that knows matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from deck_builder.pages import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_figure(
    figure: Figure,
    *,
    frame_size: tuple[int, int],
    colours: Mapping[str, str],
    name: str,
    alt: str,
    lang: str = "zh-CN",
) -> Drawing:
    """The whole figure as one `p:grpSp` named `name`, laid out anew for a frame of `frame_size` EMU.

    `colours` maps the theme's slots to RRGGBB; where a figure uses one of them, its shape refers to the slot. Text is
    set in the theme's faces and measured by the shipped metrics. Raises `DeckError` for what shapes cannot show.
    """
    from deck_builder.drawing.canvas import draw  # matplotlib is loaded only to draw

    return draw(figure, frame_size=frame_size, colours=colours, name=name, alt=alt, lang=lang)
