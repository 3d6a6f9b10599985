"""Four questions about each character of a sentence, which one layer of self-attention must answer at once.

Which character stands before it? Which after it? Which begins the sentence? And, if the same character came before: at
which position did it first stand? The first three ask for positions, the last for content.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from figures.models.transformer import Run, Transformer

LENGTH = 8
QUESTIONS = ("previous", "next", "first", "earliest")
QUESTION_WEIGHTS = (1.0, 1.0, 1.0, 3.0)  # the last is asked at few positions


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions about sentences `[B, T]`: right answers, positions that tell them and where they are asked."""

    answers: tuple[Tensor, ...]
    positions: tuple[Tensor, ...]
    valid: tuple[Tensor, ...]


def reader(symbols: int, num_heads: int, d_model: int) -> Transformer:
    """The model: three answers are characters, the last a position."""
    return Transformer(symbols, 3 * symbols + LENGTH, d_model=d_model, num_heads=num_heads, feed_forward=False)


def chains(words: Tensor, count: int, generator: Generator) -> Tensor:
    """`count` sentences `[count, 8]` of four words in which some characters come twice and none three times."""
    found: list[Tensor] = []
    while sum(map(len, found)) < count:
        rows = torch.randint(len(words), (4 * count, LENGTH // 2), generator=generator)
        symbols = words[rows].flatten(1)
        copies = (symbols[:, :, None] == symbols[:, None, :]).sum(-1)
        found.append(symbols[(copies <= 2).all(-1) & (copies == 2).any(-1)])
    return torch.cat(found)[:count]


def ask(symbols: Tensor) -> Asked:
    """The four questions, in the order of `QUESTIONS`."""
    T = symbols.shape[1]
    place = torch.arange(T).expand_as(symbols)
    equal = symbols[:, :, None] == symbols[:, None, :]
    earliest = equal.int().argmax(-1)
    positions = ((place - 1).clamp_min(0), (place + 1).clamp_max(T - 1), torch.zeros_like(place), earliest)
    answers = (*(symbols.gather(1, position) for position in positions[:3]), earliest)
    valid = (place > 0, place < T - 1, place >= 0, earliest < place)
    return Asked(answers, positions, valid)


def split_answers(logits: Tensor) -> tuple[Tensor, ...]:
    """The logits of the four answers: three times the characters, then the positions."""
    characters = (logits.shape[-1] - LENGTH) // 3
    return torch.split(logits, [characters, characters, characters, LENGTH], dim=-1)


def question_loss(run: Run, symbols: Tensor) -> Tensor:
    """The weighted sum of the four cross entropies, each the mean over the positions where it is asked."""
    asked = ask(symbols)
    parts = zip(split_answers(run.logits), asked.answers, asked.valid, QUESTION_WEIGHTS, strict=True)
    losses = [weight * cross_entropy(logits[valid], answer[valid]) for logits, answer, valid, weight in parts]
    return torch.stack(losses).sum()


def accuracies(run: Run, symbols: Tensor) -> tuple[float, ...]:
    """The share of right answers to each question."""
    asked = ask(symbols)
    parts = zip(split_answers(run.logits), asked.answers, asked.valid, strict=True)
    return tuple(float((logits.argmax(-1) == answer)[valid].double().mean()) for logits, answer, valid in parts)
