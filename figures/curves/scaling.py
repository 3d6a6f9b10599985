"""Why scores are divided by √d_k, in three pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from figures.canvas import SMALL, Size
from figures.colours import VALUE, WARNING, ink, muted
from figures.exhibit import Exhibit
from figures.experiments.scaling import WIDTHS, Scaling, measure_scaling, random_scores
from figures.language import Wording, words
from figures.numerals import share
from figures.plots import Line, draw_lines, name_axes, open_plot, powers, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "raw": ("不缩放", "unscaled"),
    "scaled": ("缩放后", "scaled"),
    "variance": ("分数的方差", "variance of the scores"),
    "gradient": ("softmax 雅可比矩阵的范数（中位数）", "norm of the softmax Jacobian (median)"),
    "key": (
        "{keys} 个键，按权重从大到小（{samples} 个查询的平均）",
        "{keys} keys by weight, mean of {samples} queries",
    ),
    "weight": ("权重", "weight"),
    "panel": ("{name}，$d_k$ = {width}", "{name}, $d_k$ = {width}"),
    "peak": ("最大 {peak}", "largest {peak}"),
    "variance_alt": (
        "双对数折线图：d_k 从 {first} 到 {last}，不缩放的分数方差从 {low:.1f} 升到 {high:.0f}；"
        "除以 √d_k 后一直在 {least:.2f} 到 {most:.2f} 之间。",
        "Log-log plot: for d_k from {first} to {last} the variance of unscaled scores grows from {low:.1f} to "
        "{high:.0f}; divided by √d_k it stays between {least:.2f} and {most:.2f}.",
    ),
    "gradient_alt": (
        "双对数折线图：d_k 从 {first} 到 {last}，不缩放时 softmax 雅可比矩阵的范数从 {low:.2f} 掉到 "
        "{high:.1e}；除以 √d_k 后一直在 {least:.2f} 到 {most:.2f} 之间。",
        "Log-log plot: for d_k from {first} to {last} the norm of the softmax Jacobian falls from {low:.2f} to "
        "{high:.1e} without scaling; divided by √d_k it stays between {least:.2f} and {most:.2f}.",
    ),
    "saturation_alt": (
        "两行柱状图：{keys} 个键上从大到小排好的平均 softmax 权重，"
        "d_k = {widths}。不缩放时最大权重依次为 {raw}，缩放后为 {scaled}。",
        "Two rows of bars: mean softmax weights over {keys} keys, sorted, for d_k = {widths}. The largest weight is "
        "{raw} without scaling and {scaled} with it.",
    ),
}


def variance(
    widths: tuple[int, ...] = WIDTHS, samples: int = 6000, seed: int = 0, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Variance of q·k against d_k: it grows like d_k, and stays at 1 after division by √d_k."""
    measured = measure_scaling(widths, samples=samples, seed=seed)
    return _against_width(measured, "variance", measured.variance_raw, measured.variance_scaled, lang, size)


def gradient(
    widths: tuple[int, ...] = WIDTHS, samples: int = 6000, seed: int = 0, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """How much gradient the softmax lets through against d_k: it vanishes without scaling."""
    measured = measure_scaling(widths, samples=samples, seed=seed)
    return _against_width(measured, "gradient", measured.gradient_raw, measured.gradient_scaled, lang, size)


def softmax_saturation(
    widths: tuple[int, ...] = (4, 64, 1024),
    keys: int = 12,
    samples: int = 2000,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Mean weights sorted by size for growing d_k: unscaled, one key takes all; scaled, the shape stays."""
    text = words(TEXT, lang)
    figure, axes = open_plot(size, WISH, columns=len(widths), rows=2, share=True)
    peaks: dict[str, list[float]] = {"raw": [], "scaled": []}
    generator = torch.Generator().manual_seed(seed)
    for column, width in enumerate(widths):
        scores = random_scores(width, keys, samples, generator)
        for row, (name, factor, colour) in enumerate((("raw", 1.0, WARNING), ("scaled", width**-0.5, VALUE))):
            weights = (scores * factor).softmax(-1).sort(descending=True).values.mean(0)
            panel = axes[row * len(widths) + column]
            panel.bar(range(keys), weights.tolist(), color=colour, width=0.8)
            panel.set_title(text["panel"].format(name=text[name], width=width))
            panel.set_xticks([])
            panel.set_ylim(0, 1)
            peak = float(weights[0])
            panel.text(
                keys / 2,
                0.8,
                text["peak"].format(peak=share(peak)),
                fontsize=SMALL,
                color=ink(),
                ha="center",
                va="center",
            )
            peaks[name].append(peak)
    for row in range(2):
        axes[row * len(widths)].set_ylabel(text["weight"])
    figure.supxlabel(text["key"].format(keys=keys, samples=samples), fontsize=SMALL, color=muted())
    alt = text["saturation_alt"].format(
        keys=keys,
        widths=", ".join(map(str, widths)),
        raw=", ".join(share(peak) for peak in peaks["raw"]),
        scaled=", ".join(share(peak) for peak in peaks["scaled"]),
    )
    values = {f"peak_{name}_{w}": peak for name, found in peaks.items() for w, peak in zip(widths, found, strict=True)}
    return Exhibit(figure, alt, {**values, "widths": list(widths), "keys": keys})


def _against_width(
    measured: Scaling, name: str, raw: Sequence[float], scaled: Sequence[float], lang: str, size: Size | None
) -> Exhibit:
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    powers(axes)
    widths = measured.widths
    lines = [Line(text["raw"], widths, raw, WARNING), Line(text["scaled"], widths, scaled, VALUE)]
    draw_lines(axes, lines)
    ticks_at(axes, widths)
    name_axes(axes, "$d_k$", text[name])
    alt = text[f"{name}_alt"].format(
        first=widths[0], last=widths[-1], low=raw[0], high=raw[-1], least=min(scaled), most=max(scaled)
    )
    values: dict[str, Any] = {"widths": list(widths), "samples": measured.samples, "keys": measured.keys}
    for kind, numbers in (("raw", raw), ("scaled", scaled)):
        values[kind] = list(numbers)
        values |= {f"{kind}_{width}": number for width, number in zip(widths, numbers, strict=True)}
    values["fall"] = raw[0] / raw[-1]
    return Exhibit(figure, alt, values)
