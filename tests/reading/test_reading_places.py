"""Every line number the reader tells is the line in the author's file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deck_builder.errors import DeckErrors
from deck_builder.model import Deck, FigureCall, Source
from deck_builder.reading import read

Read = Callable[..., Deck]

# Each template holds @keyN where something is quoted; a citation is reported with its line.
BLOCKS = [
    "text @key\nand more @key\n`code\nover lines` then @key",
    "- a @key\n- b\n  @key\n\n  c @key\n  - d @key",
    "> quote\n> @key\n> - @key",
    "| a @key | b |\n|---|---|\n| 1 | @key |\n| @key | $x$ |\n\n: caption @key {#tbl-key}",
    "+---+---------+\n| a | b       |\n+===+=========+\n| 1 | @key00  |\n+---+---------+",
    '::: {.callout-note title="@key"}\n@key\n:::',
    ":::: columns\n::: column\n@key\n:::\n::: column\n\n\n@key\n:::\n::::",
    "Term @key\n: definition @key\n\n    more @key",
    "| line @key\n| line @key",
    "$a\n+ b$ @key $$x\n- y$$ @key\n$$\nz\n$$\n@key",
    '[link\ntext](https://example.org\n"title") @key ![x\ny](a.png) @key\n![@key](b.png)',
    "<!-- one\ntwo --> @key\n\n<!-- notes: a\n\nb @key\n-->\n\n::: notes\n- @key\n:::",
    "a\\\nb @key  \n**c\n@key** [d\n@key]{.q}\n<b>e\n@key</b>",
    "### heading @key\n@key[^key]\n\n[^key]: foot @key\n\n    foot @key",
    '```{table} a.f\n\ncaption: "@key"\nx: 1\n```',
    "Title @key\n==========",
    "```python\n@key_in_code\n\n```\n@key",
    "\\begin{align}\na\n\\end{align}\n\n\\newcommand{\\x}[1]{\n#1}\n@key",
]
FRONT = [
    "",
    "---\ntitle: T @key\nlang: en\n---\n",
    "% T\n  more\n% A\n",
    "---\ntitle: T\nnotes: |\n  a @key\n\n  - b\n    @key\ntoc: true\ntoc-notes: c @key\n---\n",
]


def numbered(text: str) -> str:
    """The text with each `key` made one of a kind."""
    count = iter(range(10_000))
    return re.sub(r"@key(?:00)?(?!_)", lambda _match: f"@key{next(count):02}", text)


@given(
    st.sampled_from(FRONT), st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"])
)
def test_what_is_reported_carries_its_line(
    tmp_path_factory: pytest.TempPathFactory, front: str, blocks: list[str], end: str
) -> None:
    footnotes = [f"[^{index}" for index in range(len(blocks))]
    parts = [
        block.replace("[^key", name).replace("#tbl-key", f"#tbl-{name[2:]}")
        for block, name in zip(blocks, footnotes, strict=True)
    ]
    text = numbered(front + "\n\n## Slide\n\n" + "\n\n---\n\n".join(parts) + "\n")
    file = tmp_path_factory.mktemp("places") / "a.md"
    file.write_bytes(text.replace("\n", end).encode())
    lines = {key: number for number, line in enumerate(text.split("\n"), 1) for key in re.findall(r"@key\d+", line)}
    found = {}
    for notice in read(file).notices:
        if match := re.search(r"@key\d+", notice.message):
            found[match[0]] = notice.source.line
    assert found == lines


def test_blocks_know_their_lines(lesson: Read) -> None:
    deck = lesson("## A\n\ntext\n\n- one\n- two\n\n```python\nx\n```\n\n$$\ny\n$$\n\n![z](z.png)\n\n| a |\n|---|\n")
    slide = deck.slides[0]
    assert slide.source == Source("content/a.md", 1)
    assert [block.source.line for block in slide.blocks] == [3, 5, 8, 12, 16, 18]


def test_a_directive_knows_the_line_of_each_argument(lesson: Read) -> None:
    deck = lesson("## A\n\n- item\n\n  ```{figure} a.f\n\n  score: dot\n  label: fig-a\n  steps: 3\n  ```\n")
    item = deck.slides[0].blocks[0].items[0]  # type: ignore[union-attr]
    call = item.blocks[1]
    assert isinstance(call, FigureCall)
    assert call.source.line == 5
    assert dict(call.lines) == {"score": 7, "label": 8, "steps": 9}
    assert dict(call.arguments) == {"score": "dot", "steps": 3}


def test_all_files_report_together_in_the_order_of_the_lesson(lesson: Read) -> None:
    with pytest.raises(DeckErrors) as caught:
        lesson(**{"02-b": "## B\n\n```python\n", "01-a": "---\ntoc: 7\n---\n\n::: notes\n"})
    assert [line.partition(": ")[0] for line in caught.value.lines()] == [
        "content/01-a.md:2",
        "content/01-a.md:5",
        "content/02-b.md:3",
    ]


def test_included_files_keep_their_own_lines(folder: Path) -> None:
    (folder / "_part.md").write_text("---\ntitle: no\n---\n\n{{< include _deep.md >}}\n\n@late\n", encoding="utf-8")
    (folder / "_deep.md").write_text("# deep\n\n@deep", encoding="utf-8")
    (folder / "a.md").write_text("# A\n\n@a\n\n{{< include _part.md >}}\n\n@z\n", encoding="utf-8")
    notices = [str(notice) for notice in read(folder).notices if "citation" in notice.message]
    assert [notice.partition(" ")[0] + re.findall(r"@\w+", notice)[0] for notice in notices] == [
        "content/_deep.md:3:@deep",
        "content/_part.md:7:@late",
        "content/a.md:3:@a",
        "content/a.md:7:@z",
    ]


def test_a_file_that_includes_itself_is_an_error(folder: Path) -> None:
    (folder / "_x.md").write_text("{{< include _x.md >}}\n", encoding="utf-8")
    (folder / "a.md").write_text("# A\n\n{{< include _x.md >}}\n", encoding="utf-8")
    with pytest.raises(DeckErrors, match="includes itself"):
        read(folder)


def test_paths_are_shown_relative_to_the_current_directory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.md").write_text("# A\n\n@key\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    assert str(read(folder.absolute()).notices[0].source) == "a.md:3"
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert str(read(folder).notices[0].source) == "../a.md:3"
    assert os.sep == "/" or "\\" not in str(read(folder).notices[0].source)
