"""Training that gives the same bits again: one thread, one generator, no global seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch
from torch import Generator, Tensor, nn


def initialise(module: nn.Module, generator: Generator) -> None:
    """Draw every parameter anew from `generator`, by the rules that torch uses for these modules.

    Embeddings are standard normal; the gains of a normalisation are 1 and its biases 0; all else is uniform within
    ±1/√(fan-in), for a GRU within ±1/√(hidden size).
    """
    for part in module.modules():
        for name, parameter in part.named_parameters(recurse=False):
            with torch.no_grad():
                if isinstance(part, nn.Embedding):
                    parameter.normal_(generator=generator)
                elif isinstance(part, nn.LayerNorm):
                    parameter.fill_(1.0 if name == "weight" else 0.0)
                else:
                    bound = 1 / math.sqrt(fan_in(part, parameter))
                    parameter.uniform_(-bound, bound, generator=generator)


def fan_in(part: nn.Module, parameter: Tensor) -> int:
    """How many inputs an output of `part` sums over; a bare matrix `[d_in, d_out]` or vector: the first axis."""
    if isinstance(part, nn.GRU | nn.GRUCell):
        return part.hidden_size
    if isinstance(part, nn.Linear | nn.Conv1d | nn.Conv2d):
        return part.weight[0].numel()
    return parameter.shape[0]


class Adam:
    """Adam (Kingma and Ba 2015, arXiv:1412.6980, algorithm 1) with its usual constants.

    `torch.optim.Adam` computes the same, but making one loads torch's compiler, which takes seconds.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float) -> None:
        self.parameters = list(parameters)
        self.learning_rate = learning_rate
        self.step_count = 0
        self.mean = [torch.zeros_like(p) for p in self.parameters]
        self.square = [torch.zeros_like(p) for p in self.parameters]

    @torch.no_grad()
    def step(self) -> None:
        """Move each parameter along its gradient and forget the gradient; one without a gradient stays."""
        self.step_count += 1
        first, second = 1 - 0.9**self.step_count, 1 - 0.999**self.step_count
        for p, mean, square in zip(self.parameters, self.mean, self.square, strict=True):
            if p.grad is None:
                continue
            mean.lerp_(p.grad, 0.1)
            square.mul_(0.999).addcmul_(p.grad, p.grad, value=0.001)
            p.addcdiv_(mean, (square / second).sqrt_().add_(1e-8), value=-self.learning_rate / first)
            p.grad = None


def fit(
    model: nn.Module, loss_of: Callable[[int], Tensor], steps: int, *, learning_rate: float, clip: float = 1.0
) -> Tensor:
    """Minimise `loss_of(step)` with Adam; the losses `[steps]`. Gradients are clipped to norm `clip`."""
    model.train()
    optimizer = Adam(model.parameters(), learning_rate)
    losses = torch.empty(steps)
    for step in range(steps):
        loss = loss_of(step)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses[step] = loss.detach()
    return losses


def parameter_count(module: nn.Module) -> int:
    """How many numbers are learnt."""
    return sum(parameter.numel() for parameter in module.parameters())
