"""What shapes softmax weights before any training: spread of the scores, width, number of keys."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import Size
from figures.colours import VALUE, WEIGHTS
from figures.exhibit import Exhibit
from figures.experiments.softmax import PeakFacts, SpreadFacts, measure_peaks, measure_spread
from figures.heads import shade
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "spread": ("分数的标准差", "standard deviation of the scores"),
    "share": ("归一化的熵、最大权重", "normalised entropy, largest weight"),
    "entropy": ("熵 ÷ ln {keys}", "entropy ÷ ln {keys}"),
    "largest": ("最大权重", "largest weight"),
    "peak": ("最大权重（平均）", "largest weight (mean)"),
    "length": ("T = {length}", "T = {length}"),
    "spread_alt": (
        "折线图：{keys} 个键，分数标准差从 {first:g} 到 {last:g} 时，归一化熵从 {entropy_first:.3f} 降到 "
        "{entropy_last:.3f}，最大权重从 {largest_first:.2f} 升到 {largest_last:.2f}。",
        "Line chart: with {keys} keys and scores of deviation {first:g} to {last:g}, the normalised entropy falls from "
        "{entropy_first:.3f} to {entropy_last:.3f}, the largest weight grows from {largest_first:.2f} to "
        "{largest_last:.2f}.",
    ),
    "peaks_alt": (
        "折线图：不缩放时平均最大权重随 d_k（{widths}）上升，T = {lengths} 三条线：d_k = {last} 时 {at_last}；"
        "键越多反而略低。",
        "Line chart: without scaling the mean largest weight grows with d_k ({widths}), one line each for T = "
        "{lengths}: at d_k = {last} {at_last}; more keys make it a little lower.",
    ),
}


def entropy_by_spread(
    facts: Annotated[SpreadFacts, measure_spread], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Entropy and largest weight against the deviation of the scores: nearly equal scores, nearly uniform weights."""
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    axes.set_xscale("log")
    lines = [
        Line(text["entropy"].format(keys=facts.keys), facts.spreads, facts.entropy, WEIGHTS),
        Line(text["largest"], facts.spreads, facts.largest, VALUE),
    ]
    draw_lines(axes, lines, low=0, high=1)
    ticks_at(axes, facts.spreads)
    name_axes(axes, text["spread"], text["share"])
    values: dict[str, Any] = {"keys": facts.keys, "spreads": list(facts.spreads)}
    for spread, entropy, largest in zip(facts.spreads, facts.entropy, facts.largest, strict=True):
        name = f"{spread:g}".replace(".", "_")
        values |= {f"entropy_{name}": entropy, f"largest_{name}": largest}
    alt = text["spread_alt"].format(
        keys=facts.keys,
        first=facts.spreads[0],
        last=facts.spreads[-1],
        entropy_first=facts.entropy[0],
        entropy_last=facts.entropy[-1],
        largest_first=facts.largest[0],
        largest_last=facts.largest[-1],
    )
    return Exhibit(figure, alt, values)


def peaks(facts: Annotated[PeakFacts, measure_peaks], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """The largest unscaled weight against d_k for several numbers of keys: it is d_k that saturates, not T."""
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    axes.set_xscale("log")
    count = len(facts.lengths)
    lines = [
        Line(text["length"].format(length=length), facts.widths, facts.largest[:, i].tolist(), shade(i, count))
        for i, length in enumerate(facts.lengths)
    ]
    draw_lines(axes, lines, low=0, high=1)
    ticks_at(axes, facts.widths)
    name_axes(axes, "$d_k$", text["peak"])
    at_last = facts.largest[-1].tolist()
    values: dict[str, Any] = {"widths": list(facts.widths), "lengths": list(facts.lengths)}
    for i, width in enumerate(facts.widths):
        for j, length in enumerate(facts.lengths):
            values[f"largest_{width}_{length}"] = float(facts.largest[i, j])
    alt = text["peaks_alt"].format(
        widths=", ".join(map(str, facts.widths)),
        lengths=", ".join(map(str, facts.lengths)),
        last=facts.widths[-1],
        at_last=" / ".join(f"{each:.2f}" for each in at_last),
    )
    return Exhibit(figure, alt, values)
