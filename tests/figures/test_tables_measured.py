"""Tables say what their values say."""

from __future__ import annotations

import json

import pytest
import torch
from exhibits import cache_cost, trained_reader, translator, translators

from figures import tables
from figures.exhibit import MeasuredTable
from figures.experiments.biases import measure_biases
from figures.experiments.cache import measure_cache
from figures.experiments.dropout import measure_dropout, measure_dropout_switches
from figures.experiments.injected_bugs import BugReport, BugTable
from figures.experiments.length_cost import measure_chunks
from figures.experiments.softmax import (
    SameFunction,
    ScoreTime,
    measure_gates,
    measure_initial_spread,
    measure_premises,
    measure_same_function,
)
from figures.numerals import decimals, grid, power_of_ten, share
from figures.tables.translators import EVERY


def test_every_table_is_rectangular_and_its_values_are_data() -> None:
    every = (
        tables.mechanisms(translators("none", "additive", "dot", "general", "concat")),
        tables.shapes(),
        tables.configurations(),
        tables.mask_fills(),
        tables.scaling((4, 16), samples=200),
        tables.memory_by_length((24, 48)),
        tables.decoding(cache_cost()),
        tables.cache_sizes(measure_cache(tokens=5)),
        tables.published_caches(),
        tables.biases(measure_biases()),
        tables.chunks(measure_chunks(length=128, d_k=8, blocks=(32, 16))),
        tables.mask_conventions(),
        tables.head_roles(trained_reader()),
        tables.dropout_switches(measure_dropout_switches(), measure_dropout(draws=100)),
    )
    for table in every:
        assert isinstance(table, MeasuredTable)
        assert len(table.rows) >= 2
        assert json.loads(json.dumps(dict(table.values), allow_nan=False))


def test_the_five_mechanisms_have_a_row_each_with_their_quality() -> None:
    models = translators("none", "additive", "dot", "general", "concat")
    table = tables.mechanisms(models)
    assert len(table.rows) == 5
    for row, model in zip(table.rows, models, strict=True):
        assert table.values[f"{model.mechanism}_parameters"] == model.parameters
        assert row[4] == f"{model.quality.exact:.1%}"
    assert table.rows[0][5] == "–", "without attention there is nothing to align"
    assert table.values["dot_alignment"] == models[2].quality.alignment


def test_shapes_are_read_off_a_run() -> None:
    values = tables.shapes(B=2, T_q=3, T_k=4, d_k=8, d_v=5).values
    assert values["weights"] == [2, 3, 4]
    assert values["output"] == [2, 3, 5]
    assert values["masked_weight"] == 0.0


def test_parameters_are_those_of_torch_and_do_not_depend_on_heads() -> None:
    values = tables.configurations().values
    with torch.device("meta"):
        expected = sum(p.numel() for p in torch.nn.MultiheadAttention(512, 8).parameters())
    assert values["parameters_512"] == values["parameters_512_single"] == expected == 1_050_624


def test_english_tables_are_in_english() -> None:
    assert tables.configurations(lang="en").header[1] == "heads h"
    assert all(
        character.isascii() or character in "₀√−–"
        for head in tables.scaling(lang="en", samples=50).header
        for character in head
    )


def test_all_nine_translators_fit_into_one_table() -> None:
    models = tuple(map(translator, EVERY))
    table = tables.all_mechanisms(models, ScoreTime(50.0), SameFunction(4e-7, 2e-7))
    assert len(table.rows) == 9
    assert table.values["hard_gumbel_exact"] == 0.9
    assert table.values["additive_slower"] == 20
    again = tables.all_mechanisms(models, ScoreTime(1.5), SameFunction(4e-7, 2e-7))
    assert again.rows == table.rows
    assert again.values["additive_slower"] == 1


def test_memory_grows_fourfold_and_twofold() -> None:
    assert tables.memory_by_length((48, 96)).rows[1][3] == "×4.0 / ×2.0"


def test_one_kv_head_keeps_a_quarter_of_four() -> None:
    values = tables.cache_sizes(measure_cache(tokens=5, num_heads=4)).values
    assert values["bytes_1"] * 4 == values["bytes_4"]
    assert values["score_shape"] == [1, 4, 1, 5]


def test_a_bug_that_shows_is_bold_and_counted() -> None:
    right = BugReport("none", 1.0, 1.0, 0.9, 0.9, 0.0)
    hidden = BugReport("no scale", 1.0, 1.0, 0.9, 0.9, 0.5)
    shown = BugReport("mask inverted", 0.55, 0.2, 0.1, 0.1, 0.8)
    table = tables.injected_bugs(BugTable(0, 100, 0.5, 0.1, (right, hidden, shown), ("7",), torch.ones(1, 1)))
    assert table.rows[1][1] == "100.0%"
    assert table.rows[2][1] == "**55.0%**"
    assert (table.values["digit_reveals"], table.values["torch_reveals"], table.values["bugs"]) == (1, 2, 2)


def test_numbers_are_written_with_a_true_minus_and_without_a_lonely_sign() -> None:
    assert decimals(-1.25, 1) == "−1.2"
    assert decimals(-0.04, 1) == "0.0"
    assert grid([[1.0, -2.0]], 0) == [["1", "−2"]]
    assert (share(0.27), share(1.0), share(0.0), share(0.999)) == (".27", "1", "0", "1.00")
    assert power_of_ten(-1e9) == "$-10^{9}$"


def test_masks_of_torch_mean_two_things_and_our_own_keeps() -> None:
    values = tables.mask_conventions().values
    assert [values[f"true_means_{number}"] for number in range(5)] == ["keep", "keep", "ignore", "ignore", "ignore"]
    assert values["empty_row_0"] == "0"
    assert values["empty_row_3"] == "NaN", "with returned weights, as reported to torch"


def test_a_row_for_each_head_says_what_is_lost_without_it() -> None:
    table = tables.head_roles(trained_reader())
    assert [row[0] for row in table.rows] == ["头 1", "头 2", "头 3", "头 4"]
    assert table.rows[0][2] == "0.90"


def test_only_evaluation_switches_dropout_off() -> None:
    table = tables.dropout_switches(measure_dropout_switches(), measure_dropout(draws=100))
    assert [row[1] for row in table.rows] == ["不同", "不同", "相同", "不同"]


def test_only_a_softmax_sums_to_one() -> None:
    values = tables.gates(measure_gates()).values
    assert values["softmax_sum"] == pytest.approx(1, abs=1e-9)
    assert abs(values["gate_sum"] - 1) > 10


def test_scaled_scores_have_variance_one_only_under_the_premises() -> None:
    fresh = tuple(measure_initial_spread(d_model) for d_model in (512, 64))
    same = measure_same_function()
    values = tables.score_spread(measure_premises(), fresh, same).values
    assert values["variance_independent"] == pytest.approx(1, abs=0.02)
    assert values["variance_shifted"] == pytest.approx(3, abs=0.06)
    assert values["variance_same"] == pytest.approx(2, abs=0.04)
    assert 0.45 < values["torch_default_512"] < 0.55
    assert values["narrow_64"] < 0.05 < 0.18 < values["narrow_512"] < 0.25
    assert max(same.concat, same.torch) < 1e-6


def test_a_step_of_the_dot_product_costs_least() -> None:
    values = tables.all_mechanisms(tuple(map(translator, EVERY)), ScoreTime(50.0), SameFunction(4e-7, 2e-7)).values
    every = [values[f"{name.replace('-', '_')}_products"] for name in EVERY if name != "none"]
    assert min(every) == values["dot_products"] < values["general_products"] < values["additive_products"]
