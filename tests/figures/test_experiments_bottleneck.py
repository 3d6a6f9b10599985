"""Chained phrases and the curve over their length."""

from __future__ import annotations

import pytest
import torch
from measured import record
from pypinyin import Style, lazy_pinyin

from figures.data.pinyin import chain, frequent_phrases, spelt
from figures.experiments.bottleneck import measure_memory, train_on_lengths


def test_a_phrase_is_read_as_pypinyin_reads_it():
    phrases = frequent_phrases(300)
    assert len(phrases) > 1000
    for text, reading in phrases[::50]:
        assert list(reading) == lazy_pinyin(text, style=Style.TONE)


def test_fewer_characters_give_a_subset_of_the_phrases():
    assert set(frequent_phrases(100)) < set(frequent_phrases(200))
    assert len({c for text, _ in frequent_phrases(100) for c in text}) <= 100


def test_a_chain_has_the_length_asked_for_and_one_syllable_a_character():
    phrases = frequent_phrases(100)
    for length in (2, 7, 24):
        pair = chain(phrases, length, torch.Generator().manual_seed(0))
        assert len(pair.source) == len(pair.target) == length
        assert pair.gold == tuple((i,) for i in range(length))


def test_a_phrase_is_spelt_without_tones_and_each_letter_knows_its_character():
    pair = spelt(("女人", ("nǚ", "rén")))
    assert pair.target == tuple("nüren")
    assert pair.gold == ((0,), (0,), (1,), (1,), (1,))


@pytest.mark.parametrize("reading", ["both", "forwards", "backwards"])
def test_training_gives_the_same_bits_again(reading):
    first, again = (train_on_lengths("none", steps=2, reading=reading, sentences=5) for _ in range(2))
    assert torch.equal(first.loss, again.loss)
    assert first.accuracy == again.accuracy
    assert [len(shares) for shares in first.by_position] == list(first.lengths)
    sentence = first.example
    read = ["shàng", "tiān", "xià", "dì", "tiān", "shàng", "dì", "xià"]
    assert list(sentence.reference) == read
    assert [sentence.source[place] for (place,) in sentence.gold] == list("上天下地天上地下")


@pytest.mark.slow
def test_what_was_read_last_is_remembered_best() -> None:
    forwards, backwards = (
        record(measure_memory, reading=reading).by_place.tolist() for reading in ("forwards", "backwards")
    )
    assert forwards[-1] > 0.75 > 0.3 > forwards[0]
    assert backwards[0] > 0.75 > 0.3 > backwards[-1]


def test_memory_is_measured_with_the_same_bits_again() -> None:
    first, again = (measure_memory(steps=2, length=3, training=64, sentences=5).by_place for _ in range(2))
    assert torch.equal(first, again)
