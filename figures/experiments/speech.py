"""Listen and write: spoken digits → digits, with the attention over the frames of the sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.utils.rnn import pad_sequence

from figures.data.pairs import Batch, Vocabulary
from figures.data.speech import MELS, SECONDS_PER_STEP, STACK, Utterance, utterances
from figures.experiments.sequences import Quality, judge, train
from figures.models.attention_layer import Mechanism
from figures.models.training import initialise, parameter_count
from figures.models.translator import Translator

DIGITS = Vocabulary.of(["0123456789"])
HELD_OUT = 300
TRAINING = 1500


@dataclass(frozen=True, slots=True)
class HeardUtterance:
    """One new utterance as the model wrote it, all of it from one pass in evaluation mode.

    `spectrogram` `[4 S, 32]`: log-mel energies every 10 ms; weights `[T, S]` over steps of `seconds_per_step` (None
    without attention); `spans[i]` is where digit i was spoken, first step and the one after its last.
    """

    target: tuple[str, ...]
    reference: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    seconds_per_step: float
    spectrogram: Tensor
    weights: Tensor | None


@dataclass(frozen=True, slots=True)
class TrainedListener:
    """A trained listener and its quality on new sequences of 3 to 6 digits.

    The right positions of `quality` are the steps in which a digit sounds. `longer_exact` is the share of sequences of
    10 to 12 digits, longer than any in training, that are right.
    """

    mechanism: Mechanism
    seed: int
    steps: int
    parameters: int
    quality: Quality
    longer_exact: float
    loss: Tensor
    examples: tuple[HeardUtterance, ...]


def train_listener(mechanism: Mechanism = "general", seed: int = 0, steps: int = 300) -> TrainedListener:
    """Train on 1,500 utterances of 3 to 6 digits; judge on 300 others."""
    torch.set_num_threads(1)
    data = Generator().manual_seed(0)
    held_out = utterances(HELD_OUT, (3, 6), data)
    longer = utterances(100, (10, 12), data)
    training = utterances(TRAINING, (3, 6), data)
    generator = Generator().manual_seed(seed)
    model = Translator(MELS * STACK, len(DIGITS), mechanism, features=True)
    initialise(model, generator)
    loss = train(model, as_batch(training), generator, steps)
    return TrainedListener(
        mechanism,
        seed,
        steps,
        parameter_count(model),
        judge(model, as_batch(held_out)),
        judge(model, as_batch(longer)).exact,
        loss,
        tuple(hear(model, utterance) for utterance in held_out[:3]),
    )


def as_batch(spoken: Sequence[Utterance]) -> Batch:
    """Utterances as one batch: scaled features `[B, S, 128]`, digits `[B, T]`, sounding steps `[B, T, S]`."""
    source = pad_sequence([scaled(utterance.features) for utterance in spoken], batch_first=True)
    target = DIGITS.encode([utterance.digits for utterance in spoken], end=True)
    gold = torch.zeros(len(spoken), target.shape[1], source.shape[1], dtype=torch.bool)
    for b, utterance in enumerate(spoken):
        for t, (first, last) in enumerate(utterance.spans):
            gold[b, t, first:last] = True
    return Batch(source, torch.tensor([len(utterance.features) for utterance in spoken]), target, gold)


def scaled(features: Tensor) -> Tensor:
    """Log energies brought to about mean 0 and deviation 1."""
    return (features + 3) / 3.5


def hear(model: Translator, utterance: Utterance) -> HeardUtterance:
    """One utterance written freely."""
    model.eval()
    with torch.no_grad():
        decoded = model(scaled(utterance.features)[None], torch.tensor([len(utterance.features)]), 12)
    written = DIGITS.decode(decoded.symbols[0])
    return HeardUtterance(
        written,
        utterance.digits,
        utterance.spans,
        SECONDS_PER_STEP,
        utterance.spectrogram.clone(),
        None if decoded.attention is None else decoded.attention.weights[0, : len(written)].clone(),
    )
