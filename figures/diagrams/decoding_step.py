"""One step of decoding without and with a cache: what is computed again, what is kept, what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Generator

from figures.attention import KVCache, MultiHeadAttention, causal_mask
from figures.canvas import LARGE, SMALL, Canvas, Size, box, label, open_canvas
from figures.colours import KEY, QUERY, VALUE, WARNING, WEIGHTS, muted, paper, tint
from figures.exhibit import Exhibit
from figures.experiments.cache import measure_old_keys
from figures.language import Wording, words
from figures.matrices import flat, matrix
from figures.models.training import initialise

TEXT: Wording = {
    "without": ("没有缓存：{n} 个 q、k、v 全部重算", "no cache: all {n} q, k, v again"),
    "with": ("有缓存：q、k、v 各算 1 个", "cache: one q, k, v"),
    "shape": ("分数 {shape}", "scores {shape}"),
    "queries": ("查询", "q"),
    "keys": ("键、值", "k, v"),
    "cached": ("虚线 = 取自缓存", "dashed = from the cache"),
    "alt": (
        "写第 {n} 个词的一步。没有缓存：{n} 个查询、键、值全部重算，分数 {full_shape}；有缓存：各算 1 个，前 {kept} "
        "个键和值取自缓存，分数 {row_shape}。两种做法的输出最多差 {difference:.0e}。",
        "The step that writes token {n}. Without a cache all {n} queries, keys and values are computed again, scores "
        "{full_shape}; with it one of each, {kept} keys and values come from the cache, scores {row_shape}. The "
        "outputs differ by at most {difference:.0e}.",
    ),
}


def decoding_step(
    tokens: tuple[str, ...] = ("床", "前", "明", "月", "光"),
    d_model: int = 16,
    heads: int = 2,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The last of `tokens` decoded both ways by one random layer; shapes and difference come from the run."""
    facts = run_both(len(tokens), d_model, heads, seed)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    half = canvas.width / 2
    for number, name in enumerate(("without", "with")):
        _draw(canvas, number * half, half, tokens, name, facts, text)
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)


def run_both(n: int, d_model: int, heads: int, seed: int) -> dict[str, Any]:
    """Shapes of the scores of the last step, and the largest difference of its output."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, heads)
    initialise(layer, generator)
    x = torch.randn(1, n, d_model, generator=generator)
    cache = KVCache()
    with torch.no_grad():
        full, whole = layer(x, mask=causal_mask(n))
        layer(x[:, : n - 1], mask=causal_mask(n - 1), cache=cache)
        new, row = layer(x[:, n - 1 :], cache=cache)
    old_keys = measure_old_keys(n, d_model, heads, seed)
    return {
        "n": n,
        "old_keys_causal": old_keys.causal,
        "old_keys_bidirectional": old_keys.bidirectional,
        "kept": n - 1,
        "full_shape": list(whole.scores.shape[-2:]),
        "row_shape": list(row.scores.shape[-2:]),
        "full_scores": whole.scores[0, 0].numel(),
        "row_scores": row.scores[0, 0].numel(),
        "difference": float((full[:, -1:] - new).abs().max()),
    }


def _draw(
    canvas: Canvas,
    left: float,
    width: float,
    tokens: Sequence[str],
    name: str,
    facts: Mapping[str, Any],
    text: Mapping[str, str],
) -> None:
    """Queries down the side, keys and values along the top, the scores that are computed between them."""
    height = canvas.height
    n, cached = len(tokens), name == "with"
    role, step = (VALUE, "step-2") if cached else (WARNING, "step-1")
    cell = min(34.0, (height - 56) / (n + 1), (width - 66) / (n + 1))
    x = left + (width - 48 - (n + 1) * cell) / 2 + 48 + cell
    y = 34 + (height - 56 - (n + 1) * cell) / 2 + cell
    title = text[name].format(n=n)
    label(canvas, x + n * cell / 2, y - cell - 22, title, size=LARGE, bold=True, colour=role, gid=step)
    label(canvas, x - cell - 6, y - cell / 2 - 2, text["keys"], size=SMALL, colour=KEY, align="right", gid=step)
    label(
        canvas,
        x - cell - 6,
        y + n * cell - cell / 2,
        text["queries"],
        size=SMALL,
        colour=QUERY,
        align="right",
        gid=step,
    )
    for i, token in enumerate(tokens):
        fresh = i == n - 1 or not cached
        _token(canvas, x + i * cell, y - cell, cell, token, KEY, step, solid=fresh)
        if fresh:
            _token(canvas, x - cell, y + i * cell, cell, token, QUERY, step, solid=True)
    hidden = (~causal_mask(n)).numpy()
    if cached:
        hidden = hidden[-1:]
    matrix(
        canvas, x, y + (n - 1) * cell if cached else y, torch.ones(1 if cached else n, n), cell=(cell, cell),
        colours=flat(tint(WEIGHTS, 0.6)), scale=(0, 1), hidden=hidden, edge=WEIGHTS, name="scores", gid=step,
    )  # fmt: skip
    shape = text["shape"].format(shape=facts["row_shape" if cached else "full_shape"])
    note = f"{shape}    {text['cached']}" if cached else shape
    label(canvas, x + n * cell / 2, y + n * cell + 11, note, size=SMALL, colour=muted(), gid=step)


def _token(canvas: Canvas, x: float, y: float, cell: float, token: str, role: str, gid: str, *, solid: bool) -> None:
    """A query, or a key with its value: filled where it is computed in this step, dashed where it is kept."""
    fill = tint(role, 0.22) if solid else paper()
    box(
        canvas, x + 2, y + 2, cell - 4, cell - 4, token, fill=fill, edge=role, line=1.2, dashed=not solid,
        size=SMALL, name=f"{'new' if solid else 'kept'} {token}", gid=gid,
    )  # fmt: skip
