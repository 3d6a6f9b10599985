from __future__ import annotations

import pytest
from drawn import COLOURS, draw, sheet
from matplotlib.patches import Rectangle

from deck_builder.drawing.paint import Palette, pattern_of
from deck_builder.elements.colour import Colour
from deck_builder.errors import DeckError


@pytest.mark.parametrize(
    ("rgba", "expected"),
    [
        ((0x1B / 255, 0x2A / 255, 0x41 / 255, 1), Colour("tx1")),
        ((1, 1, 1, 0.5), Colour("bg1", 0.5)),
        ((0x7A / 255, 0x4F / 255, 0xC9 / 255), Colour("accent4")),
        ((0x7A / 255, 0x4F / 255, 0xCA / 255, 1), Colour("7A4FCA")),
        ((0, 0, 0, 0), None),
    ],
)
def test_exactly_the_themes_colours_become_theme_colours(rgba: tuple[float, ...], expected: Colour | None) -> None:
    assert Palette.of(COLOURS).colour(rgba) == expected


def test_the_first_slot_of_a_colour_counts() -> None:
    assert Palette.of(COLOURS).colour((0x2A / 255, 0x66 / 255, 0xCF / 255)) == Colour("accent1")


def test_colours_that_stand_for_values_stay_as_they_are() -> None:
    assert Palette.of(COLOURS).colour((1, 1, 1, 1), literal=True) == Colour("FFFFFF")


@pytest.mark.parametrize("hatch", ["/", "\\", "|", "-", "+", "x", "o", "O", ".", "*", "////////"])
def test_every_hatch_is_a_pattern(hatch: str) -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((50, 50), 90, 60, facecolor="w", edgecolor="C0", hatch=hatch, label="hatched"))
    drawn = draw(figure)
    assert drawn.values(".//a:pattFill/@prst") == [pattern_of(hatch)]
    assert len(drawn.names) == 1


@pytest.mark.parametrize(("hatch", "same"), [("/\\", "x"), ("-|", "+"), ("//", "/"), ("..-", ".")])
def test_hatches_of_several_characters_take_the_nearest_pattern(hatch: str, same: str) -> None:
    assert pattern_of(hatch) == pattern_of(same)


def test_an_unknown_hatch_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(DeckError, match=r"'\?'.*/ .* x"):
        pattern_of("/?")


def test_a_hatch_without_a_fill_lets_through_what_is_behind() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((50, 50), 90, 60, facecolor="none", hatch="//"))
    assert draw(figure).values(".//a:pattFill/a:bgClr//a:alpha/@val") == ["0"]


def test_width_dashes_cap_and_join_are_those_of_the_line() -> None:
    figure = sheet()
    figure.axes[0].plot([10, 90, 150], [10, 80, 20], linestyle=(0, (4, 2)), lw=2.5, dash_capstyle="round", color="C1")
    (line,) = draw(figure).find(".//a:ln")
    assert (line.get("w"), line.get("cap")) == ("31750", "rnd")
    (dash,) = line.iter("{*}ds")
    assert (dash.get("d"), dash.get("sp")) == ("400000", "200000")
    assert [node.get("val") for node in line.iter("{*}schemeClr")] == ["accent2"]


@pytest.mark.parametrize("options", [{"lw": 0}, {"alpha": 0}, {"linestyle": "none"}])
def test_an_invisible_line_is_not_drawn(options: dict[str, object]) -> None:
    figure = sheet()
    figure.axes[0].plot([10, 90], [10, 80], **options)  # type: ignore[arg-type]
    assert draw(figure).names == []


def test_alpha_of_the_artist_covers_fill_and_line() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((50, 50), 90, 60, facecolor="C0", edgecolor="C1", alpha=0.4))
    assert draw(figure).values(".//a:alpha/@val") == ["40000", "40000"]


def test_fill_and_line_may_have_an_alpha_each() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((50, 50), 90, 60, facecolor=("C0", 0.3), edgecolor=("C1", 0.6)))
    assert draw(figure).values(".//a:alpha/@val") == ["30000", "60000"]
