"""Whatever is written, reading gives a deck or errors with lines, and no word vanishes without a word about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deck_builder.errors import DeckError
from deck_builder.reading import read

# Every `@@` becomes a word of its own.
BLOCKS = [
    "@@ *@@* **@@** `@@` $@@$ [@@](https://example.org/@@) ~~@@~~ ==@@== H~@@~ x^@@^ [@@]{.q} <b>@@</b> @@^[@@]",
    "- @@\n  @@\n\n  @@\n  - @@\n    1. @@\n\n       > @@\n- [ ] @@\n- ![@@](a.png) @@",
    "| @@ | @@ |\n|:--|--:|\n| @@ | `@@` |\n| @@<br>@@ | $@@$ |\n| ![@@](a.png) |\n\n: @@ {#tbl-@@}",
    "| @@ | @@ |\n|--|\n| @@ | @@ |",
    "+---------+---------+\n| @@ | @@ |\n+---------+---------+",
    '```python\n@@\n```\n\n~~~{.r #l-@@ filename="@@.r"}\n@@\n~~~',
    "```{python}\n#| label: fig-@@\n@@\n```\n\n```{mermaid}\n@@\n```\n\n```{=html}\n@@\n```",
    "$$\n@@\n$$ {#eq-@@}\n\ntext @@ $$@@$$ @@\n\n\\begin{align}\n@@\n\\end{align}",
    '![@@](@@.png){fig-alt="@@"}\n\n![@@](a.png)\n![@@](b.png) @@',
    "@@\n![@@](a.png)\n@@",
    ":::: {.columns}\n@@\n::: {.column width=40%}\n@@\n:::\n@@\n::: column\n@@\n:::\n@@\n::::",
    '::: {.callout-tip title="@@"}\n@@\n:::\n\n::: {.unknown}\n@@\n:::\n\n::: notes\n@@\n\n- @@\n:::',
    "::: {#fig-@@}\n![](a.png)\n\n@@\n:::\n\n::: {layout-ncol=2}\n@@\n\n@@\n\n@@\n:::",
    "@@\n: @@\n\n    @@\n\n| @@\n|   @@",
    '<div class="x">\n@@ <font>@@</font> <@@> <u>@@\n</div>\n\n    <p>@@</p>\n\n    @@',
    "@@[^@@]\n\n[^@@]: @@\n\n@@ \\textbf{@@} \\small @@ {{< fa @@ >}} ::: @@",
    '# @@\n\n@@\n\n## @@ {#id-@@ .@@ notes="@@"}\n\n### @@\n\n@@\n---\n@@\n\n@@\n===',
    '```{figure} a.@@\nlabel: fig-@@\ncaption: "@@ *@@*"\nalt: "@@"\nx: "@@"\n```',
    '```{snippet} a.@@\ncaption: "@@"\n```',
    "<!-- notes: @@ **@@** -->\n\n. . .\n\n> @@\n> @@\n\n***\n\n@@ @@ (@@) \"@@\" '@@' @@'s [@@] [@@][@@] &amp; @@",
    "Right Left\n----- -----\n@@ @@\n\n@@ [-@@] @key@@ [see @k@@, p. @@] \\(@@\\) \\[a = @@\\]",
]


def with_words(text: str) -> str:
    count = iter(range(100_000))
    return re.sub("@@", lambda _match: f"w{next(count)}w", text)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4))
def test_every_word_reaches_the_deck_or_is_reported_with_its_line(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[str]
) -> None:
    text = with_words("## @@\n\n" + "\n\n".join(blocks) + "\n")
    file = tmp_path_factory.mktemp("words") / "a.md"
    file.write_text(text, encoding="utf-8")
    deck = read(file)
    kept = set(re.findall(r"w\d+w", repr(deck.slides)))
    reported = {notice.source.line for notice in deck.notices}
    lost = [
        (number, word)
        for number, line in enumerate(text.split("\n"), 1)
        for word in re.findall(r"w\d+w", line)
        if word not in kept and number not in reported
    ]
    assert lost == []


PIECES = [
    *(
        "**",
        "*",
        "_",
        "`",
        "```",
        "$",
        "$$",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "{.q}",
        "{#a .b c=d}",
        "![",
        "](a.png)",
        "<",
        ">",
    ),
    *(
        "<b>",
        "</b>",
        "<br>",
        "<!--",
        "-->",
        "|",
        "| a |",
        "|---|",
        "---",
        "***",
        "#",
        "## ",
        "::: ",
        ":::",
        "- ",
        "1. ",
    ),
    *(
        "  ",
        "    ",
        "\n",
        "\n\n",
        "\\",
        "\\(",
        "\\begin{align}",
        "\\end{align}",
        "\\newcommand",
        "{{<",
        ">}}",
        "@",
        "[^1]",
    ),
    *(
        "[^1]: ",
        "^",
        "~",
        "~~",
        "==",
        "&amp;",
        "https://x.y",
        "中",
        "，",
        "“",
        "=",
        "+---+",
        "+",
        ". . .",
        ": ",
        "a",
        "%",
    ),
    *(
        "```{figure} a.b",
        "```{python}",
        "`{value} a.b`",
        "::: {.columns}",
        "::: {.column}",
        "::: notes",
        "@fig-a",
        "\t",
    ),
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_gives_a_deck_or_errors_with_lines(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("any") / "a.md"
    file.write_text(text, encoding="utf-8")
    height = text.count("\n") + 1
    try:
        deck = read(file)
    except DeckError as error:
        places = [re.match(r".*a\.md:(\d+): ", line) for line in error.lines()]
        assert all(place is not None and 1 <= int(place[1]) <= height for place in places)
    else:
        assert all(1 <= notice.source.line <= height for notice in deck.notices)
        assert all(1 <= block.source.line <= height for slide in deck.slides for block in slide.blocks)


def test_blocks_nested_too_deep_are_an_error(folder: Path) -> None:
    (folder / "a.md").write_text("## A\n\n" + "> " * 80 + "deep\n", encoding="utf-8")
    with pytest.raises(DeckError, match="inside each other"):
        read(folder)
