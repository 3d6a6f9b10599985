"""The mechanisms against torch's own, value and gradient, on any shape."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.attention.bias import causal_lower_right
from torch.testing import assert_close

from figures.attention import (
    KVCache,
    MultiHeadAttention,
    additive_attention,
    alibi_bias,
    causal_mask,
    chunked_attention,
    concat_score,
    linear_attention,
    masked_softmax,
    merge_heads,
    padding_mask,
    rotary,
    scaled_dot_product_attention,
    sinusoidal_encoding,
    sliding_window_mask,
    split_heads,
)

size = st.integers(1, 9)


def tensors(seed, *shapes):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]


def gradients(output, inputs):
    weights = torch.linspace(-1, 1, output.numel()).reshape(output.shape)
    return torch.autograd.grad((output * weights).sum(), inputs)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 99), size, size, size, size, size, st.integers(1, 12), st.floats(0, 1))
def test_dot_product_equals_sdpa_forward_and_backward(seed, B, h, T_q, T_k, d_k, d_v, share):
    inputs = tensors(seed, (B, h, T_q, d_k), (B, h, T_k, d_k), (B, h, T_k, d_v))
    mask = torch.rand(B, 1, T_q, T_k, generator=torch.Generator().manual_seed(seed)) < share
    ours = scaled_dot_product_attention(*inputs, mask)
    theirs = F.scaled_dot_product_attention(*inputs, attn_mask=mask)
    in_blocks = chunked_attention(*inputs, mask, block=3)
    assert_close(ours.output, theirs, atol=1e-5, rtol=1e-4)
    assert_close(in_blocks, theirs, atol=1e-5, rtol=1e-4)
    expected = gradients(theirs, inputs)
    for output in (ours.output, in_blocks):
        for own, reference in zip(gradients(output, inputs), expected, strict=True):
            assert_close(own, reference, atol=2e-5, rtol=1e-3)
    live = mask.any(-1).expand(B, h, T_q)
    assert_close(ours.weights.sum(-1), live.float())
    assert (ours.weights.masked_select(~mask) == 0).all()


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 99), size, st.integers(1, 4), st.sampled_from([(4, 4), (4, 2), (4, 1), (3, 3)]))
def test_multi_head_equals_torch_with_copied_weights(seed, T, B, heads):
    h, h_kv = heads
    d_model = 4 * h
    ours = MultiHeadAttention(d_model, h, num_kv_heads=h_kv)
    x, target = tensors(seed, (B, T, d_model), (B, T, d_model))
    mask = causal_mask(T)
    output, attention = ours(x, mask=mask)
    group = h // h_kv
    theirs = nn.MultiheadAttention(d_model, h, batch_first=True)
    with torch.no_grad():
        rows = [ours.w_q.weight]
        biases = [ours.w_q.bias]
        for linear in (ours.w_k, ours.w_v):  # torch knows no groups: repeat the shared heads
            rows.append(linear.weight.view(h_kv, 4, d_model).repeat_interleave(group, 0).reshape(-1, d_model))
            biases.append(linear.bias.view(h_kv, 4).repeat_interleave(group, 0).flatten())
        theirs.in_proj_weight.copy_(torch.cat(rows))
        theirs.in_proj_bias.copy_(torch.cat(biases))
        theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    expected, weights = theirs(x, x, x, attn_mask=~mask, average_attn_weights=False)
    assert_close(output, expected, atol=1e-6, rtol=1e-5)
    assert_close(attention.weights, weights, atol=1e-6, rtol=1e-5)
    own, reference = gradients(output * target, [x]), gradients(expected * target, [x])
    assert_close(own[0], reference[0], atol=1e-5, rtol=1e-4)


def test_cross_attention_takes_keys_and_values_from_the_context():
    torch_own = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    ours = MultiHeadAttention(8, 2)
    with torch.no_grad():
        for part, linear in zip(range(3), (ours.w_q, ours.w_k, ours.w_v), strict=True):
            linear.weight.copy_(torch_own.in_proj_weight[8 * part : 8 * part + 8])
            linear.bias.copy_(torch_own.in_proj_bias[8 * part : 8 * part + 8])
        ours.w_o.load_state_dict(torch_own.out_proj.state_dict())
    x, context = tensors(3, (2, 3, 8), (2, 5, 8))
    output, attention = ours(x, context, padding_mask([5, 3], 5)[:, None, None, :])
    expected, _ = torch_own(x, context, context, key_padding_mask=~padding_mask([5, 3], 5))
    assert attention.weights.shape == (2, 2, 3, 5)
    assert_close(output, expected, atol=1e-6, rtol=1e-5)


def test_bahdanau_and_luong_concat_are_one_function():
    query, keys, values, w_q, w_k, v = tensors(1, (2, 5, 6), (2, 7, 4), (2, 7, 3), (6, 8), (4, 8), (8,))
    additive = additive_attention(query, keys, values, w_q, w_k, v)
    assert_close(concat_score(query, keys, torch.cat([w_q, w_k]), v), additive.scores, atol=1e-5, rtol=1e-5)
    assert additive.output.shape == (2, 5, 3)


def test_a_custom_scale_is_torchs_scale():
    inputs = tensors(2, (2, 3, 4), (2, 5, 4), (2, 5, 4))
    for scale in (None, 1.0, 0.3):
        expected = F.scaled_dot_product_attention(*inputs, scale=scale)
        assert_close(scaled_dot_product_attention(*inputs, scale=scale).output, expected)


@settings(deadline=None)
@given(size, size)
def test_the_causal_mask_is_aligned_lower_right(T_q, extra):
    T_k = T_q + extra - 1
    inputs = tensors(0, (1, 1, T_q, 4), (1, 1, T_k, 4), (1, 1, T_k, 4))
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=causal_lower_right(T_q, T_k))
    assert_close(scaled_dot_product_attention(*inputs, causal_mask(T_q, T_k)).output, expected)


@pytest.mark.parametrize("mask", [torch.zeros(3, 4, dtype=torch.bool), torch.zeros(4, dtype=torch.bool)])
def test_a_row_without_any_key_is_zero_and_so_is_its_gradient(mask):
    inputs = tensors(4, (3, 2), (4, 2), (4, 2))
    attention = scaled_dot_product_attention(*inputs, mask)
    assert (attention.output == 0).all()
    assert (attention.weights == 0).all()
    for gradient in gradients(attention.output, inputs):
        assert (gradient == 0).all()


def test_a_softmax_over_masked_scores_leaves_the_scores_alone():
    scores = torch.tensor([[2.0, 1.0, 0.5]])
    weights = masked_softmax(scores, torch.tensor([True, True, False]))
    assert weights[0, 2] == 0
    assert scores.tolist() == [[2.0, 1.0, 0.5]]
    assert_close(weights[0, :2], scores[0, :2].softmax(-1))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 99), st.integers(1, 12), st.sampled_from([(4, 4), (4, 2), (4, 1)]), st.integers(1, 4))
def test_decoding_with_a_cache_equals_the_full_causal_pass(seed, T, heads, step):
    attention = MultiHeadAttention(16, heads[0], num_kv_heads=heads[1])
    (x,) = tensors(seed, (2, T, 16))
    full, whole = attention(x, mask=causal_mask(T))
    cache = KVCache()
    pieces, last = [], None
    for start in range(0, T, step):
        piece = x[:, start : start + step]
        output, last = attention(piece, mask=causal_mask(piece.shape[1], start + piece.shape[1]), cache=cache)
        pieces.append(output)
    assert_close(torch.cat(pieces, 1), full, atol=1e-5, rtol=1e-5)
    assert len(cache) == T
    assert cache.k.shape == (2, heads[1], T, 4)
    assert_close(last.weights[:, :, -1], whole.weights[:, :, -1], atol=1e-5, rtol=1e-5)


def test_a_sliding_cache_keeps_the_newest_keys_in_order():
    cache = KVCache(window=8)
    for position in range(1, 10):
        kept, _ = cache.append(torch.full((1, 1, 1, 1), float(position)), torch.zeros(1, 1, 1, 1))
    assert kept.flatten().tolist() == [2, 3, 4, 5, 6, 7, 8, 9]


def test_a_sliding_cache_equals_the_sliding_mask():
    attention = MultiHeadAttention(8, 2)
    (x,) = tensors(5, (1, 10, 8))
    expected, _ = attention(x, mask=sliding_window_mask(10, 4))
    cache = KVCache(window=4)
    outputs = [attention(x[:, t : t + 1], cache=cache)[0] for t in range(10)]
    assert_close(torch.cat(outputs, 1), expected, atol=1e-6, rtol=1e-5)


def test_splitting_and_merging_heads_is_the_identity_and_does_not_leak():
    x = torch.arange(80.0).reshape(2, 5, 8).requires_grad_()
    merged = merge_heads(split_heads(x, 2))
    assert torch.equal(merged, x)
    (gradient,) = torch.autograd.grad(merged[:, 0].sum(), x)
    assert gradient[:, 0].eq(1).all()
    assert gradient[:, 1:].eq(0).all()


def test_linear_attention_is_the_kernel_sum_written_out():
    q, k, v = tensors(6, (2, 5, 4), (2, 7, 4), (2, 7, 3))
    similarity = (F.elu(q) + 1) @ (F.elu(k) + 1).transpose(-2, -1)
    assert_close(linear_attention(q, k, v), similarity / similarity.sum(-1, keepdim=True) @ v)


def test_rotary_scores_depend_on_the_distance_only():
    q, k = tensors(7, (1, 8), (1, 8))

    def score(i, j):
        return rotary(q, torch.tensor([i])) @ rotary(k, torch.tensor([j])).T

    assert_close(score(3, 1), score(103, 101), atol=1e-4, rtol=1e-4)
    assert not torch.allclose(score(3, 1), score(4, 1), atol=1e-3)
    assert_close(rotary(q, torch.tensor([0])), q)


def test_rotary_is_multiplication_by_a_complex_phase():
    (x,) = tensors(8, (2, 6, 10))
    positions = torch.arange(6)
    theta = 10000.0 ** (-torch.arange(0, 10, 2) / 10)
    phase = torch.polar(torch.ones(6, 5), positions[:, None] * theta)
    expected = torch.view_as_real(torch.view_as_complex(x.reshape(2, 6, 5, 2)) * phase).flatten(-2)
    assert_close(rotary(x, positions), expected)


def test_sinusoidal_encoding_has_constant_norm_and_relative_products():
    encoding = sinusoidal_encoding(50, 64)
    assert_close(encoding.square().sum(-1), torch.full((50,), 32.0))
    products = encoding @ encoding.T
    for offset in (1, 5, 20):
        diagonal = products.diagonal(offset)
        assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-4, rtol=0)
    assert encoding[0, :4].tolist() == [0, 1, 0, 1]


def test_alibi_is_a_bias_that_torch_can_add():
    bias = alibi_bias(8, 3, 5)
    assert bias[:, 2, 4].tolist() == [0.0] * 8
    assert_close(bias[:, 2, 3], -(2.0 ** -torch.arange(1.0, 9.0)))
    q, k, v = tensors(9, (1, 8, 3, 4), (1, 8, 5, 4), (1, 8, 5, 4))
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    weights = masked_softmax(scaled_dot_product_attention(q, k, v).scores + bias)
    assert_close(weights @ v, expected)
