"""Widths and heights of text, against the faces themselves and against what LibreOffice really sets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.util import Inches, Pt
from support import needs

from deck_builder.paths import templates
from deck_builder.theming.metrics import CODE_ADVANCE, SCRIPT_GAP, Metrics, is_wide, load_metrics

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@pytest.fixture(scope="module")
def metrics() -> Metrics:
    return load_metrics(templates() / "metrics.json")


TEXT = st.text(st.sampled_from("aZ9 ,.中文，。“”—①→√é\u00a0한ｱ😀\u0301-"), max_size=24)


# ---------------------------------------------------------------- widths


@pytest.mark.parametrize(("face", "bold"), [("LectureSans-Regular.ttf", False), ("LectureSans-Bold.ttf", True)])
def test_latin_text_is_as_wide_as_its_face_says(face: str, bold: bool, metrics: Metrics) -> None:
    font = TTFont(templates() / "fonts" / face)
    cmap, advances = font.getBestCmap(), font["hmtx"]
    text = "Queries, keys and values: Größe, αβγ, 3 × 4 ≤ 12 — “softmax”"
    units = sum(advances[cmap[ord(character)]][0] for character in text)
    assert metrics.advance(text, bold=bold) == pytest.approx(units / font["head"].unitsPerEm, abs=0.005)


def test_chinese_text_is_one_em_a_character(metrics: Metrics) -> None:
    assert metrics.advance("注意力机制，“回头看”——①→") == 15


def test_a_rare_character_is_one_em_wide(metrics: Metrics) -> None:
    assert metrics.advance("龘𠮷") == 2


def test_marks_without_width_add_none(metrics: Metrics) -> None:
    assert metrics.advance("e\u0301\u200b\u200d") == metrics.advance("e")


def test_quotes_beside_chinese_are_as_wide_as_chinese_and_elsewhere_narrow(metrics: Metrics) -> None:
    assert metrics.advance("“”") < 0.9
    assert metrics.advance("“”", east_asian=True) == 2
    assert metrics.advance("“看”") == 3


def test_a_gap_stands_between_the_scripts(metrics: Metrics) -> None:
    latin = metrics.advance("loss")
    assert metrics.advance("训练loss值") == pytest.approx(3 + latin + 2 * SCRIPT_GAP)
    assert metrics.advance("训练 loss 值") == pytest.approx(3 + latin + 2 * metrics.advance(" ") + 2 * SCRIPT_GAP)


def test_a_space_between_chinese_characters_is_only_a_space(metrics: Metrics) -> None:
    assert metrics.advance("打分 ② 缩放") == pytest.approx(5 + 2 * metrics.advance(" "))


def test_the_gap_after_a_run_is_seen_by_the_character_that_follows(metrics: Metrics) -> None:
    assert metrics.advance("loss", after="值") == pytest.approx(metrics.advance("loss") + SCRIPT_GAP)
    assert metrics.advance("loss", after="!") == metrics.advance("loss")


@given(TEXT, st.booleans(), st.booleans())
def test_the_characters_add_up_to_the_text(text: str, bold: bool, code: bool) -> None:
    metrics = load_metrics(templates() / "metrics.json")
    widths = metrics.advances(text, bold=bold, code=code)
    assert len(widths) == len(text)
    assert sum(widths) == pytest.approx(metrics.advance(text, bold=bold, code=code))


@given(TEXT, TEXT)
def test_text_in_two_runs_is_as_wide_as_in_one(one: str, other: str) -> None:
    metrics = load_metrics(templates() / "metrics.json")
    han = any(character >= "\u2e80" for character in one + other)
    follows = next((character for character in other if not "\u2000" <= character < "\u2e80"), "")
    split = metrics.advance(one, east_asian=han, after=follows) + metrics.advance(other, east_asian=han)
    marks_first = bool(other) and "\u2000" <= other[0] < "\u2e80" and follows != other[0]
    if not marks_first:
        assert split == pytest.approx(metrics.advance(one + other), abs=SCRIPT_GAP + 1e-9 if not one.strip() else 1e-9)


def test_code_is_set_on_a_grid_with_chinese_one_em_wide(metrics: Metrics) -> None:
    assert metrics.advance("weights @ v", code=True) == pytest.approx(11 * CODE_ADVANCE)
    assert metrics.advance("权重", code=True) == 2
    assert metrics.advance("权重") == metrics.advance("权重", bold=True)


@pytest.mark.parametrize(
    ("character", "wide"), [("中", True), ("，", True), ("か", True), ("한", True), ("“", False), ("é", False)]
)
def test_what_counts_as_wide(character: str, wide: bool) -> None:
    assert is_wide(character) is wide


def test_a_line_is_as_high_as_the_taller_of_its_faces(metrics: Metrics) -> None:
    assert metrics.height("Latin, 3 × 4 → 12") == metrics.line_height
    assert metrics.height("Latin 与中文") == metrics.east_asian_line_height
    assert metrics.height("# 注释", code=True) == metrics.east_asian_line_height
    assert metrics.height("x = 1", code=True) == metrics.code_line_height
    assert metrics.height("∀ ∈ ∅") == metrics.east_asian_line_height, (
        "set in another face, for want of these in Calibri"
    )


# ---------------------------------------------------------------- against LibreOffice

LINES = (
    "解码器每一步都向编码器的所有隐藏状态提问",
    "权重之和为 1，由数据学出，没有额外监督",
    "训练 loss 停在高位，学习率怎么调都不动",
    "softmax 之前把 pad 的分数填成负无穷，再看 scores 确认",
    "从“回头看”到多头自注意力——每一张图都由代码生成",
    "译每个词时“look back”，再看……",
    "对齐正确率 98.7 %（实测），共 20,000 个日期",
    "Attention weights sum to one because softmax normalises each row.",
    "Vaswani et al., 2017: “Attention Is All You Need”, section 3.2",
    "查询、键和值：Query、Key、Value 三个矩阵的形状是 [T, d]",
    "步骤：①打分 ②缩放 ③归一 ④取值",
    "输入 → 编码器 → 上下文向量 → 解码器",
    "梯度≈0.01，方差≤1，时间复杂度是 O(n²)",
    "用PyTorch写self-attention只要5行",
    "Größe, Übermaß, façade, naïve, señor, coöperate",
)
SIZE_PT = 20


def line_deck(target: Path, lines: tuple[str, ...], rows: int = 1) -> Path:
    """A slide a line, in the shipped faces; each line between bars, `rows` times."""
    deck = Presentation(str(templates() / "lecture.pptx"))
    for line in lines:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        box = slide.shapes.add_textbox(Inches(0.5), Inches(1.5), Inches(12.3), Inches(4)).text_frame
        box.word_wrap = True
        for row in range(rows):
            paragraph = box.paragraphs[0] if row == 0 else box.add_paragraph()
            run = paragraph.add_run()
            run.text = f"|{line}|" if rows == 1 else line
            run.font.size = Pt(SIZE_PT)
            properties = run._r.get_or_add_rPr()
            properties.set("lang", "zh-CN")
            properties.set("altLang", "en-US")
            for slot, face in (("latin", "Calibri"), ("ea", "Microsoft YaHei"), ("cs", "Calibri")):
                etree.SubElement(properties, f"{A}{slot}", typeface=face)
    deck.save(str(target))
    return target


def origins(page: pypdfium2.PdfPage) -> list[tuple[str, float, float]]:
    """Every character of a page with the origin of its glyph, in points."""
    words = page.get_textpage()
    out = []
    for index in range(words.count_chars()):
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(words, index, x, y)
        out.append((words.get_text_range(index, 1), x.value, y.value))
    return out


@pytest.mark.slow
@needs("soffice")
def test_lines_are_as_wide_as_libreoffice_sets_them(
    metrics: Metrics, to_pdf: Callable[[Path], Path], tmp_path: Path
) -> None:
    pdf = pypdfium2.PdfDocument(str(to_pdf(line_deck(tmp_path / "lines.pptx", LINES))))
    for line, page in zip(LINES, pdf, strict=True):
        bars = [x for character, x, _ in origins(page) if character == "|"]
        assert len(bars) == 2, line
        real, measured = (bars[1] - bars[0]) / SIZE_PT, metrics.advance(f"|{line}|") - metrics.advance("|")
        assert real <= measured * 1.01, line
        assert measured <= real * 1.06, line


@pytest.mark.slow
@needs("soffice")
@pytest.mark.parametrize("line", ["行高", "Line height", "混排 mixed 行"])
def test_lines_are_no_higher_than_measured(
    line: str, metrics: Metrics, to_pdf: Callable[[Path], Path], tmp_path: Path
) -> None:
    pdf = pypdfium2.PdfDocument(str(to_pdf(line_deck(tmp_path / "rows.pptx", (line,), rows=5))))
    rows = sorted({round(y, 1) for character, _, y in origins(pdf[0]) if character in line.strip()})
    baselines = [row for i, row in enumerate(rows) if i == 0 or row - rows[i - 1] > 3]
    assert len(baselines) == 5
    pitch = (baselines[-1] - baselines[0]) / 4 / SIZE_PT
    assert 1.1 < pitch <= metrics.height(line) * 1.05
