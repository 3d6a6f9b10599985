"""What the chapter on self-attention says of its figures, within the bounds of its words."""

from __future__ import annotations

import pytest
import torch
from exhibits import copier, trained_reader

from figures import curves, diagrams, heatmaps, tables
from figures.experiments.multi_head import measure_multi_head
from figures.heatmaps.cross_attention import cross
from figures.heatmaps.overview import period


def test_a_mask_by_the_lengths_of_the_target_shows_pads_and_hides_tokens() -> None:
    for seed in range(3):
        crossed = cross(16, seed)
        assert crossed.keep[:, 0, 0].tolist() == [[True, True, False, False], [True] * 4]
        assert crossed.right.weights[0, 0, :, 2:].abs().max() == 0
        assert crossed.wrong.weights[0, 0, :, 2].min() > 0
        assert crossed.wrong.weights[1, 0, :, 3].abs().max() == 0
        assert crossed.change > 0.1
        assert crossed.error == "RuntimeError", "of unequal lengths it is no silent fault"
    values = heatmaps.cross_attention().values
    assert values["wrong"] == 6
    assert values["lost"] == "tired"
    assert values["pad_weight"] > 0.1
    assert values["weights_shape"] == [2, 1, 4, 4]


def test_order_is_seen_position_by_position_after_positions_and_under_a_causal_mask() -> None:
    for seed in range(3):
        values = heatmaps.word_order(seed=seed).values
        assert max(values["without"], values["pooled_without"], values["pooled_after"]) < 1e-6
        assert min(values["with_positions"], values["pooled_with"], values["by_position_without"]) > 0.02
        assert values["pooled_causal"] > 0.1


def test_a_head_is_shown_by_its_role_wherever_training_put_it() -> None:
    values = heatmaps.self_attention(trained_reader(), role="earliest").values
    assert values["shown"] == 4
    assert values["shown_share"] == pytest.approx(0.9)
    with pytest.raises(ValueError, match="no head has the role 'earliest'"):
        heatmaps.self_attention(trained_reader(heads=2), role="earliest")


def test_the_table_of_roles_says_the_best_of_the_losers_and_the_worst_of_the_rest() -> None:
    values = tables.head_roles(trained_reader()).values
    assert values["greatest_own"] == values["least_others"] == 0.5
    assert values["role_1"] == "看前一个字"


def test_heads_that_look_at_one_offset_are_counted() -> None:
    values = heatmaps.overview(copier(causal=True)).values
    assert (values["common_1"], values["alike_1"]) == (1, 4)
    assert (values["common_2"], values["alike_2"], values["block"]) == (6, 4, 6)
    assert 0.5 < values["least_share_2"] <= values["greatest_share_2"] <= 1
    assert period(("a", "b", "a", "b", "a")) == 2
    assert period(("a", "b", "c")) == 3


def test_facts_of_multi_head_attention_stand_in_a_table() -> None:
    table = tables.multi_head(measure_multi_head())
    assert table.rows[0][1] == "8 维中的 8 维"
    assert table.rows[3][1] == "输出 [2, 5, 512]"
    assert table.values["future_read"][0] == 1
    assert table.values["merge_equal"] < 0.5


def test_alibi_takes_most_from_the_steepest_head_and_a_rotary_product_knows_the_distance_alone() -> None:
    values = curves.alibi().values
    assert values["slopes"] == [2.0 ** (-8 * h / 4) for h in range(1, 5)]
    assert (values["steepest"], values["gentlest"]) == (16 / 4, 16 / 256)
    rotated = curves.rotary_distance().values
    assert rotated["spread"] < 1e-5
    assert rotated["top"] == pytest.approx(1)
    assert rotated["bottom"] < rotated["top"]


def test_a_causal_mask_keeps_the_diagonal() -> None:
    values = diagrams.mask_shapes().values
    T = values["T"]
    assert values["causal_kept"] == T * (T + 1) // 2 == int(torch.ones(T, T).tril().sum())
