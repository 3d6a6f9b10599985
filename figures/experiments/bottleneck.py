"""How much of a sentence a fixed vector holds: accuracy against length, with and without attention."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from figures.data.pairs import Batch, Pair, Vocabulary
from figures.data.pinyin import Phrase, chain, frequent_phrases
from figures.experiments.sequences import AlignedSentence, read_and_write
from figures.models.attention_layer import Mechanism
from figures.models.training import fit, initialise, parameter_count
from figures.models.translator import Encoder, Translator

Reading = Literal["both", "forwards", "backwards"]
EXAMPLE = ("上天", "下地", "天上", "地下")
LONGEST = 24
LENGTHS = (2, 4, 8, 12, 16, 20, 24, 28)


@dataclass(frozen=True, slots=True)
class LengthCurve:
    """Shares of right syllables, written freely, on `sentences` new sequences of each length.

    `by_position[i]` `[lengths[i]]` is the share for each position, `forced_by_position[i]` the same under teacher
    forcing, where no earlier mistake can spread. Training saw lengths 2 to `longest`. `example` is one sentence with
    all that a picture needs.
    """

    mechanism: Mechanism
    reading: Reading
    seed: int
    steps: int
    characters: int
    longest: int
    sentences: int
    parameters: int
    lengths: tuple[int, ...]
    accuracy: tuple[float, ...]
    by_position: tuple[Tensor, ...]
    forced_by_position: tuple[Tensor, ...]
    loss: Tensor
    example: AlignedSentence


def train_on_lengths(
    mechanism: Mechanism = "none",
    seed: int = 0,
    steps: int = 800,
    reading: Reading = "both",
    characters: int = 100,
    sentences: int = 200,
    window: int = 2,
) -> LengthCurve:
    """Read chained phrases of 2 to 24 characters aloud, character by syllable; test each length on new chains.

    `reading` is the way the encoder takes: both ways, forwards only, or backwards only (Sutskever et al. 2014,
    arXiv:1409.3215, §3.3), always into a vector of the same size. `window` is D of local attention.
    """
    torch.set_num_threads(1)
    phrases = frequent_phrases(characters)
    source = Vocabulary.of(text for text, _ in phrases)
    target = Vocabulary.of(reading for _, reading in phrases)
    generator = Generator().manual_seed(seed)
    model = Translator(len(source), len(target), mechanism, directions=2 if reading == "both" else 1, window=window)
    initialise(model, generator)

    def draw(length: int, count: int) -> Batch:
        batch = Batch.of([chain(phrases, length, generator) for _ in range(count)], source, target)
        return replace(batch, source=batch.source.flip(1)) if reading == "backwards" else batch

    def loss_of(_: int) -> Tensor:
        batch = draw(int(torch.randint(2, LONGEST + 1, (), generator=generator)), 64)
        decoded = model(batch.source, batch.lengths, batch.target, generator=generator)
        return cross_entropy(decoded.logits.flatten(0, 1), batch.target.flatten())

    loss = fit(model, loss_of, steps, learning_rate=5e-3)
    model.eval()
    tests = [draw(length, sentences) for length in LENGTHS]
    right = tuple(right_by_position(model, test) for test in tests)
    return LengthCurve(
        mechanism,
        reading,
        seed,
        steps,
        characters,
        LONGEST,
        sentences,
        parameter_count(model),
        LENGTHS,
        tuple(float(shares.mean()) for shares in right),
        right,
        tuple(right_by_position(model, test, forced=True) for test in tests),
        loss,
        read_and_write(model, [example(phrases, reading)], source, target)[0],
    )


def example(phrases: tuple[Phrase, ...], reading: Reading) -> Pair:
    """The sentence of `EXAMPLE` with its syllables, turned round for a reader that goes backwards."""
    syllables = dict(phrases)
    text = tuple("".join(EXAMPLE))
    places = tuple((position,) for position in range(len(text)))
    pair = Pair(text, tuple(syllable for word in EXAMPLE for syllable in syllables[word]), places)
    return replace(pair, source=text[::-1], gold=places[::-1]) if reading == "backwards" else pair


def right_by_position(model: Translator, batch: Batch, *, forced: bool = False) -> Tensor:
    """The share of sentences whose syllable at each position is right, `[T]`, written freely or `forced`."""
    T = batch.source.shape[1]
    with torch.no_grad():
        decoded = model(batch.source, batch.lengths, batch.target if forced else T)
    written: Tensor = decoded.logits.argmax(-1)[:, :T]
    return (written == batch.target[:, :T]).double().mean(0)


@dataclass(frozen=True, slots=True)
class Memory:
    """What the last state of a GRU still knows: the share of right syllables for each place of the source, `[length]`.

    All places are asked for at once, straight from the vector. Nothing is written one after the other, so mistakes
    cannot spread, and no place is nearer to the end of the writing than another.
    """

    reading: Reading
    seed: int
    steps: int
    length: int
    sentences: int
    vector_size: int
    by_place: Tensor


class Recall(nn.Module):
    """A GRU over the source, and one linear map from its last state to the syllables of all `length` places."""

    def __init__(self, inputs: int, syllables: int, length: int, width: int = 64) -> None:
        super().__init__()
        self.encoder = Encoder(nn.Embedding(inputs, 32), 32, width, 1)
        self.readout = nn.Linear(width, length * syllables)
        self.length, self.width = length, width

    def forward(self, batch: Batch) -> Tensor:
        """Logits `[B, length, V]`."""
        summary = self.encoder(batch.source, batch.lengths).summary
        logits: Tensor = self.readout(summary).unflatten(-1, (self.length, -1))
        return logits


def measure_memory(
    reading: Reading = "forwards",
    seed: int = 0,
    steps: int = 600,
    length: int = 12,
    characters: int = 100,
    sentences: int = 500,
    training: int = 6000,
) -> Memory:
    """Train a GRU to name every syllable of chains of one length at once, and test it on new chains."""
    torch.set_num_threads(1)
    phrases = frequent_phrases(characters)
    source = Vocabulary.of(text for text, _ in phrases)
    target = Vocabulary.of(reading for _, reading in phrases)
    generator = Generator().manual_seed(seed)
    model = Recall(len(source), len(target), length)
    initialise(model, generator)
    chains = [chain(phrases, length, generator) for _ in range(training + sentences)]
    batch = Batch.of(chains, source, target)
    if reading == "backwards":
        batch = replace(batch, source=batch.source.flip(1))

    def loss_of(_: int) -> Tensor:
        part = batch.take(torch.randint(training, (64,), generator=generator))
        return cross_entropy(model(part).flatten(0, 1), part.target[:, :length].flatten())

    fit(model, loss_of, steps, learning_rate=5e-3)
    model.eval()
    new = batch.take(torch.arange(training, training + sentences))
    with torch.no_grad():
        right = (model(new).argmax(-1) == new.target[:, :length]).double().mean(0)
    return Memory(reading, seed, steps, length, sentences, model.width, right)
