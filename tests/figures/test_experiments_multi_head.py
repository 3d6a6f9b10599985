"""Facts about multi-head attention within the bounds that the course states."""

from __future__ import annotations

from figures.experiments.multi_head import HEAD_COUNTS, count_parameters, measure_multi_head


def test_the_facts_hold_for_several_layers():
    for seed in range(3):
        facts = measure_multi_head(seed=seed)
        assert facts.reach == facts.d_model == 8
        assert 0 <= facts.sum_difference < 1e-6
        assert 0 <= facts.torch_difference < 1e-6
        assert facts.refused == "ValueError"
        assert facts.small == ((2, 5, 8), (2, 5, 8), (2, 2, 5, 5))
        assert facts.free_shape == (2, 5, 512)
        assert facts.key_bias < 1e-6 < 1e-3 < facts.query_bias
        assert facts == measure_multi_head(seed=seed)


def test_a_merge_without_the_transpose_is_silent_and_reads_the_future():
    merge = measure_multi_head().merge
    assert "contiguous" in merge.view_error or "view size is not compatible" in merge.view_error
    assert merge.right_reads == (0,)
    assert max(merge.silent_reads) > 0
    assert 0 < merge.silent_equal < 0.5


def test_the_number_of_heads_does_not_change_the_number_of_parameters():
    assert [c.parameters for c in count_parameters(HEAD_COUNTS)] == [1_050_624] * 3
    for c in count_parameters():
        assert c.parameters == 4 * (c.d_model**2 + c.d_model)
        assert c.without_bias == 4 * c.d_model**2
        assert c.d_head * c.num_heads == c.d_model
