"""What stands in a row of text: pieces, items, and the spaces and parentheses that tell how they belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from deck_builder.values import dataclass, replace

FIXED, BREAKABLE, THIN = "\u00a0", " ", "\u2009"

Kind = Literal[
    "ordinary", "operator", "binary", "sign", "relation", "opening", "closing", "punctuation", "space", "fraction"
]


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one look."""

    text: str
    italic: bool = False
    bold: bool = False
    code: bool = False
    level: int = 0
    """-1 at the foot, 1 at the head of its base."""
    role: str | None = None
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """Something that stands in a row: what it shows, and what it is to its neighbours."""

    pieces: tuple[Piece, ...]
    kind: Kind = "ordinary"
    big: bool = False

    @property
    def text(self) -> str:
        """All that it shows."""
        return "".join(piece.text for piece in self.pieces)


def joined(items: Sequence[Item], kind: Kind) -> Item:
    """Several items as one."""
    return Item(tuple(piece for item in items for piece in item.pieces), kind)


def is_fenced(items: Sequence[Item]) -> bool:
    """Whether the whole stands in one pair of fences."""
    if len(items) < 2 or items[0].kind != "opening" or items[-1].kind != "closing":
        return False
    depth = 0
    for item in items[:-1]:
        depth += (item.kind == "opening") - (item.kind == "closing")
        if depth == 0:
            return False
    return True


def shape(items: Sequence[Item]) -> Literal["single", "product", "sum"]:
    """How tightly a part of a fraction hangs together."""
    bars = items[0].text if items and items[0].text in ("|", "‖") else ""
    if bars and items[-1].text.startswith(bars) and sum(item.text.startswith(bars) for item in items) == 2:
        return "single"
    units = depth = 0
    previous: Item | None = None
    for item in items:
        if depth == 0:
            loose = item.kind in ("binary", "relation", "punctuation", "space", "fraction") or item.big
            if loose or (item.kind == "operator" and item.text):
                return "sum"
            called = item.kind == "opening" and previous is not None and not previous.text[-1:].isdigit()
            units += not called and item.kind not in ("closing", "operator", "sign")
        depth += (item.kind == "opening") - (item.kind == "closing")
        previous = item
    derivative = units == 2 and items[0].text in ("∂", "d") and not items[0].pieces[0].italic
    return "product" if units > 1 and not derivative else "single"


def spaced(items: Sequence[Item], *, in_script: bool, flat: bool) -> list[Item]:
    """The row with signs told from operations, fractions parted from factors, and TeX's spaces as prose has them."""
    row = _parted(_signed(items))
    if flat:
        row = _scripts_parted(row)
    if in_script:
        return row
    out: list[Item] = []
    depth = 0
    for at, item in enumerate(row):
        after = row[at + 1].kind if at + 1 < len(row) else None
        if item.kind in ("relation", "binary"):
            relation_before = at > 0 and row[at - 1].kind == "relation"
            if out and out[-1].kind != "space" and not relation_before:
                out.append(_gap(FIXED))
            out.append(item)
            if after not in (None, "space", "relation"):
                out.append(_gap(BREAKABLE if item.kind == "relation" and depth == 0 else FIXED))
            continue
        out.append(item)
        depth += (item.kind == "opening") - (item.kind == "closing")
        if item.kind == "punctuation" and after not in (None, "space", "closing"):
            out.append(_gap(BREAKABLE if depth == 0 else FIXED))
        elif item.big and after in ("ordinary", "fraction"):
            out.append(_gap(THIN))
    return out


def _gap(text: str) -> Item:
    return Item((Piece(text),), "space")


def _signed(items: Sequence[Item]) -> list[Item]:
    """Operations without an operand on a side are signs (TeX's rule)."""
    row = list(items)
    for at, item in enumerate(row):
        if item.kind != "binary":
            continue
        before = row[at - 1].kind if at else None
        after = row[at + 1].kind if at + 1 < len(row) else None
        if before in (None, "binary", "relation", "opening", "punctuation", "operator") or after in (
            None,
            "relation",
            "closing",
            "punctuation",
        ):
            row[at] = replace(item, kind="sign")
    return row


def _scripts_parted(items: Sequence[Item]) -> list[Item]:
    """A flat script ends where a space says so: `α_ij h_j`."""
    out: list[Item] = []
    for item in items:
        if out and len(out[-1].pieces) > 1 and out[-1].text[-1:].isalnum() and item.text[:1].isalnum():
            out.append(_gap(BREAKABLE))
        out.append(item)
    return out


def _parted(items: Sequence[Item]) -> list[Item]:
    """A fraction beside a factor or after a function's name is put in parentheses: (1/2)x, log (a/b)."""
    row = list(items)
    for at, item in enumerate(row):
        if item.kind != "fraction":
            continue
        before, after = _neighbour(row, at, -1), _neighbour(row, at, 1)
        if before in ("ordinary", "closing", "operator", "fraction") or after in ("ordinary", "opening", "fraction"):
            level = item.pieces[0].level if item.pieces else 0
            around = (Piece("(", level=level), Piece(")", level=level))
            row[at] = Item((around[0], *item.pieces, around[1]))
    return row


def _neighbour(row: Sequence[Item], at: int, step: int) -> Kind | None:
    """What stands beside, small spaces passed over."""
    at += step
    while 0 <= at < len(row) and row[at].kind == "space" and len(row[at].text) == 1 and row[at].text != "\u2003":
        at += step
    return row[at].kind if 0 <= at < len(row) else None
