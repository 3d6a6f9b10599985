"""The five pitfalls: what the course says of each, within bounds that a broken measurement would not meet."""

from __future__ import annotations

import math

import pytest
import torch
from exhibits import translator
from measured import record
from torch.testing import assert_close

from figures import heatmaps, tables
from figures.experiments.dropout import measure_dropout, measure_dropout_switches
from figures.experiments.head_average import average_facts, measure_head_average, torch_default_difference
from figures.experiments.heads import train_reader
from figures.experiments.mask_conventions import half_precision_error
from figures.experiments.padding_training import read_padded, train_padded_reader
from figures.heatmaps.labels import shifted, whole_numbers
from figures.models.transformer import Transformer
from figures.numerals import scientific


def test_a_masked_reader_answers_alike_with_any_number_of_pads_and_an_unmasked_one_does_not() -> None:
    model, symbols = Transformer(20, 1).eval(), torch.arange(3, 11).view(2, 4)
    with torch.no_grad():
        alone, _ = read_padded(model, symbols, 0, masked=False)
        masked, no_weight = read_padded(model, symbols, 9, masked=True)
        unmasked, weight = read_padded(model, symbols, 9, masked=False)
    assert_close(masked, alone)
    assert float(no_weight) == 0
    assert (unmasked - alone).abs().max() > 1e-3
    assert float(weight) > 0.2


@pytest.mark.slow
def test_without_a_padding_mask_the_loss_falls_all_the_same_and_longer_batches_change_verdicts() -> None:
    unmasked, masked = (record(train_padded_reader, masked=masked) for masked in (False, True))
    assert unmasked.final_loss < 0.6
    assert unmasked.final_loss - masked.final_loss < 0.1
    assert masked.changed == (0.0,) * len(masked.pads)
    assert masked.weight == (0.0,) * len(masked.pads)
    assert unmasked.changed[-1] > 0.05
    assert unmasked.weight[-1] > 0.3


def test_the_mean_over_heads_dilutes_and_never_sharpens() -> None:
    """Jensen's inequality on weights of any kind; heads that agree lose nothing, heads that differ do."""
    weights = torch.randn(3, 4, 6, 6, generator=torch.Generator().manual_seed(0)).mul(3).softmax(-1)
    facts = average_facts(weights, 0.0)
    assert facts.entropy_of_mean > sum(facts.entropy) / 4 + 0.05
    assert facts.largest_of_mean < min(facts.largest)
    alike = average_facts(weights[:, :1].expand(-1, 4, -1, -1), 0.0)
    assert alike.entropy_of_mean == pytest.approx(alike.entropy[0], abs=1e-6)
    uniform = average_facts(torch.full((1, 2, 5, 5), 0.2), 0.0)
    assert uniform.entropy_of_mean == pytest.approx(1.0)
    assert uniform.diagonal == pytest.approx((0.2, 0.2))


def test_torchs_module_hands_out_the_mean_over_heads_unasked() -> None:
    assert torch_default_difference() < 1e-6


@pytest.mark.slow
def test_a_reader_that_answers_everything_has_sharp_heads_and_a_blurred_mean() -> None:
    model = record(train_reader)
    facts = measure_head_average(model)
    assert min(model.accuracy) > 0.98
    assert sum(facts.entropy) / facts.heads < 0.1
    assert facts.entropy_of_mean > 0.5
    assert max(facts.first) > 0.9, "a head that looks at the first token is no fault"
    assert max(facts.diagonal) > 0.5, "nor is one on the diagonal"
    previous = model.questions.index("previous")
    assert float(model.share[:, previous].max()) > 0.9
    assert model.average_share[previous] < 0.45


def test_labels_of_another_tokenizer_run_out_and_slip() -> None:
    own = ("Sunday", ",", "April", "1", "8", ",", "1", "9", "2", "0")
    other = whole_numbers(own)
    assert other == ("Sunday", ",", "April", "18", ",", "1920")
    assert "".join(other) == "".join(own)
    assert shifted(own, other)[-4:] == ("?",) * 4
    values = heatmaps.label_mismatch(translator("general")).values
    assert values["right"] == 3
    assert values["equal_share"] == 0, "a year always has four digits"
    assert 0.1 < values["right_share"] < 0.6


def test_the_table_of_conventions_says_which_sentence_has_most_pads_and_that_half_precision_refuses() -> None:
    values = tables.mask_conventions().values
    assert values["pads"] == [2, 0, 1]
    assert values["empty_rows"] == sum(values["pads"])
    assert "overflow" in half_precision_error(-1e9)
    assert half_precision_error(-math.inf) == ""
    assert half_precision_error(torch.finfo(torch.half).min) == ""


def test_dropout_in_training_leaves_the_mean_weight_as_it_is() -> None:
    values = tables.dropout_switches(measure_dropout_switches(), measure_dropout()).values
    assert 0 < values["bias"] < 5e-3


def test_small_numbers_are_written_with_raised_exponents() -> None:
    assert scientific(1.2e-7) == "1×10⁻⁷"
    assert scientific(3e-10) == "3×10⁻¹⁰"
    assert scientific(-4e12) == "−4×10¹²"
