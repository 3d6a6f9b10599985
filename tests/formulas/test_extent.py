"""A display formula's shape has the size and the proportions of what viewers set in it."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lecture_formulas import LESSON
from lxml import etree
from support import needs

from deck_builder.errors import DeckError
from deck_builder.formulas import omml, size
from deck_builder.formulas.conversion import tree
from deck_builder.formulas.extent import ROOM, even_columns

EMU_PER_POINT = 12_700
BOX_PT = (300.0, 100.0)


@pytest.mark.parametrize("tex", LESSON)
def test_size_grows_in_proportion(tex: str) -> None:
    width, height = size(tex, 10)
    assert size(tex, 25) == pytest.approx((2.5 * width, 2.5 * height))
    assert width > 0
    assert height >= 11


@pytest.mark.parametrize(
    ("small", "large"),
    [("x", "xx"), ("x", r"\frac{x}{y}"), (r"\frac{x}{y}", r"\frac{\frac{x}{y}}{z}"), ("x", "x_i"), ("x", r"\sqrt{x}")],
)
def test_a_larger_formula_is_not_smaller(small: str, large: str) -> None:
    (width, height), (wider, higher) = size(small, 20), size(large, 20)
    assert wider >= width
    assert higher >= height
    assert (wider, higher) != (width, height)


def test_an_empty_formula_is_an_error() -> None:
    with pytest.raises(DeckError, match="an empty formula"):
        size("  ", 20)


def test_cells_of_aligned_equations_are_filled_to_one_width() -> None:
    table = tree(r"\begin{aligned}a&=b\\a+b+c+d&=e\end{aligned}", display=True)
    even_columns(table)
    (padding,) = table.iterfind(".//mtext")
    assert set(padding.text or "") == {"\u00a0"}
    cell = padding.getparent()
    assert cell is not None
    assert cell.index(padding) == 0  # the left column is aligned to the right


def deck_of(formulas: tuple[str, ...], path: Path) -> Path:
    """One formula a slide, each in a box of the same size."""
    from pptx import Presentation

    presentation = Presentation()
    for number, tex in enumerate(formulas):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.shapes._spTree.append(equation_shape(tex, 12, 100 + number, (20, 20), BOX_PT))
    presentation.save(str(path))
    return path


def equation_shape(
    tex: str, size_pt: float, identifier: int, place_pt: tuple[float, float], box_pt: tuple[float, float]
) -> etree._Element:
    left, top, width, height = (round(length * EMU_PER_POINT) for length in (*place_pt, *box_pt))
    markup = f"""<mc:AlternateContent
        xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
        xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"
        xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
        xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><mc:Choice Requires="a14"><p:sp>
        <p:nvSpPr><p:cNvPr id="{identifier}" name="equation {identifier}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>
        <p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>
        <a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>
        <p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"/><a:lstStyle/>
        <a:p><a14:m/></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback/></mc:AlternateContent>"""
    root = etree.fromstring(markup)
    place = root.find(".//{http://schemas.microsoft.com/office/drawing/2010/main}m")
    assert place is not None
    place.append(omml(tex, size_pt))
    return root


def natural_aspects(pdf: Path) -> Iterator[float]:
    """Width over height that LibreOffice would give each formula, from how far it stretched the letters."""
    import pypdfium2
    import pypdfium2.raw as raw

    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        text_page = page.get_textpage()
        stretches: list[float] = []
        for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=5):
            if any(map(str.isalnum, text_of(item, text_page, raw))):
                matrix = item.get_matrix()
                stretches.append(math.hypot(matrix.a, matrix.b) / math.hypot(matrix.c, matrix.d))
        ((stretch, _),) = Counter(round(value, 2) for value in stretches).most_common(1)
        yield BOX_PT[0] / BOX_PT[1] / stretch
    document.close()


def text_of(item: Any, page: Any, raw: Any) -> str:
    buffer = (ctypes.c_ushort * 64)()
    length = raw.FPDFTextObj_GetText(item.raw, page.raw, buffer, 128)
    return "".join(map(chr, buffer[: max(0, length // 2 - 1)]))


@pytest.mark.slow
@needs("soffice")
def test_shapes_have_the_proportions_that_libreoffice_gives_their_formulas(
    to_pdf: Callable[[Path], Path], tmp_path: Path
) -> None:
    """Else it would squeeze or stretch the letters; a tenth is not seen."""
    aspects = list(natural_aspects(to_pdf(deck_of(LESSON, tmp_path / "natural.pptx"))))
    assert len(aspects) == len(LESSON)
    off = {}
    for tex, aspect in zip(LESSON, aspects, strict=True):
        width, height = size(tex, 1 / ROOM)
        off[tex] = width / height / aspect
    assert {tex: ratio for tex, ratio in off.items() if not 0.87 < ratio < 1.15} == {}
    assert sorted(abs(ratio - 1) for ratio in off.values())[len(off) // 2] < 0.05
