"""The four biases of multi-head attention: what each one moves, and what loading a checkpoint says about them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator

from figures.attention import MultiHeadAttention
from figures.models.training import initialise, parameter_count

NAMES = ("w_q", "w_k", "w_v", "w_o")


@dataclass(frozen=True, slots=True)
class BiasFacts:
    """Largest changes of any weight and of any output when 3 is added to every entry of one bias, in `NAMES` order.

    `error` is what torch says when weights with biases are loaded into a layer without; `bias_share` is the share of
    biases among the parameters of a layer with d_model 512.
    """

    d_model: int
    num_heads: int
    weights: tuple[float, ...]
    outputs: tuple[float, ...]
    error: str
    bias_share: float


def measure_biases(d_model: int = 64, num_heads: int = 4, seed: int = 0) -> BiasFacts:
    """One random layer on one random sequence, each bias moved in turn and put back."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, num_heads)
    initialise(layer, generator)
    x = torch.randn(1, 6, d_model, generator=generator)
    weights, outputs = [], []
    with torch.no_grad():
        output, heads = layer(x)
        for name in NAMES:
            bias = getattr(layer, name).bias
            original = bias.clone()
            bias += 3
            moved, attention = layer(x)
            bias.copy_(original)
            weights.append(float((attention.weights - heads.weights).abs().max()))
            outputs.append(float((moved - output).abs().max()))
    with torch.device("meta"):
        with_bias, without = (parameter_count(MultiHeadAttention(512, 8, bias=b)) for b in (True, False))
    return BiasFacts(
        d_model, num_heads, tuple(weights), tuple(outputs), loading_error(layer), (with_bias - without) / with_bias
    )


def loading_error(layer: MultiHeadAttention) -> str:
    """What torch says when the layer's weights are loaded into one of the same shape without biases."""
    bare = MultiHeadAttention(layer.w_o.out_features, layer.h, bias=False)
    try:
        bare.load_state_dict(layer.state_dict())
    except RuntimeError as error:
        return str(error)
    return ""
