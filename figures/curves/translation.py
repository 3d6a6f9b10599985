"""What a fixed vector costs: accuracy against length and place, and how training goes with and without attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from matplotlib.axes import Axes

from figures.canvas import SMALL, Size
from figures.colours import EXTRA, KEY, QUERY, VALUE, WARNING, WEIGHTS, Colour, muted, tint
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.bottleneck import LengthCurve, Memory, measure_memory, train_on_lengths
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "none": ("没有注意力", "no attention"),
    "additive": ("加性注意力", "additive"),
    "dot": ("点积 dot", "dot"),
    "general": ("general", "general"),
    "concat": ("concat", "concat"),
    "length": ("句子长度（汉字数）", "length of the sentence (characters)"),
    "accuracy": ("读音正确的比例", "share of right syllables"),
    "unseen": ("训练时\n没见过", "never seen\nin training"),
    "place": ("第几个汉字", "position in the source"),
    "step": ("训练步", "training step"),
    "loss": ("每个字的 loss（nat）", "loss per token (nats)"),
    "bottleneck_alt": (
        "折线图：长度从 {first} 到 {last}，没有注意力时正确率从 {none_first:.1%} 降到 {none_longest:.1%}（长度 "
        "{longest}），有注意力时从 {other_first:.1%} 到 {other_longest:.1%}；训练没见过的长度 {last} 上分别是 "
        "{none_last:.1%} 和 {other_last:.1%}。",
        "Line chart: for lengths from {first} to {last} accuracy falls from {none_first:.1%} to {none_longest:.1%} "
        "(length {longest}) without attention, and goes from {other_first:.1%} to {other_longest:.1%} with it; at "
        "length {last}, never seen in training, {none_last:.1%} and {other_last:.1%}.",
    ),
    "forwards": ("从前往后读", "reads forwards"),
    "backwards": ("从后往前读", "reads backwards"),
    "recency_alt": (
        "折线图：读完长度 {length} 的句子，从最后的状态一次问出所有位置，每个位置答对的比例。{each}。",
        "Line chart: share of right answers for each position of sentences of length {length}, all asked for at once "
        "from the last state: {each}.",
    ),
    "one_reading": (
        "{name}：第一个字 {first:.1%}，最后一个字 {last:.1%}",
        "{name}: first {first:.1%}, last {last:.1%}",
    ),
    "loss_alt": (
        "训练 loss 曲线，{steps} 步：{each}。",
        "Training loss over {steps} steps: {each}.",
    ),
    "one_loss": ("{name}从 {first:.2f} 降到 {last:.3f}", "{name} from {first:.2f} to {last:.3f}"),
}
COLOURS: Mapping[str, Colour] = {
    "none": WARNING, "additive": VALUE, "dot": QUERY, "general": WEIGHTS, "concat": EXTRA, "local-p": KEY,
    "forwards": EXTRA, "backwards": WEIGHTS,
}  # fmt: skip
TAIL = 20
"""Steps over which the loss at the end is averaged."""


def bottleneck(
    curves: Annotated[tuple[LengthCurve, ...], each(train_on_lengths, mechanism=("none", "additive"))],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Accuracy against the length of the sentence (after Bahdanau et al. 2015, Fig. 2)."""
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    draw_lines(axes, [_line(curve.mechanism, curve.lengths, curve.accuracy, text) for curve in curves], low=0, high=1)
    _shade_unseen(axes, curves, text)
    ticks_at(axes, curves[0].lengths)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    name_axes(axes, text["length"], text["accuracy"])
    seen = curves[0].lengths.index(curves[0].longest)
    facts: dict[str, float] = {}
    for name, curve in zip(("none", "other"), curves, strict=False):
        facts |= {
            f"{name}_first": curve.accuracy[0], f"{name}_longest": curve.accuracy[seen],
            f"{name}_last": curve.accuracy[-1],
        }  # fmt: skip
    lengths = curves[0].lengths
    alt = text["bottleneck_alt"].format(first=lengths[0], last=lengths[-1], longest=curves[0].longest, **facts)
    values: dict[str, Any] = {"lengths": list(lengths), "longest": curves[0].longest, "steps": curves[0].steps}
    for curve in curves:
        values[curve.mechanism] = list(curve.accuracy)
        pairs = zip(curve.lengths, curve.accuracy, strict=True)
        values |= {f"{curve.mechanism}_{length}": accuracy for length, accuracy in pairs}
        values[f"{curve.mechanism}_parameters"] = curve.parameters
    return Exhibit(figure, alt, values)


def recency(
    memories: Annotated[tuple[Memory, ...], each(measure_memory, reading=("forwards", "backwards"))],
    writer: Annotated[LengthCurve, partial(train_on_lengths, mechanism="none")],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """What a vector still knows of each place when all are asked for at once, by the way it was read.

    What was read last is remembered best (Sutskever et al. 2014, §3.3). The values also tell how the translator
    without attention fares place by place, written freely and under teacher forcing: there mistakes spread as well.
    """
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    length = memories[0].length
    found: dict[str, list[float]] = {memory.reading: memory.by_place.tolist() for memory in memories}
    places = list(range(1, length + 1))
    draw_lines(axes, [Line(text[name], places, shares, COLOURS[name]) for name, shares in found.items()], low=0, high=1)
    ticks_at(axes, places)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    name_axes(axes, text["place"], text["accuracy"])
    separator = "；" if lang.startswith("zh") else "; "
    alt = text["recency_alt"].format(
        length=length,
        each=separator.join(
            text["one_reading"].format(name=text[reading], first=shares[0], last=shares[-1])
            for reading, shares in found.items()
        ),
    )
    which = writer.lengths.index(length)
    found |= {"free": writer.by_position[which].tolist(), "forced": writer.forced_by_position[which].tolist()}
    first = memories[0]
    values: dict[str, Any] = {"length": length, "sentences": first.sentences, "steps": first.steps}
    values |= {"vector_size": first.vector_size, "seed": first.seed}
    for name, shares in found.items():
        values |= {
            name: shares,
            f"{name}_first": shares[0],
            f"{name}_last": shares[-1],
            f"{name}_mean": sum(shares) / length,
        }
    return Exhibit(figure, alt, values)


def training_loss(
    models: Annotated[
        tuple[TrainedTranslator, ...],
        each(train_translator, mechanism=("none", "additive", "dot", "general", "concat")),
    ],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Training loss per token against the step, for each mechanism."""
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    axes.set_yscale("log")
    lines = [
        Line(
            text.get(model.mechanism, model.mechanism), list(range(1, model.steps + 1)), model.loss.tolist(),
            COLOURS[model.mechanism], marker=False, width=1.6, end=float(model.loss[-TAIL:].mean()),
        )
        for model in models
    ]  # fmt: skip
    draw_lines(axes, lines)
    name_axes(axes, text["step"], text["loss"])
    ends = {model.mechanism: float(model.loss[-TAIL:].mean()) for model in models}
    separator = "，" if lang.startswith("zh") else ", "
    alt = text["loss_alt"].format(
        steps=models[0].steps,
        each=separator.join(
            text["one_loss"].format(
                name=text.get(model.mechanism, model.mechanism), first=float(model.loss[0]), last=ends[model.mechanism]
            )
            for model in models
        ),
    )
    values = {f"{name}_end": end for name, end in ends.items()}
    values |= {f"{model.mechanism}_start": float(model.loss[0]) for model in models}
    return Exhibit(figure, alt, {**values, "steps": models[0].steps})


def _line(mechanism: str, x: Sequence[float], y: Sequence[float], text: Mapping[str, str]) -> Line:
    return Line(text.get(mechanism, mechanism), x, y, COLOURS[mechanism])


def _shade_unseen(axes: Axes, curves: Sequence[LengthCurve], text: Mapping[str, str]) -> None:
    """Grey the lengths that training never showed, and say so where no line runs."""
    longest, last = curves[0].longest, curves[0].lengths[-1]
    if last <= longest:
        return
    axes.axvspan(longest + 2, last + 1, color=tint(muted(), 0.12), linewidth=0, zorder=0)
    taken = [curve.accuracy[-1] for curve in curves]
    y = max((0.92, 0.5, 0.1), key=lambda place: min(abs(place - each) for each in taken))
    axes.text((longest + 3 + last) / 2, y, text["unseen"], ha="center", va="center", fontsize=SMALL, color=muted())
    axes.set_xlim(right=last + 1)
