"""BERT's encoder (Devlin et al. 2019, arXiv:1810.04805) on this course's own attention, for reading trained weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from figures.attention import Attention, MultiHeadAttention


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of an encoder."""

    symbols: int
    d_model: int
    layers: int
    num_heads: int
    widened: int
    max_length: int
    norm_epsilon: float = 1e-12

    @classmethod
    def of_config(cls, config: Mapping[str, Any]) -> BertShape:
        """The sizes that a `config.json` names; ValueError for another architecture."""
        kind = config.get("model_type"), config.get("hidden_act"), config.get("position_embedding_type", "absolute")
        if kind != ("bert", "gelu", "absolute"):
            raise ValueError(f"the configuration is {kind}; this reads BERT with gelu and absolute positions")
        return cls(
            config["vocab_size"],
            config["hidden_size"],
            config["num_hidden_layers"],
            config["num_attention_heads"],
            config["intermediate_size"],
            config["max_position_embeddings"],
            config["layer_norm_eps"],
        )


class BertLayer(nn.Module):
    """LN(x + Attention(x)), then LN(x + FFN(x)): the post-norm form of Vaswani et al. 2017."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(shape.d_model, shape.num_heads)
        self.norm = nn.LayerNorm(shape.d_model, shape.norm_epsilon)
        self.widen = nn.Linear(shape.d_model, shape.widened)
        self.narrow = nn.Linear(shape.widened, shape.d_model)
        self.norm_2 = nn.LayerNorm(shape.d_model, shape.norm_epsilon)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Attention]:
        """The new x `[B, T, d]` and the attention `[B, h, T, T]` that made it."""
        mixed, attention = self.attention(x, mask=mask)
        x = self.norm(x + mixed)
        return self.norm_2(x + self.narrow(gelu(self.widen(x)))), attention


class Bert(nn.Module):
    """Words, positions and kind of sentence embedded, normalised, through `shape.layers` layers."""

    def __init__(self, shape: BertShape) -> None:
        super().__init__()
        self.word = nn.Embedding(shape.symbols, shape.d_model)
        self.position = nn.Embedding(shape.max_length, shape.d_model)
        self.kind = nn.Embedding(2, shape.d_model)
        self.norm = nn.LayerNorm(shape.d_model, shape.norm_epsilon)
        self.layers = nn.ModuleList(BertLayer(shape) for _ in range(shape.layers))

    def forward(self, symbols: Tensor, mask: Tensor | None = None) -> tuple[Tensor, tuple[Attention, ...]]:
        """Hidden states `[B, T, d]` of symbols `[B, T]`, all of the first kind, and each layer's attention."""
        places = torch.arange(symbols.shape[1])
        x = self.norm(self.word(symbols) + self.position(places) + self.kind.weight[0])
        attentions = []
        for layer in self.layers:
            x, attention = layer(x, mask)
            attentions.append(attention)
        return x, tuple(attentions)


PARTS = {
    "attention.self.query": "attention.w_q",
    "attention.self.key": "attention.w_k",
    "attention.self.value": "attention.w_v",
    "attention.output.dense": "attention.w_o",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "norm_2",
    "word_embeddings": "word",
    "position_embeddings": "position",
    "token_type_embeddings": "kind",
    "LayerNorm": "norm",
}
"""Published checkpoints' names of the parts of a layer and of the embeddings, and this module's."""


def renamed(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A published checkpoint as the state of a `Bert`; the pooler and the list of positions are no part of it."""
    found = {}
    for name, tensor in tensors.items():
        room, _, rest = name.partition(".")
        part, _, kind = rest.rpartition(".")
        if room == "encoder":
            _, number, part = part.split(".", 2)
            found[f"layers.{number}.{PARTS[part]}.{kind}"] = tensor
        elif room == "embeddings" and part:
            found[f"{PARTS[part]}.{kind}"] = tensor
    return found
