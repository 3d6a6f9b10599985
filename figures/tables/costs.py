"""What attention costs: parameters, memory against length, decoding with and without a cache."""

from __future__ import annotations

from typing import Annotated, Any

import torch

from figures.attention import MultiHeadAttention
from figures.exhibit import MeasuredTable
from figures.experiments.cache import CacheCost, CacheFacts, measure_cache, measure_cache_cost
from figures.experiments.length_cost import LENGTHS, MIB, measure_length_cost
from figures.language import Wording, words
from figures.models.training import parameter_count
from figures.numerals import grouped

TEXT: Wording = {
    "d_model": ("$d_{model}$", "$d_{model}$"),
    "heads": ("头数 h", "heads h"),
    "d_head": ("每头 $d_k$", "$d_k$ a head"),
    "per_layer": ("一层注意力的参数", "parameters of one attention"),
    "single": ("同样宽、1 个头", "as wide, 1 head"),
    "length": ("T", "T"),
    "square": ("T × T 权重（MiB）", "T × T weights (MiB)"),
    "other": ("其余激活（MiB）", "other activations (MiB)"),
    "growth": ("每翻倍", "a doubling"),
    "token": ("第 n 个词", "token n"),
    "without": ("没有缓存", "without cache"),
    "with": ("有缓存", "with cache"),
    "factor": ("相差", "factor"),
    "kv_heads": ("KV 头数", "KV heads"),
    "kind": ("名称", "name"),
    "bytes": ("每词缓存（字节，一层）", "cache a token (bytes, one layer)"),
    "share": ("相对大小", "relative size"),
}


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
    values: dict[str, Any] = {"d_model": cost.d_model, "heads": cost.num_heads, "time_ratio": cost.time_ratio}
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
