"""A small transformer of pre-norm blocks, for reading (no mask) and for writing (causal mask, KV cache)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import gelu

from figures.attention import Attention, KVCache, MultiHeadAttention, sinusoidal_encoding

Positions = Literal["sinusoidal", "learned", "none"]


@dataclass(frozen=True, slots=True)
class Run:
    """One pass: logits `[B, T, V]`, and for each layer the attention of all heads and what it was given `[B, T, d]`."""

    logits: Tensor
    attentions: tuple[Attention, ...]
    inputs: tuple[Tensor, ...]


class Block(nn.Module):
    """x + Attention(LN(x)), then x + FFN(LN(x)): the pre-norm form (Xiong et al. 2020, arXiv:2002.04745)."""

    def __init__(self, d_model: int, num_heads: int, dropout: float, feed_forward: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.norm_2 = nn.LayerNorm(d_model) if feed_forward else None
        self.widen = nn.Linear(d_model, 4 * d_model) if feed_forward else None
        self.narrow = nn.Linear(4 * d_model, d_model) if feed_forward else None

    def forward(
        self, x: Tensor, mask: Tensor | None, cache: KVCache | None, generator: Generator | None
    ) -> tuple[Tensor, Attention, Tensor]:
        """The new x `[B, T, d]`, the attention, and the normalised input that it saw."""
        seen = self.norm(x)
        mixed, attention = self.attention(seen, mask=mask, cache=cache, generator=generator)
        x = x + mixed
        if self.norm_2 is not None and self.widen is not None and self.narrow is not None:
            x = x + self.narrow(gelu(self.widen(self.norm_2(x))))
        return x, attention, seen


class Transformer(nn.Module):
    """Embeddings plus positions, `layers` blocks, a readout for each position.

    `outputs` is the number of classes; without `feed_forward` the blocks are attention alone.
    """

    def __init__(
        self,
        symbols: int,
        outputs: int,
        *,
        d_model: int = 64,
        num_heads: int = 4,
        layers: int = 1,
        max_length: int = 128,
        positions: Positions = "sinusoidal",
        dropout: float = 0.0,
        feed_forward: bool = True,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, d_model)
        self.learned = nn.Embedding(max_length, d_model) if positions == "learned" else None
        self.register_buffer("table", sinusoidal_encoding(max_length, d_model), persistent=False)
        self.positions = positions
        self.blocks = nn.ModuleList(Block(d_model, num_heads, dropout, feed_forward) for _ in range(layers))
        self.norm = nn.LayerNorm(d_model)
        self.readout = nn.Linear(d_model, outputs)

    def embed(self, symbols: Tensor, start: int = 0) -> Tensor:
        """Embeddings `[B, T, d]` of symbols at the positions from `start` on."""
        x: Tensor = self.embedding(symbols)
        places = torch.arange(start, start + symbols.shape[1])
        if self.learned is not None:
            x = x + self.learned(places)
        if self.positions == "sinusoidal":
            x = x + self.get_buffer("table")[places]
        return x

    def attention_of(self, layer: int) -> MultiHeadAttention:
        """The attention of one layer."""
        block = self.blocks[layer]
        assert isinstance(block, Block)
        return block.attention

    def forward(
        self,
        symbols: Tensor,
        mask: Tensor | None = None,
        caches: Sequence[KVCache] | None = None,
        *,
        generator: Generator | None = None,
    ) -> Run:
        """Read `[B, T]` symbols; with `caches`, one a layer, they continue what the caches hold."""
        x = self.embed(symbols, len(caches[0]) if caches else 0)
        attentions, inputs = [], []
        for layer, block in enumerate(self.blocks):
            x, attention, seen = block(x, mask, caches[layer] if caches else None, generator)
            attentions.append(attention)
            inputs.append(seen)
        return Run(self.readout(self.norm(x)), tuple(attentions), tuple(inputs))
