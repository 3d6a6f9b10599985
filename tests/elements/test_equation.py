"""Equations as PowerPoint, LibreOffice and pandoc read them."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lecture_formulas import LESSON, lecture_formulas
from lxml import etree
from openxml_audit import validate_pptx
from support import needs, needs_corpus

from deck_builder.elements.equation import equation
from deck_builder.elements.xml import NAMESPACES
from deck_builder.formulas import omml, size
from deck_builder.formulas.conversion import tree

EMU_PER_POINT = 12_700
M = "{" + NAMESPACES["m"] + "}"
MORE = (
    r"\textcolor{q}{Q}\textcolor{k}{K}^\top",
    r"\boxed{a}+\cancel{b}",
    r"a\xrightarrow{f}b",
    r"{}_a^b X",
    r"\bigl(\frac{a}{b}\bigr)^2+\Bigl|x\Bigr|",
    r"\phantom{x}y\vphantom{z}",
    r"\overbrace{a+b}^{n}+\underline{c}+\overrightarrow{AB}",
    r"\sum\nolimits_i x_i+\iint f+\sum",
    r"\left.\frac{a}{b}\right|_{x=0}",
    r"\left\langle a\middle|b\middle|c\right\rangle",
    r"\begin{array}{l|r}a&b\\c&d\end{array}",
    r"a\%\#\&\$ <b>",
    r"\mathtt{x}\mathsf{y}\mathfrak{g}\mathscr{L}",
    r"a\tag{7}",
    r"=b",
    r"[0,1)\cup(2,3]",
    r"(a+b)^2_{ij}",
)


def printed(tex: str, **options: Any) -> etree._Element:
    return equation(tree(tex, display=True), size_pt=20, **options)


def found(node: etree._Element, path: str) -> list[Any]:
    result = node.xpath(path, namespaces=NAMESPACES)
    assert isinstance(result, list)
    return result


def text(node: etree._Element) -> str:
    return "".join(found(node, ".//m:t/text()"))


@pytest.mark.parametrize(
    ("tex", "path"),
    [
        (r"\frac ab", "m:f[m:num//m:t='a'][m:den//m:t='b']"),
        (r"\binom nk", "m:d/m:e/m:f/m:fPr/m:type[@m:val='noBar']"),
        (r"\sqrt x", "m:rad[m:radPr/m:degHide][m:deg[not(*)]][m:e//m:t='x']"),
        (r"\sqrt[3]x", "m:rad[m:deg//m:t='3']"),
        (r"x_i^2", "m:sSubSup[m:e//m:t='x'][m:sub//m:t='i'][m:sup//m:t='2']"),
        (r"\sum_{i}^n x", "m:nary[m:naryPr/m:chr/@m:val='∑'][m:naryPr/m:limLoc/@m:val='undOvr'][m:e//m:t='x']"),
        (r"\int_0^1 f", "m:nary[m:naryPr/m:limLoc/@m:val='subSup']"),
        (r"\sum_i x", "m:nary[m:naryPr/m:supHide][m:sup[not(*)]]"),
        (r"\hat x", "m:acc/m:accPr/m:chr[@m:val='\u0302']"),
        (r"\overline{ab}", "m:bar/m:barPr/m:pos[@m:val='top']"),
        (r"\underbrace{a}_n", "m:limLow[m:e/m:groupChr/m:groupChrPr/m:chr/@m:val='⏟'][m:lim//m:t='n']"),
        (r"\left(a\right]", "m:d[m:dPr/m:begChr/@m:val='('][m:dPr/m:endChr/@m:val=']']"),
        (r"\left\{a\middle|b\right.", "m:d[count(m:e)=2][m:dPr/m:sepChr/@m:val='|'][m:dPr/m:endChr/@m:val='']"),
        (r"\log p", "m:func[m:fName//m:t='log'][m:e//m:t='p']"),
        (r"\max_x f", "m:func/m:fName/m:limLow[m:e//m:t='max'][m:lim//m:t='x']"),
        (r"\overset{!}{=}", "m:limUpp[m:e//m:t='='][m:lim//m:t='!']"),
        (r"\begin{matrix}a&b\\c&d\end{matrix}", "m:m[count(m:mr)=2][count(m:mr/m:e)=4]"),
        (r"\boxed{x}", "m:borderBox"),
        (r"\phantom{x}", "m:phant/m:phantPr/m:show[@m:val='0']"),
    ],
)
def test_each_structure_is_the_one_that_office_has_for_it(tex: str, path: str) -> None:
    assert len(found(printed(tex), f"m:oMath/{path}")) == 1


@pytest.mark.parametrize(
    ("tex", "style", "italic"),
    [("x", [], "1"), (r"\mathrm{d}", ["p"], "0"), (r"\mathbf{x}", ["b"], "0"), (r"\boldsymbol{x}", ["bi"], "1")],
)
def test_letters_carry_their_style(tex: str, style: list[str], italic: str) -> None:
    run = found(printed(tex), ".//m:r")[0]
    assert found(run, "m:rPr/m:sty/@m:val") == style
    assert found(run, "a:rPr/@i") == [italic]


def test_every_run_and_every_sign_names_size_and_face() -> None:
    node = printed(r"\frac{a}{\sqrt{b}}+\sum_i\left(c\right)", lang="zh-CN")
    properties = found(node, ".//m:r/a:rPr | .//m:ctrlPr/a:rPr")
    assert len(properties) == len(found(node, ".//m:r")) + len(found(node, ".//m:ctrlPr"))
    assert {item.get("sz") for item in properties} == {"2000"}
    assert {item for one in properties for item in found(one, "a:latin/@typeface")} == {"Cambria Math"}


def test_words_are_words_in_their_language() -> None:
    node = printed(r"\text{权重 if }x", lang="zh-CN")
    (run,) = found(node, ".//m:r[m:rPr/m:nor]")
    assert found(run, "a:rPr/@lang") == ["zh-CN"]
    assert run.find(f"{M}t").text == "权重\u00a0if\u00a0"


def test_roles_follow_the_theme_and_named_colours_do_not() -> None:
    node = printed(r"\textcolor{q}{Q}{\color{red} x}y")
    assert found(node, ".//a:schemeClr/@val") == ["accent1"]
    assert found(node, ".//a:srgbClr/@val") == ["FF0000"]


@pytest.mark.parametrize(
    ("tex", "operand"),
    [
        (r"\sum_j \alpha_j h_j = 1", "αjhj"),
        (r"\sum_i (x_i - \mu)^2 + c", "(xi−μ)2"),
        (r"\sum_i x_i, y", "xi"),
        (r"\left(\sum_i x_i\right)^2", "xi"),
        (r"\sum_i -x_i", "−xi"),
        (r"\sum_i n! + c", "n!"),
    ],
)
def test_a_big_operator_takes_its_operand_and_no_more(tex: str, operand: str) -> None:
    (argument,) = found(printed(tex), ".//m:nary/m:e")
    assert text(argument) == operand


@pytest.mark.parametrize("tex", LESSON + MORE)
def test_no_argument_is_empty(tex: str) -> None:
    """PowerPoint would draw a dotted box there. The root's hidden degree and hidden limits are the exceptions."""
    arguments = ("m:e", "m:num", "m:den", "m:lim", "m:fName", "m:sub", "m:sup", "m:deg")
    empty = found(printed(tex), " | ".join(f".//{name}[not(*)]" for name in arguments))
    allowed = [item for item in empty if item.tag in (f"{M}deg", f"{M}sub", f"{M}sup")]
    assert empty == allowed


@pytest.mark.parametrize("tex", LESSON)
def test_every_letter_of_the_formula_is_there(tex: str) -> None:
    """Han, letters and digits of the MathML, each as often."""
    wanted = Counter(filter(str.isalnum, "".join(map(str, tree(tex, display=True).itertext())).replace("ˆ", "")))
    assert Counter(filter(str.isalnum, text(printed(tex)))) == wanted


@needs_corpus
def test_every_display_formula_of_real_lectures_is_printed() -> None:
    for tex, display in lecture_formulas():
        if display:
            assert text(omml(tex, 20))


# ---------------------------------------------------------------- read by others


def document(equations: Sequence[etree._Element], path: Path) -> Path:
    """A Word document with an equation a paragraph: what pandoc reads."""
    office = "http://schemas.openxmlformats.org"
    word = f"{office}/wordprocessingml/2006/main"
    body = "".join(f"<w:p>{etree.tostring(item).decode()}</w:p>" for item in equations)
    types = (
        f'<Types xmlns="{office}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="'
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("[Content_Types].xml", types)
        package.writestr("_rels/.rels", relations)
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{word}"><w:body>{body}<w:sectPr/></w:body></w:document>'
        )
    return path


def pandoc(*arguments: str, stdin: str = "") -> str:
    pypandoc = pytest.importorskip("pypandoc", reason="needs pypandoc_binary")
    command = [pypandoc.get_pandoc_path(), *arguments]
    return subprocess.run(command, input=stdin.encode(), check=True, capture_output=True).stdout.decode()


def math_in(path: Path) -> list[str]:
    """The TeX that pandoc reads out of a document, in order."""
    found: list[str] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict) and node.get("t") == "Math":
            found.append(node["c"][1])
        elif isinstance(node, dict):
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(json.loads(pandoc("-f", "docx", "-t", "json", str(path)))["blocks"])
    return found


def normalised(tex: str) -> str:
    """TeX without what says the same twice: wrappers of words and letters, spaces, sizes of fences."""
    tex = tex.replace("\u200b", "").replace(r"\underset{\text{", r"\underset{{")
    tex = re.sub(r"\\(?:overset\{(.*?)\}\{\\underbrace\{\}\})", r"\\underbrace{\1}", tex)
    tex = re.sub(r"\\(?:mathrm|operatorname|text|textbf|mathbf|mathit|boldsymbol|limits)\b\*?", "", tex)
    tex = re.sub(r"\\(?:left|right|bigg|quad|[,;:! ])(?![a-zA-Z])", "", tex)
    tex = re.sub(r"\\underset\{([^{}]*|[^{}]*\{[^{}]*\}[^{}]*)\}\{\{?(\w+)\}?\}", r"\2_{\1}", tex)
    tex = re.sub(r"\\(exp|log|tanh|sin|cos|lim|max|min)(?![a-zA-Z])", r"\1", tex)
    for command, character in {"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉"}.items():
        tex = tex.replace(f"\\{command}", character)
    tex = tex.replace(r"\parallel", r"\|").replace("aligned", "matrix").replace("Δ", r"\Delta")
    return re.sub(r"[\s{}\u00a0]", "", tex)


def test_pandoc_reads_back_what_it_would_have_written(tmp_path: Path) -> None:
    ours = math_in(document([printed(tex) for tex in LESSON], tmp_path / "ours.docx"))
    pandoc(
        "-f",
        "markdown",
        "-t",
        "docx",
        "-o",
        str(tmp_path / "theirs.docx"),
        stdin="\n\n".join(f"$${t}$$" for t in LESSON),
    )
    theirs = math_in(tmp_path / "theirs.docx")
    assert len(ours) == len(theirs) == len(LESSON) >= 40
    for tex, mine, other in zip(LESSON, ours, theirs, strict=True):
        assert normalised(mine) == normalised(other), tex


def slide_with(formulas: Sequence[str], path: Path, *, per_slide: int = 8, with_looks: bool = True) -> Path:
    """Formulas in shapes of their natural size, in one column a slide."""
    from pptx import Presentation

    presentation = Presentation()
    for at, tex in enumerate(formulas):
        if at % per_slide == 0:
            slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        node = shape(tex, 100 + at, top_pt=8 + 65 * (at % per_slide))
        for look in [] if with_looks else found(node, ".//m:*/a:rPr"):
            look.getparent().remove(look)
        slide.shapes._spTree.append(node)
    presentation.save(str(path))
    return path


def shape(tex: str, identifier: int, *, top_pt: float) -> etree._Element:
    width, height = (round(length * EMU_PER_POINT) for length in size(tex, 18))
    spaces = " ".join(f'xmlns:{name}="{NAMESPACES[name]}"' for name in ("a", "p", "mc", "a14"))
    root = etree.fromstring(
        f"""<mc:AlternateContent {spaces}><mc:Choice Requires="a14"><p:sp><p:nvSpPr>
        <p:cNvPr id="{identifier}" name="equation {identifier}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>
        <a:xfrm><a:off x="254000" y="{round(top_pt * EMU_PER_POINT)}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>
        <a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>
        <a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"/><a:lstStyle/><a:p><a14:m/></a:p></p:txBody></p:sp>
        </mc:Choice><mc:Fallback/></mc:AlternateContent>"""
    )
    (place,) = found(root, ".//a14:m")
    place.append(omml(tex, 18))
    return root


def test_openxml_audit_finds_nothing_in_a_slide_of_each(tmp_path: Path) -> None:
    """It does not know that DrawingML's run properties belong into equations on slides, as PowerPoint writes them."""
    errors = [str(error) for error in validate_pptx(str(slide_with(LESSON + MORE, tmp_path / "all.pptx"))).errors]
    assert [error for error in errors if "lement 'rPr' " not in error] == []
    bare = slide_with(LESSON + MORE, tmp_path / "bare.pptx", with_looks=False)
    assert [str(error) for error in validate_pptx(str(bare)).errors] == []


@pytest.mark.slow
@needs("soffice")
def test_libreoffice_draws_every_formula_and_finds_no_error_in_any(
    to_pdf: Callable[[Path], Path], tmp_path: Path
) -> None:
    """It shows ¿ where its own formula language does not parse and ❑ where something is missing."""
    import pypdfium2

    formulas = LESSON + MORE
    pdf = pypdfium2.PdfDocument(to_pdf(slide_with(formulas, tmp_path / "all.pptx", per_slide=1)))
    pages = [page.get_textpage().get_text_bounded() for page in pdf]
    pdf.close()
    assert len(pages) == len(formulas)
    for tex, shown in zip(formulas, pages, strict=True):
        assert shown.strip(), tex
        assert not {"¿", "❑"} & set(shown), tex
