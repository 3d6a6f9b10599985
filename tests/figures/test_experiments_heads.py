"""A layer whose heads answer four questions: the questions themselves, the record, and what training leads to."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional as F  # noqa: N812
from torch.testing import assert_close

from figures.data.pairs import Vocabulary
from figures.experiments.heads import SENTENCE, measure_heads, roles, train_reader
from figures.experiments.questions import ask, chains, reader


def test_the_questions_about_a_sentence_have_the_answers_one_reads():
    vocabulary = Vocabulary.of([SENTENCE])
    asked = ask(vocabulary.encode([SENTENCE]))

    def said(question):
        return [
            vocabulary.symbols[a] if v else None
            for a, v in zip(asked.answers[question][0], asked.valid[question][0], strict=True)
        ]

    assert said(0) == [None, *"上天下地天上地"]
    assert said(1) == [*"天下地天上地下", None]
    assert said(2) == ["上"] * 8
    earliest = [int(a) if v else None for a, v in zip(asked.answers[3][0], asked.valid[3][0], strict=True)]
    assert earliest == [None, None, None, None, 1, 0, 3, 2]


def test_drawn_sentences_repeat_some_characters_but_none_three_times():
    words = torch.arange(3, 27).view(12, 2)
    symbols = chains(words, 100, torch.Generator().manual_seed(0))
    assert symbols.shape == (100, 8)
    for row in symbols.tolist():
        counts = [row.count(symbol) for symbol in row]
        assert max(counts) == 2


def test_uniform_attention_has_entropy_one_and_equal_shares():
    model = reader(30, 2, 16)
    with torch.no_grad():
        model.attention_of(0).w_q.weight.zero_()
        model.attention_of(0).w_q.bias.zero_()
    symbols = chains(torch.arange(3, 27).view(12, 2), 40, torch.Generator().manual_seed(0))
    statistics = measure_heads(model, symbols)
    assert_close(statistics.share, torch.full((2, 4), 1 / 8))
    assert statistics.entropy == pytest.approx((1.0, 1.0))
    assert statistics.score_std == pytest.approx((0.0, 0.0))


def test_a_role_is_the_question_that_suffers():
    without = torch.tensor([[0.9, 0.2, 1.0, 1.0], [1.0, 1.0, 0.95, 1.0]])
    assert roles(torch.ones(4), without) == ("next", "none")


@pytest.fixture(scope="module")
def short():
    return train_reader(steps=3)


def test_training_gives_the_same_bits_again_and_rebuilds_its_model(short):
    again = train_reader(steps=3)
    assert torch.equal(short.loss, again.loss)
    assert all(torch.equal(short.state[name], again.state[name]) for name in short.state)
    run = short.rebuild()(Vocabulary(short.symbols).encode([SENTENCE]))
    assert torch.equal(run.attentions[0].weights[0], short.example.weights)


def test_every_matrix_of_the_example_follows_from_the_one_before(short):
    work = short.example
    d_k = work.q.shape[-1]
    assert_close(work.q @ work.k.transpose(-2, -1) / math.sqrt(d_k), work.scores)
    assert_close(work.scores.softmax(-1), work.weights)
    assert_close(work.weights @ work.v, work.heads)
    assert_close(F.scaled_dot_product_attention(work.q, work.k, work.v), work.heads)
    assert torch.equal(torch.cat(list(work.heads), -1), work.concatenated)
    assert_close(work.concatenated @ work.w_o + work.bias, work.output)
    pieces = work.w_o.split(d_k)
    added = sum(head @ piece for head, piece in zip(work.heads, pieces, strict=True))
    assert_close(added + work.bias, work.output, atol=1e-5, rtol=1e-5)
    assert not any(t.requires_grad for t in (work.w_o, work.bias, work.output, work.weights))
