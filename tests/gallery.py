"""Figures of every kind that a lecture uses, for comparing what is drawn with what matplotlib prints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from drawn import blank, sheet
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch, FancyBboxPatch, Patch, Rectangle

X = np.linspace(0, 10, 300)


def random() -> np.random.Generator:
    return np.random.default_rng(7)


def lines() -> Figure:
    figure = blank()
    axes = figure.subplots()
    for shift, style in enumerate(["-", "--", ":", "-."]):
        axes.plot(X, np.sin(X + shift), style, label=f"曲线 {shift + 1}")
    axes.plot(X[::20], np.cos(X[::20]), "o", label="点")
    axes.set(xlabel="步数", ylabel="损失 loss", title="训练曲线")
    axes.legend(ncols=2)
    return figure


def bars() -> Figure:
    figure = blank()
    axes = figure.subplots()
    bars = axes.bar(["无", "加性", "点积", "通用"], [0.31, 0.93, 0.95, 0.96], color=["C4", "C0", "C1", "C2"])
    axes.bar_label(bars, fmt="%.2f")
    axes.set_ylim(0, 1.1)
    return figure


def hatches() -> Figure:
    figure = blank()
    axes = figure.subplots()
    for place, hatch in enumerate(["///", "xx", "++", "\\\\"]):
        axes.bar(place, 1 + place, hatch=hatch, facecolor="w", edgecolor="C3")
    return figure


def heatmap() -> Figure:
    figure = blank()
    axes = figure.subplots()
    values = random().random((5, 6))
    image = axes.imshow(values)
    axes.set_xticks(range(6), list("二〇二六年七"))
    axes.set_yticks(range(5), list("2026-"))
    axes.xaxis.tick_top()
    for (row, column), value in np.ndenumerate(values):
        colour = "w" if value > 0.5 else "k"
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=11)
    figure.colorbar(image, label="权重")
    return figure


def mesh_and_contours() -> Figure:
    figure = blank()
    left, right = figure.subplots(1, 2)
    left.pcolormesh(random().random((5, 7)), edgecolors="w", linewidth=1)
    x, y = np.meshgrid(np.linspace(0, 3, 40), np.linspace(0, 3, 40))
    filled = right.contourf(x, y, np.sin(x) * np.cos(y), levels=6)
    right.contour(x, y, np.sin(x) * np.cos(y), levels=6, colors="k", linewidths=0.7)
    figure.colorbar(filled, ax=right)
    return figure


def turned_text() -> Figure:
    figure = blank()
    axes = figure.subplots()
    axes.bar(range(4), [1, 2, 3, 4])
    words = ["第一个标签", "second label", "third 三", "较长的标签"]
    axes.set_xticks(range(4), words, rotation=45, ha="right", rotation_mode="anchor")
    axes.text(0.5, 3, "旋转 30°", rotation=30)
    axes.text(1.2, 3.2, "多行文字\ntwo lines", ha="center", va="center", bbox={"boxstyle": "round", "fc": "w"})
    axes.set_ylabel("纵轴 (vertical)")
    return figure


def log_axes() -> Figure:
    figure = blank()
    axes = figure.subplots()
    sizes = np.array([4, 16, 64, 256, 1024])
    axes.loglog(sizes, sizes, "o-", label=r"方差 $\propto d_k$")
    axes.loglog(sizes, np.ones(5), "s--", label="缩放后")
    axes.set(xlabel="$d_k$", ylabel=r"方差 $\sigma^2$")
    axes.legend()
    return figure


def scatter_and_histogram() -> Figure:
    figure = blank()
    left, right = figure.subplots(1, 2)
    noise = random()
    points = left.scatter(
        noise.normal(size=60), noise.normal(size=60), s=noise.random(60) * 200, c=noise.random(60), alpha=0.7
    )
    figure.colorbar(points, ax=left, location="bottom")
    right.hist(noise.normal(size=500), bins=20, edgecolor="w")
    return figure


def areas_and_arrows() -> Figure:
    figure = blank()
    axes = figure.subplots()
    axes.plot(X, np.exp(-X / 3))
    axes.fill_between(X, np.exp(-X / 3) - 0.1, np.exp(-X / 3) + 0.1, alpha=0.3)
    axes.set_ylim(0.2, 1)
    axes.axvspan(2, 3, color="C3", alpha=0.2)
    axes.axhline(0.5, ls="--", color="C4")
    axes.annotate("峰值", (1, 0.7), (5, 0.85), arrowprops={"arrowstyle": "->", "color": "C4"})
    curved = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=.3"}
    axes.annotate("弯", (2, 0.4), (7, 0.6), arrowprops=curved, bbox={"boxstyle": "round", "fc": "w"})
    return figure


def polar() -> Figure:
    figure = blank()
    axes = figure.add_subplot(projection="polar")
    turns = np.linspace(0, 2 * np.pi, 100)
    axes.plot(turns, 1 + np.cos(3 * turns))
    axes.fill(turns, 1 + np.cos(3 * turns), alpha=0.2)
    axes.bar([1, 2, 3], [1, 1.5, 2.6], width=0.4, color="C2", alpha=0.5)
    axes.set_ylim(0, 2.2)
    return figure


def boxplot_and_pie() -> Figure:
    figure = blank()
    left, right = figure.subplots(1, 2)
    noise = random()
    left.boxplot([noise.normal(shift, 1, 50) for shift in range(4)])
    right.pie([3, 2, 1], labels=["查询 Q", "键 K", "值 V"], autopct="%d%%")
    return figure


def panels() -> Figure:
    figure = blank()
    noise = random()
    panels = figure.subplots(1, 3, sharey=True)
    for number, axes in enumerate(panels):
        axes.plot(noise.random(20).cumsum())
        axes.set_title(f"头 {number + 1}")
    panels[2].twinx().plot(noise.random(20), color="C4")
    figure.suptitle("三个头")
    return figure


def markers() -> Figure:
    figure = blank()
    axes = figure.subplots()
    for place, marker in enumerate("os^v<>Dd*PXphH+x1|_."):
        axes.plot([place], [place % 3], marker, ms=12)
    axes.errorbar([1, 5, 9], [3, 3.2, 3.1], yerr=0.3, fmt="o")
    axes.stem([12, 14, 16], [3, 3.5, 3])
    axes.step(range(10), np.arange(10) / 10 + 4)
    axes.quiver([15, 17], [4, 4], [1, 1], [1, -1])
    return figure


def diagram() -> Figure:
    figure = sheet()
    axes = figure.axes[0]

    def node(patch: Patch, middle: tuple[float, float], text: str) -> Patch:
        axes.add_patch(patch)
        axes.text(*middle, text, ha="center", va="center", color="w")
        return patch

    style = "round,pad=0,rounding_size=6"
    query = node(FancyBboxPatch((30, 200), 90, 40, boxstyle=style, fc="C0", ec="none"), (75, 220), "查询 Q")
    weights = node(Rectangle((190, 130), 90, 44, fc="C3", ec="none"), (235, 152), "softmax")
    output = node(Ellipse((360, 80), 100, 60, fc="C5", ec="none"), (360, 80), "输出 $c_t$")
    for start, end, places in ((query, weights, ((75, 220), (235, 152))), (weights, output, ((235, 152), (360, 80)))):
        axes.add_patch(FancyArrowPatch(*places, patchA=start, patchB=end, arrowstyle="-|>", mutation_scale=12))
    axes.add_patch(Rectangle((60, 40), 80, 40, angle=20, fc="C4", alpha=0.5))
    return figure


def pictures() -> Figure:
    figure = blank()
    left, right = figure.subplots(1, 2)
    left.imshow(random().random((100, 120)).cumsum(axis=1))
    right.imshow(np.hypot(*np.mgrid[-1:1:30j, -1:1:40j]), interpolation="bilinear", origin="lower")
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    maker.__name__: maker
    for maker in (
        lines,
        bars,
        hatches,
        heatmap,
        mesh_and_contours,
        turned_text,
        log_axes,
        scatter_and_histogram,
        areas_and_arrows,
        polar,
        boxplot_and_pie,
        panels,
        markers,
        diagram,
        pictures,
    )
}
