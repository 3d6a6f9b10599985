"""Make `templates/fonts/`: small faces that measure and draw figures alike on every machine.

    python templates/make_fonts.py NotoSansSC-Regular.otf Carlito-Regular.ttf Carlito-Bold.ttf

Run by maintainers when the sources change; the results are committed. Noto Sans SC 2.004 is in the package
`pylopdf-fonts-zh-cn` 0.1.1, Carlito 1.103 in Debian's `fonts-crosextra-carlito`. Both are under the SIL Open Font
Licence; "Carlito" is a reserved name, so subsets are called "Lecture Sans". The Chinese subset has a name of its own as
well, so that a full Noto Sans SC on the machine (often a variable font whose default is Thin) never takes its place.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent / "fonts"

LATIN = (
    (0x0020, 0x024F),  # ASCII, Latin-1, Latin Extended-A and -B: pinyin
    (0x0370, 0x03FF),  # Greek
    (0x2000, 0x214F),  # punctuation, super- and subscripts, currency, letterlike
)
LATIN_MORE = (
    (0x0300, 0x036F),  # combining marks
    (0x0400, 0x04FF),  # Cyrillic
    (0x1E00, 0x1EFF),  # Latin Extended Additional
)
SYMBOLS = (
    (0x2150, 0x22FF),  # number forms, arrows, mathematical operators
    (0x2300, 0x23FF),  # technical
    (0x2460, 0x24FF),  # enclosed numbers
    (0x2500, 0x27BF),  # box drawing, blocks, geometric shapes, symbols, dingbats
    (0x27E8, 0x27E9),  # mathematical angle brackets
    (0x2A00, 0x2AFF),  # further operators
)
EAST_ASIAN = (
    (0x3000, 0x312F),  # CJK punctuation, kana, bopomofo
    (0x3220, 0x32BF),  # enclosed ideographs and numbers
    (0xFE30, 0xFE4F),  # vertical forms
    (0xFF00, 0xFF65),  # full-width forms
    (0xFFE0, 0xFFE6),  # full-width signs
)


def gb2312() -> set[int]:
    """All characters of GB 2312: 6,763 hanzi and 682 others."""
    rows, cells = range(0xA1, 0xF8), range(0xA1, 0xFF)
    return {ord(bytes((row, cell)).decode("gb2312")) for row in rows for cell in cells if _assigned(row, cell)}


def _assigned(row: int, cell: int) -> bool:
    try:
        bytes((row, cell)).decode("gb2312")
    except UnicodeDecodeError:
        return False
    return True


def _ranges(*ranges: tuple[int, int]) -> set[int]:
    return {code for first, last in ranges for code in range(first, last + 1)}


def subset(source: Path, target: Path, family: str, style: str, characters: set[int], features: list[str]) -> None:
    """Write the part of `source` that sets `characters`, under a name of its own; the same bytes every time."""
    font = TTFont(source, recalcTimestamp=False, recalcBBoxes=False)
    options = Options(
        layout_features=features,
        hinting=False,
        desubroutinize=False,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 7, 13, 14],
        name_languages=[0x409],
        notdef_outline=True,
        drop_tables=["DSIG", "VORG", "vhea", "vmtx", "BASE", "gasp", "fpgm", "prep", "cvt "],
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    _rename(font, family, style)
    font["head"].created = font["head"].modified
    font.save(target, reorderTables=True)


def _rename(font: TTFont, family: str, style: str) -> None:
    names = font["name"]
    names.names = [record for record in names.names if record.platformID == 3]
    postscript = f"{family.replace(' ', '')}-{style}"
    original, version = names.getDebugName(4), names.getDebugName(5)
    full = family if style == "Regular" else f"{family} {style}"
    texts = {1: family, 2: style, 3: f"{postscript};subset", 4: full, 6: postscript}
    texts[10] = f"Subset of {original} ({version})."
    for identifier, text in texts.items():
        names.setName(text, identifier, 3, 1, 0x409)
    if "CFF " in font:
        table = font["CFF "].cff
        table.fontNames = [postscript]
        top = table.topDictIndex[0]
        top.FullName, top.FamilyName = full, family
        top.Notice = names.getDebugName(0)


def main(chinese: str, latin: str, latin_bold: str) -> None:
    """Write the three faces into `templates/fonts/`."""
    FONTS.mkdir(exist_ok=True)
    wide = gb2312() | _ranges(*LATIN, *SYMBOLS, *EAST_ASIAN)
    narrow = _ranges(*LATIN, *LATIN_MORE, *SYMBOLS)
    subset(Path(chinese), FONTS / "LectureSansSC-Regular.otf", "Lecture Sans SC", "Regular", wide, [])
    for source, style in ((latin, "Regular"), (latin_bold, "Bold")):
        subset(
            Path(source), FONTS / f"LectureSans-{style}.ttf", "Lecture Sans", style, narrow, ["kern", "mark", "mkmk"]
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
