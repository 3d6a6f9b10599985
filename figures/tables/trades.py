"""What each part of the mechanism buys, and its price."""

from __future__ import annotations

from typing import Annotated

from figures.exhibit import MeasuredTable
from figures.experiments.trades import Trades, measure_trades
from figures.language import Wording, words

MIB = 2**20
TEXT: Wording = {
    "part": ("部件", "part"),
    "buys": ("换来什么", "what it buys"),
    "costs": ("付出什么（实测）", "what it costs (measured)"),
    "projections": ("Q、K、V 三组投影", "three projections"),
    "projections_buys": ("同一个词，提问、被找、被取走，各有一副面孔", "to ask, to be found, to be taken"),
    "projections_costs": ("$3\\,d_{{model}}^2$ 个权重，与长度无关", "$3\\,d_{{model}}^2$ weights, whatever the length"),
    "heads": ("{heads} 个头", "{heads} heads"),
    "heads_buys": ("{heads} 份独立的份额", "{heads} independent shares"),
    "heads_costs": ("$T = {tokens}$ 的权重从 {one:.0f} 变成 {all:.0f} MiB",
                    "weights at $T = {tokens}$: {one:.0f} → {all:.0f} MiB"),
    "mask": ("遮盖", "mask"),
    "mask_buys": ("整句一起训练，又不偷看后面", "a whole sentence at once, without its future"),
    "mask_costs": ("{masked:.0%} 的分数算了又扔掉", "{masked:.0%} of the scores are computed for nothing"),
    "dropout": ("dropout", "dropout"),
    "dropout_buys": ("不依赖某一个权重", "no weight is relied on alone"),
    "dropout_costs": ("训练时行和不再是 1：{low:.2f}–{high:.2f}",
                      "rows no longer sum to 1 in training: {low:.2f}–{high:.2f}"),
    "cache": ("KV 缓存", "KV cache"),
    "cache_buys": ("第 {tokens} 个词只要 1/{factor:.0f} 的乘法", "multiplications for token {tokens}: 1/{factor:.0f}"),
    "cache_costs": ("每层一直占着 {mib:.0f} MiB，随长度增长", "{mib:.0f} MiB a layer, growing with length"),
}  # fmt: skip
PARTS = ("projections", "heads", "mask", "dropout", "cache")


def trades(found: Annotated[Trades, measure_trades], lang: str = "zh") -> MeasuredTable:
    """Five parts: projections, heads, mask, dropout, cache."""
    text = words(TEXT, lang)
    facts = {
        "heads": found.num_heads,
        "tokens": found.tokens,
        "one": found.square_bytes_one_head / MIB,
        "all": found.square_bytes / MIB,
        "masked": found.masked,
        "low": found.row_sums[0],
        "high": found.row_sums[1],
        "factor": found.recomputed / found.cached,
        "mib": found.cache_bytes / MIB,
    }
    rows = tuple(
        (text[part].format(**facts), text[f"{part}_buys"].format(**facts), text[f"{part}_costs"].format(**facts))
        for part in PARTS
    )
    values = facts | {
        "d_model": found.d_model, "p": found.p, "cached": found.cached, "recomputed": found.recomputed,
    }  # fmt: skip
    return MeasuredTable((text["part"], text["buys"], text["costs"]), rows, ("left", "left", "left"), values)
