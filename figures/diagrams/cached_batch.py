"""Two sentences of different lengths over one cache: pads to hide, positions to count for each sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from figures.canvas import LARGE, SMALL, Canvas, Size, box, label, open_canvas
from figures.colours import KEY, QUERY, VALUE, WARNING, muted, paper, tint
from figures.exhibit import Exhibit
from figures.experiments.cache import BatchFacts, measure_cached_batch
from figures.language import Wording, words
from figures.numerals import scientific

TEXT: Wording = {
    "short": ("句 1", "row 1"),
    "long": ("句 2", "row 2"),
    "cache": ("缓存里的键和值（数字是位置）", "keys and values in the cache, with positions"),
    "new": ("新词", "new"),
    "unmasked": ("不遮 pad", "pads seen"),
    "misplaced": ("遮了 pad，位置写成 {long}", "pads hidden, position {long}"),
    "masked": ("遮了 pad，位置写成 {short}", "pads hidden, position {short}"),
    "result": ("句 1 的输出与单独解码相差", "row 1 differs from decoding it alone by"),
    "alt": (
        "一批两句，长 {short} 和 {long}，共用一个缓存：句 1 后面有 {pads} 个 pad。句 1 下一步的输出与单独解码相差："
        "不遮 pad {unmasked:.2f}，遮了 pad 但位置写成 {long} 是 {misplaced:.2f}，遮了 pad 且位置是 {short} 只有 "
        "{masked:.0e}。",
        "Two sentences of {short} and {long} tokens over one cache, {pads} pads behind the first. Its next output "
        "differs from decoding it alone by {unmasked:.2f} with the pads seen, {misplaced:.2f} with the pads hidden at "
        "position {long}, {masked:.0e} with the pads hidden at position {short}.",
    ),
}


def cached_batch(
    facts: Annotated[BatchFacts, measure_cached_batch], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """The cache of the batch, and three ways to decode the next token of its shorter sentence."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    short, long = facts.lengths
    values: dict[str, Any] = {
        "short": short, "long": long, "pads": long - short, "unmasked": facts.unmasked,
        "misplaced": facts.misplaced, "masked": facts.masked,
    }  # fmt: skip
    if canvas.wide:  # side by side
        half, middle = canvas.width / 2, canvas.height / 2
        _draw_cache(canvas, 0.0, middle - 80, half, short, long, text)
        _draw_results(canvas, half, middle - 70, half, values, text)
    else:
        top = max(0.0, (canvas.height - 280) / 2)
        _draw_cache(canvas, 0.0, top, canvas.width, short, long, text)
        _draw_results(canvas, 0.0, top + 160, canvas.width, values, text)
    return Exhibit(canvas.figure, text["alt"].format(**values), values)


def _draw_cache(
    canvas: Canvas, left: float, top: float, width: float, short: int, long: int, text: Mapping[str, str]
) -> None:
    """Two rows of cells: tokens with their positions, hatched pads, the new token at the end."""
    head = 46.0
    cell = min(44.0, (width - head - 24) / (long + 1))
    start = left + (width - head - 16 - (long + 1) * cell) / 2 + head
    middle = start + long * cell / 2
    label(canvas, middle, top + 10, text["cache"], size=LARGE, bold=True, colour=KEY, gid="step-1")
    newest = start + long * cell + 12
    label(canvas, newest + cell / 2, top + 34, text["new"], size=SMALL, bold=True, colour=QUERY, gid="step-1")
    for number, (name, length) in enumerate((("short", short), ("long", long))):
        y = top + 48 + number * 46
        label(canvas, start - 8, y + 18, text[name], align="right", gid="step-1")
        for place in range(long):
            x, real = start + place * cell, place < length
            box(
                canvas, x + 2, y, cell - 4, 36, str(place) if real else "pad", fill=tint(KEY, 0.2) if real else paper(),
                edge=KEY if real else muted(), colour=None if real else muted(), line=1.2, dashed=not real, size=SMALL,
                name=f"{name} {place}", gid="step-1",
            )  # fmt: skip
        box(
            canvas, newest, y, cell - 4, 36, str(length), fill=tint(QUERY, 0.2), edge=QUERY, line=1.6, size=SMALL,
            name=f"{name} new", gid="step-1",
        )  # fmt: skip


def _draw_results(
    canvas: Canvas, left: float, top: float, width: float, values: Mapping[str, Any], text: Mapping[str, str]
) -> None:
    """Three lines: what was done, and how wrong the output is."""
    label(canvas, left + width / 2, top + 8, text["result"], size=LARGE, bold=True, gid="step-2")
    left, width = left + max(2.0, (width - 400) / 2), min(width - 4, 400.0)
    for number, name in enumerate(("unmasked", "misplaced", "masked")):
        role = VALUE if name == "masked" else WARNING
        y = top + 26 + number * 34
        box(canvas, left, y, width, 28, fill=tint(role, 0.1), edge=role, line=1.0, rounded=True, name=name,
            gid="step-2")  # fmt: skip
        label(canvas, left + 12, y + 14, text[name].format(**values), align="left", gid="step-2")
        error = f"{values[name]:.2f}" if values[name] > 0.001 else scientific(values[name])
        label(canvas, left + width - 12, y + 14, error, bold=True, colour=role, align="right", gid="step-2")
