"""Biases, dropout on few examples, and blocks of keys, within the bounds that the course states."""

from __future__ import annotations

import math
from statistics import median

import pytest
import torch
from measured import record

from figures import heatmaps, tables
from figures.attention import scaled_dot_product_attention
from figures.experiments.biases import measure_biases
from figures.experiments.dropout import train_on_small_data
from figures.experiments.length_cost import largest_tensor, measure_chunks
from figures.heatmaps.other_functions import causal_linear_weights


def test_a_bias_on_the_keys_moves_nothing_and_one_on_the_queries_does():
    for seed in range(3):
        query, key, value, output = measure_biases(seed=seed).weights
        assert key < 1e-6 < 0.05 < query
        assert value == output == 0


def test_a_bias_on_the_values_is_a_constant_shift_of_the_output():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 5, 8)
    shift = torch.randn(8)
    moved = scaled_dot_product_attention(q, k, v + shift).output
    assert torch.allclose(moved, scaled_dot_product_attention(q, k, v).output + shift, atol=1e-5)


def test_loading_biases_into_a_layer_without_is_refused_by_name():
    table = tables.biases(measure_biases())
    assert table.values["error"] == 'Unexpected key(s) in state_dict: "w_q.bias"'
    assert table.values["bias_share"] == pytest.approx(4 * 512 / (4 * 512 * 513))


def test_blocks_make_the_largest_tensor_smaller_and_leave_the_output():
    cost = measure_chunks(length=256, d_k=16, blocks=(64, 32))
    assert cost.whole == 256 * 256
    assert cost.largest == (256 * 64, 256 * 32)
    assert all(0 <= difference < 1e-5 for difference in cost.difference)


def test_the_largest_tensor_of_a_product_is_found():
    _, size = largest_tensor(lambda: (torch.ones(3, 1) @ torch.ones(1, 5)).sum())
    assert size == 15


def test_linear_attention_and_a_window_are_other_functions_and_blocks_are_not():
    values = heatmaps.other_functions().values
    assert values["chunked_difference"] < 1e-5 < 0.1 < min(values["linear_difference"], values["window_difference"])
    assert values["linear_peak"] < values["softmax_peak"]


def test_weights_of_linear_attention_are_features_over_their_sum():
    torch.manual_seed(0)
    q, k = torch.randn(2, 6, 4)
    features = [torch.nn.functional.elu(x) + 1 for x in (q, k)]
    products = (features[0] @ features[1].T).tril()
    assert torch.allclose(causal_linear_weights(q, k), products / products.sum(-1, keepdim=True), atol=1e-6)


def test_published_caches_are_those_of_the_models():
    values = tables.published_caches().values
    assert values["llama_2_7b_kib"] == 512
    assert values["llama_2_7b_gib"] == 2
    assert values["mistral_7b_kib"] == 128


@pytest.mark.slow
def test_dropout_narrows_the_gap_on_few_examples_and_does_not_replace_data():
    runs = {p: [record(train_on_small_data, dropout=p, seed=seed) for seed in range(3)] for p in (0.0, 0.5)}
    gaps = {p: median(run.held_out_loss - run.training_loss for run in each) for p, each in runs.items()}
    assert gaps[0.5] < 0.6 * gaps[0.0]
    assert median(run.training_loss for run in runs[0.0]) < median(run.training_loss for run in runs[0.5])
    assert all(0.5 < run.held_out_accuracy < 0.7 for each in runs.values() for run in each)
    assert all(run.held_out_loss > math.log(2) for each in runs.values() for run in each), "an even guess costs ln 2"
