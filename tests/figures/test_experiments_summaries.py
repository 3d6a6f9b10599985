"""Very short summaries: the pairs, the mixture of generating and copying, and the trained model."""

from __future__ import annotations

import ast

import pytest
import torch
from torch.testing import assert_close

from figures.data.docstrings import aligned, described
from figures.experiments.summaries import rouge
from figures.models.pointer import PointerGenerator


def test_a_function_gives_its_first_sentence_and_its_name():
    def found(text):
        return described(ast.parse(text).body[0])

    assert found('def to_dict(x):\n    """Convert the given object to a dict. More."""') == [
        (("convert", "the", "given", "object", "to", "a", "dict"), ("to", "dict"))
    ]
    assert found("def to_dict(x):\n    pass") == []
    assert found('def run_it(x):\n    """Convert the given object to a dict."""') == []


def test_a_word_of_the_name_comes_from_each_of_its_places():
    pair = aligned(("add", "a", "to", "a"), ("add", "a", "number"))
    assert pair.gold == ((0,), (1, 3), ())


def test_the_mixture_is_a_distribution_that_copies_rare_words():
    model = PointerGenerator(20, 10)
    source = torch.tensor([[15, 4, 15, 0]])
    with torch.no_grad():
        done = model(source, torch.tensor([3]), torch.tensor([[4, 15]]))
    assert_close(done.probabilities.sum(-1), torch.ones(1, 2))
    weights, p_gen = done.attention.weights[0], done.p_gen[0]
    assert_close(done.probabilities[0, :, 15], (1 - p_gen) * (weights[:, 0] + weights[:, 2]))
    assert (done.probabilities[0, :, [11, 12, 19]] == 0).all()
    assert (done.probabilities[0, :, 4] > (1 - p_gen) * weights[:, 1]).all()


def test_rouge_is_the_f_measure_of_single_words():
    assert rouge(("a", "b"), ("a", "b")) == 1
    assert rouge(("a", "b"), ("b", "c", "d")) == pytest.approx(2 / 5)
    assert rouge((), ("a",)) == 0
