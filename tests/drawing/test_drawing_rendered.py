"""What a viewer shows of a drawing, beside what matplotlib prints of the same figure; and whether the deck is valid."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from drawn import COLOURS, SIZE, Drawn, ask, draw
from gallery import FIGURES
from lxml import etree
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from openxml_audit import validate_pptx
from PIL import Image, ImageFilter
from pptx import Presentation
from pptx.util import Inches
from support import needs

from deck_builder.elements.xml import qualified

Picture = NDArray[np.float64]
SCALE = 1.5
"""Pixels per point of both pictures."""
BLUR_PX = 4
"""What the eye sees from afar: letters of another face look alike, a shape out of place does not."""

TOLERANCE = 0.0075
"""Mean difference, of 1; a missing curve makes more (see below)."""
TOLERANCES = {"hatches": 0.04}
"""A viewer has patterns of its own."""


def deck_of(drawings: list[Drawn], path: Path) -> Path:
    """A slide for each drawing, in the colours of the theme."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(SIZE[0]), Inches(SIZE[1])
    for drawn in drawings:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        group = etree.fromstring(drawn.drawing.group)
        for node in group.iter(qualified("p:cNvPr"), qualified("a:stCxn"), qualified("a:endCxn")):
            node.set("id", str(int(node.get("id") or 0) + 1))
        for node in group.iter(qualified("a:blip")):
            picture = drawn.drawing.media[node.get(qualified("r:embed")) or ""]
            _, relation = slide.part.get_or_add_image_part(BytesIO(picture))
            node.set(qualified("r:embed"), relation)
        slide.shapes._spTree.append(group)
    _colour(deck)
    deck.save(str(path))
    return path


def _colour(deck: object) -> None:
    master = deck.slide_masters[0].part  # type: ignore[attr-defined]
    (theme,) = (relation.target_part for relation in master.rels.values() if relation.reltype.endswith("/theme"))
    root = etree.fromstring(theme.blob)
    for slot, value in COLOURS.items():
        (node,) = ask(root, f"//a:clrScheme/a:{slot}")
        node[:] = [etree.Element(qualified("a:srgbClr"), val=value)]
    for face, name in (("latin", "Calibri"), ("ea", "Microsoft YaHei")):
        for node in ask(root, f"//a:fontScheme/*/a:{face}"):
            node.set("typeface", name)
    theme._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def printed(figure: Figure) -> Picture:
    """The figure as matplotlib prints it, laid out as it was for the drawing."""
    figure.set_layout_engine("none")
    canvas = FigureCanvasAgg(figure)
    figure.set_dpi(72 * SCALE)
    canvas.draw()  # type: ignore[no-untyped-call]
    return _seen(Image.fromarray(np.asarray(canvas.buffer_rgba())))  # type: ignore[no-untyped-call]


def _seen(picture: Image.Image) -> Picture:
    size = round(SIZE[0] * 72 * SCALE), round(SIZE[1] * 72 * SCALE)
    plain = picture.convert("RGB").resize(size)
    return np.asarray(plain.filter(ImageFilter.GaussianBlur(BLUR_PX)), dtype=float) / 255


@pytest.fixture(scope="module")
def gallery(
    tmp_path_factory: pytest.TempPathFactory, to_pdf: Callable[[Path], Path]
) -> dict[str, tuple[Picture, Picture]]:
    """Each figure as printed and as a viewer shows it."""
    import pypdfium2  # type: ignore[import-untyped]

    figures = {name: make() for name, make in FIGURES.items()}
    drawings = [draw(figure) for figure in figures.values()]
    path = deck_of(drawings, tmp_path_factory.mktemp("deck") / "gallery.pptx")
    pages = pypdfium2.PdfDocument(str(to_pdf(path)))
    shown = [_seen(page.render(scale=SCALE).to_pil()) for page in pages]
    return {name: (printed(figure), page) for (name, figure), page in zip(figures.items(), shown, strict=True)}


@pytest.mark.slow
@needs("soffice")
@pytest.mark.parametrize("name", FIGURES)
def test_a_viewer_shows_what_matplotlib_prints(name: str, gallery: dict[str, tuple[Picture, Picture]]) -> None:
    printed_picture, shown = gallery[name]
    difference = np.abs(printed_picture - shown).mean(axis=2)
    assert difference.mean() < TOLERANCES.get(name, TOLERANCE)
    ink = np.abs(printed_picture - 1).mean()
    assert difference.mean() < ink / 2, "the difference is as large as the figure itself"


@pytest.mark.slow
@needs("soffice")
def test_the_comparison_sees_a_curve_that_is_missing(gallery: dict[str, tuple[Picture, Picture]]) -> None:
    _, shown = gallery["lines"]
    figure = FIGURES["lines"]()
    draw(figure)
    figure.axes[0].lines[0].remove()
    assert np.abs(printed(figure) - shown).mean() > TOLERANCE


def test_every_drawing_is_valid(tmp_path: Path) -> None:
    path = deck_of([draw(make()) for make in FIGURES.values()], tmp_path / "gallery.pptx")
    assert [str(error) for error in validate_pptx(str(path)).errors] == []
