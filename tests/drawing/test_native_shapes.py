"""What a figure consists of once drawn: counted, named, and in the frame."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest
from drawn import COLOURS, METRICS, SIZE, Drawn, ask, blank, draw, sheet
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Ellipse, FancyBboxPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from deck_builder.drawing import draw_figure
from deck_builder.drawing.style import apply
from deck_builder.errors import DeckError

RNG = np.random.default_rng(0)
WEIGHTS = RNG.random((6, 8))


def heatmap(values: np.ndarray = WEIGHTS, *, labels: bool = True, **options: object) -> Figure:
    figure = blank()
    axes = figure.subplots()
    axes.imshow(values, **options)  # type: ignore[arg-type]
    for (row, column), value in np.ndenumerate(values):
        if labels:
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=11)
    return figure


# ---------------------------------------------------------------- the whole


def test_a_figure_is_one_group_with_its_name_alternative_text_and_frame() -> None:
    drawn = draw(heatmap())
    (properties,) = drawn.find("./p:nvGrpSpPr/p:cNvPr")
    assert (properties.get("id"), properties.get("name"), properties.get("descr")) == ("1", "fig-test", "what is seen")
    (place,) = drawn.find("./p:grpSpPr/a:xfrm")
    assert [(node.get("x") or node.get("cx"), node.get("y") or node.get("cy")) for node in place] == [
        ("0", "0"),
        ("5486400", "3657600"),
    ] * 2


def test_ids_count_from_one_in_document_order_and_names_are_unique() -> None:
    figure = heatmap()
    figure.axes[0].plot([0, 1], [0, 1], "o-", gid="curve")
    drawn = draw(figure)
    assert drawn.identifiers == list(range(1, len(drawn.identifiers) + 1))
    assert not [name for name, count in Counter(["fig-test", *drawn.names]).items() if count > 1]


def test_the_same_figure_gives_the_same_bytes() -> None:
    first, second = (
        draw_figure(heatmap(), frame_size=(5_000_000, 3_000_000), colours=COLOURS, name="f", alt="a") for _ in range(2)
    )
    assert first.group == second.group


def test_shapes_have_their_own_fill_and_line_and_no_theme_style() -> None:
    drawn = draw(heatmap())
    assert not drawn.find(".//p:style")
    assert len(drawn.find(".//p:spPr/a:ln")) == len(drawn.find(".//p:sp | .//p:cxnSp"))
    assert len(drawn.find(".//p:sp/p:spPr[a:noFill or a:solidFill or a:gradFill or a:pattFill]")) == len(
        drawn.find(".//p:sp")
    )


def test_drawing_leaves_the_figure_as_it_was_but_for_its_size() -> None:
    figure = heatmap()
    canvas, dpi, image = figure.canvas, figure.dpi, figure.axes[0].images[0]
    image.set_interpolation("nearest")
    draw(figure, (9, 5))
    assert figure.canvas is canvas
    assert figure.dpi == dpi
    assert image.get_interpolation() == "nearest"
    assert tuple(figure.get_size_inches()) == (9, 5)
    assert not [artist for artist in figure.findobj() if "draw" in vars(artist)]


def test_a_failed_drawing_leaves_the_figure_as_it_was_too() -> None:
    figure = sheet()
    figure.axes[0].text(10, 10, "x", usetex=True)
    with pytest.raises(DeckError):
        draw(figure)
    assert not [artist for artist in figure.findobj() if "draw" in vars(artist)]


def test_the_backgrounds_of_figure_and_axes_are_paper_and_not_drawn() -> None:
    figure = blank()
    figure.subplots().set_axis_off()
    assert draw(figure).names == []


def test_a_background_of_another_colour_is_drawn() -> None:
    figure = blank(facecolor="C0")
    figure.subplots().set_axis_off()
    assert draw(figure).names == ["background"]


# ---------------------------------------------------------------- heatmaps


def test_a_heatmap_is_cells_that_carry_their_numbers() -> None:
    figure = heatmap()
    figure.axes[0].set_axis_off()
    drawn = draw(figure)
    assert len(drawn.find(".//p:sp")) == drawn.drawing.shapes == WEIGHTS.size
    assert not drawn.find(".//p:pic")
    assert drawn.text("cell 2,5") == f"{WEIGHTS[2, 5]:.2f}"
    assert drawn.drawing.media == {}


@pytest.mark.parametrize("origin", ["upper", "lower"])
def test_cells_tile_the_image_without_a_gap(origin: str) -> None:
    figure = heatmap(labels=False, origin=origin)
    figure.axes[0].set_axis_off()
    drawn = draw(figure)
    rows, columns = WEIGHTS.shape
    boxes = {(r, c): drawn.box(f"cell {r},{c}") for r in range(rows) for c in range(columns)}
    for (row, column), (left, _, width, height) in boxes.items():
        if column + 1 < columns:
            assert left + width == pytest.approx(boxes[row, column + 1][0], abs=1e-9)
        if row + 1 < rows:
            below = (row, column) if origin == "lower" else (row + 1, column)
            above = (row + 1, column) if origin == "lower" else (row, column)
            assert boxes[above][1] + boxes[above][3] == pytest.approx(boxes[below][1], abs=1e-9)
        assert height > 0


@pytest.mark.parametrize("interpolation", [None, "none", "nearest", "antialiased"])
def test_small_images_are_cells_however_their_pixels_were_to_be_drawn(interpolation: str | None) -> None:
    assert not draw(heatmap(labels=False, interpolation=interpolation)).find(".//p:pic")


def test_cell_colours_are_those_of_the_colormap_and_never_follow_the_theme() -> None:
    figure = heatmap(np.array([[0.0, 0.5, 1.0]]), labels=False, vmin=0, vmax=1)
    figure.axes[0].set_axis_off()
    drawn = draw(figure)
    found = drawn.values(".//p:spPr/a:solidFill/a:srgbClr/@val")
    assert found == [
        np.asarray(colormaps["lecture"](value, bytes=True)[:3]).tobytes().hex().upper() for value in (0.0, 0.5, 1.0)
    ]
    assert found[0] == COLOURS["lt1"]
    assert not drawn.find(".//p:spPr/a:solidFill/a:schemeClr")


def test_masked_values_are_clear_cells() -> None:
    values = np.ma.masked_greater(WEIGHTS, 0.8)
    figure = heatmap(values, labels=False)
    figure.axes[0].set_axis_off()
    drawn = draw(figure)
    assert len(drawn.find(".//p:sp")) == WEIGHTS.size
    assert len(drawn.find(".//p:sp/p:spPr/a:noFill")) == values.mask.sum()


def test_one_alpha_or_one_for_each_pixel() -> None:
    figure = heatmap(np.ones((1, 2)), labels=False, alpha=0.5)
    figure.axes[0].set_axis_off()
    assert {int(value) // 1000 for value in draw(figure).values(".//a:alpha/@val")} == {50}
    figure = heatmap(np.ones((1, 2)), labels=False, alpha=np.array([[0.25, 0.75]]))
    figure.axes[0].set_axis_off()
    assert [round(int(value) / 100_000, 2) for value in draw(figure).values(".//a:alpha/@val")] == [0.25, 0.75]


def test_a_grid_below_everything_does_not_cross_an_image() -> None:
    assert not [name for name in draw(heatmap(labels=False)).names if name.startswith("grid line")]


def test_a_large_image_is_a_picture_inside_the_group() -> None:
    figure = blank()
    figure.subplots().imshow(RNG.random((80, 70)))
    drawn = draw(figure)
    assert drawn.values(".//p:pic//a:blip/@r:embed") == ["image-0"]
    assert drawn.drawing.media["image-0"].startswith(b"\x89PNG")
    assert b"tEXt" not in drawn.drawing.media["image-0"]


def test_an_image_clipped_by_a_circle_is_clear_outside_of_it() -> None:
    from io import BytesIO

    from PIL import Image

    figure = sheet()
    image = figure.axes[0].imshow(np.ones((100, 100)), extent=(100, 200, 100, 200), interpolation="bilinear")
    figure.axes[0].set(xlim=(0, 432), ylim=(0, 288))
    image.set_clip_path(Circle((150, 150), 50, transform=figure.axes[0].transData))
    (png,) = draw(figure).drawing.media.values()
    alpha = np.asarray(Image.open(BytesIO(png)))[..., 3]
    assert alpha[0, 0] == 0
    assert alpha[alpha.shape[0] // 2, alpha.shape[1] // 2] == 255
    assert (alpha > 0).mean() == pytest.approx(math.pi / 4, abs=0.02)


def test_a_mesh_is_a_named_cell_for_each_value() -> None:
    figure = blank()
    figure.subplots().pcolormesh(WEIGHTS, edgecolors="w", linewidth=1)
    drawn = draw(figure)
    assert len([name for name in drawn.names if name.startswith("cell")]) == WEIGHTS.size
    assert not drawn.find(".//p:pic")


def test_a_very_fine_mesh_is_a_picture() -> None:
    figure = blank()
    figure.subplots().pcolormesh(RNG.random((80, 80)))
    assert len(draw(figure).find(".//p:pic")) == 1


@pytest.mark.parametrize("orientation", ["vertical", "horizontal"])
def test_a_colour_bar_is_a_few_runs_of_colour_from_end_to_end(orientation: str) -> None:
    figure = heatmap(labels=False, cmap="viridis")
    bar = figure.colorbar(figure.axes[0].images[0], orientation=orientation)
    drawn = draw(figure)
    strips = [name for name in drawn.names if name.startswith("colour scale")]
    assert 2 <= len(strips) <= 32
    boxes = np.array([drawn.box(name) for name in strips])
    along = 1 if orientation == "vertical" else 0
    order = boxes[np.argsort(boxes[:, along])]
    assert np.allclose(order[:-1, along] + order[:-1, along + 2], order[1:, along], atol=0.001)
    assert boxes[:, along + 2].sum() == pytest.approx(max(bar.ax.bbox.width, bar.ax.bbox.height), abs=0.2)
    colours = {value for name in strips for value in _colours(drawn, name)}
    assert {"440154", "FDE725"} <= colours


def _colours(drawn: Drawn, name: str) -> list[str]:
    found = drawn.shape(name).iter("{*}srgbClr")
    return [str(node.get("val")) for node in found]


def test_the_steps_of_a_discrete_colour_bar_stay_steps() -> None:
    figure = blank()
    axes = figure.subplots()
    x, y = np.mgrid[0:3:30j, 0:3:30j]
    figure.colorbar(axes.contourf(x, y, np.sin(x) * y, levels=5))
    drawn = draw(figure)
    assert not drawn.find(".//a:gradFill")


# ---------------------------------------------------------------- text that belongs to a shape


@pytest.mark.parametrize(
    "patch",
    [
        Rectangle((100, 100), 120, 40, label="box"),
        FancyBboxPatch((100, 100), 120, 40, boxstyle="round,pad=0,rounding_size=6", label="box"),
        Ellipse((160, 120), 120, 40, label="box"),
    ],
)
def test_a_text_centred_in_a_shape_is_the_shapes_own(patch: Rectangle) -> None:
    figure = sheet()
    figure.axes[0].add_patch(patch)
    figure.axes[0].text(160, 120, "查询 Q", ha="center", va="center")
    drawn = draw(figure)
    assert drawn.names == ["box"]
    assert drawn.text("box") == "查询 Q"


@pytest.mark.parametrize(
    ("x", "y", "text"), [(165, 120, "Q"), (160, 125, "Q"), (160, 120, "too long for this small box")]
)
def test_a_text_beside_the_middle_or_too_large_stays_by_itself(x: float, y: float, text: str) -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((130, 100), 60, 40, label="box"))
    figure.axes[0].text(x, y, text, ha="center", va="center")
    assert len(draw(figure).names) == 2


def test_a_text_stays_above_what_covers_its_box() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((100, 100), 120, 40, label="box"))
    figure.axes[0].plot([90, 230], [120, 120], label="line")
    figure.axes[0].text(160, 120, "Q", ha="center", va="center")
    assert draw(figure).names == ["box", "line", "text Q"]


def test_a_frame_around_does_not_cover_a_cell() -> None:
    figure = sheet()
    for row in range(3):
        for column in range(3):
            place = (100 + column * 40, 100 + row * 40)
            figure.axes[0].add_patch(Rectangle(place, 40, 40, facecolor="C0", label=f"cell {row}{column}"))
            figure.axes[0].text(place[0] + 20, place[1] + 20, f"{row}{column}", ha="center", va="center")
    figure.axes[0].add_patch(Rectangle((100, 100), 120, 120, facecolor="none", edgecolor="k", label="matrix"))
    figure.axes[0].add_patch(Rectangle((100, 140), 120, 40, facecolor="none", edgecolor="r", label="row"))
    drawn = draw(figure)
    assert len(drawn.names) == 11
    assert drawn.text("cell 11") == "11"


def test_text_turned_by_a_quarter_is_turned_inside_its_shape() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((100, 100), 40, 120, label="box"))
    figure.axes[0].text(120, 160, "up", ha="center", va="center", rotation=90)
    drawn = draw(figure)
    assert drawn.names == ["box"]
    assert drawn.values(".//a:bodyPr/@vert") == ["vert270"]


def test_the_box_around_a_text_carries_it() -> None:
    figure = sheet()
    figure.axes[0].text(200, 150, "说明\nnote", bbox={"boxstyle": "round", "facecolor": "w"}, gid="note", rotation=20)
    drawn = draw(figure)
    assert drawn.names == ["note"]
    assert drawn.text("note") == "说明\nnote"
    assert drawn.values(".//a:prstGeom/@prst") == ["roundRect"]
    assert drawn.values(".//a:xfrm/@rot") == [str((360 - 20) * 60_000)]


def test_lines_that_are_not_centred_keep_their_edge_inside_the_shape() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((100, 100), 120, 60, label="box"))
    figure.axes[0].text(160, 130, "long line\nx", ha="center", va="center", multialignment="left")
    drawn = draw(figure)
    assert drawn.names == ["box"]
    (body,) = drawn.find(".//a:bodyPr")
    inset = (120 - METRICS.advance("long line") * 12) / 2
    assert int(body.get("lIns") or 0) / 12_700 == pytest.approx(inset, abs=0.01)
    assert drawn.values(".//a:pPr/@algn") == ["l", "l"]


def test_a_label_on_a_colour_that_does_not_follow_the_theme_does_not_either() -> None:
    figure = heatmap(np.array([[1.0, 0.0]]), labels=False)
    figure.axes[0].set_axis_off()
    figure.axes[0].text(0, 0, "white", color="w", ha="center", va="center")
    figure.axes[0].text(0.5, 0, "ink", ha="center", va="center")
    drawn = draw(figure)
    assert drawn.values('.//a:r[a:t="white"]/a:rPr//a:srgbClr/@val') == ["FFFFFF"]
    assert drawn.values('.//a:r[a:t="ink"]/a:rPr//a:schemeClr/@val') == ["tx1"]


# ---------------------------------------------------------------- names and groups


def test_every_gid_on_a_drawn_artist_is_a_name() -> None:
    figure = blank()
    axes = figure.subplots()
    axes.plot([1, 2, 3], "o-", gid="curve")
    axes.plot([3, 2], [1, 2], gid="line only")
    axes.bar([1, 2], [1, 2])
    for number, patch in enumerate(axes.patches):
        patch.set_gid(f"bar {number}")
    axes.scatter([1, 2], [2, 3], gid="points")
    axes.fill_between([1, 2], [1, 2], gid="band")
    axes.imshow(WEIGHTS, extent=(1, 2, 1, 2), gid="image")
    axes.text(2, 2, "words", gid="words")
    axes.text(2, 1, "two\nlines", gid="two lines", bbox={"facecolor": "w"})
    axes.annotate("look", (1, 1), (2, 2), arrowprops={"arrowstyle": "->"}, gid="note")
    axes.add_collection(LineCollection([[(1, 1), (2, 2)], [(2, 1), (1, 2)]], gid="lines"))
    axes.legend(handles=[Line2D([], [], label="only line")]).set_gid("legend")
    axes.title.set_gid("title")
    axes.set_title("a title")
    axes.xaxis.label.set_gid("x label")
    axes.set_xlabel("x")
    axes.spines["left"].set_gid("left spine")
    axes.set_gid("axes")
    wanted = {artist.get_gid() for artist in figure.findobj() if artist.get_gid() is not None}
    assert len(wanted) == 16
    assert wanted <= set(draw(figure).names)


def test_a_gid_that_covers_several_shapes_names_a_group_of_them() -> None:
    figure = sheet()
    figure.axes[0].plot([50, 100, 150], [50, 90, 60], "o-", gid="curve")
    drawn = draw(figure)
    assert drawn.names == ["curve", "curve line", "curve marker", "curve marker 2", "curve marker 3"]
    left, top, width, height = drawn.box("curve")
    for name in drawn.names[1:]:
        inner = drawn.box(name)
        assert left <= inner[0] + 1e-9
        assert inner[0] + inner[2] <= left + width + 1e-9
        assert top <= inner[1] + 1e-9
        assert inner[1] + inner[3] <= top + height + 1e-9


def test_a_gid_on_many_artists_names_each_of_their_shapes() -> None:
    figure = sheet()
    for number in range(3):
        figure.axes[0].add_patch(Rectangle((50 * number, 50), 40, 40, gid="step-1", label=f"box {number}"))
        figure.axes[0].text(50 * number + 20, 70, str(number), ha="center", va="center", gid="step-1")
    drawn = draw(figure)
    assert drawn.names == ["step-1", "step-1 2", "step-1 3"]
    assert [drawn.text(name) for name in drawn.names] == ["0", "1", "2"]


def test_a_text_with_another_gid_than_its_box_keeps_its_own_shape() -> None:
    figure = sheet()
    figure.axes[0].add_patch(Rectangle((50, 50), 80, 40, gid="step-1"))
    figure.axes[0].text(90, 70, "later", ha="center", va="center", gid="step-2")
    assert draw(figure).names == ["step-1", "step-2"]


def test_labels_name_what_has_no_gid() -> None:
    figure = blank()
    axes = figure.subplots()
    axes.plot([1, 2], label="准确率")
    axes.bar([1, 2], [1, 2], label="柱")
    names = draw(figure).names
    assert {"准确率", "柱", "柱 2"} <= set(names)


def test_no_name_is_given_twice_even_where_an_author_numbered() -> None:
    figure = sheet()
    for gid in ("a", "a 2", "a", "a", "fig-test"):
        figure.axes[0].add_patch(Rectangle((50, 50), 80, 40, gid=gid))
    names = draw(figure).names
    assert len(set(names)) == 5
    assert "fig-test" not in names


# ---------------------------------------------------------------- the frame


def everything_inside(drawn: Drawn, slack: float = 1.0) -> None:
    for name in drawn.names:
        node = drawn.shape(name)
        left, top, width, height = drawn.box(name)
        turn = math.radians(int(next(iter(ask(node, "./*/a:xfrm/@rot")), "0")) / 60_000)
        across = abs(width * math.cos(turn)) + abs(height * math.sin(turn))
        down = abs(width * math.sin(turn)) + abs(height * math.cos(turn))
        assert left + width / 2 - across / 2 >= -slack, name
        assert top + height / 2 - down / 2 >= -slack, name
        assert left + width / 2 + across / 2 <= SIZE[0] * 72 + slack, name
        assert top + height / 2 + down / 2 <= SIZE[1] * 72 + slack, name


COORDINATE = st.floats(-1e30, 1e30) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 144.0, 1e300])


@settings(max_examples=40)
@given(points=st.lists(st.tuples(COORDINATE, COORDINATE), min_size=1, max_size=7))
def test_nothing_leaves_the_frame_whatever_the_coordinates(points: list[tuple[float, float]]) -> None:
    figure = sheet()
    axes = figure.axes[0]
    axes.add_line(Line2D([x for x, _ in points], [y for _, y in points], clip_on=False, marker="o"))
    if all(math.isfinite(value) for point in points for value in point):
        axes.add_patch(Polygon(points, clip_on=False, facecolor="C1"))
    everything_inside(draw(figure))


def test_an_area_is_cut_at_the_axes_and_its_outline_stays_open_there() -> None:
    figure = sheet()
    axes = figure.add_axes((0.25, 0.25, 0.5, 0.5))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    axes.add_patch(Polygon([(0.5, -1), (2, 0.5), (0.5, 0.5)], facecolor="C0", edgecolor="k", label="area"))
    drawn = draw(figure)
    assert drawn.names == ["area", "area 2"]
    assert drawn.box("area") == pytest.approx((216, 144, 108, 72), abs=0.01)
    outline = drawn.shape("area 2")
    assert [node.get("fill") for node in outline.iter("{*}path")] == ["none"]
    assert not list(outline.iter("{*}close"))


def test_a_bar_cut_at_the_axes_stays_a_rectangle() -> None:
    figure = blank()
    axes = figure.subplots()
    axes.bar([1], [10], edgecolor="none", label="bar")
    axes.set_ylim(0, 5)
    (drawn,) = draw(figure).shape("bar").iter("{*}prstGeom")
    assert drawn.get("prst") == "rect"


def test_a_bar_of_no_height_is_a_rectangle_too() -> None:
    figure = blank()
    figure.subplots().bar([1, 2], [0, 2], edgecolor="none", label="bar")
    drawn = draw(figure)
    assert drawn.box("bar")[3] == 0
    assert [node.get("prst") for node in drawn.shape("bar").iter("{*}prstGeom")] == ["rect"]


def test_holes_are_subpaths_of_one_shape() -> None:
    outer = [(50, 50), (250, 50), (250, 250), (50, 250), (50, 50)]
    inner = [(100, 100), (100, 200), (200, 200), (200, 100), (100, 100)]
    codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * 2
    figure = sheet()
    figure.axes[0].add_patch(PathPatch(Path([*outer, *inner], codes), label="ring"))
    drawn = draw(figure)
    assert len(list(drawn.shape("ring").iter("{*}moveTo"))) == 2


def test_ten_thousand_points_of_a_line_are_thinned() -> None:
    figure = blank()
    x = np.linspace(0, 20, 10_000)
    figure.subplots().plot(x, np.sin(x), label="line")
    assert len(list(draw(figure).shape("line").iter("{*}pt"))) < 2_000


def test_all_numbers_are_whole() -> None:
    figure = heatmap()
    figure.axes[0].plot(np.sin(np.arange(7)), np.arange(7) / 1.7)
    text = draw(figure).drawing.group.decode()
    assert not re.search(r' (x|y|cx|cy|w|h|rot|id|sz|val|pos)="-?\d+\.\d*"', text)


# ---------------------------------------------------------------- what shapes cannot show


def test_gouraud_shading_is_an_error_that_names_what_works() -> None:
    figure = blank()
    figure.subplots().pcolormesh(WEIGHTS, shading="gouraud")
    with pytest.raises(DeckError, match="nearest"):
        draw(figure)


def test_latex_is_an_error_that_names_what_works() -> None:
    figure = sheet()
    figure.axes[0].text(10, 10, "x", usetex=True)
    with pytest.raises(DeckError, match="usetex"):
        draw(figure)


def test_a_filter_of_pixels_is_an_error() -> None:
    figure = sheet()
    (line,) = figure.axes[0].plot([10, 90], [10, 80])
    line.set_agg_filter(lambda pixels, _: (np.asarray(pixels), 0, 0))
    with pytest.raises(DeckError, match="agg_filter"):
        draw(figure)


def test_very_many_shapes_are_said() -> None:
    figure = blank()
    figure.subplots().scatter(RNG.random(1001), RNG.random(1001))
    assert any("shapes" in notice for notice in draw(figure).drawing.notices)


def test_a_figure_without_anything_is_an_empty_group() -> None:
    apply(COLOURS, SIZE)
    drawn = draw(Figure())
    assert drawn.names == []
    assert drawn.drawing.shapes == 0
