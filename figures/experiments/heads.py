"""What the heads of one trained layer of self-attention do: where they look, and what is lost without each."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from figures.attention import Attention
from figures.data.pairs import Vocabulary
from figures.data.pinyin import frequent_phrases
from figures.experiments.questions import (
    LENGTH,
    QUESTIONS,
    accuracies,
    ask,
    chains,
    question_loss,
    reader,
    split_answers,
)
from figures.models.training import fit, initialise, parameter_count
from figures.models.transformer import Transformer

SENTENCE = tuple("上天下地天上地下")


@dataclass(frozen=True, slots=True)
class HeadsAtWork:
    """One sentence through the trained layer, every matrix from the same pass.

    x `[T, d]` is what the layer reads; q, k, v `[h, T, d_k]`; scores and weights `[h, T, T]`; heads `[h, T, d_k]`;
    concatenated `[T, h·d_k]`; w_o `[h·d_k, d]` with bias `[d]`; output `[T, d]` = concatenated · w_o + bias.
    `answers[i]` are the model's answers to question i, `right[i]` whether they are right (None where it is not asked).
    """

    tokens: tuple[str, ...]
    x: Tensor
    q: Tensor
    k: Tensor
    v: Tensor
    scores: Tensor
    weights: Tensor
    heads: Tensor
    concatenated: Tensor
    w_o: Tensor
    bias: Tensor
    output: Tensor
    answers: tuple[tuple[str, ...], ...]
    right: tuple[tuple[bool | None, ...], ...]


@dataclass(frozen=True, slots=True)
class TrainedReader:
    """A trained layer, its accuracy on each of `questions`, and what each head is for.

    `share` `[h, 4]` is the weight of a head on the position that a question asks for, `average_share` `[4]` that of the
    mean over all heads; `without` `[h, 4]` the accuracy when a head's output is set to zero; `roles` names for each
    head the question that suffers most then ("none" if none loses a tenth). `entropy` `[h]`, divided by ln T, and
    `score_std` `[h]` describe the trained heads, `initial_entropy` and `initial_score_std` those before training.
    """

    num_heads: int
    d_model: int
    seed: int
    steps: int
    parameters: int
    questions: tuple[str, ...]
    accuracy: tuple[float, ...]
    share: Tensor
    average_share: tuple[float, ...]
    without: Tensor
    roles: tuple[str, ...]
    entropy: tuple[float, ...]
    score_std: tuple[float, ...]
    initial_entropy: tuple[float, ...]
    initial_score_std: tuple[float, ...]
    loss: Tensor
    example: HeadsAtWork
    symbols: tuple[str, ...]
    state: dict[str, Tensor]

    def rebuild(self) -> Transformer:
        """The model itself, in evaluation mode."""
        model = reader(len(self.symbols), self.num_heads, self.d_model)
        model.load_state_dict(self.state)
        return model.eval()


def train_reader(num_heads: int = 4, seed: int = 0, steps: int = 1000, d_model: int = 64) -> TrainedReader:
    """Train one layer without feed-forward part on chains of two-character words from 60 common characters.

    It must answer the four questions of `figures.experiments.questions` about each character.
    """
    torch.set_num_threads(1)
    words = [text for text, _ in frequent_phrases(60) if len(text) == 2]
    vocabulary = Vocabulary.of(words)
    encoded = vocabulary.encode(words)
    generator = Generator().manual_seed(seed)
    model = reader(len(vocabulary), num_heads, d_model)
    initialise(model, generator)
    held_out = chains(encoded, 500, Generator().manual_seed(seed + 1_000_000))
    initial = measure_heads(model, held_out)

    def loss_of(_: int) -> Tensor:
        symbols = chains(encoded, 64, generator)
        return question_loss(model(symbols), symbols)

    loss = fit(model, loss_of, steps, learning_rate=5e-3)
    model.eval()
    trained = measure_heads(model, held_out)
    without = ablations(model, held_out)
    return TrainedReader(
        num_heads,
        d_model,
        seed,
        steps,
        parameter_count(model),
        QUESTIONS,
        trained.accuracy,
        trained.share,
        trained.average_share,
        without,
        roles(torch.tensor(trained.accuracy), without),
        trained.entropy,
        trained.score_std,
        initial.entropy,
        initial.score_std,
        loss,
        at_work(model, vocabulary),
        vocabulary.symbols,
        {name: tensor.clone() for name, tensor in model.state_dict().items()},
    )


@dataclass(frozen=True, slots=True)
class HeadStatistics:
    """What `TrainedReader` reports of a model at one moment."""

    accuracy: tuple[float, ...]
    share: Tensor
    average_share: tuple[float, ...]
    entropy: tuple[float, ...]
    score_std: tuple[float, ...]


def measure_heads(model: Transformer, symbols: Tensor) -> HeadStatistics:
    """The statistics of its one layer on sentences `[B, T]`."""
    with torch.no_grad():
        run = model(symbols)
    attention: Attention = run.attentions[0]
    weights = attention.weights  # [B, h, T, T]
    asked = ask(symbols)
    share = torch.tensor(
        [
            [
                weight_at(weights[:, h], position, valid)
                for position, valid in zip(asked.positions, asked.valid, strict=True)
            ]
            for h in range(weights.shape[1])
        ]
    )
    average = tuple(
        weight_at(weights.mean(1), position, valid)
        for position, valid in zip(asked.positions, asked.valid, strict=True)
    )
    entropy = -torch.special.xlogy(weights, weights).sum(-1).mean((0, 2)) / torch.tensor(symbols.shape[1]).log()
    deviation = attention.scores.std(-1).mean((0, 2))
    return HeadStatistics(accuracies(run, symbols), share, average, tuple(entropy.tolist()), tuple(deviation.tolist()))


def weight_at(weights: Tensor, position: Tensor, valid: Tensor) -> float:
    """The mean weight `[B, T, T]` on one position for each query, over the valid queries `[B, T]`."""
    return float(weights.gather(-1, position[..., None])[..., 0][valid].double().mean())


def ablations(model: Transformer, symbols: Tensor) -> Tensor:
    """The accuracies `[h, 4]` without each head: its rows of W_O are zero for the time of one pass."""
    attention = model.attention_of(0)
    weight = attention.w_o.weight
    original = weight.detach().clone()
    rows = []
    with torch.no_grad():
        for head in range(attention.h):
            weight[:, head * attention.d_head : (head + 1) * attention.d_head] = 0
            rows.append(accuracies(model(symbols), symbols))
            weight.copy_(original)
    return torch.tensor(rows)


def roles(accuracy: Tensor, without: Tensor) -> tuple[str, ...]:
    """For each head the question that loses most accuracy without it, "none" if that is less than a tenth."""
    loss, question = (accuracy - without).max(-1)
    return tuple(
        QUESTIONS[q] if fall >= 0.1 else "none" for fall, q in zip(loss.tolist(), question.tolist(), strict=True)
    )


def at_work(model: Transformer, vocabulary: Vocabulary) -> HeadsAtWork:
    """The example sentence through the layer."""
    symbols = vocabulary.encode([SENTENCE])
    layer = model.attention_of(0)
    with torch.no_grad():
        run = model(symbols)
        attention, x = run.attentions[0], run.inputs[0]
        q, k, v = (
            part(x).view(LENGTH, layer.h, layer.d_head).transpose(0, 1) for part in (layer.w_q, layer.w_k, layer.w_v)
        )
        output, _ = layer(x)
    asked = ask(symbols)
    chosen = [logits.argmax(-1)[0] for logits in split_answers(run.logits)]
    answers = [tuple(vocabulary.symbols[i] for i in part.tolist()) for part in chosen[:3]]
    right = [
        tuple(bool(c == a) if asks else None for c, a, asks in zip(part, answer[0], valid[0], strict=True))
        for part, answer, valid in zip(chosen, asked.answers, asked.valid, strict=True)
    ]
    return HeadsAtWork(
        SENTENCE,
        x[0],
        q,
        k,
        v,
        attention.scores[0],
        attention.weights[0],
        attention.output[0],
        attention.output[0].transpose(0, 1).flatten(1),
        layer.w_o.weight.detach().T.clone(),
        layer.w_o.bias.detach().clone(),
        output[0],
        (*answers, tuple(str(i) for i in chosen[3].tolist())),
        tuple(right),
    )
