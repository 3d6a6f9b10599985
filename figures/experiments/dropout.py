"""Dropout on attention weights: what it does to rows, on average, and when it is off."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, scaled_dot_product_attention

from figures.attention import MultiHeadAttention, drop_weights
from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.experiments.positions import shuffled_half, verdict
from figures.models.training import fit, initialise
from figures.models.transformer import Transformer


@dataclass(frozen=True, slots=True)
class DropoutFacts:
    """Inverted dropout with probability p on random rows of weights.

    Sums of rows after dropout; over `draws` draws the largest deviation of a mean dropped weight from the weight;
    `dropped` of `weights` single weights and `columns_dropped` of `columns` whole columns of one matrix vanished at
    probability `column_p`.
    """

    p: float
    row_sum_lowest: float
    row_sum_mean: float
    row_sum_highest: float
    draws: int
    bias: float
    column_p: float
    weights: int
    dropped: int
    columns: int
    columns_dropped: int


def measure_dropout(p: float = 0.1, column_p: float = 0.3, draws: int = 20_000, seed: int = 0) -> DropoutFacts:
    """Draw from one generator."""
    generator = Generator().manual_seed(seed)
    rows = torch.randn(1000, 8, generator=generator).softmax(-1)
    sums = drop_weights(rows, p, generator).sum(-1)
    row = rows[0].expand(draws, -1)
    bias = (drop_weights(row, p, generator).double().mean(0) - rows[0]).abs().max()
    matrix = torch.full((8, 6), 1 / 6)
    gone = drop_weights(matrix, column_p, generator) == 0
    return DropoutFacts(
        p,
        float(sums.min()),
        float(sums.mean()),
        float(sums.max()),
        draws,
        float(bias),
        column_p,
        matrix.numel(),
        int(gone.sum()),
        matrix.shape[1],
        int(gone.all(0).sum()),
    )


@dataclass(frozen=True, slots=True)
class DropoutSwitches:
    """Whether two runs on the same input agree to the bit, by what is meant to switch dropout off.

    For a module in training mode, in evaluation mode, in training mode under `no_grad`; and for torch's function with a
    `dropout_p` called from a module in evaluation mode.
    """

    p: float
    training: bool
    evaluation: bool
    training_without_grad: bool
    function_in_evaluation: bool


def measure_dropout_switches(p: float = 0.5, seed: int = 0) -> DropoutSwitches:
    """Run everything twice; torch's function draws from a global generator that is put back afterwards."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(16, 4, dropout=p)
    initialise(layer, generator)
    x = torch.randn(1, 6, 16, generator=generator)

    def agree() -> bool:
        first, second = (layer(x, generator=generator)[0] for _ in range(2))
        return torch.equal(first, second)

    layer.train()
    training = agree()
    with torch.no_grad():
        without_grad = agree()
    layer.eval()
    evaluation = agree()
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        calls = [scaled_dot_product_attention(x, x, x, dropout_p=p) for _ in range(2)]
    return DropoutSwitches(p, training, evaluation, without_grad, torch.equal(*calls))


@dataclass(frozen=True, slots=True)
class SmallDataRun:
    """A reader that tells idioms from shuffled ones, trained on few of them with `dropout` on its attention weights.

    Losses in nats and shares of right verdicts, dropout off, on the `training` idioms and on `held_out` others, half of
    each shuffled; chance is 0.5.
    """

    dropout: float
    seed: int
    steps: int
    training: int
    held_out: int
    training_loss: float
    held_out_loss: float
    training_accuracy: float
    held_out_accuracy: float


def train_on_small_data(
    dropout: float = 0.0, seed: int = 0, steps: int = 300, training: int = 500, characters: int = 400
) -> SmallDataRun:
    """Train one block on `training` idioms of the most frequent `characters`; all others are held out."""
    torch.set_num_threads(1)
    idioms = [text for text, _ in frequent_phrases(characters) if len(set(text)) == len(text) == 4]
    vocabulary = Vocabulary.of(idioms)
    generator = Generator().manual_seed(seed)
    encoded = vocabulary.encode(idioms)[torch.randperm(len(idioms), generator=generator)]
    seen, others = encoded[:training], encoded[training:]
    model = Transformer(len(vocabulary), 1, positions="sinusoidal", dropout=dropout)
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        chosen = seen[torch.randint(len(seen), (64,), generator=generator)]
        symbols, real = shuffled_half(chosen, generator)
        return binary_cross_entropy_with_logits(verdict(model, symbols, generator), real)

    fit(model, loss_of, steps, learning_rate=3e-3)
    model.eval()
    test = Generator().manual_seed(seed)
    found = []
    with torch.no_grad():
        for part in (seen, others):
            symbols, real = shuffled_half(part, test)
            logits = verdict(model, symbols)
            right = (logits > 0) == real.bool()
            found.append((float(binary_cross_entropy_with_logits(logits, real)), float(right.double().mean())))
    (seen_loss, seen_right), (other_loss, other_right) = found
    return SmallDataRun(dropout, seed, steps, len(seen), len(others), seen_loss, other_loss, seen_right, other_right)
