"""Positions as numbers: the sinusoidal code, and how alike the codes of two positions are."""

from __future__ import annotations

from typing import Any

from figures.attention import sinusoidal_encoding
from figures.canvas import SMALL, Size, label, open_canvas
from figures.colours import EXTRA, diverging, hairline, muted, ramp
from figures.exhibit import Exhibit
from figures.heatmaps.weight_map import draw_scale
from figures.language import Wording, words
from figures.matrices import matrix
from figures.plots import name_axes, open_plot, style_axes

WISH = (7.0, 4.6)

TEXT: Wording = {
    "position": ("位置 p", "position p"),
    "component": ("第几维", "component"),
    "other": ("位置 q", "position q"),
    "alike": ("相似度", "similarity"),
    "positions_alt": (
        "正弦位置编码热力图：{T} 个位置 × {d} 维，值在 −1 到 1 之间。左边的维变化快，右边的维变化慢；"
        "每个位置的编码长度都是 {norm:.2f}。",
        "Heatmap of the sinusoidal position code: {T} positions by {d} components between −1 and 1. Left ones "
        "oscillate fast, right ones slowly; each code has length {norm:.2f}.",
    ),
    "similarity_alt": (
        "{T} 个位置两两之间编码点积的热力图，沿对角线方向是等值的条纹：相邻位置 {neighbour:.2f}，最远的两个 "
        "{farthest:.2f}（自己和自己是 1）；同一距离上最多差 {spread:.1e}。",
        "Heatmap of the products of the codes of {T} positions, in stripes along the diagonal: neighbours "
        "{neighbour:.2f}, the two farthest apart {farthest:.2f} (1 with itself); at one distance they differ by at "
        "most {spread:.1e}.",
    ),
}


def positions(T: int = 40, d_model: int = 16, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """The sinusoidal code (Vaswani et al. 2017, §3.5): one row for each position."""
    text = words(TEXT, lang)
    code = sinusoidal_encoding(T, d_model)
    figure, (axes,) = open_plot(size, WISH)
    style_axes(axes, grid=False)
    mesh = axes.pcolormesh(
        code.numpy(), cmap=diverging(EXTRA), vmin=-1, vmax=1, edgecolors=hairline(), linewidth=0.4, label="PE"
    )
    axes.invert_yaxis()
    bar = figure.colorbar(mesh, ax=axes, ticks=[-1, 0, 1], pad=0.02, shrink=0.6)
    bar.outline.set_edgecolor(hairline())
    bar.ax.tick_params(labelsize=SMALL, labelcolor=muted(), color=hairline())
    axes.set_xticks([c + 0.5 for c in range(0, d_model, 2)], [str(c) for c in range(0, d_model, 2)])
    axes.set_yticks([p + 0.5 for p in range(0, T, 8)], [str(p) for p in range(0, T, 8)])
    name_axes(axes, text["component"], text["position"])
    norms = code.norm(dim=-1)
    values: dict[str, Any] = {
        "T": T, "d_model": d_model, "norm": float(norms.mean()), "norm_squared": float((norms**2).mean()),
        "largest": float(code.max()), "least": float(code.min()),
    }  # fmt: skip
    alt = text["positions_alt"].format(T=T, d=d_model, norm=values["norm"])
    return Exhibit(figure, alt, values)


def similarity(T: int = 20, d_model: int = 64, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """PE(p)·PE(q) of every two positions, as a share of PE(p)·PE(p): stripes, since only the distance counts."""
    text = words(TEXT, lang)
    code = sinusoidal_encoding(T, d_model).double()
    products = code @ code.T / (d_model / 2)
    canvas = open_canvas(size, WISH)
    side = min(canvas.width - 110, canvas.height - 44) / T
    left, top = (canvas.width - T * side - 60) / 2 + 20, 40.0
    low = float(products.min())
    drawn = matrix(
        canvas, left, top, products, cell=(side, side), colours=ramp(EXTRA), scale=(low, 1), name="PE·PE",
    )  # fmt: skip
    for place in range(0, T, 4):
        label(canvas, drawn.left + (place + 0.5) * side, drawn.top - 9, str(place), size=SMALL, colour=muted())
        label(canvas, drawn.left - 12, drawn.top + (place + 0.5) * side, str(place), size=SMALL, colour=muted())
    label(canvas, drawn.middle[0], 10, text["other"], colour=muted())
    label(canvas, drawn.left - 32, drawn.middle[1], text["position"], colour=muted()).set_rotation(90)
    draw_scale(canvas, drawn.right + 18, drawn.top + 16, 110, text["alike"], colour=EXTRA, low=low)
    by_distance = [products.diagonal(k) for k in range(T)]
    values = {
        "T": T, "d_model": d_model, "least": low, "spread": max(float(d.max() - d.min()) for d in by_distance),
        "neighbour": float(by_distance[1].mean()), "farthest": float(by_distance[-1].mean()),
    }  # fmt: skip
    alt = text["similarity_alt"].format(T=T, **{name: values[name] for name in ("neighbour", "farthest", "spread")})
    return Exhibit(canvas.figure, alt, values)
