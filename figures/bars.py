"""Horizontal bars with their names before and their numbers behind them, composed in points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from figures.canvas import LARGE, NORMAL, SMALL, Canvas, box, label, text_width
from figures.colours import Colour, hairline, ink, muted


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a bar."""

    amount: float
    colour: Colour
    name: str = ""
    """Written into the stretch where it fits."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of one or more stretches; `written` stands at its end."""

    name: str
    parts: tuple[Part, ...]
    written: str
    bold: bool = False

    @property
    def amount(self) -> float:
        """The length of the whole bar."""
        return sum(part.amount for part in self.parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Bars under one title."""

    title: str
    bars: tuple[Bar, ...]
    colour: Colour | None = None
    gid: str | None = None


def bar(name: str, amount: float, written: str, colour: Colour, *, bold: bool = False) -> Bar:
    """A bar of one stretch."""
    return Bar(name, (Part(amount, colour),), written, bold)


def draw_groups(canvas: Canvas, groups: Sequence[Group], *, largest: float | None = None, top: float = 2.0) -> None:
    """Groups below each other on one common scale, spread over the height of the frame."""
    longest = largest or max(each.amount for group in groups for each in group.bars)
    names = max(text_width(each.name) for group in groups for each in group.bars) + 10
    numbers = max(text_width(each.written) for group in groups for each in group.bars) + 12
    room = canvas.width - names - numbers - 4
    heads = sum(1 for group in groups if group.title)
    lines = sum(len(group.bars) for group in groups)
    gaps = len(groups) - 1
    pitch = min(40.0, (canvas.height - top - heads * 24 - gaps * 12 - 4) / lines)
    used = heads * 24 + lines * pitch + gaps * 12
    y = top + max(0.0, (canvas.height - top - used) / 2)
    for group in groups:
        if group.title:
            colour, gid = group.colour, group.gid
            label(canvas, 2, y + 10, group.title, size=LARGE, bold=True, colour=colour, align="left", gid=gid)
            y += 24
        for each in group.bars:
            _draw_bar(canvas, each, names, y + pitch / 2, pitch, room / longest, group.gid)
            y += pitch
        y += 12


def _draw_bar(
    canvas: Canvas, each: Bar, left: float, middle: float, pitch: float, scale: float, gid: str | None
) -> None:
    height = min(22.0, pitch * 0.66)
    label(canvas, left - 8, middle, each.name, align="right", bold=each.bold, gid=gid)
    x = left
    for part in each.parts:
        width = max(part.amount * scale, 0.0)
        fits = part.name and text_width(part.name, SMALL) + 6 <= width
        box(
            canvas, x, middle - height / 2, width, height, part.name if fits else "", fill=part.colour, size=SMALL,
            name=f"{each.name} {part.name}".strip(), gid=gid,
        )  # fmt: skip
        x += width
    canvas.axes.plot([left, left], [middle - pitch / 2, middle + pitch / 2], color=hairline(), linewidth=1.0, gid=gid)
    colour = ink() if each.bold else muted()
    label(canvas, x + 6, middle, each.written, size=NORMAL, colour=colour, align="left", gid=gid)
