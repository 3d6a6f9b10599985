"""Encoder–decoder translators that differ in one thing: how and when the decoder looks at the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from figures.attention import Attention, padding_mask
from figures.attention.luong import Score
from figures.models.attention_layer import AttentionLayer, Mechanism


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the encoder hands over: states `[B, S, d]`, mask `[B, 1, S]`, lengths `[B]`, the fixed vector `[B, d]`."""

    states: Tensor
    mask: Tensor
    lengths: Tensor
    summary: Tensor


class Step(NamedTuple):
    """One step of a decoder: its state `[B, d]`, the context `[B, d]`, and how it looked (None: it did not)."""

    state: Tensor
    context: Tensor
    attention: Attention | None


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded batch: logits `[B, T, V]`, symbols `[B, T]`, states `[B, T, d]`, contexts `[B, T, d]`.

    `attention` (scores and weights `[B, T, S]`) comes from the same pass; it is None without attention.
    """

    logits: Tensor
    symbols: Tensor
    states: Tensor
    contexts: Tensor
    attention: Attention | None
    encoded: Encoded


class Encoder(nn.Module):
    """A GRU over what `front` embeds, forwards or both ways; its last states side by side are the fixed vector."""

    def __init__(self, front: nn.Module, embedding: int, width: int, directions: int) -> None:
        super().__init__()
        self.embedding = front
        self.gru = nn.GRU(embedding, width // directions, batch_first=True, bidirectional=directions == 2)

    def forward(self, source: Tensor, lengths: Tensor) -> Encoded:
        """Encode `[B, S]` or `[B, S, F]`; states beyond a sentence's length are 0 and masked."""
        packed = pack_padded_sequence(self.embedding(source), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        mask = padding_mask(lengths, source.shape[1])[:, None, :]
        return Encoded(states, mask, lengths, last.transpose(0, 1).flatten(1))


class FixedVectorDecoder(nn.Module):
    """Cho et al. 2014 (arXiv:1406.1078): every step reads the same fixed vector."""

    def __init__(self, embedding: int, width: int) -> None:
        super().__init__()
        self.gru = nn.GRUCell(embedding + width, width)

    def forward(self, word: Tensor, last: Step, encoded: Encoded, t: int, generator: Generator | None) -> Step:
        """One step; `t` and `generator` are there for the decoders that use them."""
        del t, generator
        context = encoded.summary
        state = self.gru(torch.cat([word, context], dim=-1), last.state)
        return Step(state, context, None)


class BahdanauDecoder(FixedVectorDecoder):
    """Bahdanau et al. 2015: look with the state *before* the step, s_{i−1}, then step."""

    def __init__(self, embedding: int, width: int, attention: AttentionLayer) -> None:
        super().__init__(embedding, width)
        self.attention = attention

    def forward(self, word: Tensor, last: Step, encoded: Encoded, t: int, generator: Generator | None) -> Step:
        """One step: α_i and c_i from s_{i−1}, then s_i = GRU([y_{i−1}; c_i], s_{i−1})."""
        query = last.state.unsqueeze(1)  # [B, 1, d]
        seen = self.attention(query, encoded.states, encoded.mask, encoded.lengths, t, generator)
        context = seen.output.squeeze(1)  # [B, d]
        state = self.gru(torch.cat([word, context], dim=-1), last.state)
        return Step(state, context, seen)


class LuongDecoder(BahdanauDecoder):
    """Luong et al. 2015: step with the last context (input feeding), then look with the state *after* it, h_t."""

    def forward(self, word: Tensor, last: Step, encoded: Encoded, t: int, generator: Generator | None) -> Step:
        """One step: h_t = GRU([y_{t−1}; c_{t−1}], h_{t−1}), then α_t and c_t from h_t."""
        state = self.gru(torch.cat([word, last.context], dim=-1), last.state)
        query = state.unsqueeze(1)  # [B, 1, d]
        seen = self.attention(query, encoded.states, encoded.mask, encoded.lengths, t, generator)
        return Step(state, seen.output.squeeze(1), seen)


class Writer(nn.Module):
    """Writes symbols, one after the other, while it looks at what an encoder hands over.

    `mechanism` "none" reads the fixed vector, "additive" attends in Bahdanau's order, all others in Luong's. Each reads
    its word off [state; context; last word], so that nothing but the attention differs.
    """

    def __init__(
        self,
        symbols: int,
        mechanism: Mechanism,
        embedding: int,
        width: int,
        window: int = 3,
        score: Score = "general",
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, embedding)
        self.start = nn.Linear(width, width)
        self.decoder = decoder(mechanism, embedding, width, window, score)
        self.readout = nn.Linear(embedding + 2 * width, symbols)

    def forward(self, encoded: Encoded, target: Tensor | int, generator: Generator | None = None) -> Decoded:
        """Say `target` `[B, T]` (teacher forcing), or write freely for `target` steps (greedily)."""
        step = Step(torch.tanh(self.start(encoded.summary)), encoded.summary, None)
        symbol = torch.ones_like(encoded.lengths)  # begin
        steps, logits, symbols = [], [], []
        for t in range(target if isinstance(target, int) else target.shape[1]):
            word = self.embedding(symbol)
            step = self.decoder(word, step, encoded, t, generator)
            logits.append(self.readout(torch.cat([step.state, step.context, word], dim=-1)))
            symbol = logits[-1].argmax(dim=-1) if isinstance(target, int) else target[:, t]
            steps.append(step)
            symbols.append(symbol)
        states = torch.stack([step.state for step in steps], dim=1)
        contexts = torch.stack([step.context for step in steps], dim=1)
        return Decoded(
            torch.stack(logits, dim=1), torch.stack(symbols, dim=1), states, contexts, joined(steps), encoded
        )


class Translator(nn.Module):
    """A writer with a GRU decoder over a GRU encoder of symbols, or of feature vectors of size `inputs`."""

    def __init__(
        self,
        inputs: int,
        target_symbols: int,
        mechanism: Mechanism,
        *,
        window: int = 3,
        embedding: int = 32,
        width: int = 64,
        directions: int = 2,
        features: bool = False,
    ) -> None:
        super().__init__()
        front = nn.Linear(inputs, embedding) if features else nn.Embedding(inputs, embedding)
        self.encoder = Encoder(front, embedding, width, directions)
        self.writer = Writer(target_symbols, mechanism, embedding, width, window)

    def forward(
        self, source: Tensor, lengths: Tensor, target: Tensor | int, *, generator: Generator | None = None
    ) -> Decoded:
        """Read symbols `[B, S]` or features `[B, S, F]`; write as `Writer` does."""
        decoded: Decoded = self.writer(self.encoder(source, lengths), target, generator)
        return decoded


def decoder(mechanism: Mechanism, embedding: int, width: int, window: int, score: Score) -> FixedVectorDecoder:
    """The decoder of that mechanism, in the order of its paper."""
    if mechanism == "none":
        return FixedVectorDecoder(embedding, width)
    attention = AttentionLayer(mechanism, width, width, width // 2, window, score)
    order = BahdanauDecoder if mechanism == "additive" else LuongDecoder
    return order(embedding, width, attention)


def joined(steps: list[Step]) -> Attention | None:
    """The attention of all steps as one record, `[B, T, S]`."""
    seen = [step.attention for step in steps if step.attention is not None]
    return Attention(*(torch.cat(parts, dim=1) for parts in zip(*seen, strict=True))) if seen else None
