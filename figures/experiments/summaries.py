"""Sentence → function name by a pointer-generator: what is copied, what is generated, and where it looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from figures.data.docstrings import named_functions
from figures.data.pairs import SPECIAL, Batch, Pair, Vocabulary
from figures.experiments.sequences import until_end
from figures.models.pointer import PointerGenerator
from figures.models.training import fit, initialise, parameter_count

HELD_OUT = 200
FREQUENT = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """One new sentence as the model named it, all of it from one pass: p_gen `[T]`, weights `[T, S]`."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    reference: tuple[str, ...]
    p_gen: Tensor
    weights: Tensor


@dataclass(frozen=True, slots=True)
class TrainedSummariser:
    """A pointer-generator for very short summaries, and its quality on 200 new sentences.

    `rouge` is the mean F-measure of single words (ROUGE-1, Lin 2004), `baseline_rouge` that of the first three words;
    `exact` the share of names found word for word. Under teacher forcing: `pointing` is, of the name words that occur
    in the sentence, the share on whose occurrence the largest weight lies; `p_gen_copied` and `p_gen_generated` are the
    mean p_gen of name words that occur in the sentence, and of those that do not.
    """

    seed: int
    steps: int
    parameters: int
    training: int
    known: int
    words: int
    rouge: float
    baseline_rouge: float
    exact: float
    pointing: float
    p_gen_copied: float
    p_gen_generated: float
    loss: Tensor
    examples: tuple[Summary, ...]


def train_summariser(seed: int = 0, steps: int = 400) -> TrainedSummariser:
    """Train on docstrings of installed packages; words in fewer than three training pairs can only be copied."""
    torch.set_num_threads(1)
    pairs = named_functions()
    order = torch.randperm(len(pairs), generator=Generator().manual_seed(0)).tolist()
    held_out, training = ([pairs[i] for i in part] for part in (order[:HELD_OUT], order[HELD_OUT:]))
    vocabulary, known = by_frequency(training, pairs)
    generator = Generator().manual_seed(seed)
    model = PointerGenerator(len(vocabulary), known)
    initialise(model, generator)
    batch = Batch.of(training, vocabulary, vocabulary)

    def loss_of(_: int) -> Tensor:
        part = batch.take(torch.randint(len(batch), (64,), generator=generator))
        return negative_log(model(part.source, part.lengths, part.target).probabilities, part.target)

    loss = fit(model, loss_of, steps, learning_rate=3e-3)
    model.eval()
    new = Batch.of(held_out, vocabulary, vocabulary)
    with torch.no_grad():
        free = model(new.source, new.lengths, new.target.shape[1])
        forced = model(new.source, new.lengths, new.target)
    written = [vocabulary.decode(row) for row in until_end(free.symbols)]
    copied = new.gold.any(-1)
    own = (new.target > 2) & ~copied
    strongest = forced.attention.weights.argmax(-1, keepdim=True)
    return TrainedSummariser(
        seed,
        steps,
        parameter_count(model),
        len(training),
        known,
        len(vocabulary),
        mean([rouge(name, pair.target) for name, pair in zip(written, held_out, strict=True)]),
        mean([rouge(pair.source[:3], pair.target) for pair in held_out]),
        mean([float(name == pair.target) for name, pair in zip(written, held_out, strict=True)]),
        float(new.gold.gather(-1, strongest)[copied].double().mean()),
        float(forced.p_gen[copied].double().mean()),
        float(forced.p_gen[own].double().mean()),
        loss,
        tuple(name(model, pair, vocabulary) for pair in held_out[:8]),
    )


def by_frequency(training: Sequence[Pair], everything: Sequence[Pair]) -> tuple[Vocabulary, int]:
    """All words, those in at least three training pairs first, and how many these are, special ones included."""
    counts = Counter(word for pair in training for word in {*pair.source, *pair.target})
    frequent = sorted(word for word, count in counts.items() if count >= FREQUENT)
    rest = sorted({word for pair in everything for word in (*pair.source, *pair.target)}.difference(frequent))
    return Vocabulary((*SPECIAL, *frequent, *rest)), len(SPECIAL) + len(frequent)


def negative_log(probabilities: Tensor, target: Tensor) -> Tensor:
    """The mean −log P of the right words, padding apart."""
    right = probabilities.gather(-1, target[..., None])[..., 0].clamp_min(1e-9)
    real = target != 0
    return -right.log()[real].mean()


def rouge(written: Sequence[str], reference: Sequence[str]) -> float:
    """ROUGE-1 F: the harmonic mean of the shares of words found, in what was written and in the reference."""
    common = sum((Counter(written) & Counter(reference)).values())
    return 2 * common / max(1, len(written) + len(reference))


def name(model: PointerGenerator, pair: Pair, vocabulary: Vocabulary) -> Summary:
    """One sentence named freely."""
    with torch.no_grad():
        done = model(vocabulary.encode([pair.source]), torch.tensor([len(pair.source)]), 6)
    written = vocabulary.decode(done.symbols[0])
    T = len(written)
    return Summary(pair.source, written, pair.target, done.p_gen[0, :T].clone(), done.attention.weights[0, :T].clone())


def mean(numbers: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(numbers) / len(numbers)
