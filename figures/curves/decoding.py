"""What a KV cache saves: multiplications for one more token, and for all of them."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import Size
from figures.colours import VALUE, WARNING
from figures.exhibit import Exhibit
from figures.experiments.cache import CacheCost, measure_cache_cost
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, powers, ticks_at

WISH = (7.0, 4.6)

TEXT: Wording = {
    "position": ("第 n 个词", "token n"),
    "step": ("这一步的乘法次数", "multiplications of this step"),
    "all": ("写到第 n 个词的乘法总数", "multiplications up to token n"),
    "cached": ("有缓存", "with cache"),
    "recomputed": ("没有缓存", "without"),
    "step_alt": (
        "双对数折线图：写第 n 个词的乘法次数，n 从 {first} 到 {last}。没有缓存从 {slow_first:.1e} 涨到 "
        "{slow_last:.1e}，有缓存从 {fast_first:.1e} 到 {fast_last:.1e}；n = {last} 时相差 {factor:.0f} 倍。",
        "Log-log plot: multiplications to write token n, n from {first} to {last}. Without a cache they grow from "
        "{slow_first:.1e} to {slow_last:.1e}, with it from {fast_first:.1e} to {fast_last:.1e}: {factor:.0f} times "
        "fewer at n = {last}.",
    ),
    "all_alt": (
        "双对数折线图：写完前 n 个词的乘法总数，n 从 {first} 到 {last}。没有缓存到 {slow_last:.1e}，有缓存到 "
        "{fast_last:.1e}，相差 {factor:.0f} 倍；最后一次翻倍分别增到 {slow_growth:.1f} 和 {fast_growth:.1f} 倍。",
        "Log-log plot: multiplications to write the first n tokens, n from {first} to {last}: {slow_last:.1e} "
        "without a cache, {fast_last:.1e} with it, {factor:.0f} times fewer; the last doubling multiplies them by "
        "{slow_growth:.1f} and {fast_growth:.1f}.",
    ),
}


def cache_step(cost: Annotated[CacheCost, measure_cache_cost], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Multiplications for token n with and without a cache."""
    return _draw(cost, cost.recomputed, cost.cached, "step", lang, size)


def cache_total(cost: Annotated[CacheCost, measure_cache_cost], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Multiplications for all tokens up to n with and without a cache."""
    return _draw(cost, cost.recomputed_in_all, cost.cached_in_all, "all", lang, size)


def _draw(
    cost: CacheCost, slow: tuple[int, ...], fast: tuple[int, ...], name: str, lang: str, size: Size | None
) -> Exhibit:
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    powers(axes)
    lines = [Line(text["recomputed"], cost.lengths, slow, WARNING), Line(text["cached"], cost.lengths, fast, VALUE)]
    draw_lines(axes, lines)
    ticks_at(axes, cost.lengths)
    name_axes(axes, text["position"], text[name])
    facts: dict[str, Any] = {
        "first": cost.lengths[0],
        "last": cost.lengths[-1],
        "slow_first": slow[0],
        "slow_last": slow[-1],
        "fast_first": fast[0],
        "fast_last": fast[-1],
        "factor": slow[-1] / fast[-1],
        "slow_growth": slow[-1] / slow[-2],
        "fast_growth": fast[-1] / fast[-2],
    }
    values = {**facts, "d_model": cost.d_model, "lengths": list(cost.lengths), "slow": list(slow), "fast": list(fast)}
    if name == "step":
        values["time_ratio"] = cost.time_ratio
    return Exhibit(figure, text[f"{name}_alt"].format(**facts), values)
