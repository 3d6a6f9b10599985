"""Positions inside the scores: ALiBi's slopes, and rotary products that know the distance only."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator

from figures.attention import alibi_bias, rotary
from figures.canvas import SMALL, Size
from figures.colours import WEIGHTS, muted
from figures.exhibit import Exhibit
from figures.heads import shade
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot

WISH = (7.0, 4.6)

TEXT: Wording = {
    "distance": ("距离 |i − j|", "distance |i − j|"),
    "bias": ("加到分数上的偏置", "bias added to the score"),
    "slope": ("头 {number}，斜率 1/{slope}", "head {number}, slope 1/{slope}"),
    "offset": ("距离 k", "distance k"),
    "product": ("旋转后的点积", "product after rotation"),
    "from": ("p = {p}", "p = {p}"),
    "alibi_alt": (
        "折线图：ALiBi 给 {heads} 个头的分数加上随距离线性下降的偏置，斜率 {slopes}；距离 {last} 时最陡的头是 "
        "{steep:.2f}，最平的头是 {gentle:.2f}。",
        "Line chart: ALiBi adds to the scores of {heads} heads a bias that falls with the distance, slopes "
        "{slopes}; at distance {last} it is {steep:.2f} for the steepest head and {gentle:.2f} for the gentlest.",
    ),
    "rotary_alt": (
        "折线图：同一对 q、k 放在 {count} 个不同起点 p，旋转后的点积对距离 k 的曲线完全重合（最大差 {spread:.0e}）："
        "k = 0 时 {top:.2f}，k = {last} 时 {bottom:.2f}。",
        "Line chart: one pair q, k at {count} starting points p; their products after rotation against the distance k "
        "coincide (largest difference {spread:.0e}): {top:.2f} at k = 0, {bottom:.2f} at k = {last}.",
    ),
}
STYLES = (("-", 6.0, 0.25), ("--", 4.0, 0.5), ("-.", 2.5, 0.75), (":", 1.2, 1.0))


def alibi(heads: int = 4, length: int = 17, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """The bias of the last query against the distance of the key, for each head (Press et al. 2022)."""
    text = words(TEXT, lang)
    bias = alibi_bias(heads, 1, length)[:, 0].flip(-1)  # [h, distance]
    slopes = (-bias[:, 1]).tolist()
    figure, (axes,) = open_plot(size, WISH)
    lines = [
        Line(
            text["slope"].format(number=i + 1, slope=round(1 / slopes[i])),
            range(length),
            row.tolist(),
            shade(i, heads),
            marker=False,
        )
        for i, row in enumerate(bias)
    ]
    draw_lines(axes, lines)
    name_axes(axes, text["distance"], text["bias"])
    alt = text["alibi_alt"].format(
        heads=heads, slopes=", ".join(f"{slope:g}" for slope in slopes), last=length - 1,
        steep=float(bias[:, -1].min()), gentle=float(bias[:, -1].max()),
    )  # fmt: skip
    farthest = bias[:, -1].tolist()
    values: dict[str, Any] = {
        "heads": heads, "slopes": slopes, "farthest": farthest, "farthest_distance": length - 1,
        "steepest": -min(farthest), "gentlest": -max(farthest),
    }  # fmt: skip
    return Exhibit(figure, alt, values)


def rotary_distance(
    d_k: int = 64,
    starts: tuple[int, ...] = (0, 16, 64, 256),
    reach: int = 33,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """q·k after rotation against the distance, from several starts (Su et al. 2021): only the distance counts."""
    text = words(TEXT, lang)
    generator = Generator().manual_seed(seed)
    q = torch.randn(d_k, generator=generator, dtype=torch.double)
    q = q / q.norm()
    distances = torch.arange(reach)
    rows = []
    for start in starts:
        turned_q = rotary(q[None], torch.tensor([start]))
        turned_k = rotary(q.expand(reach, -1), start + distances)
        rows.append((turned_k @ turned_q[0]).tolist())
    products = torch.tensor(rows, dtype=torch.double)
    figure, (axes,) = open_plot(size, WISH)
    for start, row, (dash, width, alpha) in zip(starts, rows, STYLES, strict=False):
        name = text["from"].format(p=start)
        axes.plot(range(reach), row, color=WEIGHTS, linestyle=dash, linewidth=width, alpha=alpha, label=name)
    axes.legend(fontsize=SMALL, frameon=False, labelcolor=muted())
    name_axes(axes, text["offset"], text["product"])
    spread = float((products - products[0]).abs().max())
    values = {"d_k": d_k, "spread": spread, "top": rows[0][0], "bottom": rows[0][-1], "product": rows[0]}
    alt = text["rotary_alt"].format(
        count=len(starts), spread=spread, top=rows[0][0], bottom=rows[0][-1], last=reach - 1
    )
    return Exhibit(figure, alt, values)
