"""Templates read into themes: ours, those of other programs, and files that are none."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pptx
import pytest
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from support import needs, remapped

from deck_builder.errors import DeckError
from deck_builder.paths import templates
from deck_builder.theming.read import read_theme
from deck_builder.theming.theme import Role, Theme

OFFICE = Path(pptx.__file__).parent / "templates" / "default.pptx"
"""The default template of python-pptx: PowerPoint's of 2007, 4:3."""


def altered(source: Path, target: Path, edit: Callable[[str, str], str | None]) -> Path:
    """A copy of a template, each XML part edited; None leaves the part out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if not name.endswith((".xml", ".rels")):
                new.writestr(name, old.read(name))
                continue
            text = edit(name, old.read(name).decode("utf-8"))
            if text is not None:
                new.writestr(name, text)
    return target


def names(theme: Theme) -> dict[str, str]:
    return {layout.role: layout.name for layout in theme.layouts if layout.role}


# ---------------------------------------------------------------- frames and fonts


@pytest.fixture(scope="session")
def pandoc_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("pandoc") / "reference.pptx"
    data = subprocess.run(["pandoc", "--print-default-data-file", "reference.pptx"], check=True, capture_output=True)
    target.write_bytes(data.stdout)
    return target


def assert_as_python_pptx_reads_it(template: Path) -> None:
    theme, deck = read_theme(template), Presentation(str(template))
    assert (theme.width, theme.height) == (deck.slide_width, deck.slide_height)
    for mine, other in zip(theme.layouts, deck.slide_layouts, strict=False):
        assert mine.part == str(other.part.partname).lstrip("/")
        boxes = {p.index: p.frame for p in mine.placeholders}
        for placeholder in other.placeholders:
            if placeholder.placeholder_format.type is not PP_PLACEHOLDER.MIXED:
                frame = boxes[placeholder.placeholder_format.idx]
                assert (frame.left, frame.top) == (placeholder.left, placeholder.top)
                assert (frame.width, frame.height) == (placeholder.width, placeholder.height)


@pytest.mark.parametrize("template", [OFFICE, templates() / "lecture.pptx"], ids=lambda path: path.stem)
def test_placeholders_stand_where_python_pptx_finds_them(template: Path) -> None:
    assert_as_python_pptx_reads_it(template)


@needs("pandoc")
def test_placeholders_of_pandocs_template_stand_where_python_pptx_finds_them(pandoc_template: Path) -> None:
    assert_as_python_pptx_reads_it(pandoc_template)


def test_without_a_path_the_shipped_template_is_read() -> None:
    theme = read_theme()
    assert Path(theme.template) == templates() / "lecture.pptx"
    assert (theme.latin, theme.east_asian, theme.code) == ("Calibri", "Microsoft YaHei", "Consolas")
    assert theme.sizes.title == (30.0, 24.0)
    assert theme.sizes.body == (20.0, 18.0, 16.0)
    assert theme.body == next(p.frame for p in theme.layout("content").placeholders if p.kind == "body")


def test_a_placeholder_inherits_size_colour_anchor_and_weight() -> None:
    lecture = read_theme()
    title, cover = lecture.layout("content").first("title"), lecture.layout("cover").first("title")
    assert title is not None
    assert cover is not None
    assert (title.size_pt, title.bold, title.anchor, title.colour, title.type) == (30.0, True, "bottom", "dk1", "title")
    assert (cover.size_pt, cover.bold, cover.anchor, cover.colour, cover.type) == (
        44.0,
        True,
        "bottom",
        "lt1",
        "ctrTitle",
    )


def test_the_digest_is_of_the_bytes(tmp_path: Path) -> None:
    copy = tmp_path / "school.pptx"
    shutil.copyfile(templates() / "lecture.pptx", copy)
    assert read_theme(copy).digest == read_theme().digest
    with zipfile.ZipFile(copy, "a") as package:
        package.comment = b"changed"
    assert read_theme(copy).digest != read_theme().digest


def test_an_empty_east_asian_slot_means_the_face_for_chinese() -> None:
    assert read_theme(OFFICE).east_asian == "宋体"


def test_text_is_measured_wider_where_the_template_has_a_wider_face(tmp_path: Path) -> None:
    arial = altered(
        OFFICE, tmp_path / "a.pptx", lambda _, xml: xml.replace('latin typeface="Calibri"', 'latin typeface="Arial"')
    )
    narrow, wide = read_theme(OFFICE).metrics, read_theme(arial).metrics
    assert wide.advance("attention") == pytest.approx(1.15 * narrow.advance("attention"), rel=0.01)
    assert wide.advance("注意力") == narrow.advance("注意力") == 3


def test_colours_are_named_by_the_part_they_play(tmp_path: Path) -> None:
    dark = read_theme(remapped(tmp_path / "dark.pptx", ink="lt1", paper="dk1", second_ink="lt2", second_paper="dk2"))
    assert (dark.colours["dk1"], dark.colours["lt1"]) == ("FFFFFF", "1B2A41"), "text is white on ink"
    assert dark.colour_map is None


def test_the_second_paper_is_the_one_nearer_to_paper_whatever_the_map_says(tmp_path: Path) -> None:
    shipped = read_theme()
    assert shipped.colour_map is None
    google = read_theme(remapped(tmp_path / "g.pptx", ink="dk1", paper="lt1", second_ink="lt2", second_paper="dk2"))
    assert google.colours == shipped.colours
    assert google.colour_map is not None
    assert (google.colour_map["bg2"], google.colour_map["tx2"], google.colour_map["bg1"]) == ("lt2", "dk2", "lt1")
    assert len(google.colour_map) == 12
    assert google.layouts == shipped.layouts
    dark = read_theme(remapped(tmp_path / "d.pptx", ink="lt1", paper="dk1", second_ink="dk2", second_paper="lt2"))
    assert (dark.colours["dk2"], dark.colours["lt2"]) == (shipped.colours["lt2"], shipped.colours["dk2"])


# ---------------------------------------------------------------- sizes


def test_sizes_follow_the_height_of_the_slide(tmp_path: Path) -> None:
    def halve(name: str, xml: str) -> str:
        return xml.replace('cx="12192000" cy="6858000"', 'cx="6096000" cy="3429000"') if "presentation" in name else xml

    half = read_theme(altered(templates() / "lecture.pptx", tmp_path / "half.pptx", halve))
    assert half.sizes.code[0] == 8.0
    assert half.sizes.caption == 6.0


def test_a_template_with_larger_text_is_begun_at_its_size_and_shrinks_to_the_usual_floor() -> None:
    sizes = read_theme(OFFICE).sizes
    assert sizes.title == (44.0, 36.0, 30.0, 24.0)
    assert sizes.body == (32.0, 24.0, 20.0, 18.0, 16.0)


# ---------------------------------------------------------------- roles


def test_english_names_give_the_roles() -> None:
    assert names(read_theme(OFFICE)) == {
        "cover": "Title Slide",
        "section": "Section Header",
        "content": "Title and Content",
        "two-contents": "Two Content",
        "title-only": "Title Only",
        "figure": "Title Only",
    }


GERMAN = ("Titelfolie", "Titel und Inhalt", "Abschnitts-\nüberschrift", "Zwei Inhalte", "Nur Titel")
CHINESE = ("标题幻灯片", "标题和内容", "节标题", "两栏内容", "仅标题")
GOOGLE = ("TITLE", "TITLE_AND_BODY", "SECTION_HEADER", "TITLE_AND_TWO_COLUMNS", "TITLE_ONLY")
ENGLISH = ("Title Slide", "Title and Content", "Section Header", "Two Content", "Title Only")


@pytest.mark.parametrize("language", [GERMAN, CHINESE, GOOGLE], ids=["German", "Chinese", "Google Slides"])
def test_names_of_other_programs_and_languages_give_the_roles(language: tuple[str, ...], tmp_path: Path) -> None:
    translation = dict(zip(ENGLISH, language, strict=True))

    def rename(name: str, xml: str) -> str:
        xml = re.sub(r'(<p:sldLayout[^>]*) type="\w+"', r"\1", xml)
        return re.sub(r'cSld name="([^"]*)"', lambda m: f'cSld name="{translation.get(m[1], m[1])}"', xml)

    theme = read_theme(altered(OFFICE, tmp_path / "school.pptx", rename))
    roles = ("cover", "content", "section", "two-contents", "title-only")
    assert [names(theme)[role] for role in roles] == [" ".join(name.split()) for name in language]


def test_types_give_the_roles_where_names_say_nothing(tmp_path: Path) -> None:
    def rename(name: str, xml: str) -> str:
        return re.sub(r'cSld name="[^"]*"', f'cSld name="Folie {Path(name).stem[11:]}"', xml)

    theme = read_theme(altered(OFFICE, tmp_path / "school.pptx", rename))
    parts = {layout.role: layout.part for layout in theme.layouts if layout.role}
    assert parts == {layout.role: layout.part for layout in read_theme(OFFICE).layouts if layout.role}


def test_placeholders_give_the_roles_where_neither_name_nor_type_does(tmp_path: Path) -> None:
    def plain(name: str, xml: str) -> str:
        xml = re.sub(r'(<p:sldLayout[^>]*) type="\w+"', r"\1", xml)
        return re.sub(r'cSld name="[^"]*"', f'cSld name="Folie {Path(name).stem[11:]}"', xml)

    theme = read_theme(altered(OFFICE, tmp_path / "school.pptx", plain))
    assert [theme.layout(role).part[-5] for role in ("cover", "content", "two-contents", "title-only")] == list("1246")


@pytest.mark.parametrize("missing", ["titleOnly", "obj", "secHead", "twoObj", "title"])
def test_a_template_without_a_layout_has_another_stand_in(missing: str, tmp_path: Path) -> None:
    def drop(name: str, xml: str) -> str:
        if not name.startswith("ppt/slideMasters/slideMaster"):
            return xml
        gone = next(
            i
            for i, layout in enumerate(Presentation(str(OFFICE)).slide_layouts)
            if layout._element.get("type") == missing
        )
        kept = re.findall(r"<p:sldLayoutId [^>]*>", xml)
        return xml.replace(kept[gone], "") if kept else xml

    theme = read_theme(altered(OFFICE, tmp_path / "school.pptx", drop))
    for role in get_args(Role):
        assert theme.layout(role).first("title") is not None


def test_a_template_with_one_bare_layout_still_gives_every_role(tmp_path: Path) -> None:
    def bare(name: str, xml: str) -> str:
        if name.startswith("ppt/slideMasters/slideMaster"):
            identifiers = re.findall(r"<p:sldLayoutId [^>]*>", xml)
            for identifier in identifiers[:6] + identifiers[7:]:  # the seventh is the blank one
                xml = xml.replace(identifier, "")
        return xml

    theme = read_theme(altered(OFFICE, tmp_path / "bare.pptx", bare))
    assert {layout.name for layout in theme.layouts} == {"Blank"}
    assert {theme.layout(role).name for role in get_args(Role)} == {"Blank"}
    assert theme.body.width > theme.width / 2


def test_vertical_layouts_are_not_taken_for_ordinary_ones(tmp_path: Path) -> None:
    theme = read_theme(OFFICE)
    assert {layout.role for layout in theme.layouts if "Vertical" in layout.name} == {None}


# ---------------------------------------------------------------- awkward templates


def test_placeholders_all_numbered_zero_are_told_apart(tmp_path: Path) -> None:
    def unnumbered(name: str, xml: str) -> str:
        if not name.startswith("ppt/slideLayouts/slideLayout"):
            return xml
        xml = re.sub(r'(<p:ph\b[^>]*?) idx="\d+"', r"\1", xml)
        return re.sub(r'<p:ph((?: sz="\w+")?)/>', r'<p:ph type="body"\1/>', xml)

    theme = read_theme(altered(OFFICE, tmp_path / "impress.pptx", unnumbered))
    layout = theme.layout("two-contents")
    assert len({placeholder.index for placeholder in layout.placeholders}) == len(layout.placeholders)
    assert [dict(p.reference) for p in layout.placeholders if p.kind == "body"] == [{"type": "body"}, {"type": "body"}]
    assert layout.placeholders[0].index == 0
    assert dict(layout.placeholders[0].reference) == {"type": "title"}


def test_a_size_that_only_the_prompt_says_is_the_placeholders_size(tmp_path: Path) -> None:
    def prompts_only(name: str, xml: str) -> str:
        if name.startswith(("ppt/slideLayouts/slideLayout", "ppt/slideMasters/slideMaster")):
            xml = re.sub(r"<p:txStyles>.*?</p:txStyles>", "", xml, flags=re.DOTALL)
            xml = re.sub(r"<a:lstStyle>.*?</a:lstStyle>", "<a:lstStyle/>", xml, flags=re.DOTALL)
            return xml.replace('<a:rPr lang="en-US"/>', '<a:rPr lang="en-US" sz="3670"/>')
        return xml

    theme = read_theme(altered(templates() / "lecture.pptx", tmp_path / "impress.pptx", prompts_only))
    sizes = {placeholder.kind: placeholder.size_pt for placeholder in theme.layout("content").placeholders}
    assert (sizes["title"], sizes["body"]) == (36.7, 36.7)
    assert theme.sizes.title == (36.7, 36.0, 30.0, 24.0)


def test_layouts_of_a_second_master_are_found_by_a_name_of_their_own(tmp_path: Path) -> None:
    def second_master(name: str, xml: str) -> str:
        if name == "ppt/presentation.xml":
            first = re.search(r'<p:sldMasterId [^>]*r:id="(\w+)"[^>]*>', xml)
            assert first is not None
            return xml.replace(first[0], first[0] + first[0].replace(f'"{first[1]}"', '"rIdSecond"'))
        if name == "ppt/_rels/presentation.xml.rels":
            kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slideMaster"
            more = f'<Relationship Id="rIdSecond" Type="{kind}" Target="slideMasters/slideMaster1.xml"/>'
            return xml.replace("</Relationships>", more + "</Relationships>")
        return xml

    theme = read_theme(altered(OFFICE, tmp_path / "two.pptx", second_master))
    assert names(theme) == names(read_theme(OFFICE))
    assert "Title Slide (2)" in [layout.name for layout in theme.layouts]


@pytest.mark.parametrize("kept", range(8))
def test_each_kind_of_footer_is_optional(kept: int, tmp_path: Path) -> None:
    kinds = [kind for bit, kind in enumerate(("dt", "ftr", "sldNum")) if not kept >> bit & 1]

    def drop(name: str, xml: str) -> str:
        if name.startswith("ppt/slideLayouts/slideLayout"):
            for kind in kinds:
                xml = re.sub(rf'<p:sp>(?:(?!</p:sp>).)*type="{kind}".*?</p:sp>', "", xml, flags=re.DOTALL)
        return xml

    layout = read_theme(altered(templates() / "lecture.pptx", tmp_path / "school.pptx", drop)).layout("content")
    found = {placeholder.kind for placeholder in layout.placeholders} - {"title", "body"}
    assert found == {"date", "footer", "number"} - {
        {"dt": "date", "ftr": "footer", "sldNum": "number"}[k] for k in kinds
    }


def test_a_frame_that_nobody_gives_is_the_usual_place(tmp_path: Path) -> None:
    def placeless(name: str, xml: str) -> str:
        return (
            re.sub(r"<a:xfrm>.*?</a:xfrm>", "", xml, flags=re.DOTALL)
            if "slideLayout" in name or "Master" in name
            else xml
        )

    theme = read_theme(altered(templates() / "lecture.pptx", tmp_path / "placeless.pptx", placeless))
    title = theme.layout("content").first("title")
    assert title is not None
    assert 0 < title.frame.bottom <= theme.body.top < theme.body.bottom < theme.height


# ---------------------------------------------------------------- errors


def test_a_missing_template_is_an_error_that_names_those_beside_it(tmp_path: Path) -> None:
    shutil.copyfile(OFFICE, tmp_path / "school.pptx")
    with pytest.raises(DeckError, match=r"there is no template schol\.pptx; beside it there are: school\.pptx"):
        read_theme(tmp_path / "schol.pptx")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old or encrypted Office file"),
        (b"# Title\n", "save it again as .pptx"),
    ],
)
def test_a_file_that_is_no_pptx_is_an_error_that_says_what_to_do(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "school.pptx"
    path.write_bytes(content)
    with pytest.raises(DeckError, match=says):
        read_theme(path)


def test_another_kind_of_document_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "letter.pptx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("word/document.xml", "<document/>")
    with pytest.raises(DeckError, match=r"letter\.pptx holds no presentation"):
        read_theme(path)


def test_a_template_without_layouts_is_an_error_that_lists_what_is_there(tmp_path: Path) -> None:
    def drop(_: str, xml: str) -> str:
        return re.sub(r"<p:sldLayoutIdLst>.*?</p:sldLayoutIdLst>", "", xml, flags=re.DOTALL)

    path = altered(OFFICE, tmp_path / "empty.pptx", drop)
    with pytest.raises(DeckError, match=r"no slide layouts \(it has 1 masters and 0 slides\)"):
        read_theme(path)


def test_a_missing_part_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = altered(OFFICE, tmp_path / "torn.pptx", lambda name, xml: None if name.endswith("slideLayout2.xml") else xml)
    with pytest.raises(DeckError, match=r"ppt/slideLayouts/slideLayout2\.xml is missing"):
        read_theme(path)


def test_a_damaged_part_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = altered(
        OFFICE, tmp_path / "torn.pptx", lambda name, xml: xml[:-9] if name.endswith("slideLayout2.xml") else xml
    )
    with pytest.raises(DeckError, match=r"ppt/slideLayouts/slideLayout2\.xml is damaged"):
        read_theme(path)


def test_strict_open_xml_is_an_error_that_says_how_to_save_it(tmp_path: Path) -> None:
    path = altered(
        OFFICE,
        tmp_path / "strict.pptx",
        lambda _, xml: xml.replace(
            "http://schemas.openxmlformats.org/presentationml/2006/main",
            "http://purl.oclc.org/ooxml/presentationml/main",
        ),
    )
    with pytest.raises(DeckError, match="Strict Open XML"):
        read_theme(path)
