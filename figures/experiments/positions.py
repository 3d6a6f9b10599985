"""What attention knows of order: nothing by itself, measured on a random layer and on trained readers of idioms."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from figures.attention import MultiHeadAttention, causal_mask, sinusoidal_encoding
from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.models.training import fit, initialise, parameter_count
from figures.models.transformer import Positions, Transformer

SENTENCE = tuple("猫追狗")
SWAPPED = tuple("狗追猫")


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """A random layer f on x `[T, d]` and on its rows in reverse, Px; all numbers are largest absolute differences.

    `equivariance`: f(Px) against P f(x); `position_by_position`: f(Px) against f(x); `pooled`: their means over
    positions. `added_before` and `added_after`: the pooled difference with a sinusoidal encoding added before the
    layer or behind it; `causal_pooled`: without encoding, but with a causal mask. `norm` is ‖PE(p)‖² and `relative` the
    largest deviation of PE(p)·PE(p + 5) from its mean over p.
    """

    d_model: int
    length: int
    equivariance: float
    position_by_position: float
    pooled: float
    added_before: float
    added_after: float
    causal_pooled: float
    norm: float
    relative: float


def measure_order(d_model: int = 64, length: int = 8, seed: int = 0) -> OrderFacts:
    """All facts of `OrderFacts` for one random layer of four heads."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, 4)
    initialise(layer, generator)
    x = torch.randn(1, length, d_model, generator=generator)
    encoding = sinusoidal_encoding(length, d_model)
    products = (sinusoidal_encoding(100, d_model) @ sinusoidal_encoding(100, d_model).T).diagonal(5)

    def f(inputs: Tensor, mask: Tensor | None = None) -> Tensor:
        output: Tensor = layer(inputs, mask=mask)[0]
        return output

    with torch.no_grad():
        plain, turned = f(x), f(x.flip(1))
        before = f(x + encoding), f(x.flip(1) + encoding)
        causal = f(x, causal_mask(length)), f(x.flip(1), causal_mask(length))
    return OrderFacts(
        d_model,
        length,
        largest(turned, plain.flip(1)),
        largest(turned, plain),
        largest(turned.mean(1), plain.mean(1)),
        largest(before[0].mean(1), before[1].mean(1)),
        largest((plain + encoding).mean(1), (turned + encoding).mean(1)),
        largest(causal[0].mean(1), causal[1].mean(1)),
        float(encoding[3].square().sum()),
        float((products - products.mean()).abs().max()),
    )


def largest(one: Tensor, other: Tensor) -> float:
    """The largest absolute difference."""
    return float((one - other).abs().max())


@dataclass(frozen=True, slots=True)
class TrainedOrderReader:
    """A reader that must tell idioms of four characters from the same characters in another order.

    `training_accuracy` and `accuracy` are shares of right verdicts on idioms seen and not seen in training, each read
    once as it is and once shuffled: a reader that is blind to order is right exactly half the time. `dropout` acts on
    the attention weights in training. `logit` and `swapped_logit` are the verdicts on `sentence` and `swapped`, whose
    characters need not occur in any of the idioms.
    """

    positions: Positions
    seed: int
    steps: int
    parameters: int
    idioms: int
    training_accuracy: float
    accuracy: float
    sentence: tuple[str, ...]
    swapped: tuple[str, ...]
    logit: float
    swapped_logit: float
    loss: Tensor
    dropout: float = 0.0


def train_order_reader(
    positions: Positions = "sinusoidal",
    seed: int = 0,
    steps: int = 600,
    characters: int = 400,
    dropout: float = 0.0,
) -> TrainedOrderReader:
    """Train one block, its outputs averaged over positions, on nine tenths of the idioms of `characters` characters."""
    torch.set_num_threads(1)
    idioms = [text for text, _ in frequent_phrases(characters) if len(set(text)) == len(text) == 4]
    vocabulary = Vocabulary.of([*idioms, SENTENCE])
    generator = Generator().manual_seed(seed)
    encoded = vocabulary.encode(idioms)[torch.randperm(len(idioms), generator=generator)]
    held_out, training = encoded[: len(idioms) // 10], encoded[len(idioms) // 10 :]
    model = Transformer(len(vocabulary), 1, positions=positions, dropout=dropout)
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        symbols, real = shuffled_half(training[torch.randint(len(training), (128,), generator=generator)], generator)
        return binary_cross_entropy_with_logits(verdict(model, symbols, generator), real)

    loss = fit(model, loss_of, steps, learning_rate=3e-3)
    model.eval()
    with torch.no_grad():
        shares = [accuracy(model, *in_both_orders(part, generator)) for part in (training, held_out)]
        logits = verdict(model, vocabulary.encode([SENTENCE, SWAPPED])).tolist()
    return TrainedOrderReader(
        positions,
        seed,
        steps,
        parameter_count(model),
        len(idioms),
        shares[0],
        shares[1],
        SENTENCE,
        SWAPPED,
        logits[0],
        logits[1],
        loss,
        dropout,
    )


def verdict(model: Transformer, symbols: Tensor, generator: Generator | None = None) -> Tensor:
    """The logit of "this is an idiom", averaged over positions: `[B]`."""
    logits: Tensor = model(symbols, generator=generator).logits
    return logits.mean((1, 2))


def accuracy(model: Transformer, symbols: Tensor, real: Tensor) -> float:
    """The share of right verdicts."""
    return float(((verdict(model, symbols) > 0) == real.bool()).double().mean())


def shuffled_half(idioms: Tensor, generator: Generator) -> tuple[Tensor, Tensor]:
    """The idioms `[B, 4]`, the second half of them in another order, and 1 for those in order, 0 for the rest `[B]`."""
    half = len(idioms) // 2
    real = (torch.arange(len(idioms)) < half).float()
    return torch.cat([idioms[:half], shuffled(idioms[half:], generator)]), real


def in_both_orders(idioms: Tensor, generator: Generator) -> tuple[Tensor, Tensor]:
    """Each of the idioms `[B, 4]` in its own order and shuffled `[2B, 4]`, and 1 for those in order, 0 for the rest."""
    real = (torch.arange(2 * len(idioms)) < len(idioms)).float()
    return torch.cat([idioms, shuffled(idioms, generator)]), real


def shuffled(idioms: Tensor, generator: Generator) -> Tensor:
    """Idioms `[B, 4]` of four different characters, each in another order than its own."""
    orders = torch.tensor([[1, 0, 2, 3], [0, 2, 1, 3], [3, 1, 2, 0], [2, 3, 0, 1], [3, 2, 1, 0], [1, 2, 3, 0]])
    return idioms.gather(1, orders[torch.randint(len(orders), (len(idioms),), generator=generator)])
