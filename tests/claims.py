"""What the course claims of trained models: how each is trained, and the bounds that its numbers keep.

A bound that speaks of attention must fail when the weights are frozen to uniform ones; `otherwise` holds what does not
depend on them (chance levels, what a failing model does).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import torch
from torch import Tensor

from figures.attention import dot_score
from figures.experiments.bottleneck import LENGTHS, train_on_lengths
from figures.experiments.captions import train_captioner
from figures.experiments.heads import train_reader
from figures.experiments.leak import train_copier
from figures.experiments.positions import train_order_reader
from figures.experiments.speech import train_listener
from figures.experiments.summaries import train_summariser
from figures.experiments.translation import train_translator

Bounds = Mapping[str, Callable[[Any], bool]]


@dataclass(frozen=True)
class Claim:
    """A training with its bounds by name."""

    train: Callable[..., Any]
    bounds: Bounds
    arguments: Mapping[str, Any] = field(default_factory=dict)
    otherwise: Bounds = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`train_translator general`."""
        return " ".join([self.train.__name__, *map(str, self.arguments.values())])


def translates(mechanism: str, **more: float) -> Claim:
    """Dates → 中文, right and with the right alignment."""
    return Claim(
        train_translator,
        {
            "exact": lambda r: r.quality.exact >= 0.95,
            "alignment": lambda r: r.quality.alignment >= 0.9,
            "mass": lambda r: r.quality.mass >= 0.8,
        },
        {"mechanism": mechanism, **more},
    )


def describes(mechanism: str) -> Claim:
    """Pictures whose digits are named while they are looked at."""
    return Claim(
        train_captioner,
        {
            "exact": lambda r: r.quality.exact > 0.5,
            "alignment": lambda r: r.quality.alignment > 0.9,
            "mass": lambda r: r.quality.mass > 5 * r.uniform_mass,
        },
        {"mechanism": mechanism},
    )


CLAIMS = (
    *(translates(mechanism) for mechanism in ("additive", "dot", "general", "concat")),
    Claim(
        train_translator,
        {},
        {"mechanism": "local-m"},
        otherwise={
            "a monotone window fails where the order turns round": lambda r: r.quality.exact <= 0.7,
            "and looks beside": lambda r: r.quality.alignment <= 0.4,
        },
    ),
    Claim(
        train_on_lengths,
        {
            "long sentences are read": lambda r: r.accuracy[LENGTHS.index(12)] > 0.85,
            "even twice as long": lambda r: r.accuracy[LENGTHS.index(24)] > 0.7,
        },
        {"mechanism": "additive"},
    ),
    Claim(
        train_on_lengths,
        {},
        {"mechanism": "none"},
        otherwise={
            "short sentences are read": lambda r: r.accuracy[0] > 0.9,
            "a fixed vector loses long ones": lambda r: r.accuracy[LENGTHS.index(12)] < 0.4,
            "and longer ones still": lambda r: r.accuracy[LENGTHS.index(24)] < 0.15,
        },
    ),
    Claim(
        train_on_lengths,
        {},
        {"mechanism": "local-m"},
        otherwise={  # the window alone does it: uniform weights within it read as well
            "a monotone window is at home where the order is kept": lambda r: min(r.accuracy) > 0.85,
            "each syllable looks at its character": lambda r: r.example.weights.argmax(-1).tolist() == list(range(8)),
        },
    ),
    Claim(
        train_copier,
        {
            "what repeats is copied": lambda r: r.accuracy_repeat > 0.9,
            "also when it writes freely": lambda r: r.written > 0.5,
        },
        {"causal": True},
        otherwise={
            "an honest loss stays above the floor": lambda r: r.floor < r.test_loss,
            "random symbols cannot be known": lambda r: r.accuracy_random < 3 * r.chance,
        },
    ),
    Claim(
        train_copier,
        {
            "a loss below the floor means a leak": lambda r: r.test_loss < 0.5 * r.floor,
            "random symbols are known": lambda r: r.accuracy_random > 0.9,
        },
        {"causal": False},
        otherwise={"it cannot write": lambda r: r.written < 0.5},
    ),
    Claim(
        train_listener,
        {"exact": lambda r: r.quality.exact > 0.9, "alignment": lambda r: r.quality.alignment > 0.8},
        {"mechanism": "general"},
        otherwise={"longer than anything in training": lambda r: r.longer_exact < 0.5},
    ),
    Claim(
        train_order_reader,
        {},
        {"positions": "sinusoidal"},
        otherwise={  # positions do it: with uniform weights new idioms are told as well
            "with positions the order of known idioms is told": lambda r: r.training_accuracy > 0.7,
            "and that of new ones": lambda r: r.accuracy > 0.58,
        },
    ),
    *(describes(mechanism) for mechanism in ("additive", "hard-gumbel")),
    Claim(
        train_summariser,
        {
            "it points at what it copies": lambda r: r.pointing > 0.4,
            "better than the first words": lambda r: r.rouge > r.baseline_rouge + 0.08,
        },
        otherwise={"copied words are generated less": lambda r: r.p_gen_copied < r.p_gen_generated - 0.1},
    ),
    Claim(
        train_reader,
        {
            "every question is answered": lambda r: min(r.accuracy) >= 0.95,
            "each head looks where its question lies": lambda r: min(own_shares(r)) >= 0.8,
            "one question a head": lambda r: sorted(r.roles) == ["earliest", "first", "next", "previous"],
            "which nobody answers without it": lambda r: max(own_answers(r)) <= 0.5,
            "and the trained weights are peaked": lambda r: max(r.entropy) < 0.5,
        },
        otherwise={
            "the average of heads shows no question well": lambda r: max(r.average_share) <= 0.5,
            "untrained weights are flat": lambda r: min(r.initial_entropy) > 0.5,
        },
    ),
)


def own_shares(reader: Any) -> list[float]:
    """The weight of each head on the positions of the question in its role; 0 for a head without one."""
    return [float(share) for share in of_own_question(reader, reader.share, missing=0.0)]


def own_answers(reader: Any) -> list[float]:
    """The accuracy on the question in its role once a head is switched off; 1 for a head without one."""
    return [float(accuracy) for accuracy in of_own_question(reader, reader.without, missing=1.0)]


def of_own_question(reader: Any, table: Tensor, missing: float) -> list[Tensor | float]:
    """The cell of each head's row in `table` `[h, questions]` that belongs to its role."""
    places = {question: number for number, question in enumerate(reader.questions)}
    return [table[head, places[role]] if role in places else missing for head, role in enumerate(reader.roles)]


def uniform(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """The same weight for every key that the mask keeps, whatever the scores."""
    kept = torch.ones_like(scores) if mask is None else mask.expand_as(scores).to(scores.dtype)
    return kept / kept.sum(-1, keepdim=True).clamp_min(1)


def blind(query: Tensor, keys: Tensor, *_: object) -> Tensor:
    """The same score for every key: a hard choice is then a draw, or the first key."""
    return 0 * dot_score(query.mean(-1, keepdim=True), keys.mean(-1, keepdim=True))


@contextmanager
def frozen() -> Iterator[None]:
    """Attention of every kind with uniform weights, and hard choices that do not look."""
    with ExitStack() as stack:
        for room in ("masks", "dot_product", "additive", "luong", "local", "hard"):
            stack.enter_context(mock.patch(f"figures.attention.{room}.masked_softmax", uniform))
        stack.enter_context(mock.patch("figures.attention.hard.luong_score", blind))
        yield
