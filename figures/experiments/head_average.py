"""What the mean over heads hides: entropy of each head and of their mean, and what torch's module hands out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator, Tensor, nn

from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.experiments.heads import TrainedReader, train_reader
from figures.experiments.questions import chains
from figures.experiments.softmax import entropy


@dataclass(frozen=True, slots=True)
class HeadAverage:
    """The heads of a trained layer on `sentences` new sentences of T tokens, one by one and averaged.

    Entropies are divided by ln T and averaged over rows: `entropy[i]` of head i, `entropy_of_mean` of the mean matrix,
    which is never less than their mean (Jensen). `largest[i]` and `largest_of_mean` are mean largest weights of a row.
    `diagonal[i]` and `first[i]` are the mean weights of head i on the token itself and on the first token.
    `torch_difference` is the largest difference between what `nn.MultiheadAttention` returns unasked and the mean of
    its heads.
    """

    heads: int
    length: int
    sentences: int
    entropy: tuple[float, ...]
    entropy_of_mean: float
    largest: tuple[float, ...]
    largest_of_mean: float
    diagonal: tuple[float, ...]
    first: tuple[float, ...]
    torch_difference: float


def measure_head_average(model: Annotated[TrainedReader, train_reader]) -> HeadAverage:
    """Read sentences that training did not see."""
    torch.set_num_threads(1)
    words = [text for text, _ in frequent_phrases(60) if len(text) == 2]
    symbols = chains(Vocabulary.of(words).encode(words), 500, Generator().manual_seed(model.seed + 1_000_000))
    with torch.no_grad():
        weights = model.rebuild()(symbols).attentions[0].weights  # [B, h, T, T]
    return average_facts(weights, torch_default_difference(model.seed))


def average_facts(weights: Tensor, torch_difference: float) -> HeadAverage:
    """The facts of weights `[B, h, T, T]`."""
    sentences, heads, length, _ = weights.shape
    mean = weights.mean(1)

    def of_heads(rows: Tensor) -> tuple[float, ...]:
        return tuple(rows.mean((0, 2)).tolist())

    return HeadAverage(
        heads,
        length,
        sentences,
        of_heads(entropy(weights) / math.log(length)),
        float(entropy(mean).mean()) / math.log(length),
        of_heads(weights.amax(-1)),
        float(mean.amax(-1).mean()),
        of_heads(weights.diagonal(dim1=-2, dim2=-1)),
        of_heads(weights[..., 0]),
        torch_difference,
    )


def torch_default_difference(seed: int = 0) -> float:
    """Largest difference of the weights `[B, T, T]` that torch's module returns from the mean of `[B, h, T, T]`."""
    with torch.random.fork_rng(devices=()), torch.no_grad():
        torch.manual_seed(seed)
        layer = nn.MultiheadAttention(16, 4, batch_first=True).eval()
        x = torch.randn(1, 6, 16)
        handed_out = layer(x, x, x)[1]
        heads = layer(x, x, x, average_attn_weights=False)[1]
    return float((handed_out - heads.mean(1)).abs().max())
