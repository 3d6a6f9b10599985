"""What each part of the mechanism buys and what it costs, counted on one layer."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator

from figures.attention import MultiHeadAttention, causal_mask
from figures.experiments.cache import filled, products
from figures.models.training import initialise


@dataclass(frozen=True, slots=True)
class Trades:
    """One layer of multi-head attention at token n = `tokens`.

    `cached` and `recomputed`: multiplications for that token with and without a cache; `cache_bytes`: what the cache
    then holds. `square_bytes` and `square_bytes_one_head`: the weights `[h, n, n]`. `masked`: the share of scores that
    a causal mask throws away. `row_sums`: least and largest sum of a row of 8 weights in training with dropout `p`.
    """

    d_model: int
    num_heads: int
    tokens: int
    cached: int
    recomputed: int
    cache_bytes: int
    square_bytes: int
    square_bytes_one_head: int
    masked: float
    p: float
    row_sums: tuple[float, float]


def measure_trades(d_model: int = 256, num_heads: int = 4, tokens: int = 1024, p: float = 0.1, seed: int = 0) -> Trades:
    """Count on layers with random weights; nothing is timed."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    layer, single = (MultiHeadAttention(d_model, h, dropout=p).eval() for h in (num_heads, 1))
    for each in (layer, single):
        initialise(each, generator)
    x = torch.randn(1, tokens, d_model, generator=generator)
    causal = causal_mask(tokens)
    with torch.no_grad():
        cache = filled(layer, x[:, :-1])
        cached = products(lambda: layer(x[:, -1:], cache=cache))
        recomputed = products(lambda: layer(x, mask=causal))
        whole, alone = (each(x)[1].weights.nbytes for each in (layer, single))
        sums = layer.train()(x[:, :8].expand(64, -1, -1), generator=generator)[1].weights.sum(-1)
    if cache.k is None or cache.v is None:
        raise ValueError("the cache is empty; the layer appends to it")
    return Trades(
        d_model,
        num_heads,
        tokens,
        cached,
        recomputed,
        cache.k.nbytes + cache.v.nbytes,
        whole,
        alone,
        float((~causal).double().mean()),
        p,
        (float(sums.min()), float(sums.max())),
    )
