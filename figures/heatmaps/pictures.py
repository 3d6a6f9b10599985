"""Attention over a picture, once for each word of its caption: soft above, hard below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import NORMAL, SMALL, Canvas, Size, label, open_canvas
from figures.colours import VALUE, WEIGHTS, ink, mix, muted, paper, tint
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.captions import DescribedPicture, TrainedCaptioner, train_captioner
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words
from figures.numerals import share

SEEN = 0.02
"""Weights below are left white."""
LEVELS = 3
"""Shades of ink; neighbouring pixels of one shade are one shape."""

TEXT: Wording = {
    "additive": ("软（加性）", "soft (additive)"),
    "general": ("软（general）", "soft (general)"),
    "concat": ("软（concat）", "soft (concat)"),
    "dot": ("软（dot）", "soft (dot)"),
    "hard-gumbel": ("硬（Gumbel）", "hard (Gumbel)"),
    "hard-reinforce": ("硬（REINFORCE）", "hard (REINFORCE)"),
    "frame": ("绿框：这个词说的那一格", "green: the cell the word speaks of"),
    "alt": (
        "图像描述的注意力：同一张 {size}×{size} 的图，每个模型一行，每写一个词一幅，颜色越深权重越大。{rows}。",
        "Attention of picture description: one {size} by {size} picture, a row for each model, one panel for each "
        "word it writes, the darker the more weight. {rows}.",
    ),
    "row": (
        "{name}写出“{caption}”，写数字时落在它那一格的权重 {inside}",
        "{name} writes “{caption}”, weight of digit words on their cell {inside}",
    ),
}


def pictures(
    models: Annotated[tuple[TrainedCaptioner, ...], each(train_captioner, mechanism=("additive", "hard-gumbel"))],
    example: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The same new picture under each model (after Xu et al. 2015, Fig. 2)."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 5.0))
    found = [_described(model, example) for model in models]
    panels = max(len(described.target) for described, _ in found)
    margin, foot, gap, head = 96.0 if canvas.wide else 82.0, 20.0, 10.0, 20.0
    side = min(
        (canvas.width - margin - gap * (panels - 1) - 2) / panels, (canvas.height - foot) / len(models) - head - 4
    )
    left = margin + (canvas.width - margin - panels * side - (panels - 1) * gap) / 2
    values: dict[str, Any] = {"reference": "".join(found[0][0].reference)}
    phrases = []
    for row, (model, (described, weights)) in enumerate(zip(models, found, strict=True)):
        top = row * (side + head + 4) + head
        name = text.get(model.mechanism, model.mechanism)
        name_lines = name.replace("（", "\n（").replace(" (", "\n(")
        label(canvas, left - 14, top + side / 2, name_lines, bold=True, align="right")
        for word in range(len(described.target)):
            _draw(canvas, left + word * (side + gap), top, side, described, weights[word], word)
        inside = _inside(described, weights)
        phrases.append(
            text["row"].format(name=name, caption="".join(described.target), inside=" / ".join(map(share, inside)))
        )
        values |= _values(model, described, inside)
    label(canvas, canvas.width - 4, canvas.height - 8, text["frame"], size=SMALL, colour=muted(), align="right")
    separator = "；" if lang.startswith("zh") else "; "
    pixels = found[0][0].pixels.shape[-1]
    return Exhibit(canvas.figure, text["alt"].format(size=pixels, rows=separator.join(phrases)), values)


def _described(model: TrainedCaptioner, example: int) -> tuple[DescribedPicture, Tensor]:
    described = model.examples[example]
    if described.weights is None:
        raise ValueError(f"a captioner with mechanism {model.mechanism!r} has no weights to draw")
    checked_weights(described.weights.flatten(1))
    return described, described.weights


def _draw(
    canvas: Canvas, x: float, y: float, side: float, described: DescribedPicture, weights: Tensor, word: int
) -> None:
    """Weights as tinted squares, the picture's ink over them, the right cell framed, the word above."""
    label(canvas, x + side / 2, y - 9, described.target[word], size=NORMAL, bold=True)
    cell = side / len(weights)
    for row, column in (weights >= SEEN).nonzero().tolist():
        weight = float(weights[row, column])
        patch = Rectangle((x + column * cell, y + row * cell), cell, cell)
        patch.set(facecolor=_shade(weight), edgecolor="none", linewidth=0, label=f"weight {weight:.2f}")
        canvas.axes.add_artist(patch)
    pixel = side / described.pixels.shape[-1]
    for row, first, last, level in runs_of_ink(described.pixels):
        patch = Rectangle((x + first * pixel, y + row * pixel), (last - first + 1) * pixel, pixel)
        colour = mix(paper(), ink(), level / LEVELS)
        patch.set(facecolor=colour, edgecolor="none", linewidth=0, label="ink")
        canvas.axes.add_artist(patch)
    outline = Rectangle((x, y), side, side)
    outline.set(facecolor="none", edgecolor=muted(), linewidth=0.8, label=f"picture, “{described.target[word]}”")
    canvas.axes.add_artist(outline)
    if word // 2 < len(described.cells):
        row, column = described.cells[word // 2]
        frame = Rectangle((x + column * side / 3 + 1, y + row * side / 3 + 1), side / 3 - 2, side / 3 - 2)
        frame.set(facecolor="none", edgecolor=VALUE, linewidth=1.8, label="_right cell")
        canvas.axes.add_artist(frame)


def runs_of_ink(pixels: Tensor) -> Iterator[tuple[int, int, int, int]]:
    """Row, first and last column, and shade (1 to `LEVELS`) of each run of equally dark pixels."""
    darkest = float(pixels.max()) or 1.0
    levels = (pixels / darkest * LEVELS).round().int()
    for row, line in enumerate(levels.tolist()):
        start = 0
        for column in range(1, len(line) + 1):
            if column == len(line) or line[column] != line[start]:
                if line[start] > 0:
                    yield row, start, column - 1, line[start]
                start = column


def _shade(weight: float) -> str:
    """Pale enough for ink on top."""
    colours = LinearSegmentedColormap.from_list("over", [to_rgb(paper()), to_rgb(tint(WEIGHTS, 0.75))])
    return to_hex(colours(min(1.0, weight**0.5)))


def _inside(described: DescribedPicture, weights: Tensor) -> list[float]:
    """For each digit word, every second one, the weight on the cell of its digit."""
    found = []
    step = weights.shape[-1] // 3
    for (row, column), maps in zip(described.cells, weights[1::2], strict=False):
        found.append(float(maps[row * step : (row + 1) * step, column * step : (column + 1) * step].sum()))
    return found


def _values(model: TrainedCaptioner, described: DescribedPicture, inside: list[float]) -> Mapping[str, Any]:
    name = model.mechanism.replace("-", "_")
    return {
        f"{name}_caption": "".join(described.target),
        f"{name}_correct": described.target == described.reference,
        f"{name}_inside": sum(inside) / max(len(inside), 1),
        f"{name}_exact": model.quality.exact,
        f"{name}_alignment": model.quality.alignment,
        f"{name}_mass": model.quality.mass,
        f"{name}_place_alignment": model.place_alignment,
        f"{name}_parameters": model.parameters,
        f"{name}_steps": model.steps,
        "uniform_mass": model.uniform_mass,
        "pictures": model.quality.sentences,
    }
