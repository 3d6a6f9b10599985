"""The template that ships: made by its code, sound as a package, in the colours of the house, alike in LibreOffice."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from posixpath import join, normpath

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from lxml import etree
from openxml_audit import validate_pptx
from pptx import Presentation
from pptx.slide import Slide, SlideLayout
from support import needs

from deck_builder.paths import templates
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Layout, Theme

LECTURE = templates() / "lecture.pptx"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


@pytest.fixture(scope="module")
def theme() -> Theme:
    return read_theme()


@pytest.fixture(scope="module")
def parts() -> dict[str, bytes]:
    with zipfile.ZipFile(LECTURE) as package:
        return {name: package.read(name) for name in package.namelist()}


def root(parts: dict[str, bytes], name: str) -> etree._Element:
    return etree.fromstring(parts[name])


# ---------------------------------------------------------------- made by code


@pytest.mark.parametrize(("script", "made"), [("make_lecture.py", "lecture.pptx"), ("make_metrics.py", "metrics.json")])
def test_the_committed_file_is_what_its_script_makes(script: str, made: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-B", str(templates() / script), str(tmp_path / made)], check=True)
    assert (tmp_path / made).read_bytes() == (templates() / made).read_bytes()


# ---------------------------------------------------------------- what PowerPoint repairs


def test_the_validator_finds_nothing_in_the_template() -> None:
    assert validate_pptx(LECTURE).errors == []


def test_the_validator_finds_nothing_in_a_deck_saved_from_it(tmp_path: Path) -> None:
    deck = sample(tmp_path / "deck.pptx")
    assert validate_pptx(deck).errors == []


def test_every_relationship_leads_to_a_part_and_every_part_is_reached(parts: dict[str, bytes]) -> None:
    targets = set()
    for name in parts:
        if name.endswith(".rels"):
            folder = name.replace("_rels/", "").rpartition("/")[0]
            for relation in root(parts, name):
                targets.add(normpath(join(folder, relation.get("Target", ""))))
    assert targets == {name for name in parts if not name.endswith(".rels") and name != "[Content_Types].xml"}


def test_every_part_has_one_content_type(parts: dict[str, bytes]) -> None:
    overrides = [node.get("PartName", "") for node in root(parts, "[Content_Types].xml") if node.get("PartName")]
    assert sorted(overrides) == sorted(f"/{name}" for name in parts if not name.endswith((".rels", "s].xml")))


def test_the_zip_has_fixed_dates_and_compressed_entries() -> None:
    with zipfile.ZipFile(LECTURE) as package:
        entries = package.infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_DEFLATED}
    assert len({entry.filename for entry in entries}) == len(entries)


def test_the_presentation_lists_its_masters_in_order_and_says_no_old_size(parts: dict[str, bytes]) -> None:
    presentation = root(parts, "ppt/presentation.xml")
    assert [etree.QName(child).localname for child in presentation] == [
        "sldMasterIdLst",
        "notesMasterIdLst",
        "sldSz",
        "notesSz",
        "kinsoku",
        "defaultTextStyle",
    ]
    size = presentation.find(f"{P}sldSz")
    assert size is not None
    assert dict(size.attrib) == {"cx": "12192000", "cy": "6858000"}


@pytest.mark.parametrize("name", ["ppt/theme/theme1.xml", "ppt/theme/theme2.xml"])
def test_a_theme_has_three_entries_in_each_list_of_formats(name: str, parts: dict[str, bytes]) -> None:
    for kind in ("fillStyleLst", "lnStyleLst", "effectStyleLst", "bgFillStyleLst"):
        formats = root(parts, name).find(f".//{A}{kind}")
        assert formats is not None
        assert len(formats) == 3


@pytest.mark.parametrize("font", ["majorFont", "minorFont"])
def test_chinese_is_set_in_the_same_face_with_and_without_a_language(font: str, parts: dict[str, bytes]) -> None:
    faces = root(parts, "ppt/theme/theme1.xml").find(f".//{A}{font}")
    assert faces is not None
    assert [
        face.get("typeface") for face in faces.iter(f"{A}ea", f"{A}font") if face.get("script") in (None, "Hans")
    ] == [
        "Microsoft YaHei",
        "Microsoft YaHei",
    ]


def test_every_sheet_has_sound_shapes(parts: dict[str, bytes]) -> None:
    sheets = [name for name in parts if name.split("/")[-1].startswith(("slideLayout", "slideMaster", "notesMaster"))]
    for name in (sheet for sheet in sheets if sheet.endswith(".xml")):
        sheet = root(parts, name)
        ids = [int(node.get("id", "0")) for node in sheet.iter(f"{P}cNvPr")]
        assert min(ids) == 1
        assert len(set(ids)) == len(ids)
        assert all(body.find(f"{A}p") is not None for body in sheet.iter(f"{P}txBody"))
        assert all(node.find(f"{A}effectLst") is not None for node in sheet.iter(f"{P}bgPr"))


# ---------------------------------------------------------------- how it looks


def test_the_palette_is_the_house_palette(theme: Theme) -> None:
    assert theme.colours == {
        "dk1": "1B2A41",
        "lt1": "FFFFFF",
        "dk2": "5C6B7F",
        "lt2": "F4F6FA",
        "accent1": "2A66CF",
        "accent2": "AB5500",
        "accent3": "247F57",
        "accent4": "7A4FC9",
        "accent5": "C93C3C",
        "accent6": "147A8B",
        "hlink": "2A66CF",
        "folHlink": "7A4FC9",
    }


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.1, contrast ratio."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_text_colour_can_be_read_on_paper_and_on_surface(theme: Theme) -> None:
    for slot, colour in theme.colours.items():
        if slot not in ("lt1", "lt2"):
            assert contrast(colour, theme.colours["lt1"]) >= 4.5, slot
            assert contrast(colour, theme.colours["lt2"]) >= 4.5, slot


def test_every_placeholder_can_be_read_on_its_background(theme: Theme, parts: dict[str, bytes]) -> None:
    slots = {"tx1": "dk1", "bg1": "lt1", "bg2": "lt2"}
    for layout in theme.layouts:
        fill = root(parts, layout.part).find(f"{P}cSld/{P}bg//{A}schemeClr")
        background = theme.colours[slots[fill.get("val", "")]] if fill is not None else theme.colours["lt1"]
        for placeholder in layout.placeholders:
            assert placeholder.colour is not None
            assert contrast(theme.colours[placeholder.colour], background) >= 4.5, (layout.name, placeholder.name)


def test_the_layouts_have_the_names_and_roles_of_the_house(theme: Theme) -> None:
    assert [(layout.name, layout.role) for layout in theme.layouts] == [
        ("Cover", "cover"),
        ("Section", "section"),
        ("Title and Content", "content"),
        ("Two Contents", "two-contents"),
        ("Figure", "figure"),
        ("Title Only", "title-only"),
    ]


@pytest.mark.parametrize("role", ["cover", "section", "content", "two-contents", "figure", "title-only"])
def test_placeholders_lie_on_the_slide_and_clear_of_each_other(role: str, theme: Theme) -> None:
    layout = next(layout for layout in theme.layouts if layout.role == role)
    frames = [placeholder.frame for placeholder in layout.placeholders]
    for frame in frames:
        assert frame.left >= 0
        assert frame.top >= 0
        assert frame.right <= theme.width
        assert frame.bottom <= theme.height
    for one, other in combinations(frames, 2):
        across = min(one.right, other.right) - max(one.left, other.left)
        down = min(one.bottom, other.bottom) - max(one.top, other.top)
        assert across <= 0 or down <= 0


def test_titles_stand_alike_on_all_ordinary_slides(theme: Theme) -> None:
    ordinary = [layout.first("title") for layout in theme.layouts if layout.role not in ("cover", "section")]
    assert len({(title.frame, title.size_pt, title.anchor) for title in ordinary if title}) == 1


def test_a_title_of_two_lines_fits_its_box(theme: Theme) -> None:
    title = theme.layouts[2].first("title")
    assert title is not None
    height = 2 * theme.sizes.title[-1] * theme.metrics.east_asian_line_height * 0.9
    assert height * 1.05 <= title.frame.height / 12_700


# ---------------------------------------------------------------- in LibreOffice


def sample(target: Path) -> Path:
    """One slide of each layout, all placeholders filled, as python-pptx saves it."""
    deck = Presentation(str(LECTURE))
    for layout in deck.slide_layouts:
        slide = deck.slides.add_slide(layout)
        for placeholder in slide.placeholders:
            placeholder.text_frame.text = words_for(layout.name, placeholder.placeholder_format.idx)
        add_footer(slide, layout)
        slide.notes_slide.notes_text_frame.text = "备注"
    deck.save(str(target))
    return target


def words_for(layout: str, index: int) -> str:
    return "42" if (layout, index) == ("Section", 13) else f"{layout} {index}"


def add_footer(slide: Slide, layout: SlideLayout) -> None:
    for placeholder in layout.placeholders:
        if placeholder.placeholder_format.idx == 11:
            shape = etree.fromstring(etree.tostring(placeholder._element))
            text = shape.find(f".//{A}t")
            assert text is not None
            text.text = "Footer of the section"
            slide.shapes._spTree.append(shape)


@pytest.mark.slow
@needs("soffice")
def test_libreoffice_sets_each_text_where_the_theme_says(
    theme: Theme, to_pdf: Callable[[Path], Path], tmp_path: Path
) -> None:
    pdf = pypdfium2.PdfDocument(str(to_pdf(sample(tmp_path / "deck.pptx"))))
    for layout, page in zip(theme.layouts, pdf, strict=True):
        words = page.get_textpage()
        for text, index in texts(layout):
            found = words.search(text).get_next()
            assert found is not None, text
            left, bottom, right, top = rect_of(words, *found)
            frame = next(placeholder.frame for placeholder in layout.placeholders if placeholder.index == index)
            assert left >= frame.left / 12_700 - 1
            assert right <= frame.right / 12_700 + 1
            assert page.get_height() - top >= frame.top / 12_700 - 1
            assert page.get_height() - bottom <= frame.bottom / 12_700 + 1
            if index == 11:
                assert left == pytest.approx(frame.left / 12_700, abs=1.5)
                assert pdfium.FPDFText_GetFontSize(words, found[0]) == pytest.approx(11, abs=0.1)


def texts(layout: Layout) -> list[tuple[str, int]]:
    filled = [p for p in layout.placeholders if p.kind in ("title", "subtitle", "body")]
    footers = [("Footer of the section", p.index) for p in layout.placeholders if p.kind == "footer"]
    return [*((words_for(layout.name, p.index), p.index) for p in filled), *footers]


def rect_of(words: pypdfium2.PdfTextPage, start: int, count: int) -> tuple[float, float, float, float]:
    boxes = [
        words.get_charbox(index) for index in range(start, start + count) if words.get_text_range(index, 1).strip()
    ]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
