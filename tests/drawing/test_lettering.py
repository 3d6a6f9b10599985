from __future__ import annotations

import math

import pytest
from drawn import METRICS, blank, draw, renderer_for, sheet
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import patheffects
from matplotlib.figure import Figure


def with_text(text: str, **options: object) -> Figure:
    figure = sheet()
    figure.axes[0].text(200, 150, text, gid="label", **options)  # type: ignore[arg-type]
    return figure


def test_text_is_set_in_a_box_of_its_measured_size_without_insets() -> None:
    drawn = draw(with_text("注意力 weights", fontsize=14))
    (body,) = drawn.find(".//a:bodyPr")
    assert [body.get(name) for name in ("lIns", "tIns", "rIns", "bIns", "wrap", "anchor")] == [*"0000", "none", "ctr"]
    left, _, width, _ = drawn.box("label")
    measured = METRICS.advance("注意力 weights") * 14
    assert width == pytest.approx(measured * 1.05, abs=0.01)
    assert left == pytest.approx(200, abs=0.01)


@pytest.mark.parametrize(("ha", "algn", "share"), [("left", "l", 0.0), ("center", "ctr", 0.5), ("right", "r", 1.0)])
def test_text_keeps_its_place_where_it_was_aligned(ha: str, algn: str, share: float) -> None:
    drawn = draw(with_text("some text", ha=ha))
    left, _, width, _ = drawn.box("label")
    assert left + width * share == pytest.approx(200, abs=0.01)
    assert drawn.values(".//a:pPr/@algn") == [algn]


@pytest.mark.parametrize("text", ["dog", "gypq", "狗", "Q 我", "$d_k$", "10"])
def test_neighbouring_labels_share_a_baseline(text: str) -> None:
    # Viewers centre a line of ascent a and descent d: its baseline is (a - d) / 2 below the middle of its box.
    drawn = draw(with_text(text, va="top", fontsize=20))
    _, top, _, height = drawn.box("label")
    wide = any(ord(character) > 0x2E80 for character in text)
    ascent, descent = (1.058, 0.269) if wide else (0.952, 0.269)
    baseline = top + height / 2 + (ascent - descent) / 2 * 20
    assert 288 - baseline == pytest.approx(150 - 0.86 * 20, abs=0.01)


@given(
    angle=st.floats(-360, 360),
    ha=st.sampled_from(["left", "center", "right"]),
    va=st.sampled_from(["top", "center", "bottom", "baseline"]),
    mode=st.sampled_from(["default", "anchor"]),
    lines=st.sampled_from(["one line", "一行字", "two\nlines of text"]),
)
def test_turned_text_covers_the_place_that_matplotlib_gives_it(
    angle: float, ha: str, va: str, mode: str, lines: str
) -> None:
    figure = with_text(lines, rotation=angle, ha=ha, va=va, rotation_mode=mode)
    drawn = draw(figure)
    left, top, width, height = drawn.box("label")
    turn = int(next(iter(drawn.values(".//a:xfrm/@rot")), "0")) / 60_000
    assert math.isclose(math.cos(math.radians(turn)), math.cos(math.radians(-angle)), abs_tol=1e-4)
    # A viewer's line is higher than what layout counts, and its middle a little above; spare width grows to one side.
    extent = figure.axes[0].texts[0].get_window_extent(renderer_for(figure))
    middle = (extent.x0 + extent.x1) / 2, (extent.y0 + extent.y1) / 2
    assert (left + width / 2, 288 - top - height / 2) == pytest.approx(middle, abs=2.5)


def test_the_lines_of_a_text_are_paragraphs_of_one_box() -> None:
    drawn = draw(with_text("第一行\nsecond line\n三", ha="center", multialignment="right"))
    assert drawn.names == ["label"]
    assert drawn.text("label") == "第一行\nsecond line\n三"
    assert set(drawn.values(".//a:pPr/@algn")) == {"r"}


def test_an_empty_line_stays() -> None:
    assert draw(with_text("above\n\nbelow")).text("label") == "above\n\nbelow"


def test_weight_slant_pitch_and_colour_are_those_of_the_text() -> None:
    drawn = draw(with_text("code", weight="bold", style="italic", family="monospace", color="C2", alpha=0.5))
    (properties,) = drawn.find(".//a:rPr")
    assert (properties.get("b"), properties.get("i"), properties.get("sz")) == ("1", "1", "1200")
    assert drawn.values(".//a:rPr/a:latin/@typeface") == ["Consolas"]
    assert drawn.values(".//a:rPr//a:schemeClr/@val") == ["accent3"]
    assert drawn.values(".//a:rPr//a:alpha/@val") == ["50000"]


def test_text_says_its_language() -> None:
    figure = sheet()
    figure.axes[0].text(50, 50, "汉字")
    figure.axes[0].text(50, 90, "words")
    assert draw(figure).values(".//a:rPr/@lang") == ["zh-CN", "en-US"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$d_k$", "dk"),
        (r"方差 $\sigma^2$ 与 $d_k$", "方差 σ2 与 dk"),
        (r"cost \$5", "cost $5"),
        (r"$\mathdefault{10^{-2}}$", "10−2"),
        (r"$-1$ 到 $\alpha$", "−1 到 α"),
    ],
)
def test_simple_formulas_are_typed_text(text: str, shown: str) -> None:
    assert draw(with_text(text)).text("label") == shown


def test_scripts_are_raised_and_lowered_and_letters_slanted() -> None:
    runs = draw(with_text("$x_i^2$")).find(".//a:r")
    found = [(run[-1].text, run[0].get("i"), run[0].get("baseline")) for run in runs]
    assert found == [("x", "1", None), ("i", "1", "-25000"), ("2", None, "30000")]


@pytest.mark.parametrize(
    "text",
    [
        r"$\hat{x}_{\frac{a+\frac{b}{c}}{d}}$",
        r"$\sum_{i=1}^{n} \binom{n}{k}$",
        r"和 $\dfrac{a}{b}$",
        r"$\mathbb{R}^{n \times d}$",
    ],
)
def test_a_formula_is_never_shown_as_tex(text: str) -> None:
    drawn = draw(with_text(text))
    assert "$" not in drawn.drawing.group.decode()
    assert "\\" not in drawn.drawing.group.decode()
    assert drawn.find(".//a:t | .//a:path")
    assert not drawn.find(".//p:pic")


def test_a_formula_of_two_dimensions_is_outlines_of_its_size() -> None:
    figure = with_text(r"$\sum_{i=1}^{n} \binom{n}{k}$", fontsize=20)
    drawn = draw(figure)
    left, _, width, _ = drawn.box("label")
    extent = figure.axes[0].texts[0].get_window_extent(renderer_for(figure))
    assert (left, width) == pytest.approx((extent.x0, extent.width), abs=4)
    assert len(list(drawn.shape("label").iter("{*}moveTo"))) > 5


def test_a_symbol_alone_keeps_its_face() -> None:
    figure = with_text(r"$\sum$")
    figure.axes[0].text(50, 50, "plain")
    drawn = draw(figure)
    assert drawn.values('.//a:r[a:t="∑"]/a:rPr/a:ea/@typeface') == ["+mn-lt"]
    assert not drawn.values('.//a:r[a:t="plain"]/a:rPr/a:ea/@typeface')


def test_log_ticks_are_powers_of_ten() -> None:
    figure = blank()
    figure.subplots().loglog([1, 1000], [1, 1e6])
    drawn = draw(figure)
    raised = drawn.values('.//a:r[a:rPr/@baseline="30000"]/a:t/text()')
    assert {"0", "2", "3", "6"} <= set(raised)
    assert "$" not in drawn.drawing.group.decode()


def test_negative_numbers_have_a_minus_sign() -> None:
    figure = blank()
    figure.subplots().plot([-2, 2], [-1, 1])
    texts = draw(figure).values(".//a:t/text()")
    assert "−2.0" in texts
    assert not [text for text in texts if text.startswith("-")]


def test_a_halo_becomes_a_glow_and_the_text_stays_text() -> None:
    effect = [patheffects.withStroke(linewidth=3, foreground="w")]
    drawn = draw(with_text("on a line", path_effects=effect))
    assert drawn.text("label") == "on a line"
    assert drawn.values(".//a:rPr/a:effectLst/a:glow/@rad") == ["19050"]


def test_text_that_would_leave_the_figure_is_moved_inside_and_the_build_says_so() -> None:
    figure = sheet()
    figure.axes[0].text(400, 150, "a long label at the edge", gid="label")
    drawn = draw(figure)
    left, _, width, _ = drawn.box("label")
    assert left + width <= 432.01
    assert any("a long label" in notice for notice in drawn.drawing.notices)


def test_text_larger_than_the_figure_is_set_smaller() -> None:
    figure = sheet()
    figure.axes[0].text(10, 150, "words " * 30, gid="label")
    drawn = draw(figure)
    left, _, width, _ = drawn.box("label")
    assert left >= -0.01
    assert left + width <= 432.01
    assert any("larger than the figure" in notice for notice in drawn.drawing.notices)


def test_small_text_is_said() -> None:
    assert any("8.0 pt" in notice for notice in draw(with_text("tiny", fontsize=8)).drawing.notices)
    assert draw(with_text("fine", fontsize=11)).drawing.notices == ()


def test_text_clipped_away_is_not_drawn() -> None:
    figure = blank()
    axes = figure.subplots()
    axes.set_xlim(0, 1)
    axes.text(5, 0.5, "outside", clip_on=True)
    assert "outside" not in draw(figure).values(".//a:t/text()")


def test_what_text_loses_is_said() -> None:
    shadow = with_text("shadow", path_effects=[patheffects.withSimplePatchShadow()])
    assert any("path effects" in notice for notice in draw(shadow).drawing.notices)
    assert any("example.org" in notice for notice in draw(with_text("link", url="https://example.org")).drawing.notices)


def test_text_at_no_place_leaves_the_rest_as_it_is() -> None:
    figure = sheet()
    figure.axes[0].text(math.nan, 10, "nowhere")
    figure.axes[0].text(100, 100, "somewhere", gid="label")
    assert draw(figure).names == ["label"]
