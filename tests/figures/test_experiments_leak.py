"""The leak: a loss below the entropy floor, and a model that cannot write."""

from __future__ import annotations

import math

import pytest
import torch

from figures.experiments.leak import LENGTH, SYMBOLS, draw, train_copier


def test_each_sequence_repeats_its_block_and_the_floor_counts_its_random_symbols():
    symbols, blocks = draw(200, torch.Generator().manual_seed(0))
    for row, block in zip(symbols.tolist(), blocks.tolist(), strict=True):
        assert row[block:] == row[: LENGTH - block]
    assert symbols.max() < SYMBOLS
    assert set(blocks.tolist()) == set(range(6, 12))


def test_training_gives_the_same_bits_again():
    first, again = (train_copier(steps=2) for _ in range(2))
    assert torch.equal(first.loss, again.loss)
    assert first.floor == pytest.approx(7.5 / 23 * math.log(24), rel=0.02)
    assert all(weights.triu(1).eq(0).all() for weights in first.weights)
    leaking = train_copier(causal=False, steps=2)
    assert all(weights.triu(1).gt(0).any() for weights in leaking.weights)
