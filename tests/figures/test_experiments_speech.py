"""Spoken digits: the sounds, their features and the listener."""

from __future__ import annotations

import torch

from figures.data.speech import HOP, MELS, RATE, SECONDS_PER_STEP, STACK, log_mel, mel_filters, recordings, utterances
from figures.experiments.speech import as_batch


def test_there_are_ten_recordings_of_a_fraction_of_a_second():
    sounds = recordings()
    assert len(sounds) == 10
    assert all(0.1 < len(sound) / RATE < 1 for sound in sounds)
    assert all(sound.abs().max() <= 1 for sound in sounds)


def test_a_pure_tone_is_loudest_in_the_band_around_it():
    filters = mel_filters()
    for hertz in (300, 1000, 2500):
        tone = torch.sin(2 * torch.pi * hertz * torch.arange(RATE) / RATE)
        features = log_mel(tone, filters).view(-1, MELS)
        band = int(features[20:-20].mean(0).argmax())
        centre = (filters * torch.linspace(0, RATE / 2, 129)[:, None]).sum(0) / filters.sum(0)
        assert int((centre - hertz).abs().argmin()) == band


def test_the_loudest_steps_lie_where_the_digits_were_put():
    assert SECONDS_PER_STEP == STACK * HOP / RATE
    for spoken in utterances(20, (3, 6), torch.Generator().manual_seed(0)):
        assert 3 <= len(spoken.digits) <= 6
        assert len(spoken.spans) == len(spoken.digits)
        loudness = spoken.features.mean(-1)
        inside = torch.zeros(len(loudness), dtype=torch.bool)
        for first, last in spoken.spans:
            assert first < last <= len(loudness)
            inside[first:last] = True
        assert loudness[inside].mean() > loudness[~inside].mean() + 0.5


def test_a_batch_knows_the_steps_of_each_digit():
    spoken = utterances(5, (3, 6), torch.Generator().manual_seed(1))
    batch = as_batch(spoken)
    for b, utterance in enumerate(spoken):
        for t, (first, last) in enumerate(utterance.spans):
            assert batch.gold[b, t].nonzero().flatten().tolist() == list(range(first, last))
        assert int(batch.lengths[b]) == len(utterance.features)
