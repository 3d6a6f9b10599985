"""Facts about the softmax within the bounds that the course states."""

from __future__ import annotations

import pytest
import torch

from figures.experiments.softmax import (
    entropy,
    measure_gates,
    measure_initial_spread,
    measure_peaks,
    measure_score_time,
    measure_spread,
)


def test_entropy_is_that_of_torch():
    weights = torch.rand(5, 7, generator=torch.Generator().manual_seed(0)).softmax(-1)
    assert entropy(weights).tolist() == pytest.approx(torch.distributions.Categorical(weights).entropy().tolist())


def test_a_small_spread_means_uniform_weights_and_a_large_one_a_single_key():
    facts = measure_spread()
    assert facts.entropy == pytest.approx((0.998, 0.959, 0.852, 0.593, 0.315), abs=0.015)
    assert list(facts.largest) == sorted(facts.largest)
    assert facts == measure_spread()


def test_without_the_scale_width_sharpens_and_length_does_not():
    largest = measure_peaks().largest
    assert (largest.diff(dim=0) > 0).all()
    assert (largest.diff(dim=1) < 0.05).all()
    assert largest[1, 0] > largest[1, 2]


def test_fresh_scores_spread_by_less_than_one():
    facts = measure_initial_spread()
    assert 0.3 < facts.torch_default < 0.7
    assert facts.narrow == pytest.approx(512 * 0.02**2, rel=0.15)
    assert facts == measure_initial_spread()


def test_a_gate_need_not_sum_to_one():
    facts = measure_gates()
    assert facts.softmax_sum == pytest.approx(1, abs=1e-9)
    assert facts.gate_sum > 10
    assert facts.hard_nonzero == 1


def test_a_clock_time_is_a_positive_ratio():
    assert measure_score_time(size=16).ratio > 0
