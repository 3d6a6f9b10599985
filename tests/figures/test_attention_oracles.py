"""The mechanisms against numbers worked out by hand or published by others."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from figures.attention import (
    additive_attention,
    chunked_attention,
    local_attention,
    luong_attention,
    padding_mask,
    predicted_position,
    scaled_dot_product_attention,
)

H = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
EYE = torch.eye(2)


def test_the_three_key_example_has_its_closed_form():
    v = torch.tensor([[1.0, 0], [0, 1], [2, 2]])
    attention = scaled_dot_product_attention(EYE, H, v)
    e = math.exp(1 / math.sqrt(2))
    high, low = e / (1 + 2 * e), 1 / (1 + 2 * e)
    assert high == pytest.approx(0.401112093, abs=1e-9)
    assert_close(attention.weights, torch.tensor([[high, low, high], [low, high, high]]))
    assert_close(attention.output, torch.tensor([[1.203336, 1.0], [1.0, 1.203336]]), atol=1e-6, rtol=0)
    assert_close(attention.scores, torch.tensor([[1.0, 0, 1], [0, 1, 1]]) / math.sqrt(2))


@pytest.mark.parametrize(
    ("query", "expected"), [([0, 10, 0], [10, 0]), ([0, 0, 10], [550, 5.5]), ([10, 10, 0], [5.5, 0])]
)
def test_the_tensorflow_tutorial_lookup(query, expected):
    k = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])
    v = torch.tensor([[1.0, 0], [10, 0], [100, 5], [1000, 6]])
    output = scaled_dot_product_attention(torch.tensor([query], dtype=torch.float32), k, v, scale=1.0).output
    assert_close(output, torch.tensor([expected], dtype=torch.float32), atol=1e-4, rtol=0)


def test_equal_keys_average_the_values_within_each_valid_length():
    """The chapter on scoring functions of Dive into Deep Learning: any weights, additive or dot product."""
    generator = torch.Generator().manual_seed(0)
    keys = torch.ones(2, 10, 2)
    values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    mask = padding_mask([2, 6], 10)[:, None, :]
    expected = torch.tensor([[[2.0, 3, 4, 5]], [[10, 11, 12, 13]]])
    query = torch.randn(2, 1, 20, generator=generator)
    w_q, w_k = torch.randn(20, 8, generator=generator), torch.randn(2, 8, generator=generator)
    v = torch.randn(8, generator=generator)
    assert_close(additive_attention(query, keys, values, w_q, w_k, v, mask).output, expected)
    assert_close(scaled_dot_product_attention(query[..., :2], keys, values, mask).output, expected)
    assert_close(chunked_attention(query[..., :2], keys, values, mask, block=3), expected)


def test_bahdanau_by_hand():
    attention = additive_attention(torch.tensor([[1.0, 0]]), H, H, EYE, EYE, torch.ones(2))
    assert_close(attention.scores, torch.tensor([[0.964028, 1.523188, 1.725622]]), atol=1e-6, rtol=0)
    assert_close(attention.weights, torch.tensor([[0.204462, 0.357645, 0.437893]]), atol=1e-6, rtol=0)
    assert_close(attention.output, torch.tensor([[0.642355, 0.795538]]), atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("score", "w", "scores", "weights"),
    [
        ("dot", None, [1, 2, 3], [0.090031, 0.244728, 0.665241]),
        ("general", torch.tensor([[1.0, 1], [0, 1]]), [1, 3, 4], [0.035119, 0.259496, 0.705384]),
        ("concat", torch.cat([EYE, EYE]), [1.928055, 1.756649, 1.959082], [0.347948, 0.293139, 0.358913]),
    ],
)
def test_luong_by_hand(score, w, scores, weights):
    attention = luong_attention(torch.tensor([[1.0, 2]]), H, H, score, w, torch.ones(2))
    assert_close(attention.scores, torch.tensor([scores], dtype=torch.float32), atol=1e-6, rtol=0)
    assert_close(attention.weights, torch.tensor([weights]), atol=1e-6, rtol=0)
    assert_close(attention.output, torch.tensor([weights]) @ H, atol=1e-6, rtol=0)


def test_a_predicted_position_shapes_the_weights_after_the_softmax():
    query, keys = torch.tensor([[0.5, -0.5]]), torch.zeros(9, 2)
    p = predicted_position(query, 9, EYE, torch.ones(2))
    assert_close(p, torch.tensor([4.5]))
    attention = local_attention(query, keys, torch.eye(9), "predictive", 4, w_p=EYE, v_p=torch.ones(2))
    window = attention.weights[0, 1:9]
    assert attention.weights[0, 0] == 0
    gaussian = torch.tensor([0.969233, 0.969233, 0.754840])
    assert_close(attention.weights[0, 4:7], gaussian / 8, atol=1e-6, rtol=0)
    assert 0 < window.sum() < 1
    assert_close(attention.output, attention.weights)


def test_a_score_without_its_matrix_says_what_is_missing():
    with pytest.raises(ValueError, match="general \\(which needs w\\)"):
        luong_attention(EYE, H, H, "general")
    with pytest.raises(ValueError, match="w_p and v_p"):
        local_attention(EYE, H, H, "predictive")
