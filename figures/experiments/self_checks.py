"""Small checks of an attention, each a few lines; which of ten bugs they notice; and a checklist for a whole layer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Generator, Tensor, allclose
from torch.nn.functional import cross_entropy
from torch.nn.functional import scaled_dot_product_attention as reference

from figures.attention import Attention, KVCache, MultiHeadAttention, causal_mask, padding_mask
from figures.attention.multi_head import merge_heads, split_heads
from figures.experiments.injected_bugs import BUGS, Bug, SmallReader, draw, faulty_attention
from figures.models.training import fit, initialise

Attend = Callable[[Tensor, Tensor, Tensor, Tensor], Attention]
"""An attention to be checked: q, k, v `[B, T, d]`, and a mask that broadcasts to `[B, T, T]`, True = keep."""
Check = Callable[[Attend, Tensor, Tensor, Tensor], bool]
HAND = math.exp(1 / math.sqrt(2)) / (1 + 2 * math.exp(1 / math.sqrt(2)))
"""The first weight of q = [1, 0] against the keys [1, 0], [0, 1], [1, 1]: .401."""


# Each check is a listing on a slide: lines of at most 72 characters.
# fmt: off
def rows_sum_to_one(attend: Attend, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Softmax ran over the keys."""
    sums = attend(q, k, v, causal_mask(q.shape[-2])).weights.sum(-1)
    return allclose(sums, torch.ones_like(sums))


def future_is_unseen(attend: Attend, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Under a causal mask, output 0 does not move when later keys and values change."""
    mask, noise = causal_mask(q.shape[-2]), torch.zeros_like(k)
    noise[:, 1:] = 5.0
    before = attend(q, k, v, mask).output[:, 0]
    return allclose(before, attend(q, k + noise, v + noise, mask).output[:, 0])


def padding_changes_nothing(attend: Attend, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """A sentence of 4 gives the same alone and padded to full length."""
    padded = attend(q, k, v, padding_mask([4] * len(q), q.shape[-2])[:, None])
    alone = attend(q[:, :4], k[:, :4], v[:, :4], torch.ones(1, 1, 4).bool())
    return allclose(padded.output[:, :4], alone.output, atol=1e-6)


def one_key_gives_its_value(attend: Attend, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Where only key 2 is kept, every output is value 2."""
    only = torch.arange(k.shape[-2]) == 2
    output = attend(q, k, v, only[None, None]).output
    return allclose(output, v[:, 2:3].expand_as(output))


def hand_example_is_right(attend: Attend, *_: Tensor) -> bool:
    """The weights of an example that is worked out on paper."""
    queries, keys = torch.eye(2)[None], torch.tensor([[[1.0, 0], [0, 1], [1, 1]]])
    weights = attend(queries, keys, keys, torch.ones(1, 1, 3).bool()).weights
    return abs(float(weights[0, 0, 0]) - HAND) < 1e-5


def agrees_with_torch(attend: Attend, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """The same as PyTorch's own function on random numbers with a mask."""
    mask = padding_mask([4] * len(q), q.shape[-2])[:, None]
    return allclose(attend(q, k, v, mask).output, reference(q, k, v, mask), atol=1e-5)
# fmt: on


CHECKS: tuple[tuple[str, Check], ...] = (
    ("rows", rows_sum_to_one),
    ("future", future_is_unseen),
    ("padding", padding_changes_nothing),
    ("one", one_key_gives_its_value),
    ("hand", hand_example_is_right),
    ("torch", agrees_with_torch),
)


@dataclass(frozen=True, slots=True)
class Noticed:
    """`passed[bug][check]`: whether a faulty attention passes a check; the first bug is none."""

    bugs: tuple[Bug, ...]
    checks: tuple[str, ...]
    passed: tuple[tuple[bool, ...], ...]


def run_checks(seed: int = 0) -> Noticed:
    """Every check on every faulty attention, without any training."""
    generator = Generator().manual_seed(seed)
    q, k, v = (torch.randn(2, 6, 8, generator=generator) for _ in range(3))
    passed = tuple(tuple(passes(check, bug, q, k, v) for _, check in CHECKS) for bug in BUGS)
    return Noticed(BUGS, tuple(name for name, _ in CHECKS), passed)


def passes(check: Check, bug: Bug, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Whether the attention with this bug passes; an exception from torch about shapes is a failure like any other."""
    try:
        return check(partial(faulty_attention, bug=bug), q, k, v)
    except RuntimeError:
        return False


@dataclass(frozen=True, slots=True)
class LayerReport:
    """What a right layer of several heads gives on each line of the checklist; differences are largest deviations.

    `first_loss` and `last_loss`: the toy reader on one batch of the recall task, before training and after.
    """

    row_sum: float
    future: float
    padding: float
    split: bool
    evaluation: bool
    training: bool
    cache: float
    torch: float
    classes: int
    first_loss: float
    last_loss: float


def inspect_layer(d_model: int = 32, num_heads: int = 4, T: int = 8, seed: int = 0) -> LayerReport:
    """Run the checklist over the course's own multi-head attention with random weights."""
    torch.set_num_threads(1)
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, num_heads, dropout=0.1)
    initialise(layer, generator)
    x = torch.randn(2, T, d_model, generator=generator)
    losses = learn_one_batch(generator)
    with torch.no_grad():
        return _inspect(layer, x, losses)


def learn_one_batch(generator: Generator, steps: int = 300) -> list[float]:
    """The losses of a reader that sees the same 32 sequences at every step: it must learn them by heart."""
    model = SmallReader("recall", "none")
    initialise(model, generator)
    symbols, mask, answers, _ = draw("recall", 32, generator)
    losses = fit(model, lambda _: cross_entropy(model(symbols, mask)[0], answers), steps, learning_rate=5e-3)
    return [float(loss) for loss in losses]


def _inspect(layer: MultiHeadAttention, x: Tensor, losses: Sequence[float]) -> LayerReport:
    T = x.shape[1]
    causal = causal_mask(T)
    twice = [torch.equal(layer.train(mode)(x)[0], layer(x)[0]) for mode in (True, False)]
    full, heads = layer(x, mask=causal)
    changed = x.clone()
    changed[:, 1:] += 1
    alone = layer(x[:1, :5])[0]
    padded = layer(x, mask=padding_mask([5, T], T)[:, None, None])[0][:1, :5]
    split = split_heads(x, layer.h)
    return LayerReport(
        row_sum=_deviation(heads.weights.sum(-1), torch.ones(())),
        future=_deviation(layer(changed, mask=causal)[0][:, 0], full[:, 0]),
        padding=_deviation(alone, padded),
        split=torch.equal(merge_heads(split), x) and torch.equal(split[:, 0], x[..., : layer.d_head]),
        evaluation=twice[1],
        training=twice[0],
        cache=_deviation(_step_by_step(layer, x), full),
        torch=_deviation(_by_torch(layer, x, causal), full),
        classes=10,
        first_loss=losses[0],
        last_loss=losses[-1],
    )


def _step_by_step(layer: MultiHeadAttention, x: Tensor) -> Tensor:
    """The outputs `[B, T, d_model]` of one token after another with a cache."""
    cache = KVCache()
    return torch.cat([layer(x[:, t : t + 1], cache=cache)[0] for t in range(x.shape[1])], dim=1)


def _by_torch(layer: MultiHeadAttention, x: Tensor, mask: Tensor) -> Tensor:
    """The layer's projections around torch's attention."""
    q, k, v = (split_heads(project(x), layer.h) for project in (layer.w_q, layer.w_k, layer.w_v))
    output: Tensor = layer.w_o(merge_heads(reference(q, k, v, attn_mask=mask)))
    return output


def _deviation(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().max())
