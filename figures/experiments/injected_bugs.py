"""What a toy task reveals of a faulty attention: ten bugs, two tasks, and a comparison with torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.functional import scaled_dot_product_attention as reference

from figures.attention import Attention, padding_mask
from figures.models.training import fit, initialise

Bug = Literal[
    "none",
    "no scale",
    "times √d",
    "no mask",
    "fill -1e-9",
    "mask inverted",
    "softmax over queries",
    "uniform weights",
    "weights transposed",
    "k as v",
    "context dropped",
]
BUGS: tuple[Bug, ...] = get_args(Bug)
Task = Literal["digit", "recall"]
TASKS: tuple[Task, ...] = get_args(Task)
LENGTH = 12
DIGIT = 7


def faulty_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor, bug: Bug) -> Attention:
    """Scaled dot-product attention with one line wrong; q, k, v `[B, T, d]`, mask `[B, 1, T]`, True = keep."""
    scale = {"no scale": 1.0, "times √d": math.sqrt(q.shape[-1])}.get(bug, 1 / math.sqrt(q.shape[-1]))
    scores = q @ k.transpose(-2, -1) * scale
    hidden = mask if bug == "mask inverted" else ~mask
    fill = -1e-9 if bug == "fill -1e-9" else -1e9
    masked = scores if bug == "no mask" else scores.masked_fill(hidden, fill)
    weights = masked.softmax(dim=-2 if bug == "softmax over queries" else -1)
    if bug == "uniform weights":
        weights = (mask / mask.sum(-1, keepdim=True)).expand_as(scores)
    if bug == "weights transposed":
        weights = weights.transpose(-2, -1)
    output = weights @ (k if bug == "k as v" else v)
    return Attention(scores, weights, q if bug == "context dropped" else output)


class SmallReader(nn.Module):
    """Two embeddings added, one self-attention without residual, and a readout of its mean or of its first position."""

    def __init__(self, task: Task, bug: Bug, d: int = 32) -> None:
        super().__init__()
        self.task, self.bug = task, bug
        self.first = nn.Embedding(12, d)
        self.second = nn.Embedding(12, d)
        self.w_q, self.w_k, self.w_v = (nn.Linear(d, d) for _ in range(3))
        self.readout = nn.Linear(d, 2 if task == "digit" else 10)

    def forward(self, symbols: Tensor, mask: Tensor) -> tuple[Tensor, Attention]:
        """Logits `[B, classes]` for symbols `[B, T, 2]` and what the attention did."""
        x = self.first(symbols[..., 0]) + self.second(symbols[..., 1])
        attention = faulty_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask[:, None, :], self.bug)
        if self.task == "recall":
            return self.readout(attention.output[:, 0]), attention
        real = mask[..., None] / mask.sum(-1)[:, None, None]
        return self.readout((attention.output * real).sum(1)), attention


@dataclass(frozen=True, slots=True)
class BugReport:
    """One bug: accuracies on new data of the two tasks, the weight that the right position gets, and the reference.

    `digit_weight`: in the digit task, the mean weight on the digit where it occurs once (uniform: about 0.13);
    `recall_weight`: the weight of the question on the pair that answers it. `difference` is the largest deviation from
    torch's own function on random tensors.
    """

    bug: Bug
    digit_accuracy: float
    recall_accuracy: float
    digit_weight: float
    recall_weight: float
    difference: float


@dataclass(frozen=True, slots=True)
class BugTable:
    """Ten bugs and the right code: which of them the toy task, a stricter task and a comparison with torch reveal.

    `digit_chance` and `recall_chance` are the accuracies of the commonest answer. The example is one sequence of the
    digit task, pads cut off, with the weights `[T, T]` of the right code.
    """

    seed: int
    steps: int
    digit_chance: float
    recall_chance: float
    reports: tuple[BugReport, ...]
    example_tokens: tuple[str, ...]
    example_weights: Tensor


def measure_bugs(seed: int = 0, steps: int = 300) -> BugTable:
    """Train both tasks with every bug from the same weights on the same data."""
    torch.set_num_threads(1)
    reports = []
    for bug in BUGS:
        digit, recall = (run(task, bug, seed, steps) for task in TASKS)
        reports.append(
            BugReport(
                bug, digit.accuracy, recall.accuracy, digit.weight, recall.weight, difference_from_torch(bug, seed)
            )
        )
    right = run("digit", "none", seed, steps)
    digit_chance, recall_chance = (commonest(draw(task, 5000, Generator().manual_seed(seed))[2]) for task in TASKS)
    return BugTable(seed, steps, digit_chance, recall_chance, tuple(reports), right.tokens, right.weights)


def commonest(answers: Tensor) -> float:
    """The share of the commonest answer."""
    return float(answers.bincount().max()) / len(answers)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One training: its accuracy, the mean weight on the position that tells the answer, and one sequence."""

    accuracy: float
    weight: float
    tokens: tuple[str, ...]
    weights: Tensor


def run(task: Task, bug: Bug, seed: int, steps: int) -> Outcome:
    """Train and test one reader."""
    generator = Generator().manual_seed(seed)
    model = SmallReader(task, bug)
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        symbols, mask, answers = draw(task, 64, generator)[:3]
        return cross_entropy(model(symbols, mask)[0], answers)

    fit(model, loss_of, steps, learning_rate=5e-3)
    symbols, mask, answers, telling = draw(task, 1000, generator)
    model.eval()
    with torch.no_grad():
        logits, attention = model(symbols, mask)
    row = attention.weights[:, 0] if task == "recall" else queries_mean(attention.weights, mask)
    once = telling.sum(-1) == 1
    shown = int(once.nonzero()[0])
    T = int(mask[shown].sum())
    return Outcome(
        float((logits.argmax(-1) == answers).double().mean()),
        float((row * telling).sum(-1)[once].mean()),
        tuple(str(i) for i in symbols[shown, :T, 0].tolist()),
        attention.weights[shown, :T, :T].clone(),
    )


def queries_mean(weights: Tensor, mask: Tensor) -> Tensor:
    """The mean row of weights over real queries: `[B, T]`."""
    return (weights * mask[..., None]).sum(1) / mask.sum(-1, keepdim=True)


def draw(task: Task, count: int, generator: Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Symbols `[B, T, 2]`, mask `[B, T]`, answers `[B]`, and the positions that tell the answer `[B, T]`.

    "digit": 6 to 12 random digits; does a 7 occur? "recall": a question (a key alone) and 5 to 11 pairs of different
    keys with random values; which value belongs to the key? Pads carry random symbols, as left-over memory would.
    """
    lengths = torch.randint(6, LENGTH + 1, (count,), generator=generator)
    mask = padding_mask(lengths, LENGTH)
    symbols = torch.randint(10, (count, LENGTH, 2), generator=generator)
    if task == "digit":
        symbols[..., 1] = 10
        seven = (symbols[..., 0] == DIGIT) & mask
        keep = torch.rand(count, LENGTH, generator=generator) < 0.6  # so that both answers are about as common
        symbols[..., 0] = torch.where(seven & ~keep, (symbols[..., 0] + 1) % 10, symbols[..., 0])
        telling = (symbols[..., 0] == DIGIT) & mask
        return symbols, mask, telling.any(-1).long(), telling
    keys = torch.stack([torch.randperm(11, generator=generator) for _ in range(count)])
    symbols[:, 1:, 0] = keys
    chosen = 1 + (torch.rand(count, generator=generator) * (lengths - 1)).long()  # [B]
    rows = torch.arange(count)  # of the batch
    symbols[:, 0, 0] = symbols[rows, chosen, 0]
    symbols[:, 0, 1] = 10
    telling = torch.zeros(count, LENGTH, dtype=torch.bool)
    telling[rows, chosen] = True
    return symbols, mask, symbols[rows, chosen, 1], telling


def difference_from_torch(bug: Bug, seed: int) -> float:
    """The largest difference from torch's function on random tensors with a padding mask."""
    generator = Generator().manual_seed(seed)
    q, k, v = (torch.randn(2, 6, 8, generator=generator) for _ in range(3))
    mask = padding_mask([6, 4], 6)[:, None, :]
    return float((faulty_attention(q, k, v, mask, bug).output - reference(q, k, v, attn_mask=mask)).abs().max())
