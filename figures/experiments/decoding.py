"""Why a model repeats itself, and what helps: ways of decoding, temperatures and dropout on one language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from figures.attention import causal_mask
from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.models.training import fit, initialise, parameter_count
from figures.models.transformer import Transformer

T = TypeVar("T")
CONTEXT = 40
WRITTEN = 80
TEXTS = 12
COMMA = "，"


@dataclass(frozen=True, slots=True)
class Writing:
    """One way of decoding, over 12 texts of 80 characters each.

    `repeated` is the share of runs of four characters that occurred before in the same text; `valid` the share of the
    stretches between commas that are idioms of the dictionary; `sample` the first text.
    """

    method: str
    strength: float
    repeated: float
    valid: float
    sample: str


@dataclass(frozen=True, slots=True)
class DecodingReport:
    """A language model of idioms in random order, and what each way of decoding makes of it.

    `loss` is that on new text in nats per character; `text_repeated` and `text_valid` describe such text itself.
    `attention_losses` are the losses with every attention softmax sharpened or flattened by a temperature τ
    (`attention_temperatures`), `dropout_loss` that with dropout left on. `entropy[i]` is the mean entropy of the next
    character, in nats, at output temperature `temperatures[i]`.
    """

    seed: int
    steps: int
    parameters: int
    idioms: int
    loss: float
    text_repeated: float
    text_valid: float
    attention_temperatures: tuple[float, ...]
    attention_losses: tuple[float, ...]
    dropout_loss: float
    temperatures: tuple[float, ...]
    entropy: tuple[float, ...]
    writings: tuple[Writing, ...]


def measure_decoding(seed: int = 0, steps: int = 600) -> DecodingReport:
    """Train two layers on idioms of 300 characters, each followed by a comma; write with every method."""
    torch.set_num_threads(1)
    idioms = [text for text, _ in frequent_phrases(300) if len(text) == 4]
    vocabulary = Vocabulary.of([*idioms, COMMA])
    words = vocabulary.encode([[*idiom, COMMA] for idiom in idioms])
    generator = Generator().manual_seed(seed)
    model = Transformer(len(vocabulary), len(vocabulary), layers=2, max_length=CONTEXT, dropout=0.1)
    initialise(model, generator)

    def loss_of(_: int) -> Tensor:
        return text_loss(model, running_text(words, 32, generator), generator)

    fit(model, loss_of, steps, learning_rate=3e-3)
    new = running_text(words, 200, generator)
    model.eval()
    bench = Bench(model, vocabulary, frozenset(idioms), words, seed)
    attention_temperatures = (0.5, 0.8, 0.9, 1.0, 1.2)
    temperatures = (0.1, 0.5, 0.8, 1.0, 1.2)
    with torch.no_grad():
        loss = float(text_loss(model, new))
        losses = tuple(at_attention_temperature(model, t, lambda: float(text_loss(model, new)))
                       for t in attention_temperatures)  # fmt: skip
        logits = model(new[:, :-1], causal_mask(new.shape[1] - 1)).logits
        entropy = tuple(float(entropy_of(logits / t)) for t in temperatures)
        writings = bench.write_all()
        model.train()
        dropout_loss = float(text_loss(model, new, generator))
        writings += (bench.write("dropout left on", 0.1, greedy),)
        model.eval()
    texts = ["".join(vocabulary.decode(row)) for row in new]
    return DecodingReport(
        seed,
        steps,
        parameter_count(model),
        len(idioms),
        loss,
        mean([repeated_share(text) for text in texts]),
        bench.valid(texts),
        attention_temperatures,
        losses,
        dropout_loss,
        temperatures,
        entropy,
        writings,
    )


Choice = Callable[[Tensor, Tensor, Generator], Tensor]
"""From logits `[B, V]`, the text so far `[B, t]` and a generator to the next characters `[B]`."""


def greedy(logits: Tensor, text: Tensor, generator: Generator) -> Tensor:
    """The likeliest character."""
    del text, generator
    return logits.argmax(-1)


def sampled(temperature: float) -> Choice:
    """A draw from softmax(logits / τ)."""

    def choose(logits: Tensor, text: Tensor, generator: Generator) -> Tensor:
        del text
        return torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)[:, 0]

    return choose


def penalised(penalty: float) -> Choice:
    """The likeliest after logits of characters in the text were divided (if positive) or multiplied by the penalty.

    Keskar et al. 2019, arXiv:1909.05858, §4.1.
    """

    def choose(logits: Tensor, text: Tensor, generator: Generator) -> Tensor:
        del generator
        seen = torch.zeros_like(logits, dtype=torch.bool).scatter_(1, text, True)
        lowered = torch.where(logits > 0, logits / penalty, logits * penalty)
        return torch.where(seen, lowered, logits).argmax(-1)

    return choose


def without_repeats(n: int) -> Choice:
    """The likeliest that does not complete a run of n characters already in the text (Paulus et al. 2017, §2.5)."""

    def choose(logits: Tensor, text: Tensor, generator: Generator) -> Tensor:
        del generator
        allowed = logits.clone()
        for b, row in enumerate(text.tolist()):
            ending = row[-(n - 1) :]
            for i in range(len(row) - n + 1):
                if row[i : i + n - 1] == ending:
                    allowed[b, row[i + n - 1]] = -torch.inf
        return allowed.argmax(-1)

    return choose


@dataclass(frozen=True, slots=True)
class Bench:
    """The model and what its texts are judged by."""

    model: Transformer
    vocabulary: Vocabulary
    idioms: frozenset[str]
    words: Tensor
    seed: int

    def write_all(self) -> tuple[Writing, ...]:
        """Every method once, dropout off."""
        writings = [self.write("greedy", 0.0, greedy)]
        for temperature in (0.8, 0.9):
            writings.append(
                at_attention_temperature(
                    self.model,
                    temperature,
                    lambda: self.write("attention temperature", temperature, greedy),  # noqa: B023
                )
            )
        writings += [self.write("temperature", t, sampled(t)) for t in (0.1, 0.5, 0.8, 1.0, 1.2)]
        writings += [self.write("penalty", p, penalised(p)) for p in (1.1, 1.3, 2.0)]
        return (*writings, self.write("no repeated run", 4.0, without_repeats(4)))

    def write(self, method: str, strength: float, choose: Choice) -> Writing:
        """Continue one idiom each, always the same ones; the model sees the last 40 characters."""
        generator = Generator().manual_seed(self.seed)
        text = self.words[torch.randint(len(self.words), (TEXTS,), generator=generator)]
        for _ in range(WRITTEN):
            seen = text[:, -CONTEXT:]
            logits = self.model(seen, causal_mask(seen.shape[1]), generator=generator).logits[:, -1]
            logits[:, :3] = -torch.inf  # padding, begin and end are no text
            text = torch.cat([text, choose(logits, text, generator)[:, None]], dim=1)
        texts = ["".join(self.vocabulary.symbols[i] for i in row) for row in text[:, 5:].tolist()]
        return Writing(method, strength, mean([repeated_share(t) for t in texts]), self.valid(texts), texts[0])

    def valid(self, texts: list[str]) -> float:
        """The share of complete stretches between commas that are idioms."""
        stretches = [stretch for text in texts for stretch in text.split(COMMA)[1:-1]]
        return sum(stretch in self.idioms for stretch in stretches) / max(1, len(stretches))


def running_text(words: Tensor, count: int, generator: Generator) -> Tensor:
    """`count` texts of random idioms that begin anywhere in one, as long as the context plus one: `[count, 41]`."""
    rows = torch.randint(len(words), (count, CONTEXT // words.shape[1] + 2), generator=generator)
    start = torch.randint(words.shape[1], (count, 1), generator=generator)
    return words[rows].flatten(1).gather(1, start + torch.arange(CONTEXT + 1))


def text_loss(model: Transformer, text: Tensor, generator: Generator | None = None) -> Tensor:
    """The cross entropy of each character but the first."""
    logits = model(text[:, :-1], causal_mask(text.shape[1] - 1), generator=generator).logits
    return cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())


def at_attention_temperature(model: Transformer, temperature: float, run: Callable[[], T]) -> T:
    """What `run` returns while every attention softmax has temperature τ: all queries are divided by it."""
    queries = [model.attention_of(layer).w_q for layer in range(len(model.blocks))]
    originals = [[p.clone() for p in query.parameters()] for query in queries]
    for query in queries:
        for parameter in query.parameters():
            parameter.div_(temperature)
    result = run()
    for query, saved in zip(queries, originals, strict=True):
        for parameter, original in zip(query.parameters(), saved, strict=True):
            parameter.copy_(original)
    return result


def entropy_of(logits: Tensor) -> Tensor:
    """The mean entropy of softmax(logits), in nats."""
    log_p = logits.log_softmax(-1)
    return -(log_p.exp() * log_p).sum(-1).mean()


def repeated_share(text: str, n: int = 4) -> float:
    """The share of runs of n characters that occurred before."""
    runs = [text[i : i + n] for i in range(len(text) - n + 1)]
    return 1 - len(set(runs)) / len(runs)


def mean(numbers: list[float]) -> float:
    """The arithmetic mean."""
    return sum(numbers) / len(numbers)
