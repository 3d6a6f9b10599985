"""Associative recall: a question is answered by the one pair that has its key, so the attention has to look there."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from figures.experiments.injected_bugs import SmallReader, draw
from figures.models.training import fit, initialise


@dataclass(frozen=True, slots=True)
class Question:
    """One new sequence: the key in question, the pairs (key, value), where the question looked, and what was read.

    `weights` `[pairs + 1]`: the question itself, then the pairs. `place` is the pair that answers, counted from 0.
    """

    key: int
    pairs: tuple[tuple[int, int], ...]
    weights: Tensor
    place: int
    answered: int

    @property
    def right(self) -> int:
        """The value that belongs to the key."""
        return self.pairs[self.place][1]


@dataclass(frozen=True, slots=True)
class RecallReport:
    """A reader trained on recall, in numbers over new sequences.

    `accuracy`; `looked`: the strongest weight lies on the right pair; `weight`: its mean, and `uniform` what it would
    be if all tokens got the same; `chance`: accuracy of a guess.
    """

    seed: int
    steps: int
    sequences: int
    accuracy: float
    looked: float
    weight: float
    uniform: float
    chance: float
    questions: tuple[Question, ...]


def measure_recall(seed: int = 0, steps: int = 300, shown: int = 6) -> RecallReport:
    """Train the right code and ask it about a thousand new sequences."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    model = SmallReader("recall", "none")
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        symbols, mask, answers, _places = draw("recall", 64, generator)
        return cross_entropy(model(symbols, mask)[0], answers)

    fit(model, loss_of, steps, learning_rate=5e-3)
    model.eval()
    symbols, mask, answers, telling = draw("recall", 1000, generator)
    with torch.no_grad():
        logits, attention = model(symbols, mask)
    row, place, answered = attention.weights[:, 0], telling.long().argmax(-1), logits.argmax(-1)
    questions = tuple(
        Question(
            int(symbols[one, 0, 0]),
            tuple((int(key), int(value)) for key, value in symbols[one, 1 : int(mask[one].sum())].tolist()),
            row[one, : int(mask[one].sum())].clone(),
            int(place[one]) - 1,
            int(answered[one]),
        )
        for one in range(shown)
    )
    return RecallReport(
        seed,
        steps,
        len(answers),
        float((answered == answers).double().mean()),
        float((row.argmax(-1) == place).double().mean()),
        float(row.gather(1, place[:, None]).mean()),
        float((1 / mask.sum(-1)).mean()),
        float(answers.bincount().max()) / len(answers),
        questions,
    )
