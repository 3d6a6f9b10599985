"""What training without a padding mask hides: the loss falls as usual, and longer batches change the verdicts."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from figures.attention import padding_mask
from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.experiments.positions import in_both_orders, shuffled_half
from figures.models.training import fit, initialise
from figures.models.transformer import Transformer

LENGTH = 4
PADS = (0, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class PaddedReader:
    """A reader that tells idioms from shuffled ones, trained in batches with 0 to `most` pads behind the characters.

    The embedding of the pad is learnt, and the answer is read off the four characters alone, so only attention can let
    pads in. With each number of `pads`: `accuracy`, the mean `weight` that characters give to pads, and `changed`, the
    share of verdicts that differ from those without pads. `final_loss` is the mean of the last 50 steps.
    """

    masked: bool
    seed: int
    steps: int
    most: int
    idioms: int
    final_loss: float
    pads: tuple[int, ...]
    accuracy: tuple[float, ...]
    weight: tuple[float, ...]
    changed: tuple[float, ...]
    loss: Tensor


def train_padded_reader(
    masked: bool = True, seed: int = 0, steps: int = 400, most: int = 4, characters: int = 400
) -> PaddedReader:
    """Train one block with or without the padding mask, from the same weights on the same batches; read longer ones."""
    torch.set_num_threads(1)
    idioms = [text for text, _ in frequent_phrases(characters) if len(set(text)) == len(text) == LENGTH]
    vocabulary = Vocabulary.of(idioms)
    encoded = vocabulary.encode(idioms)
    generator = Generator().manual_seed(seed)
    model = Transformer(len(vocabulary), 1)
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        chosen = encoded[torch.randint(len(encoded), (128,), generator=generator)]
        symbols, real = shuffled_half(chosen, generator)
        pads = int(torch.randint(most + 1, (1,), generator=generator))
        return binary_cross_entropy_with_logits(read_padded(model, symbols, pads, masked=masked)[0], real)

    loss = fit(model, loss_of, steps, learning_rate=3e-3)
    model.eval()
    symbols, real = in_both_orders(encoded, generator)
    with torch.no_grad():
        found = [read_padded(model, symbols, count, masked=masked) for count in PADS]
    verdicts = [logits > 0 for logits, _ in found]
    return PaddedReader(
        masked,
        seed,
        steps,
        most,
        len(idioms),
        float(loss[-50:].mean()),
        PADS,
        tuple(share(verdict == real.bool()) for verdict in verdicts),
        tuple(float(weight) for _, weight in found),
        tuple(share(verdict != verdicts[0]) for verdict in verdicts),
        loss,
    )


def read_padded(model: Transformer, symbols: Tensor, pads: int, *, masked: bool) -> tuple[Tensor, Tensor]:
    """The verdicts `[B]` on symbols `[B, 4]` followed by pads, and the mean weight that symbols give to pads."""
    B, length = symbols.shape
    padded = torch.cat([symbols, symbols.new_zeros(B, pads)], dim=1)
    keep = padding_mask([length] * B, length + pads)[:, None, None, :] if masked else None
    run = model(padded, keep)
    on_pads: Tensor = run.attentions[0].weights[..., :length, length:].sum(-1).mean()
    return run.logits[:, :length].mean((1, 2)), on_pads


def share(found: Tensor) -> float:
    """The share of True."""
    return float(found.double().mean())
