"""A language model that sees the future: its training loss falls below what is possible, and it cannot write."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from figures.attention import causal_mask
from figures.models.training import fit, initialise, parameter_count
from figures.models.transformer import Transformer

LENGTH = 24
SYMBOLS = 24


@dataclass(frozen=True, slots=True)
class TrainedCopier:
    """A language model on sequences that repeat a random block: symbol t ≥ n equals symbol t − n, n the block's length.

    Losses are nats per predicted symbol on new sequences, the last of training and under the mask of training. No model
    that sees only the past can be below `floor` on average: the symbols of the first block are uniform among `symbols`.
    `accuracy_random` is the share of right predictions inside the first block, where `chance` is the best possible, and
    `accuracy_repeat` that in the repeats, both under the mask of training; `written` is the share of right symbols when
    the model continues a block on its own, one symbol after the other.
    """

    causal: bool
    seed: int
    steps: int
    parameters: int
    symbols: int
    length: int
    floor: float
    chance: float
    test_loss: float
    accuracy_random: float
    accuracy_repeat: float
    written: float
    loss: Tensor
    weights: tuple[Tensor, ...]
    """The attention on one sequence, one tensor `[h, T, T]` a layer."""
    tokens: tuple[str, ...]


def train_copier(causal: bool = True, seed: int = 0, steps: int = 500) -> TrainedCopier:
    """Train two layers to predict the next symbol, with the causal mask or, by mistake, without it."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    model = Transformer(SYMBOLS, SYMBOLS, layers=2, positions="learned", max_length=LENGTH)
    initialise(model, generator)
    mask = causal_mask(LENGTH - 1) if causal else None

    def loss_of(_: int) -> Tensor:
        return next_symbol_loss(model, draw(64, generator)[0], mask)

    loss = fit(model, loss_of, steps, learning_rate=3e-3)
    model.eval()
    symbols, blocks = draw(500, generator)
    with torch.no_grad():
        run = model(symbols[:, :-1], mask)
        right = run.logits.argmax(-1) == symbols[:, 1:]
        repeats = torch.arange(1, LENGTH) >= blocks[:, None]
        return TrainedCopier(
            causal,
            seed,
            steps,
            parameter_count(model),
            SYMBOLS,
            LENGTH,
            float((blocks - 1).double().mean()) / (LENGTH - 1) * math.log(SYMBOLS),
            1 / SYMBOLS,
            float(next_symbol_loss(model, symbols, mask)),
            float(right[~repeats].double().mean()),
            float(right[repeats].double().mean()),
            written(model, symbols, causal),
            loss,
            tuple(attention.weights[0].clone() for attention in run.attentions),
            tuple(chr(ord("a") + i) for i in symbols[0, :-1].tolist()),
        )


def draw(count: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """`count` sequences `[count, 24]` and the lengths of their blocks `[count]`, between 6 and 11."""
    blocks = torch.randint(6, 12, (count,), generator=generator)
    fresh = torch.randint(SYMBOLS, (count, LENGTH), generator=generator)
    place = torch.arange(LENGTH) % blocks[:, None]
    return fresh.gather(1, place), blocks


def next_symbol_loss(model: Transformer, symbols: Tensor, mask: Tensor | None) -> Tensor:
    """The cross entropy of each symbol but the first, given those that the mask lets through."""
    logits = model(symbols[:, :-1], mask).logits
    return cross_entropy(logits.flatten(0, 1), symbols[:, 1:].flatten())


def written(model: Transformer, symbols: Tensor, causal: bool) -> float:
    """The share of right symbols when the last 12 are written by the model itself (greedily)."""
    text = symbols[:, :12]
    while text.shape[1] < LENGTH:
        logits = model(text, causal_mask(text.shape[1]) if causal else None).logits
        text = torch.cat([text, logits[:, -1:].argmax(-1)], dim=1)
    return float((text[:, 12:] == symbols[:, 12:]).double().mean())
