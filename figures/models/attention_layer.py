"""One layer for each mechanism: the learnt matrices, and a call of the function in `figures.attention`."""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Generator, Tensor, nn

from figures.attention import Attention, additive_attention, hard_attention, local_attention, luong_attention
from figures.attention.luong import Score

Mechanism = Literal[
    "none", "additive", "dot", "general", "concat", "local-m", "local-p", "hard-gumbel", "hard-reinforce"
]
MECHANISMS: tuple[str, ...] = get_args(Mechanism)
GlobalScore = Literal["additive", "dot", "general", "concat"]
"""The mechanisms that look at every state and differ in their score alone."""


class AttentionLayer(nn.Module):
    """Attention of `mechanism` between queries of size d_q and memory of size d_k.

    Local and hard attention take their scores from one of Luong's forms, `score`. `window` is D of local attention. A
    hard choice is drawn in training and the likeliest one in evaluation.
    """

    def __init__(
        self, mechanism: Mechanism, d_q: int, d_k: int, d_a: int, window: int, score: Score = "general"
    ) -> None:
        super().__init__()
        self.mechanism, self.window = mechanism, window
        if mechanism in ("dot", "general", "concat"):
            score = mechanism
        self.score: Score = score
        self.w: nn.Parameter | None = None
        if mechanism == "additive":
            self.w_q = learnt(d_q, d_a)
            self.w_k = learnt(d_k, d_a)
        elif self.score == "concat":
            self.w = learnt(d_q + d_k, d_a)
        elif self.score == "general":
            self.w = learnt(d_q, d_k)
        self.v: nn.Parameter | None = learnt(d_a) if mechanism == "additive" or self.score == "concat" else None
        if mechanism == "local-p":
            self.w_p = learnt(d_q, d_a)
            self.v_p = learnt(d_a)

    def forward(
        self, query: Tensor, memory: Tensor, mask: Tensor, lengths: Tensor, t: int, generator: Generator | None = None
    ) -> Attention:
        """The record for queries `[B, T_q, d_q]` of target step t over memory `[B, S, d_k]`, which is key and value."""
        match self.mechanism:
            case "additive":
                assert self.v is not None
                return additive_attention(query, memory, memory, self.w_q, self.w_k, self.v, mask)
            case "dot" | "general" | "concat":
                return luong_attention(query, memory, memory, self.score, self.w, self.v, mask)
            case "local-m":
                return local_attention(
                    query, memory, memory, "monotonic", self.window,
                    positions=torch.tensor([t]), score=self.score, w=self.w, v=self.v, mask=mask,
                )  # fmt: skip
            case "local-p":
                return local_attention(
                    query, memory, memory, "predictive", self.window,
                    lengths=lengths, score=self.score, w=self.w, v=self.v, w_p=self.w_p, v_p=self.v_p, mask=mask,
                )  # fmt: skip
            case "hard-gumbel" | "hard-reinforce":
                return hard_attention(
                    query, memory, memory, "gumbel" if self.mechanism == "hard-gumbel" else "reinforce",
                    score=self.score, w=self.w, v=self.v, mask=mask, sample=self.training, generator=generator,
                )  # fmt: skip
        raise ValueError(f"mechanism {self.mechanism!r}; it is one of {', '.join(MECHANISMS[1:])}")


def learnt(*shape: int) -> nn.Parameter:
    """A bare matrix or vector, uniform within ±1/√(first axis) as `initialise` draws it."""
    bound = shape[0] ** -0.5
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))
