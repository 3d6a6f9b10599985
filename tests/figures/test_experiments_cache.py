"""The cache: same numbers, counted products, shapes and bytes."""

from __future__ import annotations

import pytest
from measured import record

from figures.experiments.cache import (
    all_again,
    cache_bytes_per_token,
    measure_cache,
    measure_cache_cost,
    measure_cached_batch,
    measure_old_keys,
    one_step,
)


def test_counted_products_follow_the_formulas():
    cost = measure_cache_cost(d_model=32, num_heads=4, lengths=(4, 16, 64))
    for n, cached, recomputed in zip(cost.lengths, cost.cached, cost.recomputed, strict=True):
        assert cached == one_step(n, 32)
        assert recomputed == all_again(n, 32)
    assert cost.recomputed_in_all[0] == sum(all_again(n, 32) for n in range(1, 5))
    assert cost.recomputed_in_all[-1] > 20 * cost.cached_in_all[-1]


def test_decoding_with_a_cache_gives_the_full_pass_with_one_row_of_scores():
    facts = measure_cache()
    assert facts.difference < 1e-5
    assert facts.score_shape == (1, 4, 1, 40)
    assert facts.full_score_shape == (1, 4, 40, 40)
    assert facts.cache_shape == (1, 4, 40, 16)
    assert facts.kv_heads == (4, 2, 1)
    assert facts.bytes_per_token == tuple(cache_bytes_per_token(1, h, 16, 4) for h in facts.kv_heads) == (512, 256, 128)


def test_a_cache_of_a_large_model_takes_half_a_mebibyte_a_token():
    assert cache_bytes_per_token(layers=32, kv_heads=32, d_head=128, bytes_per_number=2) == 512 * 1024


def test_a_padded_batch_with_a_cache_is_wrong_without_a_mask_and_right_with_it():
    for seed in range(3):
        facts = measure_cached_batch(seed=seed)
        assert facts.masked < 1e-5 < 0.05 < min(facts.unmasked, facts.misplaced)


@pytest.mark.slow
def test_recomputing_a_long_text_costs_a_thousand_times_the_products():
    cost = record(measure_cache_cost)
    assert cost.recomputed[-1] > 1000 * cost.cached[-1]


def test_old_keys_of_a_second_layer_stay_only_under_a_causal_mask():
    for seed in range(3):
        changes = measure_old_keys(seed=seed)
        assert changes.causal < 1e-6 < 0.01 < changes.bidirectional
