"""Dates → 中文: the same translator with each mechanism."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from figures.data.dates import date_pair, date_pairs
from figures.data.pairs import Batch, Vocabulary
from figures.experiments.sequences import AlignedSentence, Quality, judge, read_and_write, train
from figures.models.attention_layer import GlobalScore, Mechanism
from figures.models.training import initialise, parameter_count
from figures.models.translator import Translator

HELD_OUT = 500
TRAINING = 6000
EXAMPLES = (
    (datetime.date(1920, 4, 18), "en"),
    (datetime.date(1889, 5, 6), "fr"),
    (datetime.date(1905, 11, 30), "de"),
)


@dataclass(frozen=True, slots=True)
class TrainedTranslator:
    """A trained translator: how it was made, how good it is, and sentences that it wrote.

    `loss` `[steps]` is the training loss per token in nats; `state` are its weights.
    """

    mechanism: Mechanism
    seed: int
    steps: int
    window: int
    parameters: int
    quality: Quality
    loss: Tensor
    examples: tuple[AlignedSentence, ...]
    source_symbols: tuple[str, ...]
    target_symbols: tuple[str, ...]
    state: dict[str, Tensor]

    def rebuild(self) -> Translator:
        """The model itself, in evaluation mode."""
        model = Translator(len(self.source_symbols), len(self.target_symbols), self.mechanism, window=self.window)
        model.load_state_dict(self.state)
        return model.eval()


def train_translator(
    mechanism: Mechanism = "additive",
    seed: int = 0,
    steps: int = 300,
    window: int = 3,
    learning_rate: float = 5e-3,
    score: GlobalScore | None = None,
) -> TrainedTranslator:
    """Train on 6,000 dates in English, French and German; judge on 500 others. `window` is D of local attention.

    `score` says the same as `mechanism` where every state is looked at, softly: which score, of the four.
    """
    torch.set_num_threads(1)
    mechanism = score or mechanism
    examples = tuple(date_pair(day, language) for day, language in EXAMPLES)
    drawn = [pair for pair in date_pairs(TRAINING + HELD_OUT, seed=0) if pair not in examples]
    held_out, training = drawn[:HELD_OUT], drawn[HELD_OUT:]
    source = Vocabulary.of(pair.source for pair in training)
    target = Vocabulary.of(pair.target for pair in training)
    generator = Generator().manual_seed(seed)
    model = Translator(len(source), len(target), mechanism, window=window)
    initialise(model, generator)
    loss = train(model, Batch.of(training, source, target), generator, steps, learning_rate=learning_rate)
    return TrainedTranslator(
        mechanism,
        seed,
        steps,
        window,
        parameter_count(model),
        judge(model, Batch.of(held_out, source, target)),
        loss,
        read_and_write(model, examples, source, target),
        source.symbols,
        target.symbols,
        {name: tensor.clone() for name, tensor in model.state_dict().items()},
    )
