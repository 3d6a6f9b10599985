"""What padding does when it is not masked, and four ways to get its mask wrong."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from figures.attention import MultiHeadAttention, causal_mask, padding_mask, scaled_dot_product_attention
from figures.models.training import initialise


@dataclass(frozen=True, slots=True)
class PaddingDrift:
    """One sentence of `length` tokens, alone and padded by zero vectors to longer and longer batches.

    For each number of pads: the mean weight that its tokens give to pads, and the largest change of its outputs,
    without a mask; then the same two with the mask.
    """

    length: int
    pads: tuple[int, ...]
    weight: tuple[float, ...]
    drift: tuple[float, ...]
    masked_weight: tuple[float, ...]
    masked_drift: tuple[float, ...]


def measure_padding_drift(
    length: int = 3, pads: tuple[int, ...] = (1, 3, 9), d_model: int = 32, seed: int = 0
) -> PaddingDrift:
    """Run one random layer of four heads on the padded sentence."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, 4)
    initialise(layer, generator)
    x = torch.randn(1, length, d_model, generator=generator)
    rows = []
    with torch.no_grad():
        alone, _ = layer(x)
        for count in pads:
            padded = torch.cat([x, torch.zeros(1, count, d_model)], dim=1)
            mask = padding_mask([length], length + count)[:, None, None, :]
            for keep in (None, mask):
                output, attention = layer(padded, mask=keep)
                on_pads = attention.weights[..., :length, length:].sum(-1).mean()
                rows.append((float(on_pads), float((output[:, :length] - alone).abs().max())))
    unmasked, masked = rows[0::2], rows[1::2]
    return PaddingDrift(
        length,
        pads,
        tuple(weight for weight, _ in unmasked),
        tuple(drift for _, drift in unmasked),
        tuple(weight for weight, _ in masked),
        tuple(drift for _, drift in masked),
    )


@dataclass(frozen=True, slots=True)
class HeadAxisTrap:
    """A padding mask `[B, 1, T]` on scores `[B, h, T_q, T]`: its batch axis meets the axis of heads.

    With as many sentences as heads nothing is raised: `on_pads` `[B, h]` is the weight of each sentence's tokens on
    its own pads in each head (0 would be right), `lost` `[B, h]` the number of its own tokens that are hidden (0 would
    be right). `error` is what torch says when the numbers differ.
    """

    lengths: tuple[int, ...]
    on_pads: Tensor
    lost: Tensor
    error: str


def measure_head_axis_trap(lengths: tuple[int, ...] = (3, 5, 4), seed: int = 0) -> HeadAxisTrap:
    """Use the wrong mask on uniform scores, with h = B and with h = B + 1."""
    generator = Generator().manual_seed(seed)
    B, T = len(lengths), max(lengths)
    keep = padding_mask(lengths, T)  # [B, T]
    wrong = keep[:, None, :]  # [B, 1, T], where [B, 1, 1, T] is meant

    def weights(h: int) -> Tensor:
        q, k = torch.zeros(B, h, T, 4), torch.randn(B, h, T, 4, generator=generator)
        return scaled_dot_product_attention(q, k, k, wrong).weights

    on = weights(B)[:, :, 0]  # [B, h, T], every query alike
    try:
        weights(B + 1)
        message = ""
    except RuntimeError as error:
        message = str(error)
    own = keep[:, None, :]
    return HeadAxisTrap(lengths, (on * ~own).sum(-1), ((on == 0) & own).sum(-1), message)


@dataclass(frozen=True, slots=True)
class CombinedMasks:
    """Padding and causal masks of a batch put together, counted in cells of `[B, T, T]`.

    `pads` is the number of pads in each sentence. Masks that say "keep" are joined by AND, masks that say "ignore" by
    OR: `agree` tells that both hide the same cells. `hidden` counts the cells that are rightly hidden, `hidden_by_and`
    those that AND of two "ignore" masks hides. With the pads on the left, `empty_rows` of `rows` queries see no key.
    """

    lengths: tuple[int, ...]
    pads: tuple[int, ...]
    agree: bool
    hidden: int
    hidden_by_and: int
    rows: int
    empty_rows: int


def combine_masks(lengths: tuple[int, ...] = (3, 5, 4)) -> CombinedMasks:
    """All counts of `CombinedMasks`."""
    T = max(lengths)
    keep = padding_mask(lengths, T)[:, None, :]  # [B, 1, T]
    causal = causal_mask(T)  # [T, T]
    both = keep & causal
    ignore = ~keep | ~causal
    left = keep.flip(-1) & causal
    return CombinedMasks(
        lengths,
        tuple((~keep).sum((1, 2)).tolist()),
        bool((both == ~ignore).all()),
        int((~both).sum()),
        int((~keep & ~causal).sum()),
        len(lengths) * T,
        int((~left.any(-1)).sum()),
    )
