"""One layer for each mechanism: the learnt matrices, and a call of the function in `figures.attention`."""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Generator, Tensor, nn

from figures.attention import Attention, additive_attention, hard_attention, local_attention, luong_attention

Mechanism = Literal[
    "none", "additive", "dot", "general", "concat", "local-m", "local-p", "hard-gumbel", "hard-reinforce"
]
MECHANISMS: tuple[str, ...] = get_args(Mechanism)


class AttentionLayer(nn.Module):
    """Attention of `mechanism` between queries of size d_q and memory of size d_k.

    Local and hard attention score by Luong's general form. `window` is D of local attention. A hard choice is drawn in
    training and the likeliest one in evaluation.
    """

    def __init__(self, mechanism: Mechanism, d_q: int, d_k: int, d_a: int, window: int) -> None:
        super().__init__()
        self.mechanism, self.window = mechanism, window
        if mechanism == "additive":
            self.w_q = learnt(d_q, d_a)
            self.w_k = learnt(d_k, d_a)
        elif mechanism == "concat":
            self.w = learnt(d_q + d_k, d_a)
        elif mechanism != "dot":
            self.w = learnt(d_q, d_k)
        if mechanism in ("additive", "concat"):
            self.v = learnt(d_a)
        if mechanism == "local-p":
            self.w_p = learnt(d_q, d_a)
            self.v_p = learnt(d_a)

    def forward(
        self, query: Tensor, memory: Tensor, mask: Tensor, lengths: Tensor, t: int, generator: Generator | None = None
    ) -> Attention:
        """The record for queries `[B, T_q, d_q]` of target step t over memory `[B, S, d_k]`, which is key and value."""
        match self.mechanism:
            case "additive":
                return additive_attention(query, memory, memory, self.w_q, self.w_k, self.v, mask)
            case "dot":
                return luong_attention(query, memory, memory, "dot", mask=mask)
            case "general":
                return luong_attention(query, memory, memory, "general", self.w, mask=mask)
            case "concat":
                return luong_attention(query, memory, memory, "concat", self.w, self.v, mask)
            case "local-m":
                return local_attention(
                    query, memory, memory, "monotonic", self.window,
                    positions=torch.tensor([t]), score="general", w=self.w, mask=mask,
                )  # fmt: skip
            case "local-p":
                return local_attention(
                    query, memory, memory, "predictive", self.window,
                    lengths=lengths, score="general", w=self.w, w_p=self.w_p, v_p=self.v_p, mask=mask,
                )  # fmt: skip
            case "hard-gumbel" | "hard-reinforce":
                return hard_attention(
                    query, memory, memory, "gumbel" if self.mechanism == "hard-gumbel" else "reinforce",
                    score="general", w=self.w, mask=mask, sample=self.training, generator=generator,
                )  # fmt: skip
        raise ValueError(f"mechanism {self.mechanism!r}; it is one of {', '.join(MECHANISMS[1:])}")


def learnt(*shape: int) -> nn.Parameter:
    """A bare matrix or vector, uniform within ±1/√(first axis) as `initialise` draws it."""
    bound = shape[0] ** -0.5
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))
