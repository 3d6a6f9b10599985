"""Plain Markdown means the same here as in pandoc: text, nesting, tables, emphasis, and where slides are cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deck_builder.model import (
    Block,
    Code,
    Columns,
    Deck,
    Equation,
    Heading,
    Inline,
    List,
    Math,
    Paragraph,
    Quote,
    Rule,
    Run,
    Table,
)
from deck_builder.reading import read

pypandoc = pytest.importorskip("pypandoc", reason="needs pandoc")
try:
    pypandoc.get_pandoc_version()
except OSError:
    pytest.skip("needs pandoc", allow_module_level=True)

FORMAT = (
    "markdown-smart-citations-fancy_lists-example_lists+lists_without_preceding_blankline+task_lists+mark"
    "+east_asian_line_breaks"
)
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"

Text = list[tuple[frozenset[str], str]]


# ---------------------------------------------------------------- ours, in plain lists


def inline_text(inlines: Iterable[Inline]) -> Text:
    pieces: Text = []
    for inline in inlines:
        match inline:
            case Run(text=text):
                pieces.append((marks(inline), text))
            case Math(tex=tex):
                pieces.append((marks(inline) | {"math"}, tex))
            case _:
                raise AssertionError(inline)
    return joined(pieces)


def marks(inline: Run | Math) -> frozenset[str]:
    style = inline.style
    names = {name for name in ("bold", "italic", "code", "strike") if getattr(style, name)}
    names |= {1: {"sup"}, 0: set(), -1: {"sub"}}[style.baseline]
    names |= {f"role {style.role}"} if style.role else set()
    return frozenset(names | ({f"link {style.link}"} if style.link else set()))


def joined(pieces: Text) -> Text:
    result: Text = []
    for names, text in pieces:
        if result and result[-1][0] == names:
            result[-1] = (names, result[-1][1] + text)
        elif text:
            result.append((names, text))
    return result


def ours(block: Block) -> Any:
    match block:
        case Paragraph(inlines=inlines):
            return ["p", inline_text(inlines)]
        case Heading(level=level, inlines=inlines):
            return ["h", level, inline_text(inlines)]
        case List(items=items, ordered=ordered, start=start):
            inner = [[ours(block) for block in item.blocks] for item in items]
            return ["ol", start, inner] if ordered else ["ul", inner]
        case Quote(blocks=blocks):
            return ["quote", [ours(block) for block in blocks]]
        case Code(text=text, language=language):
            return ["code", language, text]
        case Table(header=header, rows=rows, alignments=alignments):
            return ["table", [*map(inline_text, header)], [[*map(inline_text, row)] for row in rows], [*alignments]]
        case Equation(tex=tex):
            return ["math", tex]
        case Rule():
            return ["rule"]
        case Columns(columns=columns):
            return ["columns", [[column.width, [ours(block) for block in column.blocks]] for column in columns]]
        case _:
            raise AssertionError(block)


# ---------------------------------------------------------------- pandoc's, in the same lists

WRAPPERS = {"Strong": "bold", "Emph": "italic", "Strikeout": "strike", "Superscript": "sup", "Subscript": "sub"}


def theirs_inline(nodes: list[Any], names: frozenset[str] = frozenset()) -> Text:
    pieces: Text = []
    for node in nodes:
        kind, content = node["t"], node.get("c")
        if kind == "Str":
            pieces.append((names, content))
        elif kind in ("Space", "SoftBreak"):
            pieces.append((names, " "))
        elif kind == "LineBreak":
            pieces.append((names, "\n"))
        elif kind == "Code":
            pieces.append((names | {"code"}, content[1]))
        elif kind == "Math":
            pieces.append((names | {"math" if content[0]["t"] == "InlineMath" else "display"}, content[1].strip()))
        elif kind == "Link":
            pieces += theirs_inline(content[1], names | {f"link {content[2][0]}"})
        elif kind == "Span":
            roles = {f"role {name}" for name in content[0][1]}
            pieces += theirs_inline(content[1], names | roles)
        elif kind == "Quoted":
            raise AssertionError("smart quotes are off")
        else:
            pieces += theirs_inline(content, names | {WRAPPERS[kind]})
    return joined(pieces)


def theirs_paragraph(nodes: list[Any]) -> list[Any]:
    result: list[Any] = []
    text: Text = []
    for names, content in [*theirs_inline(nodes), (frozenset({"display"}), "")]:
        if "display" not in names:
            text.append((names, content))
            continue
        if stripped := trimmed(text):
            result.append(["p", stripped])
        result += [["math", content]] if content else []
        text = []
    return result


def trimmed(text: Text) -> Text:
    kept = [piece for piece in text if piece[1]]
    if kept and "code" not in kept[0][0]:
        kept[0] = (kept[0][0], kept[0][1].lstrip())
    if kept and "code" not in kept[-1][0]:
        kept[-1] = (kept[-1][0], kept[-1][1].rstrip())
    return [piece for piece in kept if piece[1]]


def theirs(nodes: list[Any]) -> list[Any]:
    result: list[Any] = []
    for node in nodes:
        kind, content = node["t"], node.get("c")
        if kind in ("Para", "Plain"):
            result += theirs_paragraph(content)
        elif kind == "Header":
            result.append(["h", content[0], theirs_inline(content[2])])
        elif kind == "BulletList":
            result.append(["ul", [theirs(item) for item in content]])
        elif kind == "OrderedList":
            result.append(["ol", content[0][0], [theirs(item) for item in content[1]]])
        elif kind == "BlockQuote":
            result.append(["quote", theirs(content)])
        elif kind == "CodeBlock":
            result.append(["code", (content[0][1] or [""])[0], content[1]])
        elif kind == "HorizontalRule":
            result.append(["rule"])
        elif kind == "Table":
            result.append(theirs_table(content))
        elif kind == "Div" and "columns" in content[0][1]:
            result.append(["columns", [theirs_column(column["c"]) for column in content[1]]])
        elif kind == "Div":
            result += theirs(content[1])
        else:
            raise AssertionError(node)
    return result


def theirs_table(content: list[Any]) -> Any:
    names = {"AlignLeft": "left", "AlignRight": "right", "AlignCenter": "center", "AlignDefault": "left"}
    alignments = [names[alignment["t"]] for alignment, _width in content[2]]

    def cells(row: list[Any]) -> list[Text]:
        return [theirs_inline(cell[4][0]["c"]) if cell[4] else [] for cell in row[1]]

    header = cells(content[3][1][0]) if content[3][1] else []
    return ["table", header if any(header) else [], [cells(row) for row in content[4][0][3]], alignments]


def theirs_column(content: list[Any]) -> Any:
    width = dict(content[0][2]).get("width", "0%")
    return [float(width.removesuffix("%")), theirs(content[1])]


# ---------------------------------------------------------------- documents

WORDS = [
    "attention",
    "weights",
    "Q",
    "注意力",
    "机制",
    "é",
    "x1",
    "don't",
    "3.14",
    "(see)",
    "a_b",
    "100%",
    "C#",
    "词，",
    "“引”",
]
word = st.sampled_from(WORDS)
plain = st.lists(word, min_size=1, max_size=3).map(" ".join)
leaf = st.one_of(
    plain,
    word.map(lambda w: f"`{w} | {w}`"),
    st.sampled_from([r"$d_k$", r"$\frac{a}{b} = x$", r"$P(y \mid x)$", "H~2~O", "x^2^"]),
    plain.map(lambda w: f"[{w}](https://example.org/a?b=c)"),
    plain.map(lambda w: f"[{w}]{{.q}}"),
    plain.map(lambda w: f"~~{w}~~"),
    plain.map(lambda w: f"=={w}=="),
    st.sampled_from(
        [r"\*no\*", "&copy; &lt;s&gt;", r"5\$ and 6\$", "$5 or $6", "<https://example.org/x_y_z>", r"a\ b", "``a ` b``"]
    ),
)
emphasised = st.tuples(st.sampled_from(["*{}*", "**{}**", "***{}***", "**x *{}* y**", "*x **{}** y*"]), leaf).map(
    lambda pair: pair[0].format(pair[1])
)
piece = st.one_of(leaf, emphasised)
line = st.lists(piece, min_size=1, max_size=4).map(" ".join)
paragraph = st.tuples(st.sampled_from(["\n", "\\\n", "  \n"]), st.lists(line, min_size=1, max_size=3)).map(
    lambda pair: pair[0].join(pair[1])
)


def indent(text: str, by: int) -> str:
    return "\n".join(" " * by + row if row else "" for row in text.split("\n"))


def bullets(items: list[str]) -> str:
    return "\n".join(f"- {indent(item, 2).lstrip()}" for item in items)


def numbered(start: int, items: list[str]) -> str:
    return "\n".join(f"{start + i}. {indent(item, len(str(start + i)) + 2).lstrip()}" for i, item in enumerate(items))


def quoted(text: str) -> str:
    return "\n".join(f"> {row}".rstrip() for row in text.split("\n"))


def pipe_table(data: tuple[list[str], list[list[str]], list[str]]) -> str:
    header, rows, dashes = data
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, dashes, *rows])


@st.composite
def tables(draw: st.DrawFn) -> str:
    count = draw(st.integers(1, 3))
    row = st.lists(piece, min_size=count, max_size=count)
    dashes = st.lists(st.sampled_from(["---", ":--", "--:", ":-:"]), min_size=count, max_size=count)
    return pipe_table((draw(row), draw(st.lists(row, max_size=3)), draw(dashes)))


simple = st.one_of(
    paragraph,
    tables(),
    st.sampled_from(["```python\nx = 1\n\n# y\n```", "~~~\n- no list\n~~~", "$$\na = b\n$$", "### Inner *x*"]),
)
tight_item = st.one_of(line, st.tuples(line, st.lists(line, min_size=1, max_size=2).map(bullets)).map("\n".join))
lists = st.one_of(
    st.lists(tight_item, min_size=1, max_size=3).map(bullets),
    st.tuples(st.sampled_from([1, 3, 9]), st.lists(tight_item, min_size=1, max_size=3)).map(lambda a: numbered(*a)),
    st.lists(st.tuples(paragraph, paragraph).map("\n\n".join), min_size=1, max_size=2).map(bullets),
)
body = st.lists(st.one_of(simple, lists, paragraph.map(quoted)), min_size=1, max_size=4).map("\n\n".join)
columns = st.tuples(body, body).map(
    lambda two: f":::: columns\n::: {{.column width=40%}}\n{two[0]}\n:::\n\n::: column\n{two[1]}\n:::\n::::"
)


# lists that follow each other without anything between would be one list in CommonMark, two in none
def apart(parts: list[str]) -> str:
    return "\n\nbetween\n\n".join(parts)


documents = st.lists(st.one_of(body, columns), min_size=1, max_size=3).map(apart)


@settings(max_examples=40)
@given(documents)
def test_plain_markdown_is_read_as_pandoc_reads_it(tmp_path_factory: pytest.TempPathFactory, document: str) -> None:
    file = tmp_path_factory.mktemp("case") / "a.md"
    file.write_text(f"## Title\n\n{document}\n", encoding="utf-8")
    deck = read(file)
    ast = json.loads(pypandoc.convert_text(document, "json", format=FORMAT))
    assert [ours(block) for slide in deck.slides for block in slide.blocks] == theirs(ast["blocks"])


# ---------------------------------------------------------------- slides

SLIDE = re.compile(
    r'<div (?:id="(?P<id>[^"]*)"\s+)?class="(?:title-slide )?slide section level(?P<level>\d)[^>]*>'
    r"\s*(?:<h1[^>]*>(?P<title>.*?)</h1>)?",
    re.DOTALL,
)


def pandoc_slides(markdown: str, level: int) -> list[tuple[int, str | None, str]]:
    html = pypandoc.convert_text(
        markdown, "slidy", format=FORMAT, extra_args=[f"--slide-level={level}", "--wrap=none", "--mathjax"]
    )
    found = []
    for match in SLIDE.finditer(html):
        title = unescape(re.sub(r"<[^>]+>", "", match["title"] or ""))
        found.append((int(match["level"]), unescape(match["id"]) if match["id"] else None, " ".join(title.split())))
    return found


def our_slides(deck: Deck, level: int) -> list[tuple[int, str | None, str]]:
    found: list[tuple[int, str | None, str]] = []
    before = None
    for slide in deck.slides:
        continues_section = before is not None and before.kind == "section" and before.source == slide.source
        before = slide
        if slide.kind != "cover" and not continues_section:
            title = "" if slide.title_hidden else "".join(run.text for run in slide.title if isinstance(run, Run))
            found.append((1 if slide.kind == "section" else level, slide.identifier if title else None, title))
    return found


CUTS = [
    "# A\n\n## B\n\nx\n\n## C\n\ny",
    "# A\n\ntext\n\n## B\n\nx",
    "## A\n\nx\n\n---\n\ny\n\n## A\n\nz\n\n### A\n\nw\n\n## A\n\nv",
    "## 注意力 *机制*：QKV!\n\nx\n\n## 1. The `code` & more...\n\ny\n\n## 4.2\n\nz",
    "## One {#two}\n\nx\n\n## Two\n\ny\n\n## A_b - c.d\n\nz",
]


@pytest.mark.parametrize("markdown", CUTS)
def test_slides_are_cut_and_named_as_in_pandoc(folder: Path, markdown: str) -> None:
    (folder / "a.md").write_text(markdown, encoding="utf-8")
    deck = read(folder / "a.md")
    assert our_slides(deck, 2) == pandoc_slides(markdown, 2)


@pytest.mark.parametrize("name", ["parsiad-transformers", "elte-seq2seq", "elte-transformers", "monatis-mlprojects"])
def test_real_pandoc_decks_have_pandoc_s_slides(name: str) -> None:
    if not CORPUS.is_dir():
        pytest.skip("needs the corpus of real decks")
    file = next((CORPUS / name).glob("*.md"))
    mine = our_slides(read(file), 2)
    assert mine == [slide for slide in pandoc_slides(file.read_text(encoding="utf-8"), 2) if slide[2]]
