"""Make `templates/metrics.json`: how wide each character is, from the faces in `templates/fonts/`.

    python templates/make_metrics.py [FILE]

Run by maintainers after `make_fonts.py`; the result is committed.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

from fontTools.ttLib import TTFont

HERE = Path(__file__).parent


def widths(face: str) -> dict[str, float]:
    """The advance of every character of a face, in em. Marks are set over the letter before them, by none."""
    font = TTFont(HERE / "fonts" / face)
    em, advances = font["head"].unitsPerEm, font["hmtx"]
    table = {chr(code): round(advances[glyph][0] / em, 4) for code, glyph in sorted(font.getBestCmap().items())}
    table |= dict.fromkeys((key for key in table if unicodedata.category(key) in ("Mn", "Me", "Cf")), 0.0)
    return table | {"\u00a0": table[" "], "\u2011": table["-"]}


def main(target: str = str(HERE / "metrics.json")) -> None:
    """Write the table of each face; of the East Asian one only what is not one em wide and the Latin face lacks."""
    regular, bold = widths("LectureSans-Regular.ttf"), widths("LectureSans-Bold.ttf")
    chinese = widths("LectureSansSC-Regular.otf")
    east_asian = {key: width for key, width in chinese.items() if width != 1.0 and key not in regular}
    tables = {"regular": regular, "bold": bold, "east_asian": east_asian}
    text = json.dumps(tables, ensure_ascii=True, indent=None, separators=(",", ":"))
    Path(target).write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
