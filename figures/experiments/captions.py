"""Picture → caption, with the attention over the picture: soft, and hard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from figures.data.pairs import Batch, Vocabulary
from figures.data.pictures import DIGITS, NEW_TYPEFACES, PLACES, TYPEFACES, Picture, glyphs, pictures
from figures.experiments.sequences import Quality, judge, train
from figures.models.attention_layer import Mechanism
from figures.models.captioner import GRID, Captioner
from figures.models.training import fit, initialise, parameter_count

WORDS = Vocabulary.of([PLACES, DIGITS])


@dataclass(frozen=True, slots=True)
class DescribedPicture:
    """One new picture as the model described it, all of it from one pass in evaluation mode.

    `pixels` `[24, 24]`; weights `[T, 6, 6]` over the grid of features (None without attention); `cells[i]` is the cell
    of the 3 × 3 grid, row and column, of digit i: words 2i (the place) and 2i + 1 (the digit) of the reference.
    """

    target: tuple[str, ...]
    reference: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]
    pixels: Tensor
    weights: Tensor | None


@dataclass(frozen=True, slots=True)
class TrainedCaptioner:
    """A trained captioner and its quality on 500 new pictures in typefaces that it has not seen.

    The right positions of `quality` are, for each digit word, the four features of its cell; the weight on them would
    be `uniform_mass` if all were equal. Place words count in `exact` alone: where a digit stands is seen in the picture
    as a whole. `place_alignment` is the share of place words whose strongest feature lies in the cell they name.
    """

    mechanism: Mechanism
    seed: int
    steps: int
    first_steps: int
    parameters: int
    quality: Quality
    uniform_mass: float
    place_alignment: float | None
    loss: Tensor
    examples: tuple[DescribedPicture, ...]


def train_captioner(
    mechanism: Mechanism = "additive", seed: int = 0, steps: int = 500, first_steps: int = 200
) -> TrainedCaptioner:
    """Train on 3,000 pictures of one to three digits.

    For `first_steps` the encoder alone learns to name the digit in pictures of one, wherever it stands; it plays the
    part of the network that was trained on ImageNet in the paper.
    """
    torch.set_num_threads(1)
    data = Generator().manual_seed(0)
    known, new = glyphs(TYPEFACES), glyphs(NEW_TYPEFACES)
    training, held_out = as_batch(pictures(3000, (1, 3), known, data)), pictures(500, (1, 3), new, data)
    generator = Generator().manual_seed(seed)
    model = Captioner(len(WORDS), mechanism)
    initialise(model, generator)
    learn_digits(model, pictures(1000, (1, 1), known, data), generator, first_steps)
    loss = train(model, training, generator, steps)
    return TrainedCaptioner(
        mechanism,
        seed,
        steps,
        first_steps,
        parameter_count(model),
        judge(model, as_batch(held_out)),
        4 / GRID**2,
        judge(model, as_batch(held_out, words=0)).alignment,
        loss,
        tuple(describe(model, picture) for picture in held_out if len(picture.digits) == 2)[:3],
    )


class DigitNamer(nn.Module):
    """The encoder's features, their largest value anywhere, and a readout of ten digits."""

    def __init__(self, captioner: Captioner) -> None:
        super().__init__()
        self.encoder = captioner.encoder
        self.readout = nn.Linear(captioner.encoder.second.out_channels, 10)

    def forward(self, pixels: Tensor) -> Tensor:
        """Logits `[B, 10]`."""
        logits: Tensor = self.readout(self.encoder.features(pixels).amax((2, 3)))
        return logits


def learn_digits(captioner: Captioner, single: Sequence[Picture], generator: Generator, steps: int) -> None:
    """Let the encoder learn to name the one digit of a picture."""
    model = DigitNamer(captioner)
    initialise(model.readout, generator)
    pixels = torch.stack([picture.pixels for picture in single])
    digits = torch.tensor([picture.digits[0][1] for picture in single])

    def loss_of(_: int) -> Tensor:
        rows = torch.randint(len(digits), (64,), generator=generator)
        return cross_entropy(model(pixels[rows]), digits[rows])

    fit(model, loss_of, steps, learning_rate=5e-3)


def as_batch(seen: Sequence[Picture], words: int = 1) -> Batch:
    """Pixels `[B, 24, 24]`, captions `[B, T]`, and the features of the cells `[B, T, 36]` of digit or place words.

    `words` is 1 for the digit words, 0 for the place words.
    """
    target = WORDS.encode([picture.caption for picture in seen], end=True)
    gold = torch.zeros(len(seen), target.shape[1], GRID, GRID, dtype=torch.bool)
    for b, picture in enumerate(seen):
        for i, (cell, _) in enumerate(picture.digits):
            row, column = 2 * (cell // 3), 2 * (cell % 3)
            gold[b, 2 * i + words, row : row + 2, column : column + 2] = True
    pixels = torch.stack([picture.pixels for picture in seen])
    return Batch(pixels, torch.full((len(seen),), GRID * GRID), target, gold.flatten(2))


def describe(model: Captioner, picture: Picture) -> DescribedPicture:
    """One picture described freely."""
    model.eval()
    with torch.no_grad():
        decoded = model(picture.pixels[None], torch.tensor([GRID * GRID]), 8)
    written = WORDS.decode(decoded.symbols[0])
    weights = None
    if decoded.attention is not None:
        weights = decoded.attention.weights[0, : len(written)].view(-1, GRID, GRID).clone()
    cells = tuple((cell // 3, cell % 3) for cell, _ in picture.digits)
    return DescribedPicture(written, picture.caption, cells, picture.pixels, weights)
