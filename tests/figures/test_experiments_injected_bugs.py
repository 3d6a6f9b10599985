"""The toy, the stricter task, and the comparison that finds every bug."""

from __future__ import annotations

import pytest
import torch
from measured import record

from figures.experiments.injected_bugs import BUGS, DIGIT, difference_from_torch, draw, measure_bugs, run


def test_the_comparison_with_torch_finds_every_bug_and_passes_the_right_code():
    for bug in BUGS:
        for seed in range(3):
            difference = difference_from_torch(bug, seed)
            assert (difference < 1e-5) if bug == "none" else (difference > 1e-2)


def test_the_digit_task_asks_for_a_seven_outside_the_padding():
    symbols, mask, answers, telling = draw("digit", 300, torch.Generator().manual_seed(0))
    for row, keep, answer, places in zip(symbols[..., 0], mask, answers, telling, strict=True):
        assert (DIGIT in row[keep].tolist()) == bool(answer)
        assert torch.equal(places, (row == DIGIT) & keep)
    assert 0.3 < answers.double().mean() < 0.7


def test_the_recall_task_asks_for_the_value_of_exactly_one_pair():
    symbols, mask, answers, telling = draw("recall", 300, torch.Generator().manual_seed(0))
    for row, keep, answer, places in zip(symbols, mask, answers, telling, strict=True):
        pairs = row[1:][keep[1:]]
        matching = pairs[pairs[:, 0] == row[0, 0]]
        assert matching[:, 1].tolist() == [answer]
        assert row[places].tolist() == matching.tolist()
        assert len(pairs[:, 0].unique()) == len(pairs)


def test_a_training_gives_the_same_numbers_again():
    first, again = (run("recall", "no scale", 0, 3) for _ in range(2))
    assert (first.accuracy, first.weight) == (again.accuracy, again.weight)


@pytest.mark.slow
def test_neither_task_finds_most_bugs():
    table = record(measure_bugs)
    right, *faulty = table.reports
    assert right.digit_accuracy > 0.98
    assert right.recall_accuracy > 0.98
    assert right.digit_weight > 0.8
    assert right.recall_weight > 0.9
    assert sum(report.digit_accuracy > 0.98 for report in faulty) >= 5
    assert sum(report.recall_accuracy > 0.98 for report in faulty) >= 4
    by_name = {report.bug: report for report in faulty}
    assert by_name["mask inverted"].digit_accuracy < 0.8
    assert by_name["uniform weights"].recall_accuracy < 0.5
    assert by_name["context dropped"].recall_accuracy < 0.3
