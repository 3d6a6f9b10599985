"""Listings: one paragraph a line, nothing lost, colours that mean something and can be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support import ROOT

from deck_builder.elements.code import paragraphs
from deck_builder.elements.text import Faces
from deck_builder.elements.xml import NAMESPACES
from deck_builder.writing.listings import Listings


def listing(text: str, language: str, before: str = "", **options: object) -> list[etree._Element]:
    return paragraphs(Listings().lines(text, language, before), **options)  # type: ignore[arg-type]


ATTENTION = '''def attention(q, k, v, mask=None):
    """Scaled dot product."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))  # 打分

    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v'''

SURFACE = "F4F6FA"
LIGHT_THEME = {
    "tx1": "1B2A41",
    "tx2": "5C6B7F",
    "accent1": "2A66CF",
    "accent2": "AB5500",
    "accent3": "247F57",
    "accent4": "7A4FC9",
    "accent5": "C93C3C",
    "accent6": "147A8B",
}


def found(node: etree._Element, path: str) -> list[str]:
    result = node.xpath(path, namespaces=NAMESPACES)
    assert isinstance(result, list)
    return result  # type: ignore[return-value]


def line_text(paragraph: etree._Element) -> str:
    return "".join(found(paragraph, "a:r/a:t/text()"))


def colours(text: str, language: str = "python", **options: object) -> dict[str, str]:
    """Slot of each stretch of text, blanks stripped; the last one wins."""
    out = {}
    for paragraph in listing(text, language, size_pt=14, **options):  # type: ignore[arg-type]
        for run in paragraph.iterfind(f"{{{NAMESPACES['a']}}}r"):
            (slot,) = found(run, "a:rPr/a:solidFill/a:schemeClr/@val")
            out["".join(found(run, "a:t/text()")).strip()] = slot
    return out


@pytest.mark.parametrize("language", ["python", "text", "", "nosuchlanguage"])
def test_each_line_is_a_paragraph_and_no_character_is_lost(language: str) -> None:
    lines = listing(ATTENTION, language, size_pt=14)
    assert [line_text(line) for line in lines] == ATTENTION.split("\n")


@given(
    st.text(st.sampled_from("ab=\"'#\\({[]})\n é中\t:0.@f\\"), max_size=60),
    st.sampled_from(["python", "bash", "json", "r"]),
)
def test_any_text_comes_out_as_it_went_in(text: str, language: str) -> None:
    lines = listing(text, language, size_pt=12)
    assert [line_text(line) for line in lines] == [line.expandtabs(4) for line in text.split("\n")]


def test_terminal_colours_and_control_characters_are_dropped_and_tabs_expanded() -> None:
    (line,) = listing("\x1b[31m\tred\x1b[0m\x07\x00", "text", size_pt=12)
    assert line_text(line) == "    red"


def test_every_run_says_how_it_is_set() -> None:
    for line in listing(ATTENTION, "python", size_pt=13.5, faces=Faces("Menlo", "PingFang SC")):
        for properties in line.xpath(".//a:rPr | .//a:endParaRPr", namespaces=NAMESPACES):  # type: ignore[union-attr]
            assert properties.get("sz") == "1350"  # type: ignore[union-attr]
            assert properties.get("noProof") == "1"  # type: ignore[union-attr]
            faces = found(properties, "a:latin/@typeface | a:ea/@typeface | a:cs/@typeface")  # type: ignore[arg-type]
            assert faces == ["Menlo", "PingFang SC", "Menlo"]
        assert {"en-US"} <= set(found(line, ".//@lang")) <= {"en-US", "zh-CN"}


def test_an_empty_line_keeps_its_height() -> None:
    empty = listing("a\n\nb", "text", size_pt=12, line_spacing=1.1)[1]
    assert found(empty, "a:endParaRPr/@sz") == ["1200"]
    assert found(empty, "a:pPr/a:lnSpc/a:spcPct/@val") == ["110000"]


def test_queries_keys_and_values_carry_their_colours() -> None:
    seen = colours(ATTENTION)
    assert (seen["q"], seen["k"], seen["v"]) == ("accent1", "accent2", "accent3")
    assert colours("self.w_q(x), self.W_K(x), value, keys, query")["w_q"] == "accent1"


def test_a_counter_called_k_and_the_values_of_a_dictionary_are_no_attention() -> None:
    assert set(colours("for k, v in d.items():\n    print(k, v, d.values())").values()) <= {"tx1", "accent4", "accent6"}
    assert colours("q = k\nd.values()")["= k".strip("= ")] == "accent2"
    assert "d.values()" in colours("q = k\nd.values()")


def test_syntax_is_told_apart_without_the_colours_of_attention() -> None:
    seen = colours('@wrap\ndef work(x):\n    # why\n    return "text" + str(12)')
    assert seen["def"] == seen["return"] == "accent4"
    assert seen['"text"'] == seen["12"] == "accent6"
    assert seen["# why"] == "tx2"
    assert seen["work"] == "tx1"


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_reaches_4_5_to_1_on_the_surface() -> None:
    source = ATTENTION + "\n@x\nclass A: pass\n>>> 1"
    diff = "-a\n+b\n@@ c\n"
    slots = {*colours(source).values(), *colours(diff, "diff").values(), *colours("$ ls\nout", "console").values()}
    assert len(slots) >= 7
    for slot in slots:
        lighter, darker = sorted((luminance(LIGHT_THEME[slot]), luminance(SURFACE)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, slot


def test_lines_that_are_not_emphasised_step_back() -> None:
    lines = listing(ATTENTION, "python", size_pt=12, highlight=frozenset({3}))
    slots = [set(found(line, ".//a:schemeClr/@val")) for line in lines]
    assert slots[0] == slots[6] == {"tx2"}
    assert {"accent1", "accent2", "tx1"} <= slots[2]


def test_numbers_stand_right_aligned_before_their_lines() -> None:
    lines = listing("a\nb\nc\nd", "text", size_pt=12, numbers=(9, 10, None, 11))
    assert [line_text(line) for line in lines] == [" 9  a", "10  b", "    c", "11  d"]
    assert found(lines[0], "a:r[1]/a:rPr//@val") == ["tx2"]


def test_tokens_of_one_look_share_a_run() -> None:
    assert sum(len(found(line, "a:r")) for line in listing(ATTENTION, "python", size_pt=12)) < 50


@pytest.mark.parametrize(
    ("language", "text", "word", "slot"),
    [
        ("py", "if x: pass", "if", "accent4"),
        ("Python", "if x: pass", "if", "accent4"),
        ("bash", "# note", "# note", "tx2"),
        ("json", '{"a": 1}', "1", "accent6"),
        ("yaml", "# note", "# note", "tx2"),
        ("r", "x <- 1 # note", "# note", "tx2"),
        ("cpp", "return 1;", "return", "accent4"),
        ("java", "return 1;", "return", "accent4"),
        ("js", "return 1;", "return", "accent4"),
        ("latex", "% note", "% note", "tx2"),
        ("rust", "fn main() {}", "fn", "accent4"),
        ("sql", "-- note", "-- note", "tx2"),
    ],
)
def test_common_languages_are_coloured(language: str, text: str, word: str, slot: str) -> None:
    assert colours(text, language)[word] == slot


def test_plain_text_loads_no_lexer_and_python_only_its_own() -> None:
    code = (
        "import sys\nfrom deck_builder.elements.code import coloured, paragraphs\n"
        "paragraphs(coloured('a', 'text'), size_pt=12)\n"
        "assert not [name for name in sys.modules if name.startswith('pygments')]\n"
        "paragraphs(coloured('a', 'python'), size_pt=12)\n"
        "lexers = {name for name in sys.modules if name.startswith('pygments.lexers.')}\n"
        "assert lexers <= {'pygments.lexers._mapping', 'pygments.lexers.python'}, lexers\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_listing_continued_inside_a_string_goes_on_as_a_string() -> None:
    start = 'def f():\n    """Attention is'
    inside = '    if q is None or k is None:\n    told in full\n    """\n    return 1'
    fresh, continued = colours(inside), colours(inside, before=start)
    assert fresh["if"] != continued["if q is None or k is None:"]
    assert continued["if q is None or k is None:"] == continued["told in full"]
    assert continued["return"] == colours("return 1")["return"]
    assert len(listing(inside, "python", size_pt=14, before=start)) == 4


def test_a_kept_listing_is_read_back_without_pygments(tmp_path: Path) -> None:
    first = Listings(tmp_path).lines(ATTENTION, "python")
    program = (
        "import sys\nfrom pathlib import Path\nfrom deck_builder.writing.listings import Listings\n"
        f"lines = Listings(Path({str(tmp_path)!r})).lines({ATTENTION!r}, 'python')\n"
        "assert 'pygments' not in sys.modules\nprint(len(lines))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT)
    assert int(done.stdout) == len(first) == ATTENTION.count("\n") + 1
    assert Listings(tmp_path).lines(ATTENTION, "python") == first
