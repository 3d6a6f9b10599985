"""Translators: the same bits again, records that rebuild their model, and the quality that the course speaks of."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest
import torch
from measured import record
from torch.testing import assert_close

from figures.data.dates import date_pairs
from figures.data.pairs import Batch, Vocabulary
from figures.experiments.sequences import judge, until_end
from figures.experiments.translation import train_translator
from figures.models.attention_layer import Mechanism
from figures.models.translator import Translator

MECHANISMS = get_args(Mechanism)


def same(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_training_gives_the_same_bits_again_and_rebuilds_its_model(mechanism):
    first = train_translator(mechanism, seed=1, steps=2)
    torch.manual_seed(99)
    assert same(first, train_translator(mechanism, seed=1, steps=2))
    sentence = first.examples[0]
    model = first.rebuild()
    source = Vocabulary(first.source_symbols).encode([sentence.source])
    decoded = model(source, torch.tensor([len(sentence.source)]), 2 * len(sentence.reference) + 2)
    T = len(sentence.target)
    assert Vocabulary(first.target_symbols).decode(decoded.symbols[0]) == sentence.target
    assert torch.equal(decoded.contexts[0, :T], sentence.contexts)
    if mechanism == "none":
        assert decoded.attention is None
        assert sentence.weights is None
    else:
        assert torch.equal(decoded.attention.weights[0, :T], sentence.weights)
        assert_close(sentence.weights @ sentence.encoder_states, sentence.contexts)


def test_the_weights_of_a_batch_are_those_of_each_sentence_alone():
    pairs = date_pairs(12, seed=5)
    source, target = (Vocabulary.of(getattr(p, side) for p in pairs) for side in ("source", "target"))
    batch = Batch.of(pairs, source, target)
    for mechanism in MECHANISMS[1:]:
        model = Translator(len(source), len(target), mechanism).eval()
        together = model(batch.source, batch.lengths, batch.target).attention.weights
        for b, pair in enumerate(pairs):
            S, T = len(pair.source), len(pair.target)
            alone = model(batch.source[b : b + 1, :S], batch.lengths[b : b + 1], batch.target[b : b + 1])
            assert_close(alone.attention.weights[0, :T], together[b, :T, :S], atol=1e-5, rtol=1e-4)
            assert (together[b, :, S:] == 0).all()


def test_bahdanau_and_luong_differ_in_when_the_query_is_taken():
    pairs = date_pairs(4, seed=5)
    source, target = (Vocabulary.of(getattr(p, side) for p in pairs) for side in ("source", "target"))
    batch = Batch.of(pairs, source, target)
    changed = batch.target.clone()
    changed[:, 1] = 3 + (changed[:, 1] - 2) % (len(target) - 3)
    for mechanism, first_moved in (("additive", 3), ("concat", 2)):  # word 1 enters the state of step 2
        model = Translator(len(source), len(target), mechanism).eval()
        one = model(batch.source, batch.lengths, batch.target).attention.weights
        other = model(batch.source, batch.lengths, changed).attention.weights
        moved = (one != other).any(-1).all(0).nonzero().flatten()
        assert moved[0] == first_moved


def test_quality_is_counted_right_for_a_model_that_is_a_lookup():
    """A stand-in that writes the reference with weights on the gold position, then one that is one step off."""
    pairs = date_pairs(30, seed=2)
    source, target = (Vocabulary.of(getattr(p, side) for p in pairs) for side in ("source", "target"))
    batch = Batch.of(pairs, source, target)

    class Lookup(torch.nn.Module):
        shift = 0

        def forward(self, _source, _lengths, _target):
            from types import SimpleNamespace

            weights = batch.gold.float().roll(self.shift, -1)
            logits = torch.nn.functional.one_hot(batch.target, len(target)).float()
            return SimpleNamespace(logits=logits, symbols=batch.target, attention=SimpleNamespace(weights=weights))

    quality = judge(Lookup(), batch)
    assert (quality.exact, quality.token_accuracy) == (1, 1)
    assert (quality.alignment, quality.alignment_within_one, quality.mass) == (1, 1, 1)
    off = Lookup()
    off.shift = -1
    quality = judge(off, batch)
    assert quality.alignment == 0
    places = [place for pair in pairs for places in pair.gold for place in places]
    assert quality.alignment_within_one == pytest.approx(1 - places.count(0) / len(places))  # 0 wraps round
    assert quality.mass == 0


def test_what_follows_the_end_symbol_does_not_count():
    symbols = torch.tensor([[4, 2, 5, 2], [2, 2, 3, 4], [3, 4, 5, 6]])
    assert until_end(symbols).tolist() == [[4, 2, 0, 0], [2, 0, 0, 0], [3, 4, 5, 6]]


@pytest.mark.slow
def test_a_window_on_the_diagonal_cannot_see_what_moved_across_the_sentence():
    window, everything = (record(train_translator, mechanism=mechanism).quality for mechanism in ("local-m", "general"))
    assert window.exact < 0.4 < 0.95 < everything.exact
    assert window.alignment < 0.3 < 0.9 < everything.alignment
