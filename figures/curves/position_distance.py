"""How the likeness of two position codes depends on their distance."""

from __future__ import annotations

import torch

from figures.attention import sinusoidal_encoding
from figures.canvas import SMALL, Size
from figures.colours import WEIGHTS, muted
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.plots import name_axes, open_plot

WISH = (7.0, 4.6)

TEXT: Wording = {
    "distance": ("距离 k", "distance k"),
    "similarity": ("PE(p)·PE(p+k)", "PE(p)·PE(p+k)"),
    "from": ("p = {p}", "p = {p}"),
    "alt": (
        "折线图：{count} 个不同起点 p 的 PE(p)·PE(p+k) 对距离 k 的曲线完全重合（最大差 {spread:.1e}）：k = 0 时 "
        "{top:.1f}，k = {last} 时 {bottom:.1f}。",
        "Line chart: PE(p)·PE(p+k) against k for {count} starting points p; the curves coincide (largest difference "
        "{spread:.1e}): {top:.1f} at k = 0, {bottom:.1f} at k = {last}.",
    ),
}
STYLES = (("-", 6.0, 0.25), ("--", 4.0, 0.5), ("-.", 2.5, 0.75), (":", 1.2, 1.0))
"""Dash, width and opacity: coinciding curves stay visible."""


def position_similarity(
    T: int = 64, d_model: int = 64, starts: tuple[int, ...] = (0, 8, 16, 24), lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """PE(p)·PE(p+k) against k from several p: it depends on the distance alone."""
    text = words(TEXT, lang)
    reach = T - max(starts)
    code = sinusoidal_encoding(T, d_model).double()
    products = torch.stack([code[p : p + reach] @ code[p] for p in starts])
    figure, (axes,) = open_plot(size, WISH)
    for p, row, (dash, width, alpha) in zip(starts, products.tolist(), STYLES, strict=False):
        axes.plot(
            range(reach), row, color=WEIGHTS, linestyle=dash, linewidth=width, alpha=alpha,
            label=text["from"].format(p=p),
        )  # fmt: skip
    axes.legend(fontsize=SMALL, frameon=False, labelcolor=muted())
    name_axes(axes, text["distance"], text["similarity"])
    spread = float((products - products[0]).abs().max())
    values = {
        "distances": reach, "d_model": d_model, "similarity": products[0].tolist(), "spread": spread,
        "top": float(products[0, 0]), "bottom": float(products[0, -1]),
    }  # fmt: skip
    alt = text["alt"].format(
        count=len(starts), spread=spread, top=values["top"], bottom=values["bottom"], last=reach - 1
    )
    return Exhibit(figure, alt, values)
