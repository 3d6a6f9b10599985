"""All layers and heads of a trained model at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from matplotlib.patches import Polygon, Rectangle
from torch import Tensor

from figures.attention import causal_mask
from figures.canvas import NORMAL, SMALL, Canvas, Size, label, open_canvas
from figures.colours import WEIGHTS, muted, paper, ramp, tint
from figures.exhibit import Exhibit
from figures.experiments.leak import TrainedCopier, train_copier
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words

SEEN = 0.05
"""Weights below are left white: a map of many positions would otherwise be thousands of shapes."""

TEXT: Wording = {
    "layer": ("第 {number} 层", "layer {number}"),
    "head": ("头 {number}", "head {number}"),
    "note": (
        "行是查询，列是键；小于 {seen} 的权重留白",
        "rows: queries, columns: keys; weights under {seen} left white",
    ),
    "alt": (
        "{layers} 层 × {heads} 个头的注意力缩略图，{T} 个符号。每个头权重最多的偏移（查询减键）：{each}。",
        "Thumbnails of {layers} layers by {heads} heads over {T} symbols. The offset (query minus key) with most "
        "weight in each head: {each}.",
    ),
    "one": (
        "第 {layer} 层头 {head} 偏移 {offset}（{share:.2f}）",
        "layer {layer} head {head} offset {offset} ({share:.2f})",
    ),
}


def overview(model: Annotated[TrainedCopier, train_copier], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """One thumbnail for each head of each layer of the language model, on one sequence."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.0))
    layers, heads = len(model.weights), model.weights[0].shape[0]
    margin, head_room, foot = 52.0, 20.0, 20.0
    pitch = min((canvas.width - margin) / heads, (canvas.height - head_room - foot) / layers)
    step = (canvas.width - margin) / heads
    top = (canvas.height - head_room - foot - layers * pitch) / 2
    for layer, weights in enumerate(model.weights):
        y = top + head_room + layer * pitch
        title = text["layer"].format(number=layer + 1)
        label(canvas, 2, y + pitch / 2 - 6, title, bold=True, align="left")
        for head in range(heads):
            x = margin + head * step + (step - pitch) / 2
            if layer == 0:
                name = text["head"].format(number=head + 1)
                label(canvas, x + pitch / 2 - 4, top + 9, name, size=NORMAL, colour=muted())
            name = f"layer {layer + 1} head {head + 1}"
            _thumbnail(canvas, x, y, pitch - 10, weights[head], name, causal=model.causal)
    note = text["note"].format(seen=SEEN)
    label(canvas, canvas.width - 4, canvas.height - 8, note, size=SMALL, colour=muted(), align="right")
    found = strongest_offsets(model.weights)
    return Exhibit(canvas.figure, _describe(model, found, text, lang), _values(model, found))


def strongest_offsets(weights: Sequence[Tensor]) -> dict[tuple[int, int], tuple[int, float]]:
    """For each (layer, head) from 1 on: the offset query − key with the largest mean weight where it exists."""
    found = {}
    for layer, maps in enumerate(weights, start=1):
        for head, matrix in enumerate(maps, start=1):
            T = len(matrix)
            means = {offset: float(matrix.diagonal(-offset).mean()) for offset in range(T // 2 + 1)}
            best = max(means, key=lambda offset: means[offset])
            found[layer, head] = best, means[best]
    return found


def _thumbnail(canvas: Canvas, x: float, y: float, side: float, weights: Tensor, name: str, *, causal: bool) -> None:
    """The cells that carry weight; what a causal mask hides is one hatched staircase."""
    T = len(weights)
    numbers = checked_weights(weights, ~causal_mask(T).numpy() if causal else None)
    colours = ramp(WEIGHTS)
    cell = side / T
    if causal:
        steps = [(x + column * cell, y + row * cell) for column in range(1, T) for row in (column - 1, column)]
        stairs = Polygon([*steps, (x + side, y + (T - 1) * cell), (x + side, y)], closed=True)
        stairs.set(facecolor=paper(), edgecolor=tint(muted(), 0.55), linewidth=0, hatch="////", label=f"{name} masked")
        canvas.axes.add_artist(stairs)
    for row, column in zip(*(numbers >= SEEN).nonzero(), strict=True):
        patch = Rectangle((x + column * cell, y + row * cell), cell, cell)
        place = f"{name} [{row + 1}, {column + 1}]"
        patch.set(facecolor=colours(numbers[row, column]), edgecolor="none", linewidth=0, label=place)
        canvas.axes.add_artist(patch)
    outline = Rectangle((x, y), side, side)
    outline.set(facecolor="none", edgecolor=muted(), linewidth=0.8, label=name)
    canvas.axes.add_artist(outline)


def _describe(
    model: TrainedCopier, found: Mapping[tuple[int, int], tuple[int, float]], text: Mapping[str, str], lang: str
) -> str:
    separator = "；" if lang.startswith("zh") else "; "
    every = separator.join(
        text["one"].format(layer=layer, head=head, offset=offset, share=share)
        for (layer, head), (offset, share) in found.items()
    )
    layers, heads = len(model.weights), model.weights[0].shape[0]
    return text["alt"].format(layers=layers, heads=heads, T=model.weights[0].shape[-1], each=every)


def _values(model: TrainedCopier, found: Mapping[tuple[int, int], tuple[int, float]]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "layers": len(model.weights),
        "heads": model.weights[0].shape[0],
        "positions": model.weights[0].shape[-1],
        "tokens": "".join(model.tokens),
        "block": period(model.tokens),
        "seed": model.seed,
        "steps": model.steps,
        "accuracy_repeat": model.accuracy_repeat,
    }
    for (layer, head), (offset, share) in found.items():
        values |= {f"offset_{layer}_{head}": offset, f"share_{layer}_{head}": share}
    for layer in range(1, len(model.weights) + 1):
        kinds = [offset for (of, _), (offset, _) in found.items() if of == layer]
        common = max(kinds, key=kinds.count)
        shares = [share for (of, _), (offset, share) in found.items() if of == layer and offset == common]
        values |= {f"common_{layer}": common, f"alike_{layer}": kinds.count(common)}
        values |= {f"least_share_{layer}": min(shares), f"greatest_share_{layer}": max(shares)}
    return values


def period(tokens: Sequence[str]) -> int:
    """The length of the block that the tokens repeat; their number if they repeat none."""
    lengths = range(1, len(tokens) + 1)
    return next(n for n in lengths if all(tokens[i] == tokens[i + n] for i in range(len(tokens) - n)))
