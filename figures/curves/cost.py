"""What attention costs in memory, counted tensor by tensor."""

from __future__ import annotations

from typing import Any

from figures.canvas import Size
from figures.colours import QUERY, VALUE, WARNING
from figures.exhibit import Exhibit
from figures.experiments.length_cost import LENGTHS, MIB, measure_length_cost, measure_score_cost
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, plain_numbers, powers, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "length": ("序列长度 T", "sequence length T"),
    "memory": ("为反向传播保留的内存（MiB）", "memory kept for backward (MiB)"),
    "additive": ("加性 {factor:.0f}×", "additive {factor:.0f}×"),
    "dot": ("点积", "dot product"),
    "square": ("T × T：每翻倍 ×{factor:.1f}", "T × T: ×{factor:.1f} a doubling"),
    "other": ("其余：×{factor:.1f}", "the rest: ×{factor:.1f}"),
    "additive_alt": (
        "双对数折线图：T 从 {first} 到 {last}、宽度 {d} 时，加性打分保留 {additive_first:.1f} 到 "
        "{additive_last:.0f} MiB，点积 {dot_first:.2f} 到 {dot_last:.1f} MiB；在 T = {last} 相差 {factor:.0f} 倍。",
        "Log-log plot: for T from {first} to {last} at width {d}, additive scores keep {additive_first:.1f} to "
        "{additive_last:.0f} MiB, dot products {dot_first:.2f} to {dot_last:.1f} MiB: {factor:.0f} times less at T "
        "= {last}.",
    ),
    "length_alt": (
        "双对数折线图：T 从 {first} 翻倍到 {last}，一层 {heads} 头自注意力的 T×T 权重每次增到 {square:.1f} 倍，"
        "其余激活增到 {other:.1f} 倍；T = {last} 时分别是 {square_last:.2f} 和 {other_last:.2f} MiB。",
        "Log-log plot: with each doubling of T from {first} to {last}, the T×T weights of a self-attention with "
        "{heads} heads grow {square:.1f} times, all else {other:.1f} times; at T = {last} they are "
        "{square_last:.2f} and {other_last:.2f} MiB.",
    ),
}


def additive_vs_dot(
    lengths: tuple[int, ...] = LENGTHS, d: int = 64, seed: int = 0, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Memory kept by additive and by dot-product scores against T: the first keeps d numbers for every pair."""
    cost = measure_score_cost(lengths, d, seed)
    text = words(TEXT, lang)
    additive, dot = ([each / MIB for each in kept] for kept in (cost.additive, cost.dot))
    factor = additive[-1] / dot[-1]
    figure, (axes,) = open_plot(size, WISH)
    powers(axes)
    lines = [
        Line(text["additive"].format(factor=factor), lengths, additive, WARNING),
        Line(text["dot"], lengths, dot, VALUE),
    ]
    draw_lines(axes, lines)
    ticks_at(axes, lengths)
    plain_numbers(axes)
    name_axes(axes, text["length"], text["memory"])
    alt = text["additive_alt"].format(
        first=lengths[0], last=lengths[-1], d=d, additive_first=additive[0], additive_last=additive[-1],
        dot_first=dot[0], dot_last=dot[-1], factor=factor,
    )  # fmt: skip
    values: dict[str, Any] = {
        "lengths": list(lengths), "d": d, "additive_mib": additive, "dot_mib": dot, "factor": factor,
        "additive_products": cost.additive_products[-1], "dot_products": cost.dot_products[-1],
        "product_factor": cost.additive_products[-1] / cost.dot_products[-1],
    }  # fmt: skip
    for length, one, other in zip(lengths, additive, dot, strict=True):
        values |= {f"additive_mib_{length}": one, f"dot_mib_{length}": other}
    return Exhibit(figure, alt, values)


def length_cost(
    lengths: tuple[int, ...] = LENGTHS,
    d_model: int = 128,
    heads: int = 4,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Memory of self-attention against T, split into what grows with T² and what grows with T."""
    cost = measure_length_cost(lengths, d_model, heads, seed)
    text = words(TEXT, lang)
    square, other = ([each / MIB for each in kept] for kept in (cost.square, cost.other))
    growth = [(kept[-1] / kept[-2]) for kept in (square, other)]
    figure, (axes,) = open_plot(size, WISH)
    powers(axes)
    lines = [
        Line(text["square"].format(factor=growth[0]), lengths, square, WARNING),
        Line(text["other"].format(factor=growth[1]), lengths, other, QUERY),
    ]
    draw_lines(axes, lines)
    ticks_at(axes, lengths)
    plain_numbers(axes)
    name_axes(axes, text["length"], text["memory"])
    alt = text["length_alt"].format(
        first=lengths[0], last=lengths[-1], heads=heads, square=growth[0], other=growth[1],
        square_last=square[-1], other_last=other[-1],
    )  # fmt: skip
    values: dict[str, Any] = {
        "lengths": list(lengths), "d_model": d_model, "heads": heads, "square_mib": square, "other_mib": other,
        "square_growth": growth[0], "other_growth": growth[1], "total_growth": sum(
            kept[-1] for kept in (square, other)) / sum(kept[-2] for kept in (square, other)),
    }  # fmt: skip
    for length, one, rest in zip(lengths, square, other, strict=True):
        values |= {f"square_mib_{length}": one, f"other_mib_{length}": rest}
    return Exhibit(figure, alt, values)
