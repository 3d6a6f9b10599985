"""How large a display formula is, without drawing it: the boxes of viewers, in em, from the MathML tree.

LibreOffice stretches an equation to its shape and PowerPoint centres it, so the shape must have the proportions of what
the viewer sets. The constants below were fitted to the boxes of LibreOffice 7.4 (within some percent); the room added
for PowerPoint's wider face is uniform and keeps the proportions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from lxml import etree

from deck_builder.elements.operators import AROUND_FUNCTIONS, BIG, INTEGRALS
from deck_builder.errors import DeckError
from deck_builder.formulas.conversion import Macros, tree
from deck_builder.model import EMPTY
from deck_builder.theming.metrics import is_wide
from deck_builder.values import dataclass

ROOM = 1.1
"""Cambria Math is about a tenth wider than Times; the shape leaves room for it."""

_ASCENT, _DESCENT = 0.891, 0.216
_GAP = 0.18
"""Between neighbours in a row."""
_BLANK = 0.25
"""A no-break space."""
_SCRIPT = 0.6
_SCRIPT_GAP = 0.13
_RULE = 0.16
_COLUMN_GAP, _ROW_GAP = 0.94, 0.1
_FENCE_GROWTH = 1.1
_ROOT_GROWTH = 1.08

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TIMES_ITALIC = (
    "500 500 444 500 444 278 500 500 278 278 444 278 722 500 500 500 500 389 389 278 500 444 667 444 444 389"
    " 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722 611 722 611 500 556 722 611 833 611 556 556"
)
_TIMES_ROMAN = (
    "444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444"
    " 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611"
)


def _widths(thousandths: str, letters: str = _LETTERS) -> Mapping[str, float]:
    return MappingProxyType(
        {letter: int(width) / 1000 for letter, width in zip(letters, thousandths.split(), strict=True)}
    )


_ITALIC, _ROMAN = _widths(_TIMES_ITALIC), _widths(_TIMES_ROMAN)
_GREEK = _widths(
    "631 549 411 494 439 494 603 521 329 549 549 576 521 493 549 549 549 439 603 439 576 521 549 686 686",
    "αβγδεζηθικλμνξοπρςστυφχψω",
)
_OTHER = MappingProxyType(
    {
        **_GREEK,
        **dict.fromkeys("0123456789", 0.5),
        **dict.fromkeys("()[]", 0.25),
        **dict.fromkeys("!-", 0.333),
        **dict.fromkeys("⟨⟩⌊⌋⌈⌉", 0.35),
        **dict.fromkeys(",.;:/ \u00a0", 0.26),
        **dict.fromkeys("{}", 0.32),
        **dict.fromkeys("|·⋅", 0.2),
        **dict.fromkeys("‖", 0.26),
        **dict.fromkeys("=−≈≠≡", 0.56),
        **dict.fromkeys("+×≤≥<>∀∃", 0.46),
        **dict.fromkeys("∈→←⇒…⋯⊆⊂⊇⊃∪∩", 0.92),
        **dict.fromkeys("⊺′∗", 0.45),
        **dict.fromkeys("⊤", 1.0),
        **dict.fromkeys("ℝℕℤℂℙℚ", 0.83),
        **dict.fromkeys("∑", 1.28),
        **dict.fromkeys("∏", 1.4),
        **dict.fromkeys("∫", 0.99),
        **dict.fromkeys("\u2061\u2063\u2062", 0.0),
    }
)
_FENCES = frozenset("()[]{}⟨⟩⌊⌋⌈⌉⟦⟧|‖\u2063")


@dataclass(frozen=True, slots=True)
class Box:
    """Width, and what stands above and below the baseline, in em of the formula's size."""

    width: float = 0.0
    ascent: float = _ASCENT
    descent: float = _DESCENT

    @property
    def height(self) -> float:
        """Ascent and descent together."""
        return self.ascent + self.descent

    def scaled(self, factor: float) -> Box:
        """The box at another size."""
        return Box(self.width * factor, self.ascent * factor, self.descent * factor)


def size(tex: str, size_pt: float, *, macros: Macros = EMPTY) -> tuple[float, float]:
    """Width and height in points of the shape for a display formula whose letters are `size_pt` high.

    Raises `DeckError` on TeX that cannot be read and on an empty formula.
    """
    math = tree(tex, display=True, macros=macros)
    if not len(math):
        raise DeckError("an empty formula; something between the $$ would do")
    box = _row(list(math))
    return box.width * ROOM * size_pt, box.height * ROOM * size_pt


def even_columns(math: etree._Element) -> None:
    """Fill the cells of left and right aligned columns to one width with no-break spaces.

    LibreOffice centres all columns of an equation; PowerPoint aligns them, and there the spaces are out of sight.
    """
    for table in math.iter("mtable"):
        for column, alignment in enumerate(table.get("columnalign", "").split()):
            cells = [row[column] for row in table if column < len(row)]
            widths = [_inner(cell).width for cell in cells]
            for cell, width in zip(cells, widths, strict=True):
                blanks = round((max(widths) - width - _GAP * (width > 0)) / _BLANK)
                if alignment != "center" and blanks > 0:
                    padding = etree.Element("mtext")
                    padding.text = "\u00a0" * blanks
                    cell.insert(len(cell) if alignment == "left" else 0, padding)


def _box(node: etree._Element) -> Box:
    return _BOXES[str(node.tag)](node)


def _row(nodes: Sequence[etree._Element]) -> Box:
    boxes = [_box(node) for node in nodes]
    shown = [box for box in boxes if box.width > 0]
    growth = _FENCE_GROWTH if any("minsize" in node.attrib and node.text in _FENCES for node in nodes) else 1.0
    return Box(
        sum(box.width for box in shown) + _GAP * max(0, len(shown) - 1),
        max((box.ascent for box in boxes), default=_ASCENT) * growth,
        max((box.descent for box in boxes), default=_DESCENT) * growth,
    )


def _inner(node: etree._Element) -> Box:
    return _row(list(node))


def _token(node: etree._Element) -> Box:
    text = node.text or ""
    italic = node.tag == "mi" and len(text) == 1 and node.get("mathvariant", "italic").endswith("italic")
    letters = _ITALIC if italic else _ROMAN
    width = sum(letters.get(character) or _other(character) for character in text)
    big = node.tag == "mo" and text in BIG
    if node.tag == "mo" and text in ("(", ")"):
        return Box(width, _ASCENT + 0.055, _DESCENT + 0.055)
    if big:
        return Box(width, 1.0, 0.5) if text in INTEGRALS else Box(width, 0.94, 0.44)
    return Box(width)


def _other(character: str) -> float:
    if is_wide(character):
        return 1.0
    return _OTHER.get(character, 0.58 if character.islower() else 0.7)


def _space(node: etree._Element) -> Box:
    if node.get("width") == AROUND_FUNCTIONS:
        return Box()
    return Box(max(0.0, float(node.get("width", "0em").removesuffix("em"))))


def _group(node: etree._Element) -> Box:
    nodes = list(node)
    ends = (nodes[0], nodes[-1]) if len(nodes) > 1 else ()
    if not ends or not all(end.tag == "mo" and end.get("stretchy") != "false" and end.text in _FENCES for end in ends):
        return _row(nodes)
    box = _row(nodes[1:-1])
    fence = 0.28 if box.height < 1.5 else 0.41
    fences = sum(fence for end in ends if end.text != "\u2063")
    middle = (box.ascent - box.descent) / 2
    half = box.height * _FENCE_GROWTH / 2
    return Box(box.width + fences, half + middle, half - middle)


def _scripts(node: etree._Element) -> Box:
    below = node[1] if node.tag in ("msub", "msubsup") else None
    above = node[-1] if node.tag in ("msup", "msubsup") else None
    if node[0].tag == "mo" and node[0].text in BIG:
        return _limited(_box(node[0]), below, above)
    return _scripted(_box(node[0]), below, above)


def _scripted(base: Box, below: etree._Element | None, above: etree._Element | None) -> Box:
    """Scripts of 60 %; the head ones stand on a line near the top of their base, the foot ones hang near its bottom."""
    width, ascent, descent = 0.0, base.ascent, base.descent
    if above is not None:
        script = _box(above).scaled(_SCRIPT)
        width, ascent = script.width, max(ascent, base.ascent - 0.521 + script.height)
    if below is not None:
        script = _box(below).scaled(_SCRIPT)
        width, descent = max(width, script.width), max(descent, base.descent - 0.514 + script.height)
    return Box(base.width + _SCRIPT_GAP + width, ascent, descent)


def _prescripts(node: etree._Element) -> Box:
    scripts = [_box(child).scaled(_SCRIPT).width for child in list(node)[1:] if child.tag != "mprescripts"]
    base = _box(node[0])
    return Box(base.width + _SCRIPT_GAP + sum(scripts), base.ascent + 0.15, base.descent + 0.15)


def _over_under(node: etree._Element) -> Box:
    base = _box(node[0])
    below = node[1] if node.tag in ("munder", "munderover") else None
    above = node[-1] if node.tag in ("mover", "munderover") else None
    if node.get("accent") or node.get("accentunder"):
        return _accented(base, node[1].text or "", over=above is not None)
    return _limited(base, below, above)


def _limited(base: Box, below: etree._Element | None, above: etree._Element | None) -> Box:
    """Limits above and below; LibreOffice sets those of integrals so too."""
    width, ascent, descent = base.width, base.ascent, base.descent
    if above is not None:
        limit = _box(above).scaled(_SCRIPT)
        width, ascent = max(width, limit.width), ascent + limit.height
    if below is not None:
        limit = _box(below).scaled(_SCRIPT)
        width, descent = max(width, limit.width), descent + limit.height
    return Box(width, ascent, descent)


def _accented(base: Box, mark: str, *, over: bool) -> Box:
    growth = 0.47 if mark in "⏞⏟⏜⏝⎴⎵" else 0.16 if mark in "→←↔" or base.width > 0.8 else 0.0
    width = max(base.width, 0.55)
    return Box(width, base.ascent + growth * over, base.descent + growth * (not over))


def _fraction(node: etree._Element) -> Box:
    upper, lower = _box(node[0]), _box(node[1])
    axis = 0.25
    width = max(upper.width, lower.width) + (0.0 if node.get("linethickness") == "0" else 0.22)
    return Box(width, axis + _RULE / 2 + upper.height, lower.height + _RULE / 2 - axis)


def _root(node: etree._Element) -> Box:
    box = _inner(node) if node.tag == "msqrt" else _box(node[0])
    degree = 0.0 if node.tag == "msqrt" else _box(node[1]).width * _SCRIPT
    return Box(box.width + 0.65 + degree, box.ascent + box.height * (_ROOT_GROWTH - 1), box.descent)


def _table(node: etree._Element) -> Box:
    rows = [[_inner(cell) for cell in row] for row in node]
    columns = max((len(row) for row in rows), default=0)
    widths = [max((row[at].width for row in rows if at < len(row)), default=0.0) for at in range(columns)]
    heights = [_tallest(row) for row in rows]
    height = sum(heights) + _ROW_GAP * max(0, len(rows) - 1)
    axis = 0.3
    return Box(sum(widths) + _COLUMN_GAP * max(0, columns - 1), height / 2 + axis, height / 2 - axis)


def _tallest(row: Iterable[Box]) -> float:
    cells = list(row) or [Box()]
    return max(cell.ascent for cell in cells) + max(cell.descent for cell in cells)


def _enclosed(node: etree._Element) -> Box:
    box = _inner(node)
    return Box(box.width + 0.2, box.ascent + 0.1, box.descent + 0.1)


def _padded(node: etree._Element) -> Box:
    box = _inner(node)
    return Box(0.0, box.ascent, box.descent) if node.get("width") == "0" else box


_BOXES: Mapping[str, Callable[[etree._Element], Box]] = MappingProxyType(
    {
        **dict.fromkeys(("mi", "mn", "mo", "mtext"), _token),
        **dict.fromkeys(("mstyle", "mphantom"), _inner),
        **dict.fromkeys(("msub", "msup", "msubsup"), _scripts),
        **dict.fromkeys(("mover", "munder", "munderover"), _over_under),
        **dict.fromkeys(("msqrt", "mroot"), _root),
        "mspace": _space,
        "mrow": _group,
        "mmultiscripts": _prescripts,
        "mfrac": _fraction,
        "mtable": _table,
        "menclose": _enclosed,
        "mpadded": _padded,
    }
)
