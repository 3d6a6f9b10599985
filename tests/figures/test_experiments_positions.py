"""Order and positions: what a layer without them cannot tell, and what changes with them."""

from __future__ import annotations

import pytest
import torch
from measured import record

from figures.experiments.positions import in_both_orders, measure_order, shuffled_half, train_order_reader


def test_attention_without_positions_turns_with_its_input():
    for seed in range(3):
        facts = measure_order(seed=seed)
        assert facts.equivariance < 1e-6
        assert facts.pooled < 1e-6
        assert facts.position_by_position > 0.05  # not "identical representations"
        assert facts.added_after < 1e-5 < 1e-2 < facts.added_before
        assert facts.causal_pooled > 0.05  # a causal model is not blind to order
        assert facts.norm == pytest.approx(32, rel=1e-5)
        assert facts.relative < 1e-4


def test_shuffled_idioms_have_the_same_characters_in_another_order():
    idioms = torch.arange(80).view(20, 4)
    symbols, real = shuffled_half(idioms, torch.Generator().manual_seed(0))
    assert real.tolist() == [1.0] * 10 + [0.0] * 10
    assert torch.equal(symbols.sort(1).values, idioms)
    assert torch.equal(symbols[:10], idioms[:10])
    assert (symbols[10:] != idioms[10:]).any(1).all()


def test_in_both_orders_each_idiom_comes_once_as_it_is_and_once_shuffled():
    idioms = torch.arange(80).view(20, 4)
    symbols, real = in_both_orders(idioms, torch.Generator().manual_seed(0))
    assert real.tolist() == [1.0] * 20 + [0.0] * 20
    assert torch.equal(symbols[:20], idioms)
    assert torch.equal(symbols[20:].sort(1).values, idioms)
    assert (symbols[20:] != idioms).any(1).all()


def test_without_positions_a_sentence_and_its_reverse_get_one_verdict():
    blind = train_order_reader("none", steps=3)
    seeing = train_order_reader("sinusoidal", steps=3)
    assert blind.logit == pytest.approx(blind.swapped_logit, abs=1e-5)
    assert abs(seeing.logit - seeing.swapped_logit) > 1e-3
    assert torch.equal(blind.loss, train_order_reader("none", steps=3).loss)


@pytest.mark.slow
def test_only_a_reader_with_positions_learns_the_order_of_idioms():
    blind = record(train_order_reader, positions="none")
    assert blind.training_accuracy == pytest.approx(0.5, abs=2e-3)  # exactly, but for sums rounded in another order
    assert blind.accuracy == pytest.approx(0.5, abs=0.01)
    seeing = record(train_order_reader, positions="sinusoidal")
    assert seeing.training_accuracy > 0.75
    assert seeing.accuracy > 0.58
