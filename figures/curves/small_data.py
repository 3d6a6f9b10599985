"""Few examples: the more dropout on the weights, the smaller the gap between training and the rest."""

from __future__ import annotations

from statistics import median
from typing import Annotated, Any

from figures.canvas import Size
from figures.colours import VALUE, WARNING, muted
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.dropout import SmallDataRun, train_on_small_data
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "training": ("训练过的", "seen"),
    "held_out": ("没见过的", "not seen"),
    "dropout": ("注意力 dropout 的概率 p", "dropout probability p on attention weights"),
    "loss": ("loss（nat，评估时 dropout 关）", "loss (nats, dropout off)"),
    "alt": (
        "折线图：{training} 条训练成语，dropout 概率 {ps} 时的 loss（{seeds} 个种子的中位数）。训练过的：{seen}；"
        "没见过的：{others}。p 越大，两条线离得越近。",
        "Line chart: loss (median of {seeds} seeds) on {training} training idioms and on others at dropout {ps}. Seen: "
        "{seen}; not seen: {others}. More dropout brings the two closer.",
    ),
}


def small_data(
    runs: Annotated[tuple[SmallDataRun, ...], each(train_on_small_data, dropout=(0.0, 0.1, 0.3, 0.5), seed=(0, 1, 2))],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Loss on seen and unseen examples against the dropout probability: thin lines for seeds, thick for medians."""
    text = words(TEXT, lang)
    ps = sorted({run.dropout for run in runs})
    seeds = sorted({run.seed for run in runs})
    figure, (axes,) = open_plot(size, WISH)
    found: dict[str, list[float]] = {}
    for name, colour in (("training", VALUE), ("held_out", WARNING)):
        by = {(run.dropout, run.seed): float(getattr(run, f"{name}_loss")) for run in runs}
        for seed in seeds:
            line = [by[p, seed] for p in ps]
            axes.plot(ps, line, color=colour, linewidth=0.9, alpha=0.45, label=f"{name} {seed}")
        found[name] = [median(by[p, seed] for seed in seeds) for p in ps]
    lines = [
        Line(text["training"], ps, found["training"], VALUE),
        Line(text["held_out"], ps, found["held_out"], WARNING),
    ]
    draw_lines(axes, lines, low=0, high=max(run.held_out_loss for run in runs))
    ticks_at(axes, ps)
    name_axes(axes, text["dropout"], text["loss"])
    axes.xaxis.label.set_color(muted())
    return Exhibit(figure, *_said(runs, ps, found, len(seeds), text))


def _said(
    runs: tuple[SmallDataRun, ...], ps: list[float], found: dict[str, list[float]], seeds: int, text: dict[str, str]
) -> tuple[str, dict[str, Any]]:
    """Alt text and values."""
    values: dict[str, Any] = {
        "training": runs[0].training, "held_out": runs[0].held_out, "steps": runs[0].steps, "seeds": seeds,
    }  # fmt: skip
    for i, p in enumerate(ps):
        name = f"{p:g}".replace(".", "_")
        right = [run.held_out_accuracy for run in runs if run.dropout == p]
        known = [run.training_accuracy for run in runs if run.dropout == p]
        values |= {
            f"training_loss_{name}": found["training"][i],
            f"held_out_loss_{name}": found["held_out"][i],
            f"gap_{name}": found["held_out"][i] - found["training"][i],
            f"training_accuracy_{name}": median(known),
            f"held_out_accuracy_{name}": median(right),
        }
    alt = text["alt"].format(
        training=runs[0].training, seeds=seeds, ps=", ".join(f"{p:g}" for p in ps),
        seen=", ".join(f"{loss:.2f}" for loss in found["training"]),
        others=", ".join(f"{loss:.2f}" for loss in found["held_out"]),
    )  # fmt: skip
    return alt, values
