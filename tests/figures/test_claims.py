"""The course's claims of trained models: every bound holds, and those about attention fail for uniform weights."""

from __future__ import annotations

import pytest
import torch
from claims import CLAIMS, Claim, frozen
from measured import record

from figures.attention import additive_attention, hard_attention, luong_attention, scaled_dot_product_attention
from figures.experiments.positions import train_order_reader


def broken(claim: Claim, trained: object) -> list[str]:
    """The names of the bounds that do not hold."""
    return [name for name, bound in claim.bounds.items() if not bound(trained)]


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_every_bound_holds(claim: Claim) -> None:
    trained = record(claim.train, **claim.arguments)
    assert broken(claim, trained) == []
    assert [name for name, bound in claim.otherwise.items() if not bound(trained)] == []


ON_ATTENTION = list({(claim.train, *claim.bounds): claim for claim in reversed(CLAIMS) if claim.bounds}.values())
"""The same bounds on the same training once: what is frozen is in all mechanisms the same."""


@pytest.mark.slow
@pytest.mark.parametrize("claim", ON_ATTENTION, ids=lambda claim: claim.name)
def test_no_bound_on_attention_holds_for_uniform_weights(claim: Claim) -> None:
    with frozen():
        trained = claim.train(**claim.arguments)
    assert broken(claim, trained) == list(claim.bounds)


def test_freezing_reaches_every_mechanism() -> None:
    query, keys = torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    eye = torch.eye(2)

    def weights() -> list[torch.Tensor]:
        runs = (
            scaled_dot_product_attention(query, keys, keys),
            additive_attention(query, keys, keys, eye, eye, torch.ones(2)),
            luong_attention(query, keys, keys),
            hard_attention(query, keys, keys, sample=False),
        )
        return [run.weights for run in runs]

    *soft, hard = weights()
    with frozen():
        *flat, first = weights()
    assert all(torch.equal(row, torch.full((1, 3), 1 / 3)) for row in flat)
    assert all(not torch.equal(row, other) for row, other in zip(soft, flat, strict=True))
    assert hard.argmax() == 2
    assert first.argmax() == 0


@pytest.mark.slow
def test_order_is_told_by_positions_and_not_by_the_weights() -> None:
    (claim,) = (claim for claim in CLAIMS if claim.train is train_order_reader)
    with frozen():
        trained = claim.train(**claim.arguments)
    assert all(bound(trained) for bound in claim.otherwise.values())
