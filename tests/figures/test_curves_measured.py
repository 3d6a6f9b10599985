"""The measured claims behind the curves, within bounds that uniform weights would break."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
import torch
from exhibits import cache_cost, copier, length_curve, memory, translators
from hypothesis import given
from hypothesis import strategies as st
from legible import course_style

from figures import curves
from figures.experiments.length_cost import measure_length_cost, measure_score_cost
from figures.experiments.mask_fills import measure_mask_fills
from figures.experiments.scaling import jacobian_norm, measure_scaling
from figures.plots import spread

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def style() -> Iterator[None]:
    with course_style():
        yield


def test_the_variance_of_raw_scores_is_d_and_of_scaled_ones_one() -> None:
    measured = measure_scaling((4, 64, 1024), samples=2000)
    for width, raw, scaled in zip(measured.widths, measured.variance_raw, measured.variance_scaled, strict=True):
        assert raw / width == pytest.approx(1, abs=0.03)
        assert scaled == pytest.approx(1, abs=0.03)


def test_the_jacobian_norm_is_that_of_autograd() -> None:
    scores = torch.randn(7, generator=torch.Generator().manual_seed(0), dtype=torch.double)
    jacobian = torch.func.jacrev(lambda e: e.softmax(-1))(scores)
    assert float(jacobian_norm(scores.softmax(-1))) == pytest.approx(float(jacobian.norm()))


def test_without_scaling_the_gradient_vanishes_and_with_it_nothing_changes() -> None:
    measured = measure_scaling((64, 1024), samples=2000)
    assert 0.07 < measured.gradient_raw[0] < 0.17
    assert measured.gradient_raw[1] < 1e-3
    assert all(0.27 < norm < 0.33 for norm in measured.gradient_scaled)
    uniform = float(jacobian_norm(torch.full((16,), 1 / 16)))
    assert not 0.27 < uniform < 0.33, "uniform weights would not pass this test"


def test_the_curves_hand_on_what_was_measured() -> None:
    values = curves.variance((4, 16), samples=500).values
    measured = measure_scaling((4, 16), samples=500)
    assert values["raw"] == list(measured.variance_raw)
    assert values["raw_16"] == measured.variance_raw[1]
    assert curves.gradient((4, 16), samples=500).values["scaled"] == list(measured.gradient_scaled)


def test_saturation_grows_without_scaling_only() -> None:
    values = curves.softmax_saturation(samples=500).values
    assert values["peak_raw_4"] < values["peak_raw_64"] < values["peak_raw_1024"]
    assert values["peak_raw_1024"] > 0.9
    assert max(values[f"peak_scaled_{width}"] for width in (4, 64, 1024)) < 0.35


def test_additive_scores_keep_a_vector_for_every_pair_of_tokens() -> None:
    cost = measure_score_cost((32, 48), d=16)
    for length, additive, dot in zip(cost.lengths, cost.additive, cost.dot, strict=True):
        assert dot == 4 * length * length, "the weights"
        assert additive - dot == 4 * (length * length * 16), "and tanh of every pair"


def test_only_the_square_part_grows_fourfold() -> None:
    cost = measure_length_cost((64, 128, 256), d_model=128, heads=4)
    assert [later / earlier for earlier, later in pairwise(cost.square)] == [4, 4]
    assert [later / earlier for earlier, later in pairwise(cost.other)] == [2, 2]
    assert cost.square[0] == 4 * 4 * 64 * 64


def test_curves_of_position_codes_coincide() -> None:
    values = curves.position_similarity().values
    assert values["spread"] < 1e-5
    assert values["top"] == pytest.approx(32)


def test_rotary_products_depend_on_the_distance_alone_and_slopes_halve_twice() -> None:
    assert curves.rotary_distance().values["spread"] < 1e-5
    assert curves.alibi(heads=4).values["slopes"] == pytest.approx([2**-2, 2**-4, 2**-6, 2**-8])


def test_a_cache_turns_a_square_into_a_line() -> None:
    values = curves.cache_step(cache_cost()).values
    assert values["slow"][-1] == 128 * values["fast"][-1], "all n tokens again, against the new one"


def test_a_leak_shows_below_the_entropy_floor() -> None:
    values = curves.leak((copier(causal=True), copier(causal=False))).values
    assert values["leaking_loss"] < values["floor"] < values["causal_loss"]


def test_each_length_is_quoted_for_each_mechanism() -> None:
    curve = length_curve("none")
    values = curves.bottleneck((curve, length_curve("additive"))).values
    assert [values[f"none_{length}"] for length in curve.lengths] == list(curve.accuracy)


def test_places_are_quoted_for_memory_and_for_writing() -> None:
    values = curves.recency((memory("forwards"), memory("backwards")), length_curve("none")).values
    assert len(values["forwards"]) == len(values["free"]) == 12
    assert values["forwards_last"] == values["backwards_first"] == pytest.approx(0.9)
    assert values["forced_last"] == pytest.approx(values["free_last"] + 0.05)


def test_the_end_of_a_loss_is_the_mean_of_its_last_steps() -> None:
    values = curves.training_loss(translators("none", "dot")).values
    assert values["dot_end"] == pytest.approx(float(torch.linspace(3, 0.01, 100)[-20:].mean()))


def test_finite_fillings_hide_in_single_precision_but_not_a_whole_row() -> None:
    by_fill = {round(fill.fill) if abs(fill.fill) < 1e10 else fill.fill: fill for fill in measure_mask_fills()}
    assert by_fill[-(10**9)].weights[-1] == 0.0
    assert by_fill[-(10**9)].half is None, "half precision cannot hold -1e9"
    assert by_fill[-(10**9)].empty_row == pytest.approx((1 / 3,) * 3)
    assert all(weight != weight for weight in by_fill[float("-inf")].empty_row), "NaN"
    assert by_fill[0].weights[-1] == pytest.approx(0.09003, abs=1e-5)


@given(places=st.lists(st.floats(0, 1), min_size=1, max_size=6), gap=st.floats(0.01, 0.15))
def test_names_at_line_ends_keep_their_order_and_their_distance(places: list[float], gap: float) -> None:
    moved = spread(places, gap)
    order = sorted(range(len(places)), key=lambda i: places[i])
    for one, other in pairwise(order):
        assert moved[other] - moved[one] >= gap - 1e-9
    assert min(moved) >= -1e-9
    assert max(moved) <= 1 + 1e-9
