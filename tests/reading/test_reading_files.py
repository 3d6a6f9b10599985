"""Which files make a lesson, how they are decoded, and what their front matter says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deck_builder.errors import DeckError, DeckErrors
from deck_builder.model import Columns, Deck, Image, Paragraph, Run, Settings
from deck_builder.reading import read

Read = Callable[..., Deck]


def titles(deck: Deck) -> list[str]:
    return ["".join(run.text for run in slide.title if isinstance(run, Run)) for slide in deck.slides]


def test_a_folder_is_read_in_name_order(lesson: Read) -> None:
    assert titles(lesson(**{"10-b": "# B", "02-a": "# A", "11": "# C"})) == ["A", "B", "C"]


def test_readmes_and_underscored_files_are_passed_over_with_a_notice(lesson: Read) -> None:
    deck = lesson(**{"README": "# R", "readme.zh-CN": "# R", "_part": "# P", "a": "# A"})
    assert titles(deck) == ["A"]
    assert [notice.source.path for notice in deck.notices] == [
        "content/README.md",
        "content/_part.md",
        "content/readme.zh-CN.md",
    ]


def test_a_single_file_is_read_whatever_its_name(folder: Path) -> None:
    (folder / "_talk.qmd").write_text("# A", encoding="utf-8")
    deck = read(folder / "_talk.qmd")
    assert titles(deck) == ["A"]
    assert deck.folder == str(folder)


def test_other_files_and_folders_are_left_alone(folder: Path) -> None:
    (folder / "a.md").write_text("# A", encoding="utf-8")
    (folder / "b.txt").write_text("# B", encoding="utf-8")
    (folder / ".hidden.md").write_text("# C", encoding="utf-8")
    (folder / "deep.md").mkdir()
    assert titles(read(folder)) == ["A"]


def test_nothing_to_read_is_said(folder: Path) -> None:
    with pytest.raises(DeckError, match=r"no Markdown file in .*content"):
        read(folder)
    with pytest.raises(DeckError, match="neither a file nor a folder"):
        read(folder / "nowhere")


def test_byte_order_marks_and_line_ends_of_other_systems_change_nothing(folder: Path) -> None:
    text = "---\ntitle: T\n---\n\n## A\n\nline\nline\n\n```python\nx\n```\n"
    decks = []
    for content in (
        text.encode(),
        b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
    ):
        (folder / "a.md").write_bytes(content)
        decks.append(read(folder))
    assert decks[0] == decks[1] == decks[2]


def test_a_file_that_is_not_utf_8_is_an_error_with_its_line(folder: Path) -> None:
    (folder / "a.md").write_bytes("# 标题\n\n正文\n".encode("gbk"))
    with pytest.raises(DeckErrors, match="not UTF-8") as caught:
        read(folder)
    assert caught.value.lines()[0].startswith("content/a.md:1: ")


def test_control_characters_are_left_out_and_named(lesson: Read) -> None:
    deck = lesson("## A\n\none\x1b[31m two\x0c\n")
    assert deck.slides[0].blocks[0].inlines == (Run("one[31m two"),)  # type: ignore[union-attr]
    assert [str(notice) for notice in deck.notices] == [
        "content/a.md:3: control character U+001B left out",
        "content/a.md:3: control character U+000C left out",
    ]


def test_front_matter_sets_the_deck(lesson: Read) -> None:
    deck = lesson(
        '---\ntitle: On *attention*\nsubtitle: "a: b"\nauthor: [Ada, {name: Bo}]\ninstitute: X\ndate: 2024-05-01\n'
        "lang: zh-CN\ntemplate: school.pptx\nfooter: 第 1 讲\ntoc: true\nslide-level: 1\nincremental: true\n"
        "fit: shrink\nmath-fallback: text\nseed: 7\nmacros:\n  vect: \\mathbf{#1}\n---\n\n# A\n"
    )
    assert deck.settings == Settings(
        title=(Run("On "), Run("attention", deck.settings.title[1].style)),
        subtitle=(Run("a: b"),),
        author="Ada, Bo",
        institute="X",
        date="2024-05-01",
        lang="zh-CN",
        template="school.pptx",
        footer="第 1 讲",
        toc=True,
        slide_level=1,
        incremental=True,
        fit="shrink",
        math_fallback="text",
        seed=7,
        macros={"\\vect": "\\mathbf{#1}"},
    )
    assert [str(notice) for notice in deck.notices] == [
        "content/a.md:12: `incremental` is not kept yet; lists show everything at once"
    ]


def test_unknown_front_matter_is_reported_with_the_nearest_known_key(lesson: Read) -> None:
    deck = lesson("---\nsubtitel: x\ntheme: y\n---\n\n# A\n")
    assert [str(notice) for notice in deck.notices] == [
        "content/a.md:2: front matter `subtitel` is not read; did you mean `subtitle`?",
        "content/a.md:3: front matter `theme` is not read",
    ]


def test_quarto_s_nesting_under_format_pptx_is_understood(lesson: Read) -> None:
    deck = lesson(
        "---\ntitle: T\nformat:\n  pptx:\n    reference-doc: school.pptx\n    toc: true\n"
        "  revealjs:\n    theme: dark\n---\n\n# A\n"
    )
    assert (deck.settings.template, deck.settings.toc) == ("school.pptx", True)
    assert [str(notice) for notice in deck.notices] == [
        "content/a.md:3: settings for `format: revealjs` are not read; only those for `pptx` are"
    ]
    assert lesson("---\nformat: pptx\n---\n\n# A\n").notices == ()


def test_date_today_is_the_day_of_the_build(lesson: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert lesson("---\ndate: today\n---\n\n# A\n").settings.date == "2023-11-14"


def test_further_files_add_macros_and_nothing_else(lesson: Read) -> None:
    deck = lesson(
        a="---\ntitle: A\n---\n\n# A\n", b="---\ntitle: B\nmacros:\n  \\b: b\n---\n\n# B $\\newcommand{\\c}{c}$\n"
    )
    assert titles(deck) == ["A", "A", "B"]
    assert dict(deck.settings.macros) == {"\\b": "b", "\\c": "c"}
    assert [str(notice) for notice in deck.notices] == [
        "content/b.md:2: front matter `title` is only read in the first file"
    ]


def test_macros_of_every_kind_reach_the_settings(lesson: Read) -> None:
    deck = lesson(
        "# A\n\n\\newcommand{\\softmax}{\\operatorname{softmax}}\n\\newcommand\\vect[1]{\\mathbf{#1}}\n"
        "\\DeclareMathOperator*{\\argmax}{arg\\,max}\n\\def\\half{\\frac{1}{2}}\n\\let\\eps\\varepsilon\n\n"
        "::: hidden\n$$\n\\renewcommand{\\m}[2]{\n  {#1}_{#2}\n}\n$$\n:::\n"
    )
    assert dict(deck.settings.macros) == {
        "\\softmax": "\\operatorname{softmax}",
        "\\vect": "\\mathbf{#1}",
        "\\argmax": "\\operatorname*{arg\\,max}",
        "\\half": "\\frac{1}{2}",
        "\\eps": "\\varepsilon",
        "\\m": "\n{#1}_{#2}\n",
    }
    assert deck.slides[0].blocks == ()


def test_text_between_dashes_that_is_no_mapping_is_no_front_matter(lesson: Read) -> None:
    assert titles(lesson("---\n## A\n\nx\n\n---\n\ny\n")) == ["A", "A"]


def test_pictures_are_found_from_the_lesson_s_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.md").write_text("## A\n\n![x](../images/x.png) ![y](y.png)\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    for path in (folder, Path("../content"), Path("a.md")):
        deck = read(path)
        row = deck.slides[0].blocks[0]
        assert isinstance(row, Columns)
        images = [image for column in row.columns for image in column.blocks if isinstance(image, Image)]
        assert [image.path for image in images] == [str(folder.parent / "images" / "x.png"), str(folder / "y.png")]
        assert deck.notices == ()


def test_reading_twice_gives_the_same(lesson: Read, folder: Path) -> None:
    deck = lesson("## A\n\n[^1] **b** @key ![x](y.png)\n\n[^1]: note\n")
    assert repr(read(folder)) == repr(deck)


NOTED = """---
title: T
toc: true
notes: |
  Welcome *all*.

  - one [x](#nowhere)
toc-notes: Name the chapters.
---

## A

text
"""


def test_the_front_matter_holds_the_notes_of_cover_and_agenda(lesson: Read, dump: Callable[[Deck], str]) -> None:
    deck = lesson(NOTED.replace(" [x](#nowhere)", ""))
    assert dump(deck).splitlines()[:6] == [
        'cover #title-slide "T"',
        "  notes",
        "    p Welcome ⟨italic|all⟩.",
        "    ul",
        "      - p one",
        'content #a "A"',
    ]
    assert [block.source.line for block in (*deck.slides[0].notes, *deck.settings.toc_notes)] == [5, 7, 8]
    assert deck.settings.toc_notes == (Paragraph((Run("Name the chapters."),)),)


def test_a_mistake_in_the_notes_of_the_front_matter_has_its_line(lesson: Read) -> None:
    with pytest.raises(DeckErrors) as raised:
        lesson(NOTED.replace("[x](#nowhere)", "`{value} .`"))
    assert str(raised.value.errors[0].source) == "content/a.md:7"
    with pytest.raises(DeckErrors, match=r"`notes` must be text; write `notes: \|`"):
        lesson("---\ntitle: T\nnotes:\n  - a\n---\n\n## A\n")


def test_notes_before_the_first_slide_are_the_covers_as_in_pandoc(lesson: Read) -> None:
    deck = lesson("---\ntitle: T\nnotes: first\n---\n\n::: notes\nthen\n:::\n\n## A\n\ntext\n")
    assert titles(deck) == ["T", "A"]
    assert deck.slides[0].notes == (Paragraph((Run("first"),)), Paragraph((Run("then"),)))


def test_notes_of_a_slide_that_is_not_there_are_reported(lesson: Read) -> None:
    deck = lesson("---\nnotes: n\ntoc-notes: t\ntoc-note: u\n---\n\n## A\n")
    assert [str(notice).partition(": ")[2] for notice in deck.notices] == [
        "`notes` are those of the cover; without `title` there is none",
        "`toc-notes` are those of the agenda; write `toc: true` to have one",
        "front matter `toc-note` is not read; did you mean `toc-notes`?",
    ]


def test_a_value_where_none_can_stand_is_reported(lesson: Read) -> None:
    front = '---\ntitle: T\nfooter: "`{value} fig-a.x`"\n---\n\n'
    deck = lesson(front + "## A\n\n```{figure} a.f\nlabel: fig-a\n```\n")
    assert [str(notice) for notice in deck.notices] == [
        "content/a.md:3: a value in `footer` is not filled in; title, subtitle and notes may quote values"
    ]
