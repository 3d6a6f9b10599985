from __future__ import annotations

import warnings

import pytest
from drawn import COLOURS, SIZE, blank, draw
from matplotlib import font_manager, rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from deck_builder.drawing.style import apply


def test_the_property_cycle_is_the_themes_accents_in_order() -> None:
    figure = blank()
    axes = figure.subplots()
    for number in range(6):
        axes.plot([0, 1], [0, number], label=f"line {number}")
    drawn = draw(figure)
    slots = [next(drawn.shape(f"line {number}").iter("{*}schemeClr")).get("val") for number in range(6)]
    assert slots == [f"accent{number}" for number in range(1, 7)]


def test_all_default_text_is_large_enough_and_in_the_themes_colours() -> None:
    figure = blank()
    axes = figure.subplots()
    axes.plot([0, 1], label="curve")
    axes.set(xlabel="x", ylabel="y", title="title")
    axes.legend(title="legend")
    figure.suptitle("all")
    drawn = draw(figure)
    assert min(map(int, drawn.values(".//a:rPr/@sz"))) >= 1100
    assert set(drawn.values(".//a:rPr/a:solidFill/a:schemeClr/@val")) == {"tx1", "tx2"}
    assert not drawn.values(".//a:rPr/a:solidFill/a:srgbClr/@val")


def test_a_figure_takes_the_size_of_its_frame() -> None:
    apply(COLOURS, (7.5, 3.25))
    assert tuple(Figure().get_size_inches()) == (7.5, 3.25)


def test_what_a_figure_function_changed_does_not_reach_the_next() -> None:
    apply(COLOURS, SIZE)
    rcParams["lines.linewidth"] = 9
    rcParams["font.sans-serif"] = ["SimHei"]
    apply(COLOURS, SIZE)
    assert rcParams["lines.linewidth"] == 2
    assert rcParams["font.family"][0] == "Lecture Sans SC"


def test_another_theme_brings_its_own_colours() -> None:
    apply({**COLOURS, "dk1": "EEEEEE", "lt1": "101418", "accent1": "88AAFF"}, None)
    assert rcParams["text.color"] == "#EEEEEE"
    assert rcParams["axes.facecolor"] == "#101418"
    apply(COLOURS, SIZE)


@pytest.mark.parametrize("family", ["SimHei", "Microsoft YaHei", "Lecture Sans SC"])
@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_the_chinese_faces_that_scripts_ask_for_are_there(family: str, weight: str) -> None:
    apply(COLOURS, SIZE)
    rcParams["font.sans-serif"] = [family]
    rcParams["font.family"] = "sans-serif"
    figure = Figure(figsize=(2, 1))
    figure.text(0.1, 0.5, "注意力机制", weight=weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that is missing is a warning
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    assert font_manager.findfont(font_manager.FontProperties(family=[family]), fallback_to_default=False)


def test_formulas_beside_chinese_need_no_further_face() -> None:
    apply(COLOURS, SIZE)
    figure = Figure(figsize=(3, 1))
    figure.text(0.1, 0.5, r"方差 $\frac{1}{2}\sigma^2$")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]


def test_only_a_light_horizontal_grid_is_drawn() -> None:
    figure = blank()
    figure.subplots().plot([0, 1])
    drawn = draw(figure)
    for name in [name for name in drawn.names if name.startswith("grid line")]:
        _, _, width, height = drawn.box(name)
        assert height == 0
        assert width > 100
    assert {name for name in drawn.names if name.startswith("axis line")} == {"axis line", "axis line 2"}
