"""How translators are trained and judged, whatever the task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from figures.attention import log_probability
from figures.data.pairs import Batch, Pair, Vocabulary
from figures.models.training import fit
from figures.models.translator import Decoded, Translator


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    """One held-out sentence as the model read and wrote it, all of it from one pass in evaluation mode.

    `target` is what the model wrote, `reference` what it should have written, `gold[t]` the source positions that
    reference token t comes from. Tensors: encoder states `[S, d]`, the fixed vector `[d]`, decoder states `[T, d]`,
    contexts `[T, d]`, scores and weights `[T, S]` (None without attention).
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    reference: tuple[str, ...]
    gold: tuple[tuple[int, ...], ...]
    language: str
    encoder_states: Tensor
    fixed_vector: Tensor
    decoder_states: Tensor
    contexts: Tensor
    scores: Tensor | None
    weights: Tensor | None

    @property
    def correct(self) -> bool:
        """Every token is right."""
        return self.target == self.reference


@dataclass(frozen=True, slots=True)
class Quality:
    """Shares between 0 and 1 over held-out sentences.

    `exact` and `token_accuracy`: written freely, and under teacher forcing. The rest compares the weights under teacher
    forcing with the known alignment, over the target tokens that come from a source token: the strongest position is
    the right one (`alignment`) or at most one step off (`alignment_within_one`); `mass` is the weight on the right one.
    None without attention.
    """

    sentences: int
    exact: float
    token_accuracy: float
    alignment: float | None
    alignment_within_one: float | None
    mass: float | None


def train(
    model: nn.Module, batch: Batch, generator: Generator, steps: int, *, size: int = 64, learning_rate: float = 5e-3
) -> Tensor:
    """Train on random rows of `batch`; the losses per token `[steps]` in nats.

    A model whose attention is drawn without a gradient learns it by REINFORCE on the way.
    """

    def loss_of(_: int) -> Tensor:
        part = batch.take(torch.randint(len(batch), (size,), generator=generator))
        decoded = model(part.source, part.lengths, part.target, generator=generator)
        loss = cross_entropy(decoded.logits.flatten(0, 1), part.target.flatten(), ignore_index=0)
        if decoded.attention is not None and not decoded.attention.weights.requires_grad:
            loss = loss + reinforce_loss(decoded, part.target)
        return loss

    return fit(model, loss_of, steps, learning_rate=learning_rate)


def reinforce_loss(decoded: Decoded, target: Tensor, entropy_weight: float = 0.02) -> Tensor:
    """−(R − b) log p(choice) − λ H(p), the mean over target tokens (Williams 1992; Xu et al. 2015, eq. 12 and 13).

    The reward R is the log probability of the right token at that step, the baseline b its mean over the batch.
    """
    assert decoded.attention is not None
    real = (target != 0).float()  # [B, T]
    reward = -cross_entropy(decoded.logits.transpose(1, 2), target, reduction="none").detach()
    baseline = (reward * real).sum(0) / real.sum(0).clamp_min(1)  # [T]
    mask = decoded.encoded.mask
    log_p = log_probability(decoded.attention, mask)  # [B, T]
    scores = decoded.attention.scores.masked_fill(~mask, torch.finfo(torch.float32).min)
    entropy = -(scores.softmax(-1) * scores.log_softmax(-1)).sum(-1)
    gain = (reward - baseline) * log_p + entropy_weight * entropy
    return -(gain * real).sum() / real.sum()


def judge(model: nn.Module, batch: Batch) -> Quality:
    """The quality on a held-out batch."""
    model.eval()
    with torch.no_grad():
        free = model(batch.source, batch.lengths, batch.target.shape[1])
        forced = model(batch.source, batch.lengths, batch.target)
    real = batch.target != 0
    aligned = batch.gold.any(-1)
    right = (forced.logits.argmax(-1) == batch.target)[real].double().mean().item()
    exact = until_end(free.symbols).eq(batch.target).all(-1).double().mean().item()
    if forced.attention is None:
        return Quality(len(batch), exact, right, None, None, None)
    weights = forced.attention.weights
    near = batch.gold.clone()
    near[..., 1:] |= batch.gold[..., :-1]
    near[..., :-1] |= batch.gold[..., 1:]
    strongest = weights.argmax(-1, keepdim=True)
    return Quality(
        len(batch),
        exact,
        right,
        batch.gold.gather(-1, strongest)[aligned].double().mean().item(),
        near.gather(-1, strongest)[aligned].double().mean().item(),
        (weights * batch.gold).sum(-1)[aligned].double().mean().item(),
    )


def until_end(symbols: Tensor) -> Tensor:
    """Symbols `[B, T]` with everything after the first end symbol (2) padded (0)."""
    ended = (symbols == 2).cumsum(-1)
    return symbols.masked_fill((ended > 0) & ~((ended == 1) & (symbols == 2)), 0)


def read_and_write(
    model: Translator, pairs: Sequence[Pair], source: Vocabulary, target: Vocabulary
) -> tuple[AlignedSentence, ...]:
    """Each of `pairs` written freely, one by one, with everything a picture of it needs."""
    model.eval()
    return tuple(read_and_write_one(model, pair, source, target) for pair in pairs)


def read_and_write_one(model: Translator, pair: Pair, source: Vocabulary, target: Vocabulary) -> AlignedSentence:
    """One pair written freely."""
    with torch.no_grad():
        indices = source.encode([pair.source])
        decoded: Decoded = model(indices, torch.tensor([len(pair.source)]), 2 * len(pair.target) + 2)
    written = target.decode(decoded.symbols[0])
    T = len(written)
    attention = decoded.attention
    return AlignedSentence(
        pair.source,
        written,
        pair.target,
        pair.gold,
        pair.language,
        decoded.encoded.states[0].clone(),
        decoded.encoded.summary[0].clone(),
        decoded.states[0, :T].clone(),
        decoded.contexts[0, :T].clone(),
        None if attention is None else attention.scores[0, :T].clone(),
        None if attention is None else attention.weights[0, :T].clone(),
    )
