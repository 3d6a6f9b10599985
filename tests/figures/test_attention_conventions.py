"""Public bug reports as cases: dropout, masks, head sizes, hard and local attention."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from figures.attention import (
    MultiHeadAttention,
    additive_attention,
    causal_mask,
    drop_weights,
    hard_attention,
    local_attention,
    log_probability,
    luong_attention,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
)


def randn(seed, *shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), requires_grad=True)


def test_dropout_acts_in_training_only():
    """Case: pytorch 124464, dropout of the functional form stays on in evaluation."""
    attention, x = MultiHeadAttention(8, 2, dropout=0.5), randn(0, 2, 6, 8)
    first, second = attention(x)[0], attention(x)[0]
    assert not torch.equal(first, second)
    attention.eval()
    assert torch.equal(attention(x)[0], attention(x)[0])


def test_dropout_from_one_generator_is_repeatable_and_unbiased():
    weights = torch.full((1, 4), 0.25)
    again = [drop_weights(weights, 0.2, torch.Generator().manual_seed(7)) for _ in range(2)]
    assert torch.equal(*again)
    many = drop_weights(torch.full((100_000,), 0.25), 0.2, torch.Generator().manual_seed(1))
    assert many.unique().tolist() == [0.0, 0.3125]
    assert many.mean() == pytest.approx(0.25, abs=2e-3)


def test_a_single_weight_is_five_quarters_or_nothing_under_dropout():
    """Case: pytorch 42929, weights above 1 in training."""
    seen = {
        scaled_dot_product_attention(
            randn(0, 1, 4), randn(1, 1, 4), randn(2, 1, 4), dropout_p=0.2, generator=torch.Generator().manual_seed(s)
        ).weights.item()
        for s in range(40)
    }
    assert seen == {0.0, 1.25}


def test_a_dropout_probability_outside_zero_to_one_is_refused():
    with pytest.raises(ValueError, match="lies in"):
        drop_weights(torch.ones(2), 1.0)


def test_the_first_row_of_a_causal_mask_keeps_the_first_key_only():
    """Cases: pytorch 29546 (flipped), LLMs-from-scratch 1061 (polarity)."""
    assert causal_mask(4)[0].tolist() == [True, False, False, False]
    assert causal_mask(4).sum() == 4 * 5 / 2


def test_one_query_over_a_cache_sees_every_key():
    """Case: pytorch 108108, a causal flag with one query returns the first value."""
    q, k, v = randn(0, 1, 1, 4), randn(1, 1, 40, 4), randn(2, 1, 40, 4)
    output = scaled_dot_product_attention(q, k, v, causal_mask(1, 40)).output
    assert_close(output, scaled_dot_product_attention(q, k, v).output)
    assert not torch.allclose(output, v[:, :1])


@pytest.mark.parametrize("mechanism", ["dot", "general", "concat", "additive", "gumbel", "reinforce", "local"])
def test_a_changed_future_key_moves_nothing_in_any_mechanism(mechanism):
    """Cases: keras 23038, transformers 48745."""
    q, k, w, v = randn(0, 5, 4), randn(1, 5, 4), randn(2, 4, 4), randn(3, 4)
    changed = torch.cat([k[:-1], k[-1:] + 10])
    mask = causal_mask(5)

    def run(keys):
        match mechanism:
            case "additive":
                return additive_attention(q, keys, keys, w, w, v, mask)
            case "gumbel" | "reinforce":
                return hard_attention(q, keys, keys, mechanism, mask=mask, generator=torch.Generator().manual_seed(0))
            case "local":
                return local_attention(q, keys, keys, "monotonic", 2, mask=mask)
        return luong_attention(q, keys, keys, mechanism, torch.cat([w, w]) if mechanism == "concat" else w, v, mask)

    before, after = run(k), run(changed)
    assert torch.equal(before.output[:-1], after.output[:-1])
    assert not torch.equal(before.output[-1], after.output[-1])


@pytest.mark.parametrize(
    "mechanism", ["dot", "general", "concat", "additive", "gumbel", "reinforce", "local", "local-p"]
)
def test_no_mechanism_gives_nan_for_a_row_without_any_key(mechanism):
    q, k, w, v = randn(0, 3, 4), randn(1, 5, 4), randn(2, 4, 4), randn(3, 4)
    mask = torch.ones(3, 5, dtype=torch.bool)
    mask[1] = False
    match mechanism:
        case "additive":
            attention = additive_attention(q, k, k, w, w, v, mask)
        case "gumbel" | "reinforce":
            attention = hard_attention(q, k, k, mechanism, mask=mask, generator=torch.Generator().manual_seed(0))
        case "local" | "local-p":
            kind = "monotonic" if mechanism == "local" else "predictive"
            attention = local_attention(q, k, k, kind, 2, w_p=w, v_p=v, mask=mask)
        case _:
            stacked = torch.cat([w, w]) if mechanism == "concat" else w
            attention = luong_attention(q, k, k, mechanism, stacked, v, mask)
    assert (attention.weights[1] == 0).all()
    assert (attention.output[1] == 0).all()
    loss = attention.output.square().sum() + (log_probability(attention, mask).sum() if mechanism == "reinforce" else 0)
    for gradient in torch.autograd.grad(loss, [q, k, w, v], allow_unused=True):
        assert gradient is None or gradient.isfinite().all()


def test_a_sequence_gives_the_same_output_however_far_it_is_padded():
    attention, x = MultiHeadAttention(8, 2), randn(0, 1, 3, 8)
    alone, _ = attention(x)
    for extra in (1, 3, 9):
        padded = torch.cat([x, randn(1, 1, extra, 8)], dim=1)
        output, record = attention(padded, mask=padding_mask([3], 3 + extra)[:, None, None, :])
        assert_close(output[:, :3], alone, atol=1e-6, rtol=1e-5)
        assert (record.weights[..., 3:] == 0).all()


def test_a_head_size_may_be_chosen_freely_but_not_missing():
    output, attention = MultiHeadAttention(512, 7, d_head=64)(randn(0, 2, 5, 512))
    assert output.shape == (2, 5, 512)
    assert attention.output.shape == (2, 7, 5, 64)
    with pytest.raises(ValueError, match="not a multiple of 7 heads"):
        MultiHeadAttention(512, 7)
    with pytest.raises(ValueError, match="must divide"):
        MultiHeadAttention(8, 4, num_kv_heads=3)


def test_each_head_projects_the_whole_input():
    attention, x = MultiHeadAttention(8, 4), randn(0, 1, 3, 8)
    _, record = attention(x)
    (gradient,) = torch.autograd.grad(record.scores[0, 0].sum(), x)
    assert (gradient.abs().sum((0, 1)) > 0).all()


def test_a_window_keeps_so_many_keys_and_no_future():
    mask = sliding_window_mask(6, 3)
    assert mask.sum(-1).tolist() == [1, 2, 3, 3, 3, 3]
    assert not (mask & ~causal_mask(6)).any()


def test_a_hard_choice_is_drawn_with_the_softmax_probabilities():
    q = torch.tensor([[1.0]]).expand(20_000, 1)
    k = torch.tensor([[0.0], [1.0], [2.0]])
    for estimator in ("gumbel", "reinforce"):
        drawn = hard_attention(q, k, torch.eye(3), estimator, generator=torch.Generator().manual_seed(3))
        assert set(drawn.weights.unique().tolist()) == {0.0, 1.0}
        assert_close(drawn.weights.mean(0), k.flatten().softmax(0), atol=0.01, rtol=0)


def test_a_hard_choice_without_sampling_is_the_likeliest_key():
    chosen = hard_attention(torch.tensor([[1.0]]), torch.tensor([[0.0], [3.0], [2.0]]), torch.eye(3), sample=False)
    assert chosen.output.tolist() == [[0, 1, 0]]


def test_gumbel_learns_through_the_choice_and_reinforce_does_not():
    q, k = randn(0, 2, 4), randn(1, 5, 4)
    gumbel = hard_attention(q, k, k.detach(), "gumbel", generator=torch.Generator().manual_seed(0))
    assert torch.autograd.grad(gumbel.output.sum(), q)[0].abs().sum() > 0
    reinforce = hard_attention(q, k, k.detach(), "reinforce", generator=torch.Generator().manual_seed(0))
    assert not reinforce.output.requires_grad
    log_p = log_probability(reinforce)
    assert_close(log_p.exp(), (reinforce.scores.softmax(-1) * reinforce.weights).sum(-1))
    assert torch.autograd.grad(log_p.sum(), q)[0].abs().sum() > 0


def test_monotonic_local_attention_stays_within_its_window():
    q, k = randn(0, 4, 3), randn(1, 9, 3)
    weights = local_attention(q, k, k, "monotonic", 1, positions=torch.tensor([0, 3, 8, 20])).weights
    assert [row.nonzero().flatten().tolist() for row in weights] == [[0, 1], [2, 3, 4], [7, 8], []]
    assert_close(weights.sum(-1), torch.tensor([1.0, 1, 1, 0]))


def test_a_mask_of_numbers_is_refused_rather_than_misread():
    """Case: pytorch 21518, a float mask of ones and zeros is added, not applied."""
    with pytest.raises((TypeError, RuntimeError)):
        scaled_dot_product_attention(randn(0, 2, 2), randn(1, 2, 2), randn(2, 2, 2), torch.ones(2, 2).tril())
