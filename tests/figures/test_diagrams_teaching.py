"""The teaching diagrams: their numbers are torch's, their steps are named, their arrows are glued."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import torch
from exhibits import TARGET, trained_reader, translator, translators
from legible import course_style
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.text import Text
from torch.nn.functional import scaled_dot_product_attention

from figures.colours import ramp
from figures.diagrams import (
    bottleneck,
    decoding_step,
    head_split,
    mask_shapes,
    multi_head,
    online_softmax,
    qkv,
    recurrent_mappings,
    weighted_sum,
)
from figures.diagrams.worked_example import worked_example
from figures.exhibit import Exhibit

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def style() -> Iterator[None]:
    with course_style():
        yield


def steps(figure: Figure) -> set[str]:
    return {str(artist.get_gid()) for artist in figure.findobj(lambda artist: bool(artist.get_gid()))}


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_the_worked_example_is_what_torch_computes() -> None:
    worked = worked_example()
    mask = torch.ones(4, 4).tril().bool()
    expected = scaled_dot_product_attention(worked.q[None], worked.k[None], worked.v[None], mask)[0]
    assert torch.allclose(worked.attention.output, expected, atol=1e-6)
    assert torch.equal(worked.mask, mask)


def test_its_numbers_can_be_followed_by_hand() -> None:
    worked = worked_example()
    for matrix in (worked.q, worked.k, worked.v):
        assert torch.allclose(matrix * 10, (matrix * 10).round(), atol=1e-4), "one decimal is exact"
    assert torch.allclose(worked.products * 100, (worked.products * 100).round(), atol=1e-3)


def test_every_written_number_of_the_diagram_is_in_its_matrix() -> None:
    worked = worked_example()
    figure = qkv().figure
    wanted = {
        "q": (worked.q, 1), "k": (worked.k, 1), "v": (worked.v, 1), "x": (worked.x, 1), "product": (worked.products, 2),
        "scaled": (worked.attention.scores, 2), "output": (worked.attention.output, 2),
    }  # fmt: skip
    for name, (matrix, places) in wanted.items():
        for row, column in product(*map(range, matrix.shape)):
            cell = next(p for p in figure.findobj(Rectangle) if p.get_label() == f"{name} [{row + 1}, {column + 1}]")
            middle = cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2
            written = next(t.get_text() for t in figure.findobj(Text) if t.get_position() == pytest.approx(middle))
            assert float(written.replace("−", "-")) == pytest.approx(float(matrix[row, column]), abs=0.51 * 10**-places)


def test_the_followed_row_adds_up_to_one_and_says_so() -> None:
    exhibit = qkv(query=2)
    assert exhibit.values["weight_sum"] == pytest.approx(1)
    assert exhibit.values["weights"][3] == 0.0
    line = next(text for text in texts(exhibit.figure) if text.startswith("归一"))
    terms, total = line.removeprefix("归一").split("=")
    assert sum(float(term) for term in terms.split("+")) == pytest.approx(1, abs=1e-9)
    assert total.strip() == "1.00"


def test_masked_cells_of_the_diagram_are_hatched() -> None:
    for name in ("masked", "weights"):
        cells = [p for p in qkv().figure.findobj(Rectangle) if str(p.get_label()).startswith(f"{name} [")]
        assert sum(bool(cell.get_hatch()) for cell in cells) == 6
        assert len(cells) == 16


@pytest.mark.parametrize(
    ("exhibit", "count"),
    [
        (lambda: qkv(), 6),
        (lambda: bottleneck(translators("none", "additive")), 4),
        (lambda: multi_head(trained_reader()), 4),
        (lambda: weighted_sum(), 4),
        (lambda: head_split(), 3),
        (lambda: mask_shapes(), 2),
    ],
)
def test_the_steps_of_a_diagram_are_named_from_one_on(exhibit: object, count: int) -> None:
    made = exhibit()  # type: ignore[operator]
    assert isinstance(made, Exhibit)
    assert steps(made.figure) == {f"step-{number}" for number in range(1, count + 1)}


@pytest.mark.parametrize("size", [(11.9, 5.0), (7.0, 4.6), (11.9, 3.3)])
@pytest.mark.parametrize(
    "make", [qkv, recurrent_mappings, lambda size: bottleneck(translators("none", "additive"), size=size)]
)
def test_every_arrow_is_glued_to_the_middles_of_two_sides(make: object, size: tuple[float, float]) -> None:
    figure = make(size=size).figure  # type: ignore[operator]
    arrows = figure.findobj(FancyArrowPatch)
    assert len(arrows) >= 10
    for arrow in arrows:
        for patch, point in ((arrow.patchA, arrow._posA_posB[0]), (arrow.patchB, arrow._posA_posB[1])):
            assert isinstance(patch, Rectangle | FancyBboxPatch)
            x, y, w, h = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
            sides = [(x, y + h / 2), (x + w, y + h / 2), (x + w / 2, y), (x + w / 2, y + h)]
            assert any(point == pytest.approx(side) for side in sides)


def test_the_bottleneck_marks_what_the_fixed_vector_got_wrong() -> None:
    exhibit = bottleneck(translators("none", "additive"))
    assert exhibit.values["written_without"] == "1920年4月19日星期日"
    assert exhibit.values["written_with"] == exhibit.values["reference"] == "".join(TARGET)
    assert exhibit.values["wrong_without"] == 1
    assert "第 9 个字应为“8”，写成“9”" in texts(exhibit.figure)
    assert exhibit.values["token"] == "8", "the step that looks back is the one that went wrong"


def test_lines_back_are_as_wide_as_their_weights() -> None:
    exhibit = bottleneck(translators("none", "additive"))
    weights = translator("additive").examples[0].weights
    assert weights is not None
    lines = [a for a in exhibit.figure.findobj(FancyArrowPatch) if str(a.get_label()).startswith("weight ")]
    assert len(lines) == weights.shape[1]
    widths = torch.tensor([line.get_linewidth() for line in lines])
    assert torch.equal(widths.argsort(), weights[8].argsort())
    assert float(weights[8].sum()) == pytest.approx(1)


def test_the_second_model_must_attend() -> None:
    with pytest.raises(ValueError, match="its weights are to be drawn"):
        bottleneck(translators("additive", "none"))


def test_heads_side_by_side_give_the_output_through_w_o() -> None:
    values = multi_head(trained_reader()).values
    assert values["output_difference"] < 1e-5
    assert (values["heads"] * values["d_k"], values["role_2"]) == (values["d_model"], "next")


def test_every_head_is_drawn_with_its_own_weights_from_zero_to_one() -> None:
    model = trained_reader()
    figure = multi_head(model).figure
    for head, row, column in product(range(4), range(8), range(8)):
        name = f"head {head + 1} [{row + 1}, {column + 1}]"
        cell = next(patch for patch in figure.findobj(Rectangle) if patch.get_label() == name)
        assert cell.get_facecolor() == pytest.approx(ramp()(float(model.example.weights[head, row, column])))


def test_softmax_in_blocks_is_softmax() -> None:
    values = online_softmax(scores=(1.0, 2.0, 0.5, 3.0, -1.0, 2.5, 0.0), block=3).values
    scores = torch.tensor([1.0, 2.0, 0.5, 3.0, -1.0, 2.5, 0.0], dtype=torch.double)
    assert values["weights"] == pytest.approx(scores.softmax(-1).tolist())
    assert values["tops"] == [2.0, 3.0, 3.0]
    assert values["sums"][-1] == pytest.approx(float((scores - 3).exp().sum()))


def test_a_cached_step_has_one_row_of_scores_and_the_same_output() -> None:
    values = decoding_step().values
    assert (values["full_shape"], values["row_shape"]) == ([5, 5], [1, 5])
    assert values["difference"] < 1e-6


def test_a_wrong_view_keeps_few_features_in_place_and_the_right_one_all() -> None:
    values = head_split(tokens=tuple("一二三四五"), heads=2, d_head=4).values
    x = torch.arange(5 * 8).view(1, 5, 8)
    right, wrong = x.view(1, 5, 2, 4).transpose(1, 2), x.view(1, 2, 5, 4)
    assert values["same"] == pytest.approx(float((right == wrong).double().mean()))
    assert values["same"] == pytest.approx(0.2), "the known figure of this mistake for T = 5, h = 2, d = 4"
    assert values["error"] == "RuntimeError"


def test_a_mask_of_the_wrong_shape_hides_tokens_of_other_sentences() -> None:
    values = mask_shapes(lengths=(3, 5, 4)).values
    assert values["pads"] == [2, 0, 1]
    assert (values["seen"], values["lost"]) == (4, 4)
    assert values["error"] == "RuntimeError"
    assert mask_shapes(lengths=(5, 5, 5)).values["wrong"] == 0


def test_a_synchronous_network_writes_as_much_as_it_reads_and_a_decoder_does_not() -> None:
    values = recurrent_mappings().values
    assert values["sync_in"] == values["sync_out"]
    assert values["source"] != values["target"]


def test_weights_of_one_query_mix_the_values() -> None:
    values, worked = weighted_sum(query=3).values, worked_example()
    assert values["output"] == pytest.approx((torch.tensor(values["weights"]) @ worked.v).tolist())
