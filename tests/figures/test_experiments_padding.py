"""Padding and dropout within the bounds that the course states."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from figures import diagrams
from figures.experiments.dropout import measure_dropout, measure_dropout_switches
from figures.experiments.padding import combine_masks, measure_head_axis_trap, measure_padding_drift


def test_unmasked_pads_draw_weight_and_move_the_output_and_masked_ones_do_not():
    for seed in range(3):
        drift = measure_padding_drift(seed=seed)
        assert list(drift.weight) == sorted(drift.weight)
        assert drift.weight[0] > 0.1
        assert drift.weight[-1] > 0.5
        assert min(drift.drift) > 0.01
        assert drift.masked_weight == (0, 0, 0)
        assert max(drift.masked_drift) < 1e-6


def test_torchs_layer_drifts_as_ours_does():
    """The claim does not hang on this implementation: without a padding mask torch's own layer drifts too."""
    layer = nn.MultiheadAttention(32, 4, batch_first=True)
    x = torch.randn(1, 3, 32, generator=torch.Generator().manual_seed(0))
    padded = torch.cat([x, torch.zeros(1, 3, 32)], 1)
    alone, unmasked = layer(x, x, x)[0], layer(padded, padded, padded)[0][:, :3]
    hidden = torch.arange(6)[None] >= 3
    masked = layer(padded, padded, padded, key_padding_mask=hidden)[0][:, :3]
    assert (unmasked - alone).abs().max() > 0.01
    assert (masked - alone).abs().max() < 1e-6


def test_a_mask_without_the_head_axis_hides_across_sentences():
    trap = measure_head_axis_trap()
    assert trap.on_pads[0].tolist() == pytest.approx([0, 0.4, 0.25])  # heads use the lengths 3, 5, 4 in turn
    assert trap.lost[1].tolist() == [2, 0, 1]
    assert trap.lost.diagonal().tolist() == [0, 0, 0]
    assert "must match the size" in trap.error


def test_keep_masks_are_joined_by_and_and_ignore_masks_by_or():
    masks = combine_masks()
    assert masks.pads == (2, 0, 1)
    assert masks.agree
    cells = [(length, t, s) for length in masks.lengths for t in range(5) for s in range(5)]
    assert masks.hidden == sum(s >= length or s > t for length, t, s in cells)
    assert masks.hidden_by_and == sum(s >= length and s > t for length, t, s in cells) < masks.hidden
    assert masks.empty_rows == sum(masks.pads)


def test_dropout_keeps_the_mean_and_not_the_sum_of_a_row():
    facts = measure_dropout()
    assert facts.row_sum_lowest < 0.7
    assert facts.row_sum_highest == pytest.approx(1 / 0.9, abs=1e-3)
    assert facts.row_sum_mean == pytest.approx(1, abs=0.02)
    assert facts.bias < 5e-3
    assert 0.15 < facts.dropped / facts.weights < 0.45
    assert facts.columns_dropped == 0
    assert facts == measure_dropout()


def test_no_column_of_the_drawn_matrix_is_dropped_whole():
    values = diagrams.dropped_weights(measure_dropout()).values
    assert values["whole_columns"] == 0 < values["dropped"] < values["cells"]


def test_only_evaluation_mode_switches_dropout_off_and_the_function_never_looks():
    switches = measure_dropout_switches()
    assert switches.evaluation
    assert not switches.training
    assert not switches.training_without_grad
    assert not switches.function_in_evaluation
