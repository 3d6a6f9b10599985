"""What multi-head attention is, measured: projections of the whole input, a sum over heads, and three wrong merges."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn

from figures.attention import MultiHeadAttention, causal_mask, merge_heads, split_heads
from figures.models.training import initialise, parameter_count


@dataclass(frozen=True, slots=True)
class MultiHeadFacts:
    """Measured on one random layer of `num_heads` heads over `[B, T, d_model]`.

    `reach` features of the input touch the query of head 0. `sum_difference` is the largest difference between
    concat · W_O and the sum of head_i · W_O,i, `torch_difference` that from `nn.MultiheadAttention` with the same
    weights. `free_shape` is the output of 7 heads of size 64 at d_model 512, `refused` the error without that size.
    `small` are the shapes of input, output and weights of two heads on two sentences of five tokens.
    `query_bias` and `key_bias` are the largest changes of any weight when 3 is added to that bias.
    """

    d_model: int
    num_heads: int
    reach: int
    sum_difference: float
    torch_difference: float
    free_shape: tuple[int, ...]
    refused: str
    query_bias: float
    key_bias: float
    merge: HeadMerge
    small: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class HeadMerge:
    """Laying heads side by side, right and wrong, for causal attention.

    `view_error` is what torch says to `view` right after `transpose`; `silent_equal` the share of entries that a merge
    without the transpose gets right; `right_reads` and `silent_reads` the source positions from which output 0 gets a
    gradient: position 1 is the future.
    """

    view_error: str
    silent_equal: float
    right_reads: tuple[int, ...]
    silent_reads: tuple[int, ...]


def measure_multi_head(d_model: int = 8, num_heads: int = 4, seed: int = 0) -> MultiHeadFacts:
    """All facts of `MultiHeadFacts`."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, num_heads)
    initialise(layer, generator)
    x = torch.randn(1, 5, d_model, generator=generator).requires_grad_()
    head_query = split_heads(layer.w_q(x), num_heads)[0, 0]  # [T, d_k]
    (gradient,) = torch.autograd.grad(head_query.sum(), x)
    free = MultiHeadAttention(512, 7, d_head=64)
    with torch.no_grad():
        output, heads = layer(x)
        parts = torch.split(layer.w_o.weight.T, layer.d_head)  # h matrices [d_k, d_model]
        added = sum((head @ part for head, part in zip(heads.output[0], parts, strict=True)), layer.w_o.bias)
        shape = tuple(free(torch.zeros(2, 5, 512))[0].shape)
    return MultiHeadFacts(
        d_model,
        num_heads,
        int((gradient.abs().sum((0, 1)) > 0).sum()),
        float((output[0] - added).abs().max()),
        difference_from_torch(layer, x),
        shape,
        error_of(7, 512),
        bias_effect(layer, layer.w_q.bias, x),
        bias_effect(layer, layer.w_k.bias, x),
        measure_merge(generator),
        shapes_of(MultiHeadAttention(8, 2), torch.zeros(2, 5, 8)),
    )


def shapes_of(layer: MultiHeadAttention, x: Tensor) -> tuple[tuple[int, ...], ...]:
    """The shapes of x, of the output and of the weights, read off a run."""
    with torch.no_grad():
        output, heads = layer(x)
    return tuple(x.shape), tuple(output.shape), tuple(heads.weights.shape)


def difference_from_torch(layer: MultiHeadAttention, x: Tensor) -> float:
    """The largest difference of the outputs for x `[B, T, d_model]`, torch's layer having the weights of ours."""
    other = nn.MultiheadAttention(layer.h * layer.d_head, layer.h, batch_first=True)
    parts = (layer.w_q, layer.w_k, layer.w_v)
    state = {
        "in_proj_weight": torch.cat([part.weight for part in parts]),
        "in_proj_bias": torch.cat([part.bias for part in parts]),
        "out_proj.weight": layer.w_o.weight,
        "out_proj.bias": layer.w_o.bias,
    }
    other.load_state_dict(state)
    with torch.no_grad():
        return float((layer(x)[0] - other(x, x, x)[0]).abs().max())


def error_of(num_heads: int, d_model: int) -> str:
    """The name of what our layer raises for heads that do not divide d_model; empty if they do."""
    try:
        MultiHeadAttention(d_model, num_heads)
    except ValueError as error:
        return type(error).__name__
    return ""


def bias_effect(layer: MultiHeadAttention, bias: Tensor, x: Tensor) -> float:
    """The largest change of a weight when 3 is added to every entry of `bias`, which is left as it was."""
    with torch.no_grad():
        before = layer(x)[1].weights
        original = bias.clone()
        bias += 3
        after = layer(x)[1].weights
        bias.copy_(original)
    return float((after - before).abs().max())


def measure_merge(generator: Generator) -> HeadMerge:
    """Merge causal heads `[B, h, T, d]` in three ways."""
    B, h, T, d = 2, 4, 5, 2
    v = torch.randn(B, h, T, d, generator=generator).requires_grad_()
    heads = causal_mask(T).float() @ v  # position t sums over positions 0 … t
    right = merge_heads(heads)
    silent = heads.reshape(B, T, h * d)  # no transpose: the axes are misread
    try:
        heads.transpose(1, 2).view(B, T, h * d)
        message = ""
    except RuntimeError as error:
        message = str(error)
    return HeadMerge(message, float((right == silent).double().mean()), reads(right, v), reads(silent, v))


def reads(merged: Tensor, v: Tensor) -> tuple[int, ...]:
    """The positions of v `[B, h, T, d]` that output position 0 of the merged `[B, T, h·d]` depends on."""
    (gradient,) = torch.autograd.grad(merged[:, 0].sum(), v, retain_graph=True)
    return tuple(gradient.abs().sum((0, 1, 3)).nonzero().flatten().tolist())


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration of multi-head attention and how many numbers it learns."""

    d_model: int
    num_heads: int
    d_head: int
    parameters: int
    without_bias: int


CONFIGURATIONS = ((64, 4), (128, 4), (512, 8), (1024, 16))
HEAD_COUNTS = ((512, 1), (512, 8), (512, 16))


def count_parameters(shapes: tuple[tuple[int, int], ...] = CONFIGURATIONS) -> tuple[Configuration, ...]:
    """Build a layer for each (d_model, heads) and count."""
    return tuple(
        Configuration(
            d_model,
            heads,
            d_model // heads,
            parameter_count(MultiHeadAttention(d_model, heads)),
            parameter_count(MultiHeadAttention(d_model, heads, bias=False)),
        )
        for d_model, heads in shapes
    )
