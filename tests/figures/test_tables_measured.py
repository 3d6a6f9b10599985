"""Tables say what their values say."""

from __future__ import annotations

import json

import torch
from exhibits import translators

from figures import tables
from figures.exhibit import MeasuredTable


def test_every_table_is_rectangular_and_its_values_are_data() -> None:
    every = (
        tables.mechanisms(translators("none", "additive", "dot", "general", "concat")),
        tables.shapes(),
        tables.configurations(),
        tables.mask_fills(),
        tables.scaling((4, 16), samples=200),
    )
    for table in every:
        assert isinstance(table, MeasuredTable)
        assert len(table.rows) >= 2
        assert json.loads(json.dumps(dict(table.values), allow_nan=False))


def test_the_five_mechanisms_have_a_row_each_with_their_quality() -> None:
    models = translators("none", "additive", "dot", "general", "concat")
    table = tables.mechanisms(models)
    assert len(table.rows) == 5
    for row, model in zip(table.rows, models, strict=True):
        assert row[2] == f"{model.parameters:,}"
        assert row[3] == f"{model.quality.exact:.1%}"
    assert table.rows[0][4] == "–", "without attention there is nothing to align"
    assert table.values["dot_alignment"] == models[2].quality.alignment


def test_shapes_are_read_off_a_run() -> None:
    values = tables.shapes(B=2, T_q=3, T_k=4, d_k=8, d_v=5).values
    assert values["weights"] == [2, 3, 4]
    assert values["output"] == [2, 3, 5]
    assert values["masked_weight"] == 0.0


def test_parameters_are_those_of_torch_and_do_not_depend_on_heads() -> None:
    values = tables.configurations().values
    with torch.device("meta"):
        expected = sum(p.numel() for p in torch.nn.MultiheadAttention(512, 8).parameters())
    assert values["parameters_512"] == values["parameters_512_single"] == expected == 1_050_624


def test_english_tables_are_in_english() -> None:
    assert tables.configurations(lang="en").header[1] == "heads h"
    assert all(
        character.isascii() or character in "₀√−–"
        for head in tables.scaling(lang="en", samples=50).header
        for character in head
    )
