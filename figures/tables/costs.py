"""What attention costs: parameters and biases, memory against length, decoding with and without a cache, blocks."""

from __future__ import annotations

from typing import Annotated, Any

import torch

from figures.attention import MultiHeadAttention
from figures.exhibit import MeasuredTable
from figures.experiments.biases import NAMES, BiasFacts, measure_biases
from figures.experiments.cache import (
    CacheCost,
    CacheFacts,
    cache_bytes_per_token,
    measure_cache,
    measure_cache_cost,
)
from figures.experiments.length_cost import (
    LENGTHS,
    MIB,
    ChunkCost,
    measure_chunks,
    measure_length_cost,
)
from figures.language import Wording, words
from figures.models.training import parameter_count
from figures.numerals import grouped, scientific

TEXT: Wording = {
    "d_model": ("$d_{model}$", "$d_{model}$"),
    "heads": ("头数 h", "heads h"),
    "d_head": ("每头 $d_k$", "$d_k$ a head"),
    "per_layer": ("一层的参数", "parameters of one attention"),
    "single": ("若只有 1 个头", "as wide, 1 head"),
    "length": ("T", "T"),
    "square": ("T × T 权重（MiB）", "T × T weights (MiB)"),
    "other": ("其余激活（MiB）", "other activations (MiB)"),
    "growth": ("每翻倍", "a doubling"),
    "token": ("第 n 个词", "token n"),
    "without": ("没有缓存", "without cache"),
    "with": ("有缓存", "with cache"),
    "factor": ("相差", "factor"),
    "kv_heads": ("KV 头", "KV heads"),
    "kind": ("名称", "name"),
    "bytes": ("每词字节", "cache a token (bytes, one layer)"),
    "share": ("相对", "relative size"),
    "bias": ("每一项加 3", "3 added to"),
    "weights_change": ("权重最多变", "weights change by"),
    "output_change": ("输出最多变", "outputs change by"),
    "model": ("模型", "model"),
    "layers": ("层", "layers L"),
    "query_heads": ("Q 头", "query heads"),
    "a_token": ("KiB / 词", "a token (KiB)"),
    "a_text": ("{tokens} 词 GiB", "{tokens} tokens (GiB)"),
    "block": ("每块的键数", "keys a block"),
    "at_once": ("不分块", "all at once"),
    "largest": ("最大的张量", "largest tensor (numbers)"),
    "difference": ("输出相差", "output differs by"),
}
PUBLISHED = (
    ("LLaMA-2-7B", 32, 32, 32, 128),
    ("Mistral-7B", 32, 32, 8, 128),
    ("LLaMA-2-70B", 80, 64, 8, 128),
    ("Falcon-7B", 32, 71, 1, 64),
)
"""Layers, query heads, KV heads and head size as in the published configuration files."""
KIB, GIB = 2**10, 2**30
AT_LEAST = 5
"""Clock times differ between runs and machines: all that is said of them is whether they are this many times longer."""


def configurations(
    sizes: tuple[tuple[int, int], ...] = ((64, 4), (128, 4), (512, 8), (1024, 16)), lang: str = "zh"
) -> MeasuredTable:
    """Common (d_model, h) pairs with their head size and counted parameters, which do not depend on h."""
    text = words(TEXT, lang)
    rows: list[tuple[str | int | float, ...]] = []
    values: dict[str, Any] = {}
    with torch.device("meta"):  # counted, never filled
        for d_model, heads in sizes:
            count = parameter_count(MultiHeadAttention(d_model, heads))
            single = parameter_count(MultiHeadAttention(d_model, 1))
            rows.append((str(d_model), str(heads), str(d_model // heads), f"{count:,}", f"{single:,}"))
            values |= {
                f"parameters_{d_model}": count, f"parameters_{d_model}_single": single,
                f"d_head_{d_model}": d_model // heads,
            }  # fmt: skip
    header = tuple(text[name] for name in ("d_model", "heads", "d_head", "per_layer", "single"))
    return MeasuredTable(header, tuple(rows), ("right",) * 5, values)


def memory_by_length(
    lengths: tuple[int, ...] = LENGTHS, d_model: int = 128, heads: int = 4, seed: int = 0, lang: str = "zh"
) -> MeasuredTable:
    """Memory of one self-attention for each length, split into what grows fourfold and what doubles."""
    text = words(TEXT, lang)
    cost = measure_length_cost(lengths, d_model, heads, seed)
    rows: list[tuple[str | int | float, ...]] = []
    values: dict[str, Any] = {"lengths": list(lengths), "d_model": d_model, "heads": heads}
    for i, length in enumerate(lengths):
        square, other = cost.square[i] / MIB, cost.other[i] / MIB
        grown = (
            "–" if i == 0 else f"×{cost.square[i] / cost.square[i - 1]:.1f} / ×{cost.other[i] / cost.other[i - 1]:.1f}"
        )
        rows.append((str(length), f"{square:.2f}", f"{other:.2f}", grown))
        values |= {f"square_{length}": square, f"other_{length}": other}
    header = tuple(text[name] for name in ("length", "square", "other", "growth"))
    return MeasuredTable(header, tuple(rows), ("right",) * 4, values)


def decoding(cost: Annotated[CacheCost, measure_cache_cost], lang: str = "zh") -> MeasuredTable:
    """Multiplications for token n without and with a cache."""
    text = words(TEXT, lang)
    rows = []
    values: dict[str, Any] = {
        "d_model": cost.d_model, "heads": cost.num_heads, "time_ratio": cost.time_ratio,
        "time_at_least": AT_LEAST if cost.time_ratio > AT_LEAST else 1,
    }  # fmt: skip
    for n, slow, fast in zip(cost.lengths, cost.recomputed, cost.cached, strict=True):
        rows.append((str(n), grouped(slow), grouped(fast), f"×{slow / fast:.0f}"))
        values |= {f"without_{n}": slow, f"with_{n}": fast, f"factor_{n}": slow / fast}
    header = tuple(text[name] for name in ("token", "without", "with", "factor"))
    return MeasuredTable(header, tuple(rows), ("right",) * 4, values)


def cache_sizes(facts: Annotated[CacheFacts, measure_cache], lang: str = "zh") -> MeasuredTable:
    """What one token adds to the cache with all, some and one KV head (MHA, GQA, MQA)."""
    text = words(TEXT, lang)
    rows = []
    values: dict[str, Any] = {
        "tokens": facts.tokens,
        "difference": facts.difference,
        "score_shape": list(facts.score_shape),
        "full_score_shape": list(facts.full_score_shape),
        "cache_shape": list(facts.cache_shape),
    }
    largest = max(facts.bytes_per_token)
    for count, size in zip(facts.kv_heads, facts.bytes_per_token, strict=True):
        kind = "MHA" if count == facts.num_heads else "MQA" if count == 1 else "GQA"
        rows.append((kind, str(count), grouped(size), f"{size / largest:.0%}"))
        values[f"bytes_{count}"] = size
    header = tuple(text[name] for name in ("kind", "kv_heads", "bytes", "share"))
    return MeasuredTable(header, tuple(rows), ("left", "right", "right", "right"), values)


def published_caches(tokens: int = 4096, bytes_per_number: int = 2, lang: str = "zh") -> MeasuredTable:
    """The cache of well-known models in half precision: 2 · L · h_kv · d · bytes for each token."""
    text = words(TEXT, lang)
    rows: list[tuple[str | int | float, ...]] = []
    values: dict[str, Any] = {"tokens": tokens}
    for model, layers, heads, kv_heads, d_head in PUBLISHED:
        size = cache_bytes_per_token(layers, kv_heads, d_head, bytes_per_number)
        rows.append((model, str(layers), str(heads), str(kv_heads), f"{size / KIB:.0f}", f"{tokens * size / GIB:.2f}"))
        name = model.lower().replace("-", "_")
        values |= {
            f"{name}_kib": size / KIB, f"{name}_gib": tokens * size / GIB, f"{name}_factor": heads / kv_heads
        }  # fmt: skip
    header = tuple(
        text[name].format(tokens=tokens) for name in ("model", "layers", "query_heads", "kv_heads", "a_token", "a_text")
    )
    return MeasuredTable(header, tuple(rows), ("left", *("right",) * 5), values)


def biases(facts: Annotated[BiasFacts, measure_biases], lang: str = "zh") -> MeasuredTable:
    """What each of the four biases moves."""
    text = words(TEXT, lang)
    rows = []
    values: dict[str, Any] = {"error": _unexpected(facts.error), "bias_share": facts.bias_share}
    for name, weights, output in zip(NAMES, facts.weights, facts.outputs, strict=True):
        symbol = f"$b_{name[-1].upper()}$"
        rows.append((symbol, _small(weights), _small(output)))
        values |= {f"{name}_weights": weights, f"{name}_output": output}
    header = tuple(text[name] for name in ("bias", "weights_change", "output_change"))
    return MeasuredTable(header, tuple(rows), ("left", "right", "right"), values)


def _unexpected(error: str) -> str:
    """The first complaint of torch's message: what is left over, without the list of all names."""
    first = error.splitlines()[-1].strip().rstrip(". ")
    return first.split(", ")[0]


def _small(number: float) -> str:
    """Two decimals, or a power of ten where those would be zeros."""
    if number == 0:
        return "0"
    return f"{number:.2f}" if number >= 0.005 else scientific(number)


def chunks(cost: Annotated[ChunkCost, measure_chunks], lang: str = "zh") -> MeasuredTable:
    """The largest intermediate tensor and the deviation of the output, for each size of block."""
    text = words(TEXT, lang)
    rows = [(text["at_once"], grouped(cost.whole), "–")]
    values: dict[str, Any] = {
        "length": cost.length, "d_k": cost.d_k, "whole": cost.whole, "difference": max(cost.difference)
    }  # fmt: skip
    for block, size, difference in zip(cost.blocks, cost.largest, cost.difference, strict=True):
        rows.append((str(block), grouped(size), scientific(difference)))
        values |= {f"largest_{block}": size, f"difference_{block}": difference, f"saving_{block}": cost.whole / size}
    header = tuple(text[name] for name in ("block", "largest", "difference"))
    return MeasuredTable(header, tuple(rows), ("right",) * 3, values)
