"""What True means in a mask, and what comes of a row that keeps no key, found by asking each function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention as fused_attention

from figures.attention import scaled_dot_product_attention

Meaning = Literal["keep", "ignore"]
Ask = Callable[[Tensor], Tensor]
"""From a boolean mask over two keys `[2]` to the output `[d]` of one query, whose values are (1, 0) and (0, 1)."""


@dataclass(frozen=True, slots=True)
class MaskConvention:
    """One function: what True means, and its output where every key is hidden ("0", "NaN", or a number)."""

    function: str
    true_means: Meaning
    empty_row: str


def probe_masks() -> tuple[MaskConvention, ...]:
    """Ask our function, torch's fused one and torch's module (with and without returned weights)."""
    asked: dict[str, Ask] = {
        "figures.attention": lambda mask: scaled_dot_product_attention(*_inputs(), mask[None]).output[0],
        "F.scaled_dot_product_attention": lambda mask: fused_attention(*_inputs(), attn_mask=mask[None])[0],
        "nn.MultiheadAttention attn_mask": lambda mask: _module(mask, "attn_mask", need_weights=True),
        "nn.MultiheadAttention key_padding_mask": lambda mask: _module(mask, "key_padding_mask", need_weights=True),
        "nn.MultiheadAttention need_weights=False": lambda mask: _module(mask, "key_padding_mask", need_weights=False),
    }
    return tuple(MaskConvention(name, _meaning(ask), _empty(ask)) for name, ask in asked.items())


def _inputs() -> tuple[Tensor, Tensor, Tensor]:
    """One query against two keys alike, so that the weights are equal unless a mask says otherwise."""
    return torch.ones(1, 2), torch.ones(2, 2), torch.eye(2)


def _module(mask: Tensor, name: str, *, need_weights: bool) -> Tensor:
    """Torch's module with identity projections."""
    with torch.random.fork_rng(devices=()):  # the module draws its first weights from the global generator
        layer = nn.MultiheadAttention(2, 1, bias=False, batch_first=True).eval()
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(2))
        q, k, v = (part[None] for part in _inputs())
        shaped = mask[None]  # [T_q, T_k] or [B, T_k]: one of each
        output: Tensor = layer(q, k, v, need_weights=need_weights, **{name: shaped})[0]
    return output[0, 0]


def _meaning(ask: Ask) -> Meaning:
    """Hide or keep: with True for the first key alone the output is the value that was let through."""
    return "keep" if float(ask(torch.tensor([True, False]))[0]) == 1.0 else "ignore"


def _empty(ask: Ask) -> str:
    """What comes out when every key is hidden."""
    hidden = torch.zeros(2, dtype=torch.bool) if _meaning(ask) == "keep" else torch.ones(2, dtype=torch.bool)
    value = float(ask(hidden)[0])
    return "NaN" if value != value else f"{value:g}"


def half_precision_error(fill: float = -1e9) -> str:
    """What torch says when a mask fills half-precision scores with a number they cannot hold; "" if it says nothing."""
    try:
        torch.zeros(2, dtype=torch.half).masked_fill(torch.tensor([False, True]), fill)
    except RuntimeError as error:
        return str(error)
    return ""
