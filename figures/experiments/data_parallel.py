"""Several cards, played by two processes that train one model together (gloo): what each of them keeps in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Generator, Tensor

from figures.experiments.memory import Saved, saved, total
from figures.models.training import initialise
from figures.models.transformer import Transformer

LENGTH = 256
HEADS = 4
WORLD = 2


@dataclass(frozen=True, slots=True)
class DataParallelFacts:
    """Bytes with T × T numbers a head that are kept for the backward pass, for batches of `batches` sentences.

    `alone` in one process; `each` `[len(batches)][world]` in every process of a group in which each has a batch of that
    size of its own. `inputs_differ`: the processes read different sentences. `gradients_equal`: after the backward pass
    all hold the same gradients, to the bit; `gradient_difference` is their largest deviation from the gradients of one
    process that reads all sentences of the last run at once. `parameter_bytes` are the weights that each holds.
    """

    length: int
    heads: int
    world: int
    batches: tuple[int, ...]
    alone: tuple[int, ...]
    each: tuple[tuple[int, ...], ...]
    inputs_differ: bool
    gradients_equal: bool
    gradient_difference: float
    parameter_bytes: int


def measure_data_parallel(batches: tuple[int, ...] = (4, 2), seed: int = 0) -> DataParallelFacts:
    """Start two processes with torch's DistributedDataParallel and compare them with this one."""
    torch.set_num_threads(1)
    reports = [json.loads(text) for text in run_group(batches, seed)]
    model = build(seed)
    alone = tuple(squares(model, sentences(seed, 0, batch)) for batch in batches)
    everything = torch.cat([sentences(seed, rank, batches[-1]) for rank in range(WORLD)])
    whole = gradients(model, everything)
    shared = [torch.tensor(report["gradients"]) for report in reports]
    return DataParallelFacts(
        LENGTH,
        HEADS,
        WORLD,
        batches,
        alone,
        tuple(tuple(report["squares"][i] for report in reports) for i in range(len(batches))),
        reports[0]["inputs"] != reports[1]["inputs"],
        all(torch.equal(shared[0], other) for other in shared[1:]),
        float((shared[0] - whole).abs().max()),
        sum(parameter.nbytes for parameter in model.parameters()),
    )


def run_group(batches: tuple[int, ...], seed: int) -> list[str]:
    """What each process of the group reports on its standard output; a process that fails is a RuntimeError."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        meeting = (Path(folder) / "meeting").as_uri()
        started = [
            subprocess.Popen(
                [sys.executable, "-m", __name__, str(rank), meeting, str(seed), *map(str, batches)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
            )
            for rank in range(WORLD)
        ]
        ended = [process.communicate(timeout=120) for process in started]
    for process, (_, errors) in zip(started, ended, strict=True):
        if process.returncode:
            raise RuntimeError(f"a process of the group failed: {errors.strip().splitlines()[-1]}")
    return [output for output, _ in ended]


def member(rank: int, meeting: str, seed: int, batches: list[int]) -> dict[str, object]:
    """One process of the group: its own sentences, the shared gradients."""
    from torch import distributed
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=WORLD)
    model = DistributedDataParallel(build(seed))
    kept = [squares(model, sentences(seed, rank, batch)) for batch in batches]
    shared = gradients(model, sentences(seed, rank, batches[-1]))
    distributed.destroy_process_group()
    return {"squares": kept, "inputs": sentences(seed, rank, 1)[0, :8].tolist(), "gradients": shared.tolist()}


def build(seed: int) -> Transformer:
    """The model, the same in every process."""
    model = Transformer(50, 50, d_model=32, num_heads=HEADS, max_length=LENGTH)
    initialise(model, Generator().manual_seed(seed))
    return model


def sentences(seed: int, rank: int, batch: int) -> Tensor:
    """The sentences `[batch, T]` of one process."""
    return torch.randint(50, (batch, LENGTH), generator=Generator().manual_seed(1000 * seed + rank))


def squares(model: torch.nn.Module, symbols: Tensor) -> int:
    """Bytes of T × T tensors kept by one forward pass."""
    kept: Saved = saved(lambda: loss(model, symbols))
    return total({key: entry for key, entry in kept.items() if entry[1][-2:] == (LENGTH, LENGTH)})


def gradients(model: torch.nn.Module, symbols: Tensor) -> Tensor:
    """All gradients in one row."""
    model.zero_grad()
    loss(model, symbols).backward()  # type: ignore[no-untyped-call]
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


def loss(model: torch.nn.Module, symbols: Tensor) -> Tensor:
    """A loss that is a mean over sentences, so that means of gradients are gradients of means."""
    logits: Tensor = model(symbols).logits
    return logits.square().mean()


if __name__ == "__main__":
    _, own_rank, place, own_seed, *sizes = sys.argv
    sys.stdout.write(json.dumps(member(int(own_rank), place, int(own_seed), [int(size) for size in sizes])))
