"""Where the heads of a trained transformer look: the pretrained MiniLM where it is installed, else a model of ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import torch
from torch import Tensor

from figures.experiments.leak import TrainedCopier, train_copier
from figures.models.minilm import MiniLM, load_minilm, minilm_folder

Studied = Literal["minilm", "copier"]
Role = Literal["previous", "next", "first", "last", "itself", "repeat"]

SENTENCE = "The animal did not cross the street because it was too tired ."
SENTENCES = (
    SENTENCE,
    "The teacher wrote three words on the board and asked us to read them aloud .",
    "My grandmother keeps her old letters in a small wooden box .",
    "When the rain stopped , the children ran into the garden .",
    "He forgot his keys at the office , so he had to call his neighbour .",
    "The river that flows through the town is deeper than it looks .",
    "She bought two tickets for the concert but could not go .",
    "A good map shows what matters and leaves out the rest .",
    "The doctor said that the patient would recover within a week .",
    "Nobody knew why the train had left the station so early .",
    "After lunch we walked along the beach and collected shells .",
    "The machine makes less noise if you close the door .",
)
"""Everyday English, written for this course."""
CHINESE = ("他喜欢吃苹果", "猫追狗", "狗追猫")


@dataclass(frozen=True, slots=True)
class StudiedHeads:
    """A trained model's heads on `samples` sentences.

    `shares` `[roles, layers, heads]` is the mean weight of a head on the positions that a role names, `averaged`
    `[roles, layers]` the same of the mean over a layer's heads. `entropy` and `averaged_entropy` `[layers]` are mean
    entropies in nats of a layer's heads and of their mean. `weights` `[h, T, T]`, one tensor a layer, are those of
    `tokens`, where the token at `query` should find the one at `target`. `unknown` is the share of pieces outside the
    vocabulary for each text of `CHINESE`, and `twins` the largest difference between the hidden states of its last two;
    both are None where no model with a vocabulary was there to be asked.
    """

    model: Studied
    parameters: int
    samples: int
    roles: tuple[Role, ...]
    shares: Tensor
    averaged: Tensor
    entropy: tuple[float, ...]
    averaged_entropy: tuple[float, ...]
    causal: bool
    tokens: tuple[str, ...]
    weights: tuple[Tensor, ...]
    query: int
    target: int
    unknown: tuple[float, ...] | None
    twins: float | None


def study_heads(copier: Annotated[TrainedCopier, train_copier]) -> StudiedHeads:
    """Measure MiniLM if the extra `[pretrained]` is installed, else the language model that this course trains."""
    torch.set_num_threads(1)
    folder = minilm_folder()
    return study_copier(copier) if folder is None else study_minilm(folder)


def study_minilm(folder: Path) -> StudiedHeads:
    """The heads of MiniLM on `SENTENCES`, and what its vocabulary makes of Chinese."""
    lm = load_minilm(folder)
    readings = [lm.read(sentence) for sentence in SENTENCES]
    every = [torch.stack([attention.weights[0] for attention in reading.attentions]) for reading in readings]
    roles: tuple[Role, ...] = ("previous", "next", "first", "last", "itself")
    texts = [reading.pieces for reading in readings]
    tokens = texts[0]
    averaged = [weights.mean(1, keepdim=True) for weights in every]
    return StudiedHeads(
        "minilm",
        sum(parameter.numel() for parameter in lm.model.parameters()),
        len(SENTENCES),
        roles,
        mean_shares(roles, every, texts),
        mean_shares(roles, averaged, texts)[..., 0],
        mean_entropies(every),
        mean_entropies(averaged),
        False,
        tokens,
        tuple(every[0]),
        tokens.index("it"),
        tokens.index("animal"),
        tuple(lm.vocabulary.unknown_share(text) for text in CHINESE),
        _twins(lm),
    )


def study_copier(copier: TrainedCopier) -> StudiedHeads:
    """The heads of the course's language model on one sequence of `tokens`.

    The query is the first symbol where it comes back; it should find what came after it the first time.
    """
    weights = torch.stack(copier.weights)
    roles: tuple[Role, ...] = ("previous", "first", "itself", "repeat")
    tokens = copier.tokens
    averaged = weights.mean(1, keepdim=True)
    return StudiedHeads(
        "copier",
        copier.parameters,
        1,
        roles,
        mean_shares(roles, [weights], [tokens]),
        mean_shares(roles, [averaged], [tokens])[..., 0],
        mean_entropies([weights]),
        mean_entropies([averaged]),
        copier.causal,
        tokens,
        copier.weights,
        tokens.index(tokens[0], 1),
        1,
        None,
        None,
    )


def role_mask(role: Role, tokens: tuple[str, ...]) -> Tensor:
    """Which keys a role names for each query `[T, T]`; queries without such a key have an empty row."""
    T = len(tokens)
    place = torch.arange(T)
    query, key = place[:, None], place[None, :]
    match role:
        case "previous":
            return key == query - 1
        case "next":
            return key == query + 1
        case "first":
            return (key == 0) & (query > 0)
        case "last":
            return (key == T - 1) & (query < T - 1)
        case "itself":
            return key == query
        case "repeat":  # the key comes right after an earlier occurrence of the query's token
            before = torch.tensor([[k > 0 and tokens[k - 1] == tokens[q] for k in range(T)] for q in range(T)])
            return before & (key <= query)


def role_share(weights: Tensor, mask: Tensor) -> Tensor:
    """The mean weight `[…]` of maps `[…, T, T]` on the keys of a role, over the queries that have any."""
    asked = mask.any(-1)
    return (weights * mask).sum(-1)[..., asked].mean(-1)


def mean_shares(roles: tuple[Role, ...], every: list[Tensor], texts: list[tuple[str, ...]]) -> Tensor:
    """The mean over sentences of `role_share`: `[roles, layers, heads]` from one `[layers, heads, T, T]` a text."""
    rows = []
    for role in roles:
        found = [role_share(w, role_mask(role, tokens)) for w, tokens in zip(every, texts, strict=True)]
        rows.append(torch.stack(found).double().mean(0))
    return torch.stack(rows)


def mean_entropies(every: list[Tensor]) -> tuple[float, ...]:
    """For each layer the mean entropy of its rows in nats, over heads, queries and sentences."""
    found = [-torch.special.xlogy(weights, weights).sum(-1).double().mean((1, 2)) for weights in every]
    return tuple(torch.stack(found).mean(0).tolist())


def _twins(lm: MiniLM) -> float:
    """How far apart the model holds the last two texts of `CHINESE`, unknown pieces and all."""
    one, other = (lm.read_pieces(("[CLS]", *lm.vocabulary.split(text), "[SEP]")).hidden for text in CHINESE[1:])
    return float((one - other).abs().max())
