"""Ways of decoding: each against its definition, and what they make of one model."""

from __future__ import annotations

import pytest
import torch
from measured import record
from torch.testing import assert_close

from figures.attention import causal_mask
from figures.experiments.decoding import (
    COMMA,
    at_attention_temperature,
    entropy_of,
    greedy,
    measure_decoding,
    penalised,
    repeated_share,
    sampled,
    without_repeats,
)
from figures.models.transformer import Transformer

GENERATOR = torch.Generator().manual_seed(0)


def test_repeated_runs_are_counted():
    assert repeated_share("abcdefgh") == 0
    assert repeated_share("abcdabcd") == pytest.approx(1 / 5)
    assert repeated_share("aaaaaaa") == pytest.approx(3 / 4)


def test_a_penalty_lowers_what_was_said_and_nothing_else():
    logits, text = torch.tensor([[3.0, 2.9, -1.0]]), torch.tensor([[0, 2]])
    assert greedy(logits, text, GENERATOR).item() == 0
    assert penalised(1.1)(logits, text, GENERATOR).item() == 1
    assert penalised(1.01)(logits, text, GENERATOR).item() == 0


def test_no_run_of_so_many_characters_comes_twice():
    logits = torch.tensor([[0.0, 0.0, 9.0, 1.0]])
    assert without_repeats(3)(logits, torch.tensor([[0, 1, 2, 0, 1]]), GENERATOR).item() == 3
    assert without_repeats(4)(logits, torch.tensor([[0, 1, 2, 0, 1]]), GENERATOR).item() == 2


def test_sampling_draws_with_the_tempered_probabilities():
    logits = torch.tensor([[0.0, 1.0, 2.0]]).expand(20_000, 3)
    drawn = sampled(0.5)(logits, torch.zeros(20_000, 1), torch.Generator().manual_seed(0))
    assert_close(drawn.bincount() / 20_000, (logits[0] / 0.5).softmax(-1), atol=0.01, rtol=0)
    assert entropy_of(logits / 0.5) < entropy_of(logits)


def test_an_attention_temperature_sharpens_the_weights_and_is_taken_back():
    model, symbols = Transformer(20, 20, layers=2).eval(), torch.arange(12)[None]

    def weights():
        return model(symbols, causal_mask(12)).attentions[0]

    with torch.no_grad():
        before = weights()
        sharp = at_attention_temperature(model, 0.5, weights)
        after = weights()
    assert_close(sharp.scores, before.scores * 2)
    assert torch.equal(before.weights, after.weights)


@pytest.mark.slow
def test_repetition_comes_from_greedy_decoding_and_goes_by_other_decoding():
    report = record(measure_decoding)
    found = {(w.method, w.strength): w for w in report.writings}
    assert report.text_repeated < 0.02
    assert found["greedy", 0.0].repeated > 0.3
    assert found["attention temperature", 0.8].repeated > 0.3
    assert found["temperature", 1.0].repeated < 0.05
    assert found["penalty", 1.3].repeated < 0.1
    assert found["penalty", 2.0].valid < 0.5 * found["penalty", 1.3].valid
    assert found["no repeated run", 4.0].repeated == 0
    assert list(report.entropy) == sorted(report.entropy)
    assert COMMA in found["greedy", 0.0].sample
