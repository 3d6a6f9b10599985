"""Hard attention: one key is chosen, not a mixture.

Xu et al. 2015, arXiv:1502.03044, §4.1.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Generator, Tensor
from torch.nn.functional import one_hot

from figures.attention.dot_product import Attention
from figures.attention.luong import Score, luong_score
from figures.attention.masks import masked_softmax

Estimator = Literal["gumbel", "reinforce"]


def hard_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    estimator: Estimator = "gumbel",
    *,
    score: Score = "dot",
    w: Tensor | None = None,
    v: Tensor | None = None,
    mask: Tensor | None = None,
    temperature: float = 1.0,
    sample: bool = True,
    generator: Generator | None = None,
) -> Attention:
    """One key a query, drawn from softmax(scores): a 1 among zeros.

    Xu et al. 2015, eq. 8 and 9. How the choice learns: "gumbel" passes
    the gradient of the relaxed choice straight through (Jang et al.
    2017, arXiv:1611.01144); "reinforce" passes none, its loss uses
    `log_probability` (Williams 1992). `sample=False` takes the
    likeliest key, for evaluation. `score`, w and v as in
    `luong_attention`.
    """
    scores = luong_score(query, keys, score, w, v)  # [..., T_q, T_k]
    keep = torch.ones_like(scores, dtype=torch.bool)
    keep = keep if mask is None else mask.expand_as(scores)
    logits = scores.masked_fill(~keep, -torch.inf)
    if sample:  # the largest of logits + Gumbel noise is a draw
        logits = logits + gumbel_noise(scores, generator)
    chosen = one_hot(logits.argmax(dim=-1), scores.shape[-1])
    weights = chosen.to(scores.dtype) * keep
    if estimator == "gumbel":  # value of the choice, gradient of soft
        soft = masked_softmax(logits / temperature, keep)
        weights = weights + (soft - soft.detach())
    return Attention(scores, weights, weights @ values)


def gumbel_noise(
    like: Tensor, generator: Generator | None = None
) -> Tensor:
    """Standard Gumbel noise: −log of exponential noise."""
    noise = torch.empty_like(like).exponential_(generator=generator)
    return -noise.log()


def log_probability(
    attention: Attention, mask: Tensor | None = None
) -> Tensor:
    """The log p of the chosen key, `[..., T_q]`.

    REINFORCE multiplies it by the reward. A row without any key has 0.
    """
    scores = attention.scores
    if mask is not None:  # finite, so that 0 · log p stays 0
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    log_p = scores.log_softmax(dim=-1)
    return (log_p * attention.weights.detach()).sum(dim=-1)
