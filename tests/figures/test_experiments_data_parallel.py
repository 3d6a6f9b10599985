"""Two real processes that train together."""

from __future__ import annotations

import pytest
from measured import record

from figures.experiments.data_parallel import HEADS, LENGTH, measure_data_parallel


@pytest.mark.slow
def test_each_process_keeps_what_its_own_batch_needs_whatever_the_number_of_processes():
    facts = record(measure_data_parallel)
    matrix = HEADS * LENGTH * LENGTH * 4
    assert facts.alone == tuple(batch * matrix for batch in facts.batches)
    assert facts.each == tuple((batch * matrix,) * facts.world for batch in facts.batches)
    assert facts.inputs_differ
    assert facts.gradients_equal
    assert facts.gradient_difference < 1e-6
