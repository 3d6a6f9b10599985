"""Checks without training: what they notice, and that the course's own layer passes them all."""

from __future__ import annotations

import math

import pytest
import torch
from exhibits import bug_table
from torch.nn.functional import scaled_dot_product_attention

from figures import curves, tables
from figures.attention import Attention
from figures.attention import scaled_dot_product_attention as ours
from figures.experiments.injected_bugs import BUGS
from figures.experiments.recall import measure_recall
from figures.experiments.self_checks import CHECKS, HAND, Check, inspect_layer, run_checks
from figures.experiments.trades import measure_trades


def by_torch(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> Attention:
    """Torch's function with its weights read off by identity values."""
    identity = torch.eye(k.shape[-2]).expand(len(k), -1, -1)
    weights = scaled_dot_product_attention(q, k, identity, mask)
    return Attention(weights, weights, scaled_dot_product_attention(q, k, v, mask))


@pytest.mark.parametrize(("name", "check"), CHECKS)
def test_right_code_passes_every_check_whoever_wrote_it(name: str, check: Check) -> None:
    generator = torch.Generator().manual_seed(3)
    q, k, v = (torch.randn(2, 6, 8, generator=generator) for _ in range(3))
    assert check(by_torch, q, k, v), name
    assert check(ours, q, k, v), name


@pytest.mark.parametrize("seed", range(4))
def test_five_checks_without_a_reference_find_all_ten_bugs_together(seed: int) -> None:
    noticed = run_checks(seed)
    assert noticed.bugs == BUGS
    assert all(noticed.passed[0]), "no false alarm"
    assert noticed.checks[-1] == "torch"
    for bug, passed in zip(noticed.bugs[1:], noticed.passed[1:], strict=True):
        assert not all(passed[:-1]), bug
        assert not passed[-1], bug
    assert sum(not passed[0] for passed in noticed.passed) <= 3, "row sums alone find few"


def test_the_table_of_checks_counts_its_dots() -> None:
    table = tables.self_checks(run_checks())
    for column, check in enumerate(run_checks().checks, start=1):
        dots = sum(row[column] == "●" for row in table.rows[:-1])
        assert dots == table.values[check]
        assert table.rows[-1][column] == f"**{dots}**"


def test_the_hand_example_is_what_torch_says() -> None:
    keys = torch.tensor([[[1.0, 0], [0, 1], [1, 1]]])
    weights = scaled_dot_product_attention(torch.eye(2)[None], keys, torch.eye(3)[None])
    assert float(weights[0, 0, 0]) == pytest.approx(HAND, abs=1e-6)
    assert pytest.approx(0.401112, abs=1e-6) == HAND


def test_the_layer_of_the_course_passes_the_checklist() -> None:
    report = inspect_layer()
    assert report.future == 0.0
    for deviation in (report.row_sum, report.padding, report.cache, report.torch):
        assert deviation < 1e-6
    assert report.split
    assert report.evaluation
    assert not report.training
    assert report.first_loss == pytest.approx(math.log(report.classes), abs=0.3)
    assert report.last_loss < 0.1
    assert len(tables.checklist(report).rows) == tables.checklist(report).values["lines"]


def test_recall_is_answered_by_looking_at_the_right_pair() -> None:
    report = measure_recall()
    assert report.accuracy > 0.98
    assert report.looked > 0.98
    assert report.weight > 5 * report.uniform
    for question in report.questions:
        assert question.pairs[question.place][0] == question.key
        assert float(question.weights.sum()) == pytest.approx(1, abs=1e-5)


def test_the_cache_trades_memory_for_multiplications() -> None:
    found = measure_trades(d_model=32, tokens=64)
    assert found.cache_bytes == 2 * 64 * 32 * 4, "keys and values of every token"
    assert found.recomputed > 50 * found.cached
    assert found.square_bytes == 4 * found.square_bytes_one_head == 4 * 4 * 64 * 64
    assert found.masked == pytest.approx((64 - 1) / (2 * 64))
    assert found.row_sums[0] < 0.9 < 1.05 < found.row_sums[1]
    assert len(tables.trades(found).rows) == 5


def test_the_bars_count_what_the_tables_mark() -> None:
    values = curves.bugs_noticed(bug_table(), run_checks()).values
    assert values["five"] == values["torch"] == values["bugs"] == 10
    assert values["rows"] < values["one"] < values["five"]
    assert values["digit"] == tables.injected_bugs(bug_table()).values["digit_reveals"]
