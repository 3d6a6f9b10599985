"""Names and shades of attention heads, the same in every figure."""

from __future__ import annotations

from figures.colours import EXTRA, WEIGHTS, mix
from figures.experiments.heads import TrainedReader
from figures.language import Wording

ROLES: Wording = {
    "previous": ("看前一个字", "previous token"),
    "next": ("看后一个字", "next token"),
    "first": ("看句首", "first token"),
    "earliest": ("找同一个字", "same token before"),
    "none": ("没有专长", "no single role"),
    "head": ("头 {number}", "head {number}"),
}


def shade(head: int, heads: int) -> str:
    """The colour of one head's output: from the colour of weights to the extra one."""
    return mix(WEIGHTS, EXTRA, head / max(heads - 1, 1))


def role_share(model: TrainedReader, head: int) -> float | None:
    """The mean weight of a head on the position its role asks for; None for a head without a role."""
    role = model.roles[head]
    return float(model.share[head, model.questions.index(role)]) if role in model.questions else None
