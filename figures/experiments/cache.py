"""Decoding with and without a KV cache: the same numbers, fewer operations, more memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import torch
from torch import Generator, Tensor
from torch.utils.flop_counter import FlopCounterMode

from figures.attention import KVCache, MultiHeadAttention, causal_mask, padding_mask, sinusoidal_encoding
from figures.models.training import initialise

LENGTHS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True, slots=True)
class CacheCost:
    """One layer of multi-head attention that decodes token n, for each n in `lengths`.

    Products are the multiplications in the matrix products that ran: for the new token alone (`cached`), for all n
    tokens again (`recomputed`), and both added up over tokens 1 to n. `time_ratio` is how many times longer recomputing
    took at the last length; a clock time, so it differs between runs.
    """

    d_model: int
    num_heads: int
    lengths: tuple[int, ...]
    cached: tuple[int, ...]
    recomputed: tuple[int, ...]
    cached_in_all: tuple[int, ...]
    recomputed_in_all: tuple[int, ...]
    time_ratio: float


def measure_cache_cost(
    d_model: int = 256, num_heads: int = 4, lengths: tuple[int, ...] = LENGTHS, seed: int = 0
) -> CacheCost:
    """Count the products of both ways, and time the last length."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, num_heads).eval()
    initialise(layer, generator)
    x = torch.randn(1, max(lengths), d_model, generator=generator)

    def recompute(n: int) -> None:
        layer(x[:, :n], mask=causal_mask(n))

    with torch.no_grad():
        cached, recomputed = [], []
        for n in lengths:
            cache = filled(layer, x[:, : n - 1])
            cached.append(products(lambda: layer(x[:, n - 1 : n], cache=cache)))  # noqa: B023
            recomputed.append(products(lambda: recompute(n)))  # noqa: B023
        n = lengths[-1]
        caches = [filled(layer, x[:, : n - 1]) for _ in range(5)]
        slow = median(seconds(lambda: recompute(n)) for _ in range(5))
        fast = median(seconds(lambda: layer(x[:, n - 1 : n], cache=cache)) for cache in caches)  # noqa: B023
    return CacheCost(
        d_model,
        num_heads,
        lengths,
        tuple(cached),
        tuple(recomputed),
        tuple(sum(one_step(i, d_model) for i in range(1, n + 1)) for n in lengths),
        tuple(sum(all_again(i, d_model) for i in range(1, n + 1)) for n in lengths),
        slow / fast,
    )


def one_step(n: int, d: int) -> int:
    """Products for token n with a cache: four projections of one token, one row of scores, one mixture."""
    return 4 * d * d + 2 * n * d


def all_again(n: int, d: int) -> int:
    """Products for token n without: four projections of n tokens, n rows of scores, n mixtures."""
    return 4 * n * d * d + 2 * n * n * d


def filled(layer: MultiHeadAttention, x: Tensor) -> KVCache:
    """A cache that holds the keys and values of x `[B, T, d]`."""
    cache = KVCache()
    layer(x, mask=causal_mask(x.shape[1]), cache=cache)
    return cache


def products(run: Callable[[], object]) -> int:
    """Multiplications in all matrix products of one call, as torch counts them (two operations a product)."""
    with FlopCounterMode(display=False) as counter:
        run()
    return int(counter.get_total_flops()) // 2


def seconds(run: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class CacheFacts:
    """Decoding `tokens` tokens with a cache, measured.

    `difference` is the largest deviation from the full causal pass. `score_shape` and `cache_shape` are those of the
    last step, `full_score_shape` that of the full pass. `bytes_per_token[i]` is what one token adds to the cache of one
    layer with `kv_heads[i]` KV heads of `num_heads`, 4 bytes a number.
    """

    tokens: int
    difference: float
    score_shape: tuple[int, ...]
    full_score_shape: tuple[int, ...]
    cache_shape: tuple[int, ...]
    num_heads: int
    d_head: int
    kv_heads: tuple[int, ...]
    bytes_per_token: tuple[int, ...]


def measure_cache(tokens: int = 40, d_model: int = 64, num_heads: int = 4, seed: int = 0) -> CacheFacts:
    """Decode one token after the other and compare with the full pass."""
    generator = Generator().manual_seed(seed)
    x = torch.randn(1, tokens, d_model, generator=generator)
    kv_heads = tuple(n for n in range(num_heads, 0, -1) if num_heads % n == 0)
    sizes: list[int] = []
    shape: tuple[int, ...] = ()
    for count in reversed(kv_heads):  # plain multi-head attention comes last and is looked at more closely
        layer = MultiHeadAttention(d_model, num_heads, num_kv_heads=count)
        initialise(layer, generator)
        cache = KVCache()
        with torch.no_grad():
            full, whole = layer(x, mask=causal_mask(tokens))
            steps = [layer(x[:, t : t + 1], cache=cache) for t in range(tokens)]
        assert cache.k is not None and cache.v is not None  # noqa: PT018
        sizes.append((cache.k.nbytes + cache.v.nbytes) // tokens)
        shape = tuple(cache.k.shape)
    output = torch.cat([step for step, _ in steps], dim=1)
    return CacheFacts(
        tokens,
        float((output - full).abs().max()),
        tuple(steps[-1][1].scores.shape),
        tuple(whole.scores.shape),
        shape,
        num_heads,
        layer.d_head,
        kv_heads,
        tuple(reversed(sizes)),
    )


def cache_bytes_per_token(layers: int, kv_heads: int, d_head: int, bytes_per_number: int) -> int:
    """2 · L · h_kv · d_head · bytes: keys and values of one token in all layers."""
    return 2 * layers * kv_heads * d_head * bytes_per_number


@dataclass(frozen=True, slots=True)
class BatchFacts:
    """Two sentences of different lengths in one batch with a cache: errors of the shorter one's next output.

    Largest differences from the sentence decoded alone: without a padding mask, with the mask but the new token at the
    position after the pads, and with mask and its own position.
    """

    lengths: tuple[int, int]
    unmasked: float
    misplaced: float
    masked: float


def measure_cached_batch(lengths: tuple[int, int] = (3, 7), d_model: int = 32, seed: int = 0) -> BatchFacts:
    """Pad on the right, fill one cache for the batch, decode one more token of each; positions are sinusoidal."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, 4)
    initialise(layer, generator)
    short, long = lengths
    places = sinusoidal_encoding(long + 1, d_model)
    x = torch.randn(2, long, d_model, generator=generator) + places[:long]
    new = torch.randn(2, 1, d_model, generator=generator)
    own = new + places[[short, long]][:, None]  # each sentence counts its own tokens
    keep = torch.cat([padding_mask(lengths, long), torch.ones(2, 1, dtype=torch.bool)], dim=1)
    mask = keep[:, None, None, :]
    with torch.no_grad():
        alone, _ = layer(own[:1], cache=filled(layer, x[:1, :short]))
        unmasked, _ = layer(own, cache=filled(layer, x))
        misplaced, _ = layer(new + places[long], mask=mask, cache=filled(layer, x))
        masked, _ = layer(own, mask=mask, cache=filled(layer, x))
    errors = (float((output[:1] - alone).abs().max()) for output in (unmasked, misplaced, masked))
    return BatchFacts(lengths, *errors)


@dataclass(frozen=True, slots=True)
class OldKeys:
    """How much the keys of earlier tokens in the second of two layers change when one more token is appended.

    The first layer mixes tokens under a causal mask, or without one.
    """

    causal: float
    bidirectional: float


def measure_old_keys(tokens: int = 5, d_model: int = 16, num_heads: int = 2, seed: int = 0) -> OldKeys:
    """Run the first layer, with its residual, on all tokens and on all but the last."""
    generator = Generator().manual_seed(seed)
    first, second = (MultiHeadAttention(d_model, num_heads) for _ in range(2))
    initialise(first, generator)
    initialise(second, generator)
    x = torch.randn(1, tokens, d_model, generator=generator)

    def keys(n: int, causal: bool) -> Tensor:
        mixed, _ = first(x[:, :n], mask=causal_mask(n) if causal else None)
        projected: Tensor = second.w_k(x[:, :n] + mixed)
        return projected[:, : tokens - 1]

    with torch.no_grad():
        changes = (float((keys(tokens, c) - keys(tokens - 1, c)).abs().max()) for c in (True, False))
        return OldKeys(*changes)
