"""The contract of maps: weights are the weights used, sum to 1, are 0 and hatched where masked, on a scale of 0..1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

import numpy as np
import pytest
import torch
from exhibits import (
    GOLD,
    SOURCE,
    TARGET,
    bug_table,
    captioner,
    copier,
    length_curve,
    listener,
    translator,
    translators,
)
from hypothesis import given
from hypothesis import strategies as st
from legible import course_style
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text

from figures.colours import READABLE, contrast, luminance, ramp, readable_on
from figures.exhibit import Exhibit
from figures.heatmaps import (
    alignment,
    local_window,
    mask_fills,
    mask_gallery,
    masks,
    overview,
    pictures,
    positions,
    similarity,
    soft_and_hard,
    speech,
    toy,
    word_order,
)
from figures.heatmaps.mask_steps import Kind, mask_of, random_attention
from figures.heatmaps.pictures import runs_of_ink
from figures.heatmaps.weight_map import checked_weights, runs
from figures.matrices import Matrix

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def style() -> Iterator[None]:
    with course_style():
        yield


def cells(figure: Figure, name: str) -> dict[tuple[int, int], Rectangle]:
    """The drawn cells of a matrix by row and column."""
    found = {}
    for patch in figure.findobj(Rectangle):
        label = str(patch.get_label())
        if label.startswith(f"{name} ["):
            row, column = label.removeprefix(f"{name} [").rstrip("]").split(", ")
            found[int(row) - 1, int(column) - 1] = patch
    return found


def written_in(figure: Figure, cell: Rectangle) -> str:
    middle = (cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2)
    texts = (text for text in figure.findobj(Text) if np.allclose(text.get_position(), middle) and text.get_text())
    return next((text.get_text() for text in texts), "")


@pytest.mark.parametrize("kind", ["causal", "padding", "both"])
def test_masked_cells_are_hatched_and_all_others_are_not(kind: Kind) -> None:
    tokens = ("我", "爱", "读", "书")
    length = 4 if kind == "causal" else 6
    exhibit = masks(kind, tokens)
    keep = mask_of(kind, 4, length)
    for name, (row, column) in product(("masked", "weights"), product(range(length), repeat=2)):
        cell = cells(exhibit.figure, name)[row, column]
        hidden = not keep[row, column] or row >= 4
        assert bool(cell.get_hatch()) == hidden, (name, row, column)
        if hidden:
            assert luminance(to_hex(cell.get_facecolor())) == pytest.approx(1.0), "hidden cells are never coloured"
            assert written_in(exhibit.figure, cell) == ""
    assert not any(cell.get_hatch() for cell in cells(exhibit.figure, "scores").values())


def test_the_written_weights_are_those_of_torch_itself() -> None:
    exhibit = masks("causal", ("我", "爱", "读", "书"), d_k=16, seed=3)
    generator = torch.Generator().manual_seed(3)
    q, k = torch.randn(2, 4, 16, generator=generator)
    expected = torch.nn.functional.scaled_dot_product_attention(
        q[None], k[None], torch.eye(4)[None], torch.ones(4, 4).tril().bool()
    )[0]
    for (row, column), cell in cells(exhibit.figure, "weights").items():
        if column <= row:
            written = written_in(exhibit.figure, cell)
            assert float(written) == pytest.approx(float(expected[row, column]), abs=0.00501)
    assert exhibit.values["masked_weight"] == 0.0
    assert exhibit.values["masked_cells"] == 6


def test_masked_keys_get_exactly_nothing_and_live_rows_add_up_to_one() -> None:
    for kind in get_args(Kind):
        keep = mask_of(kind, 4, 6)
        weights = random_attention(6, 16, keep, seed=0).weights
        assert not weights[~keep].any()
        assert torch.allclose(weights.sum(-1), torch.ones(6))


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        ([[0.5, 0.4]], "row 1 of the weights sums to 0.9"),
        ([[0.5, 0.5], [0.7, 0.7]], "row 2 of the weights sums to 1.4"),
        ([[1.5, -0.5]], "0..1"),
    ],
)
def test_what_is_not_a_weight_is_refused(weights: list[list[float]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        checked_weights(weights)


def test_a_masked_key_with_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="mask belongs before the softmax"):
        checked_weights([[0.9, 0.1]], np.array([[False, True]]))


def test_a_row_without_keys_may_be_empty_and_a_gaussian_row_may_sum_to_less() -> None:
    checked_weights([[0.0, 0.0]], np.array([[True, True]]))
    checked_weights([[0.5, 0.3]], partial=True)


def test_every_drawn_weight_has_the_colour_of_its_value() -> None:
    exhibit = alignment(translator("additive"))
    weights = translator("additive").examples[0].weights
    assert weights is not None
    colours = ramp()
    for (row, column), cell in cells(exhibit.figure, "weights").items():
        assert cell.get_facecolor() == pytest.approx(colours(float(weights[row, column])))


def test_labels_in_cells_can_be_read_on_their_cell() -> None:
    exhibit = alignment(translator("additive"), size=(7.0, 4.6))
    seen = 0
    for cell in cells(exhibit.figure, "weights").values():
        middle = (cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2)
        for text in exhibit.figure.findobj(Text):
            if text.get_text() and np.allclose(text.get_position(), middle):
                assert contrast(str(text.get_color()), to_hex(cell.get_facecolor())) >= READABLE
                seen += 1
    assert seen > 5


@given(share=st.floats(0, 1))
def test_some_label_colour_can_be_read_on_every_weight(share: float) -> None:
    with course_style():
        background = to_hex(ramp()(share))
        assert contrast(readable_on(background), background) >= READABLE


def test_the_known_alignment_is_framed_where_it_is_known() -> None:
    exhibit = alignment(translator("additive"))
    frames = [p for p in exhibit.figure.findobj(Rectangle) if p.get_label() == "_known alignment"]
    assert len(frames) == sum(len(runs(row)) for row in GOLD)
    drawn = cells(exhibit.figure, "weights")
    for frame in frames:
        x, y = frame.get_x() + frame.get_width() / 2, frame.get_y() + frame.get_height() / 2
        inside = [
            place
            for place, cell in drawn.items()
            if cell.get_x() <= x <= cell.get_x() + cell.get_width()
            and cell.get_y() <= y <= cell.get_y() + cell.get_height()
        ]
        assert any(column in GOLD[row] for row, column in inside)


def test_rows_are_named_by_the_output_and_columns_by_the_source() -> None:
    texts = [text.get_text() for text in alignment(translator("additive")).figure.findobj(Text)]
    for token in (*SOURCE, *TARGET):
        assert token in texts
    assert "键：源句" in texts
    assert "查询：译文" in texts


def test_a_model_of_another_mechanism_is_refused() -> None:
    with pytest.raises(ValueError, match="'additive', not by 'dot'"):
        alignment(translator("additive"), mechanism="dot")
    with pytest.raises(ValueError, match="no weights to draw"):
        alignment(translator("none"), mechanism="none")


def test_hard_attention_is_drawn_as_one_cell_a_row() -> None:
    exhibit = soft_and_hard(translators("general", "hard-gumbel"))
    hard = cells(exhibit.figure, "硬（Gumbel）")
    dark = [place for place, cell in hard.items() if luminance(to_hex(cell.get_facecolor())) < 0.5]
    assert sorted(row for row, _ in dark) == list(range(len(TARGET)))


def test_filling_with_zero_leaks_and_with_minus_infinity_does_not() -> None:
    values = mask_fills().values
    e = torch.tensor([2.0, 1.0]).exp()
    assert values["zero_hidden"] == pytest.approx(1 / (1 + float(e.sum())), abs=1e-6)
    assert values["infinite_hidden"] == 0.0
    assert values["infinite"] == pytest.approx([*(e / e.sum()).tolist(), 0.0])


def test_only_positions_tell_one_order_from_another() -> None:
    values = word_order().values
    assert values["without"] < 1e-6 < 0.05 < values["with_positions"]
    assert values["pooled_without"] < 1e-6 < 0.05 < values["pooled_with"]
    assert values["by_position_without"] > 0.05, "position by position the outputs do differ"


def test_the_similarity_of_positions_depends_on_their_distance_alone() -> None:
    assert similarity().values["spread"] < 1e-6
    assert positions(d_model=32).values["norm_squared"] == pytest.approx(16)


def test_runs_of_columns_become_one_frame() -> None:
    assert runs([1, 2, 3, 7]) == [(1, 3), (7, 7)]
    assert runs([]) == []


def test_exhibit_and_matrix_are_plain_values() -> None:
    assert Exhibit.__slots__
    assert Matrix.__slots__


def test_weights_over_sound_lie_where_the_digit_sounds() -> None:
    values = speech(listener()).values
    weights = listener().examples[0].weights
    assert weights is not None
    spans = listener().examples[0].spans
    inside = [float(weights[row, first:last].sum()) for row, (first, last) in enumerate(spans)]
    assert values["inside"] == pytest.approx(sum(inside) / 4)
    assert values["inside"] > 0.9 > 0.2, "uniform weights would give a fifth"


def test_masks_side_by_side_count_what_they_keep() -> None:
    values = mask_gallery(T=8, length=6, window=3).values
    assert values["causal_kept"] == 8 * 9 // 2
    assert values["padding_kept"] == 8 * 6
    assert values["window_kept"] == 1 + 2 + 3 * 6
    assert values["both_kept"] == 1 + 2 + 3 + 4 + 5 + 6 * 3


def test_thumbnails_of_a_causal_model_hatch_what_it_cannot_see() -> None:
    figure = overview(copier(causal=True)).figure
    stairs = [patch for patch in figure.findobj(Polygon) if str(patch.get_label()).endswith("masked")]
    assert len(stairs) == 8
    assert all(patch.get_hatch() for patch in stairs)
    assert not [p for p in overview(copier(causal=False)).figure.findobj(Polygon) if "masked" in str(p.get_label())]


def test_the_strongest_offset_of_each_head_is_found() -> None:
    values = overview(copier(causal=True)).values
    assert values["offset_1_1"] == 1
    assert values["offset_2_3"] == 6


def test_ink_is_drawn_in_runs_that_cover_every_dark_pixel() -> None:
    pixels = torch.rand(9, 9, generator=torch.Generator().manual_seed(0))
    again = torch.zeros(9, 9, dtype=torch.int)
    for row, first, last, level in runs_of_ink(pixels):
        assert not again[row, first : last + 1].any(), "runs do not overlap"
        again[row, first : last + 1] = level
    assert torch.equal(again, (pixels / pixels.max() * 3).round().int())


def test_the_weight_on_the_right_cell_of_a_picture_is_measured() -> None:
    values = pictures((captioner("additive"), captioner("hard-gumbel"))).values
    assert values["additive_inside"] > 0.9 > values["uniform_mass"]
    assert values["hard_gumbel_inside"] == 1.0


def test_what_lies_outside_a_window_is_hatched() -> None:
    figure = local_window(translator("local-m"), length_curve("local-m")).figure
    drawn = [p for p in figure.findobj(Rectangle) if str(p.get_label()).startswith("weights [")]
    outside = sum(abs(column - row) > 3 for row in range(len(TARGET)) for column in range(len(SOURCE)))
    assert sum(bool(patch.get_hatch()) for patch in drawn) == 2 * outside


def test_the_toy_says_how_much_weight_lies_on_the_digit() -> None:
    values = toy(bug_table()).values
    assert values["inside"] == pytest.approx(float(bug_table().example_weights[:, 2].mean()))
    assert values["inside"] > 0.9 > values["uniform"] == pytest.approx(1 / 6)
