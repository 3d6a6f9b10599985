"""What training keeps in memory: the attention matrix, and what fused kernels, checkpointing and bfloat16 save."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from figures.attention import chunked_attention, scaled_dot_product_attention
from figures.models.training import initialise, parameter_count
from figures.models.transformer import Transformer


@dataclass(frozen=True, slots=True)
class KeptForBackward:
    """Bytes that one attention over T tokens in h heads keeps until its backward pass, by how it is computed.

    `square` of `eager` are tensors with T × T numbers a head. `checkpointed` are q, k and v alone; the products of
    forward and backward pass together then grow from `products` to `products_checkpointed`. `chunked` is the online
    softmax under plain autograd: it never makes a T × T tensor (`largest_tile` numbers a head) and yet keeps all tiles.
    """

    length: int
    heads: int
    d_k: int
    eager: int
    square: int
    fused: int
    checkpointed: int
    chunked: int
    largest_tile: int
    products: int
    products_checkpointed: int


def measure_kept(length: int = 1024, heads: int = 8, d_k: int = 64, block: int = 64, seed: int = 0) -> KeptForBackward:
    """Run each way on the same q, k, v `[1, h, T, d_k]`."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    q, k, v = (torch.randn(1, heads, length, d_k, generator=generator).requires_grad_() for _ in range(3))
    # Results of earlier operations, as inside a model: parameters themselves would not be counted.
    q, k, v = q * 1, k * 1, v * 1

    def eager(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return scaled_dot_product_attention(q, k, v).output

    def recomputed() -> Tensor:
        output: Tensor = checkpoint(eager, q, k, v, use_reentrant=False)
        return output

    kept = saved(lambda: eager(q, k, v))
    arguments: Saved = {t.untyped_storage().data_ptr(): (t.nbytes, tuple(t.shape)) for t in (q, k, v)}
    return KeptForBackward(
        length,
        heads,
        d_k,
        total(kept),
        sum(size for size, shape in kept.values() if shape[-2:] == (length, length)),
        total(saved(lambda: fused_attention(q, k, v))),
        total(arguments | saved(recomputed)),
        total(saved(lambda: chunked_attention(q, k, v, block=block))),
        length * block,
        products(lambda: eager(q, k, v)),
        products(recomputed),
    )


@dataclass(frozen=True, slots=True)
class MixedPrecision:
    """Bytes of a two-layer transformer in training, in single precision and under bfloat16 autocast.

    `activations` are kept for the backward pass (copies of the weights in bfloat16 among them); `fixed` are weights,
    gradients and the two moments of Adam, which autocast leaves in single precision.
    """

    length: int
    parameters: int
    activations: int
    activations_mixed: int
    fixed: int
    fixed_mixed: int


def measure_mixed_precision(length: int = 512, batch: int = 4, seed: int = 0) -> MixedPrecision:
    """One forward and backward pass of d_model 256 with 8 heads on random symbols."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    model = Transformer(100, 100, d_model=256, num_heads=8, layers=2, max_length=length)
    initialise(model, generator)
    symbols = torch.randint(100, (batch, length), generator=generator)
    measured = []
    for context in (nullcontext(), torch.autocast("cpu", dtype=torch.bfloat16)):

        def run(context: object = context) -> Tensor:
            with context:  # type: ignore[attr-defined]
                logits: Tensor = model(symbols).logits
            return logits.float().square().mean()

        activations = total(saved(run))
        run().backward()  # type: ignore[no-untyped-call]
        measured.append((activations, fixed_bytes(model)))
    (activations, fixed), (activations_mixed, fixed_mixed) = measured
    return MixedPrecision(length, parameter_count(model), activations, activations_mixed, fixed, fixed_mixed)


def fixed_bytes(model: nn.Module) -> int:
    """Bytes of the weights, of their gradients, and of two moments in the weights' precision; gradients are dropped."""
    size = 0
    for parameter in model.parameters():
        size += 3 * parameter.nbytes + (0 if parameter.grad is None else parameter.grad.nbytes)
        parameter.grad = None
    return size


Saved = dict[int, tuple[int, tuple[int, ...]]]


def saved(run: Callable[[], Tensor]) -> Saved:
    """Each storage that autograd keeps for the backward pass of `run`, with its bytes and the shape it was saved in.

    Parameters and what is only a view of them are left out.
    """
    found: Saved = {}

    def pack(tensor: Tensor) -> Tensor:
        owner = tensor if tensor._base is None else tensor._base
        if not isinstance(owner, nn.Parameter):
            storage = tensor.untyped_storage()
            found[storage.data_ptr()] = (storage.nbytes(), tuple(tensor.shape))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = run()  # must live until the count is done, or its storages are used again
    del output
    return found


def total(found: Saved) -> int:
    """The bytes of all storages."""
    return sum(size for size, _ in found.values())


def products(run: Callable[[], Tensor]) -> int:
    """Multiplications in the matrix products of forward and backward pass, as torch counts them."""
    with FlopCounterMode(display=False) as counter:
        run().sum().backward(retain_graph=True)  # type: ignore[no-untyped-call]
    return int(counter.get_total_flops()) // 2
