"""Memory by counting what autograd keeps, against what can be worked out by hand."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from figures.experiments.memory import measure_kept, measure_mixed_precision, saved, total


def test_what_a_product_keeps_is_its_two_factors():
    a, b = (torch.ones(3, 4, requires_grad=True) * 1 for _ in range(2))
    assert total(saved(lambda: a * b)) == 2 * 12 * 4
    assert total(saved(lambda: a + b)) == 0
    assert total(saved(lambda: (a * b) * a)) == 3 * 12 * 4  # a is kept once
    layer = nn.Linear(4, 2)
    assert total(saved(lambda: layer(a))) == 12 * 4  # the weight is a parameter


def test_the_attention_matrix_dominates_and_vanishes_where_it_is_fused_or_recomputed():
    kept = measure_kept(length=256, heads=2, d_k=16)
    one = 2 * 256 * 16 * 4  # q, k or v
    assert kept.square == 2 * 256 * 256 * 4
    assert kept.eager == kept.square + 3 * one
    assert kept.checkpointed == 3 * one
    assert 3 * one <= kept.fused < kept.square
    assert kept.chunked > kept.square  # autograd keeps every tile
    assert kept.products == 6 * 2 * 256 * 256 * 16  # two products forward, four backward
    assert kept.products < kept.products_checkpointed <= kept.products * 8 / 6


def test_autocast_shrinks_activations_and_nothing_else():
    mixed = measure_mixed_precision(length=128, batch=8)
    assert mixed.activations_mixed / mixed.activations == pytest.approx(0.6, abs=0.15)
    assert mixed.fixed == mixed.fixed_mixed == 16 * mixed.parameters
