"""Pointer-generator (See, Liu and Manning 2017, arXiv:1704.04368): a word is generated, or copied from the source."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from figures.attention import Attention
from figures.models.attention_layer import AttentionLayer
from figures.models.translator import BahdanauDecoder, Encoder, Step, joined


@dataclass(frozen=True, slots=True)
class Pointed:
    """What was written: probabilities `[B, T, V]`, symbols `[B, T]`, p_gen `[B, T]`, the attention `[B, T, S]`."""

    probabilities: Tensor
    symbols: Tensor
    p_gen: Tensor
    attention: Attention


class PointerGenerator(nn.Module):
    """Words 0 to `known` − 1 can be generated and are embedded; rarer ones share one embedding and are only copied."""

    def __init__(self, symbols: int, known: int, *, embedding: int = 48, width: int = 96) -> None:
        super().__init__()
        self.symbols, self.known = symbols, known
        self.embedding = nn.Embedding(known + 1, embedding)
        self.encoder = Encoder(self.embedding, embedding, width, directions=2)
        self.start = nn.Linear(width, width)
        self.decoder = BahdanauDecoder(embedding, width, AttentionLayer("additive", width, width, width // 2, window=0))
        self.readout = nn.Linear(embedding + 2 * width, known)
        self.gate = nn.Linear(embedding + 2 * width, 1)

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor | int) -> Pointed:
        """Read `[B, S]`; say `target` `[B, T]` (teacher forcing), or write freely for `target` steps."""
        encoded = self.encoder(source.clamp_max(self.known), lengths)
        step = Step(torch.tanh(self.start(encoded.summary)), encoded.summary, None)
        symbol = torch.ones_like(lengths)
        steps, mixtures, symbols, gates = [], [], [], []
        for t in range(target if isinstance(target, int) else target.shape[1]):
            word = self.embedding(symbol.clamp_max(self.known))
            step = self.decoder(word, step, encoded, t, None)
            assert step.attention is not None
            seen = torch.cat([step.state, step.context, word], dim=-1)
            p_gen = torch.sigmoid(self.gate(seen))  # [B, 1]
            mixtures.append(self.mixture(self.readout(seen), p_gen, step.attention.weights[:, 0], source))
            symbol = mixtures[-1].argmax(dim=-1) if isinstance(target, int) else target[:, t]
            steps.append(step)
            symbols.append(symbol)
            gates.append(p_gen)
        attention = joined(steps)
        assert attention is not None
        return Pointed(torch.stack(mixtures, 1), torch.stack(symbols, 1), torch.cat(gates, 1), attention)

    def mixture(self, logits: Tensor, p_gen: Tensor, weights: Tensor, source: Tensor) -> Tensor:
        """P(w) = p_gen P_vocab(w) + (1 − p_gen) Σ_{i: w_i = w} a_i (eq. 9): `[B, V]`."""
        generated = p_gen * logits.softmax(dim=-1)  # [B, known]
        rest = generated.new_zeros(len(source), self.symbols - self.known)
        copied = (1 - p_gen) * weights  # [B, S]
        return torch.cat([generated, rest], dim=-1).scatter_add(1, source, copied)
