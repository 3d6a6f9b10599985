"""Attention over sound: the spectrogram above, the weights below, on one axis of time."""

from __future__ import annotations

from typing import Annotated, Any

import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import NORMAL, SMALL, Size
from figures.colours import EXTRA, QUERY, VALUE, WEIGHTS, hairline, ink, muted, ramp
from figures.exhibit import Exhibit
from figures.experiments.speech import HeardUtterance, TrainedListener, train_listener
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words
from figures.models.attention_layer import Mechanism
from figures.plots import open_plot, style_axes

BANDS = (16, 8)
"""Rows of the drawn spectrogram, fewer for long utterances; each is the mean of its share of the mel bands."""
MOST_CELLS = 700

TEXT: Wording = {
    "time": ("时间（秒）", "time (s)"),
    "bands": ("梅尔频带", "mel bands"),
    "written": ("写出的数字", "written digits"),
    "alt": (
        "上：一段 {seconds:.1f} 秒录音的梅尔谱，念的是“{reference}”；下：写出“{target}”时每个数字的注意力权重，"
        "同一时间轴。绿框是该数字真正发声的时段，其中的权重平均 {inside:.0%}。",
        "Above: mel spectrogram of {seconds:.1f} s of speech saying “{reference}”; below, on the same time axis, the "
        "attention weights for each digit of “{target}”. Green frames: where the digit sounds; mean weight inside "
        "{inside:.0%}.",
    ),
}


def speech(
    model: Annotated[TrainedListener, train_listener],
    mechanism: Mechanism = "general",
    example: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """One new utterance: what was heard, and where the model listened while it wrote."""
    if model.mechanism != mechanism:
        raise ValueError(f"the model attends by {model.mechanism!r}, not by {mechanism!r}")
    heard = model.examples[example]
    if heard.weights is None:
        raise ValueError(f"a listener with mechanism {mechanism!r} has no weights to draw")
    weights = checked_weights(heard.weights)
    text = words(TEXT, lang)
    figure, (sound, attention) = open_plot(size, (7.0, 4.6), rows=2)
    sound.sharex(attention)
    _draw_sound(sound, heard)
    sound.set_ylabel(text["bands"])
    _draw_weights(attention, heard, torch.from_numpy(weights))
    attention.set_ylabel(text["written"], color=QUERY)
    attention.set_xlabel(text["time"])
    inside = _weight_inside(heard)
    seconds = heard.weights.shape[1] * heard.seconds_per_step
    values: dict[str, Any] = {
        "reference": "".join(heard.reference),
        "target": "".join(heard.target),
        "correct": heard.target == heard.reference,
        "seconds": seconds,
        "inside": inside,
        "exact": model.quality.exact,
        "alignment": model.quality.alignment,
        "mass": model.quality.mass,
        "longer_exact": model.longer_exact,
        "parameters": model.parameters,
        "steps": model.steps,
        "seed": model.seed,
    }
    alt = text["alt"].format(seconds=seconds, reference=values["reference"], target=values["target"], inside=inside)
    return Exhibit(figure, alt, values)


def _draw_sound(axes: Axes, heard: HeardUtterance) -> None:
    """Energies averaged to one column a step and a few rows."""
    steps = heard.spectrogram.shape[0] // _stack(heard)
    bands = next((count for count in BANDS if count * steps <= MOST_CELLS), BANDS[-1])
    energies = heard.spectrogram[: steps * _stack(heard)]
    coarse = energies.reshape(steps, -1, bands, energies.shape[1] // bands).mean((1, 3))  # [S, bands]
    style_axes(axes, grid=False)
    axes.pcolormesh(_edges(steps, heard), range(bands + 1), coarse.T.numpy(), cmap=ramp(EXTRA), label="spectrogram")
    axes.set_yticks([])
    axes.tick_params(labelbottom=False)


def _draw_weights(axes: Axes, heard: HeardUtterance, weights: Tensor) -> None:
    """One row for each written digit, the first on top, with the known span framed."""
    style_axes(axes, grid=False)
    rows, steps = weights.shape
    edges = _edges(steps, heard)
    axes.pcolormesh(edges, range(rows + 1), weights.numpy(), cmap=ramp(WEIGHTS), vmin=0, vmax=1, label="weights")
    axes.set_ylim(rows, 0)
    axes.set_yticks([row + 0.5 for row in range(rows)], list(heard.target))
    axes.tick_params(axis="y", labelsize=NORMAL, labelcolor=ink(), length=0)
    axes.tick_params(axis="x", labelsize=SMALL, labelcolor=muted())
    for row, (first, last) in enumerate(heard.spans[:rows]):
        frame = Rectangle((edges[first], row + 0.04), edges[last] - edges[first], 0.92)
        frame.set(facecolor="none", edgecolor=VALUE, linewidth=1.8, label="_known span")
        axes.add_patch(frame)
    for row in range(1, rows):
        axes.axhline(row, color=hairline(), linewidth=0.6)


def _edges(steps: int, heard: HeardUtterance) -> list[float]:
    """The borders of steps in seconds."""
    return [step * heard.seconds_per_step for step in range(steps + 1)]


def _stack(heard: HeardUtterance) -> int:
    """Frames of the spectrogram in one step."""
    assert heard.weights is not None
    return max(1, heard.spectrogram.shape[0] // heard.weights.shape[1])


def _weight_inside(heard: HeardUtterance) -> float:
    """The mean over rightly written digits of the weight within the digit's own span."""
    assert heard.weights is not None
    right = [
        float(heard.weights[row, first:last].sum())
        for row, (first, last) in enumerate(heard.spans)
        if row < len(heard.target) and heard.target[row] == heard.reference[row]
    ]
    return sum(right) / max(len(right), 1)
