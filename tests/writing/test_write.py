"""A deck from pages made by hand: native, valid, read back by python-pptx."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from openxml_audit import validate_pptx
from PIL import Image as Pillow
from pptx import Presentation
from support import inches, needs, remapped, text_line, title_box

from deck_builder.checking import problems
from deck_builder.elements.xml import element, qualified
from deck_builder.formulas import FormulaCache, Formulas
from deck_builder.model import Run, Settings, Style
from deck_builder.pages import (
    CodeBox,
    Drawing,
    DrawingBox,
    EquationBox,
    Page,
    Pages,
    PictureBox,
    RuleBox,
    TableBox,
    TextBox,
)
from deck_builder.pictures import read_picture
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Theme
from deck_builder.writing import write

FORMULAS = Formulas({}, FormulaCache(None), lang="zh-CN")


@pytest.fixture(scope="module")
def theme() -> Theme:
    return read_theme(None)


def body(text: str, **fields: object) -> TextBox:
    return TextBox(frame=inches(0.7, 1.45, 5, 4), lines=(text_line(text, **fields),), name="Text 1")


def build(tmp_path: Path, theme: Theme, *pages: Page, drawings: Mapping[str, Drawing] | None = None) -> Path:
    path = tmp_path / "deck.pptx"
    boxes = [box for page in pages for box in page.boxes]
    pictures = {box.path: read_picture(box.path) for box in boxes if isinstance(box, PictureBox)}
    settings = Settings(title=(Run("标题"),), lang="zh-CN", author="A & B")
    write(Pages(pages, drawings=drawings or {}), settings, theme, path, formulas=FORMULAS, pictures=pictures)
    assert problems(path) == []
    return path


def page(*boxes: object, **fields: object) -> Page:
    return Page(layout="Title Only", title=title_box("题目"), boxes=boxes, **fields)  # type: ignore[arg-type]


def slide_xml(path: Path, number: int = 1) -> etree._Element:
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(f"ppt/slides/slide{number}.xml"))


def audit(path: Path) -> list[str]:
    """What openxml-audit finds, its false positive on `a:rPr` inside formulas aside."""
    errors = validate_pptx(str(path)).errors
    return [str(error) for error in errors if "'rPr'" not in str(error)]


def drawing() -> Drawing:
    def shape(identifier: int) -> etree._Element:
        return element(
            "p:sp",
            None,
            element(
                "p:nvSpPr",
                None,
                element("p:cNvPr", {"id": identifier, "name": f"cell {identifier}"}),
                element("p:cNvSpPr"),
                element("p:nvPr"),
            ),
            element("p:spPr", None, element("a:prstGeom", {"prst": "rect"}, element("a:avLst"))),
        )

    transform = element("a:xfrm")
    for tag, names, size in (("a:off", "xy", 0), ("a:ext", ("cx", "cy"), 900), ("a:chOff", "xy", 0)):
        transform.append(element(tag, dict.fromkeys(names, size)))
    transform.append(element("a:chExt", {"cx": 900, "cy": 900}))
    head = element(
        "p:nvGrpSpPr",
        None,
        element("p:cNvPr", {"id": 1, "name": "fig-x"}),
        element("p:cNvGrpSpPr"),
        element("p:nvPr"),
    )
    group = element("p:grpSp", None, head, element("p:grpSpPr", None, transform), shape(2), shape(3))
    return Drawing(etree.tostring(group), shapes=2)


def test_every_kind_of_box_is_native_and_valid(tmp_path: Path, theme: Theme) -> None:
    Pillow.new("RGB", (4, 4), "red").save(tmp_path / "a.png")
    table = TableBox(
        frame=inches(0.7, 2, 4, 1),
        rows=(((Run("模型"),), (Run("准确率"),)), ((Run("加性"),), (Run("0.98"),))),
        alignments=("left", "right"),
        column_widths=(1_828_800, 1_828_800),
        row_heights=(457_200, 457_200),
        size_pt=16,
        name="tbl-a",
        alt="两列",
    )
    code = CodeBox(
        frame=inches(5, 2, 4, 1), text="def f(q):\n    return q  # 查询", language="python", size_pt=16, name="Code 1"
    )
    equation = EquationBox(
        frame=inches(0.7, 4, 3, 0.8), tex=r"\frac{QK^\top}{\sqrt{d_k}}", size_pt=20, name="Equation 1", alt="公式"
    )
    picture = PictureBox(
        frame=inches(5, 4, 1, 1), path=str(tmp_path / "a.png"), name="Picture 1", alt="红", link="https://a.b/?c&d"
    )
    figure = DrawingBox(frame=inches(7, 4, 1, 1), label="fig-x", alt="两格", fingerprint="f" * 64)
    rule = RuleBox(frame=inches(0.7, 6.5, 5, 0.1), name="Rule 1")
    path = build(
        tmp_path,
        theme,
        page(table, code, equation, picture, figure, rule, notes=(text_line("先问一句", size_pt=12.0),)),
        page(body("只有文字", size_pt=20.0), section="第一章", footer="第一章"),
        drawings={"fig-x": drawing()},
    )
    assert audit(path) == []
    slide = Presentation(str(path)).slides[0]
    kinds = {shape.name: str(shape.shape_type).split(" ")[0] for shape in slide.shapes}
    assert kinds["tbl-a"] == "TABLE"
    assert kinds["fig-x"] == "GROUP"
    assert kinds["Picture 1"] == "PICTURE"
    assert slide.notes_slide.notes_text_frame.text == "先问一句"
    assert slide.shapes.title.text == "题目"


def tinted(tmp_path: Path) -> Path:
    """A deck with a tinted box, on a template that takes the dark of its second colours for paper."""
    google = remapped(tmp_path / "g.pptx", ink="dk1", paper="lt1", second_ink="lt2", second_paper="dk2")
    box = replace(body("字"), fill="lt2")
    return build(tmp_path, read_theme(google), page(box, notes=(text_line("说"),)))


def test_slides_mend_a_colour_map_that_takes_ink_for_paper(tmp_path: Path, theme: Theme) -> None:
    path = tinted(tmp_path)
    assert audit(path) == []
    (mapping,) = slide_xml(path).iter(qualified("a:overrideClrMapping"))
    assert (mapping.get("bg2"), mapping.get("tx2")) == ("lt2", "dk2")
    assert not list(slide_xml(build(tmp_path, theme, page(body("字")))).iter(qualified("a:overrideClrMapping")))


@pytest.mark.slow
@needs("soffice")
def test_a_tinted_box_is_light_where_the_slide_is(tmp_path: Path, to_pdf: Callable[[Path], Path]) -> None:
    import pypdfium2

    picture = pypdfium2.PdfDocument(to_pdf(tinted(tmp_path)))[0].render(scale=1).to_pil().convert("L")
    inside = picture.getpixel((round(5.5 * 72), (5 * 72)))
    assert 230 < inside < 255


def test_the_same_pages_give_the_same_bytes(tmp_path: Path, theme: Theme) -> None:
    first = build(tmp_path, theme, page(body("文字"))).read_bytes()
    assert build(tmp_path, theme, page(body("文字"))).read_bytes() == first


def test_text_that_xml_cannot_hold_is_dropped_and_the_rest_escaped(tmp_path: Path, theme: Theme) -> None:
    path = build(tmp_path, theme, page(body("a<b & c\x1b[31mred\x1b[0m\x0c\ufffe")))
    texts = [node.text for node in slide_xml(path).iter(qualified("a:t"))]
    assert "a<b & cred" in texts


def test_han_runs_are_chinese_and_code_names_three_faces(tmp_path: Path, theme: Theme) -> None:
    line = text_line("")
    box = TextBox(
        frame=inches(0.7, 2, 5, 1),
        lines=(type(line)(runs=(Run("汉字 and"), Run("q @ k", Style(code=True)))),),
        name="Text 1",
    )
    properties = list(slide_xml(build(tmp_path, theme, page(box))).iter(qualified("a:rPr")))
    by_lang = {node.get("lang"): node for node in properties}
    assert set(by_lang) == {"zh-CN", "en-US"}
    code = next(node for node in properties if node.get("noProof") == "1")
    assert [etree.QName(child).localname for child in code] == ["latin", "ea", "cs"]


def test_links_lead_to_addresses_and_to_slides(tmp_path: Path, theme: Theme) -> None:
    runs = (Run("out", Style(link="https://e.org/?a&b")), Run("in", Style(link="#end")))
    box = TextBox(frame=inches(0.7, 2, 5, 1), lines=(type(text_line(""))(runs=runs),), name="Text 1")
    path = build(tmp_path, theme, page(box), page(identifier="end"))
    slide = Presentation(str(path)).slides[0]
    paragraph = next(shape for shape in slide.shapes if shape.name == "Text 1").text_frame.paragraphs[0]
    assert paragraph.runs[0].hyperlink.address == "https://e.org/?a&b"
    jump = next(slide_xml(path).iter(qualified("a:hlinkClick")))
    jumps = [node for node in slide_xml(path).iter(qualified("a:hlinkClick")) if node.get("action")]
    assert jump is not None
    assert slide.part.rels[jumps[0].get(qualified("r:id"))].target_part.partname == "/ppt/slides/slide2.xml"


def test_a_continued_list_counts_on(tmp_path: Path, theme: Theme) -> None:
    lines = tuple(text_line(f"step {n}", mark="number", number=n) for n in (4, 5, 6))
    box = TextBox(frame=inches(0.7, 2, 5, 2), lines=lines, name="Text 1")
    numbers = [
        node.get("startAt") for node in slide_xml(build(tmp_path, theme, page(box))).iter(qualified("a:buAutoNum"))
    ]
    assert numbers == ["4", "4", "4"]


def test_the_slide_number_is_a_field_and_the_footer_the_section(tmp_path: Path, theme: Theme) -> None:
    root = slide_xml(build(tmp_path, theme, page(footer="一 为什么")))
    assert [node.get("type") for node in root.iter(qualified("a:fld"))] == ["slidenum"]
    assert "一 为什么" in [node.text for node in root.iter(qualified("a:t"))]


def test_sections_of_the_lesson_are_powerpoint_sections(tmp_path: Path, theme: Theme) -> None:
    path = build(tmp_path, theme, page(), page(section="一 & 二"), page(section="一 & 二"), page(section="三"))
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("ppt/presentation.xml"))
    sections = list(root.iter(qualified("p14:section")))
    assert [node.get("name") for node in sections] == ["标题", "一 & 二", "三"]
    assert [len(list(node.iter(qualified("p14:sldId")))) for node in sections] == [1, 2, 1]
    assert len({node.get("id") for node in sections}) == 3


def test_a_missing_picture_becomes_a_stand_in_that_says_so(tmp_path: Path, theme: Theme) -> None:
    box = PictureBox(frame=inches(1, 2, 4, 3), path=str(tmp_path / "gone.png"), name="Picture 1", alt="损失曲线")
    path = build(tmp_path, theme, page(box))
    text = "".join(node.text or "" for node in slide_xml(path).iter(qualified("a:t")))
    assert "损失曲线" in text
    assert "gone.png" in text
    assert str(tmp_path) not in text


def test_a_formula_has_a_picture_for_viewers_without_equations(tmp_path: Path, theme: Theme) -> None:
    box = EquationBox(frame=inches(1, 2, 2, 1), tex="x^2", size_pt=20, name="Equation 1", alt="x")
    root = slide_xml(build(tmp_path, theme, page(box)))
    fallback = next(root.iter(qualified("mc:Fallback")))
    assert next(fallback.iter(qualified("a:blip"))).get(qualified("r:embed"))
    assert re.search(r"\boMath\b", etree.tostring(next(root.iter(qualified("mc:Choice")))).decode())


def test_a_glued_arrow_follows_its_boxes_into_the_slide(tmp_path: Path, theme: Theme) -> None:
    node = etree.fromstring(drawing().group)
    connector = etree.fromstring(
        etree.tostring(
            element(
                "p:cxnSp",
                None,
                element(
                    "p:nvCxnSpPr",
                    None,
                    element("p:cNvPr", {"id": 4, "name": "arrow"}),
                    element(
                        "p:cNvCxnSpPr",
                        None,
                        element("a:stCxn", {"id": 2, "idx": 3}),
                        element("a:endCxn", {"id": 3, "idx": 1}),
                    ),
                    element("p:nvPr"),
                ),
                element("p:spPr", None, element("a:prstGeom", {"prst": "line"}, element("a:avLst"))),
            )
        )
    )
    node.append(connector)
    box = DrawingBox(frame=inches(1, 2, 1, 1), label="fig-x", alt="两格")
    root = slide_xml(
        build(tmp_path, theme, page(body("先占几个编号"), box), drawings={"fig-x": Drawing(etree.tostring(node))})
    )
    names = {shape.get("id"): shape.get("name") for shape in root.iter(qualified("p:cNvPr"))}
    glued = [next(root.iter(qualified(tag))).get("id") for tag in ("a:stCxn", "a:endCxn")]
    assert [names[identifier] for identifier in glued] == ["cell 2", "cell 3"]
