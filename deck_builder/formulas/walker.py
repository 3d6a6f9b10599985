"""A formula's tree → the items of one line of text, a reader per element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from lxml import etree

from deck_builder.elements.operators import APPLICATION, BIG, BINARIES, CLOSING, OPENING, PUNCTUATION, RELATIONS
from deck_builder.formulas.rows import BREAKABLE, FIXED, THIN, Item, Kind, Piece, is_fenced, joined, shape, spaced
from deck_builder.formulas.symbols import PROSE, accented, small
from deck_builder.theming.metrics import is_wide
from deck_builder.values import dataclass, replace

_KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        **dict.fromkeys(RELATIONS, "relation"),
        **dict.fromkeys(BINARIES, "binary"),
        **dict.fromkeys(OPENING, "opening"),
        **dict.fromkeys(CLOSING | {"!"}, "closing"),
        **dict.fromkeys(PUNCTUATION, "punctuation"),
    }
)


class NeedsTwoDimensions(Exception):
    """Raised where text on one line would say something else."""


@dataclass(frozen=True, slots=True)
class Walker:
    """Turns nodes into items.

    `level` is -1 or 1 within a script, `flat` writes scripts with `_` and `^`, `total` goes on where one line is less.
    """

    level: int = 0
    flat: bool = False
    total: bool = False
    role: str | None = None
    colour: str | None = None

    def row(self, nodes: Sequence[etree._Element]) -> list[Item]:
        """What stands side by side, spaced."""
        return self._spaced(self.items(nodes))

    def _spaced(self, items: Sequence[Item]) -> list[Item]:
        """Items with the spaces of their level."""
        return spaced(items, in_script=self.level != 0, flat=self.flat)

    def items(self, nodes: Iterable[etree._Element]) -> list[Item]:
        """The same before spacing."""
        return [item for node in nodes for item in _READERS[str(node.tag)](self, node)]

    def _piece(self, text: str, **look: bool) -> Piece:
        """Text at this level."""
        return Piece(text, level=self.level, role=self.role, colour=self.colour, **look)

    def _mark(self, text: str, kind: Kind = "ordinary") -> Item:
        """Upright text of a kind."""
        return Item((self._piece(text),), kind)

    def _impossible(self) -> None:
        """Give up, unless told to go on at any price."""
        if not self.total:
            raise NeedsTwoDimensions

    # -------------------------------------------------------- tokens

    def _identifier(self, node: etree._Element) -> list[Item]:
        text = _prose(node.text or "")
        if text == ":":
            return [self._mark(text, "punctuation")]
        variant = node.get("mathvariant", "italic" if len(text) == 1 else "normal")
        italic = "italic" in variant and all(map(_slants, text))
        return [Item((self._piece(text, italic=italic, bold="bold" in variant, code=variant == "monospace"),))]

    def _number(self, node: etree._Element) -> list[Item]:
        variant = node.get("mathvariant", "")
        return [Item((self._piece(node.text or "", bold="bold" in variant, code=variant == "monospace"),))]

    def _operator(self, node: etree._Element) -> list[Item]:
        text = node.text or ""
        if text == APPLICATION:
            return [self._mark(THIN if node.get("lspace") and not self.level else "", "operator")]
        # `1{,}000`: the braces make the comma a letter, which the converter says by a space of 0.
        kind: Kind = "ordinary" if text in PUNCTUATION and node.get("rspace") == "0" else _KINDS.get(text, "ordinary")
        return [Item((self._piece(_prose(text)),), kind, big=text in BIG)]

    def _words(self, node: etree._Element) -> list[Item]:
        text = (node.text or "").replace(FIXED, BREAKABLE)
        variant = node.get("mathvariant", "")
        look = {"italic": "italic" in variant, "bold": "bold" in variant, "code": variant == "monospace"}
        return [Item((self._piece(text, **look),), "space" if not text.strip() else "ordinary")] if text else []

    def _space(self, node: etree._Element) -> list[Item]:
        width = float(node.get("width", "0em").removesuffix("em"))
        if width < 0.1 or (self.level and width < 0.5):
            return []
        text = "\u2003" * round(width) if width >= 1 else FIXED if width >= 0.2 else THIN
        return [self._mark(text, "space")]

    # -------------------------------------------------------- structures

    def _group(self, node: etree._Element) -> list[Item]:
        return self.items(node)

    def _style(self, node: etree._Element) -> list[Item]:
        colour = node.get("mathcolor", "").lstrip("#") or self.colour
        return replace(self, role=node.get("class", self.role), colour=colour).items(node)

    def _scripts(self, node: etree._Element) -> list[Item]:
        tag = str(node.tag)
        below = node[1] if tag in ("msub", "msubsup", "munder", "munderover") else None
        above = node[-1] if tag in ("msup", "msubsup", "mover", "munderover") else None
        return self._with_scripts(self._base(self.items([node[0]])), below, above)

    def _base(self, items: list[Item]) -> list[Item]:
        """What scripts hang on: in parentheses where it is more than one thing."""
        if len(items) > 1 and not is_fenced(items) and sum(item.kind != "space" for item in items) > 1:
            return [self._mark("(", "opening"), *self._spaced(items), self._mark(")", "closing")]
        if items and items[-1].kind == "fraction":
            return [*items[:-1], self._in_parentheses(items[-1])]
        return items or [Item(())]

    def _with_scripts(self, base: list[Item], below: etree._Element | None, above: etree._Element | None) -> list[Item]:
        *before, last = base
        pieces = last.pieces
        if above is not None and above.tag == "mo" and (above.text or "") in ("′", "″", "‴", "⁗", "∘"):
            pieces = (*pieces, self._piece("°" if above.text == "∘" else above.text or ""))
            above = None
        for script, direction in ((below, -1), (above, 1)):
            if script is not None:
                pieces += self._script(script, direction)
        return [*before, replace(last, pieces=pieces)]

    def _script(self, node: etree._Element, direction: int) -> tuple[Piece, ...]:
        """A script as pieces of its level; below the first level, and in flat text, by other characters."""
        inner = replace(self, level=direction)
        pieces = tuple(piece for item in inner.row([node]) for piece in item.pieces)
        if self.level == 0 and not self.flat:
            return pieces
        text = "".join(piece.text for piece in pieces)
        tiny = small(text, direction) if not self.flat else None
        if tiny is None:
            bare = (
                len(text) == 1 or (text.isalnum() and (direction < 0 or text.isdigit())) or text[:1] + text[-1:] == "()"
            )
            tiny = ("_" if direction < 0 else "^") + (text if bare else f"({text})")
        return (self._piece(tiny),)

    def _prescripts(self, node: etree._Element) -> list[Item]:
        tags = [str(child.tag) for child in node]
        left = tags.index("mprescripts")
        before: tuple[Piece, ...] = ()
        for child, direction in zip(list(node)[left + 1 : left + 3], (-1, 1), strict=False):
            if len(child) or child.text:
                before += self._script(child, direction)
        base = self._base(self.items([node[0]]))
        if left > 1:
            below, above = (child if len(child) or child.text else None for child in list(node)[1:3])
            base = self._with_scripts(base, below, above)
        return [replace(base[0], pieces=before + base[0].pieces), *base[1:]]

    def _over_under(self, node: etree._Element) -> list[Item]:
        if not (node.get("accent") or node.get("accentunder")):
            return self._scripts(node)
        items = self.items([node[0]])
        pieces = [piece for item in items for piece in item.pieces]
        text = "".join(piece.text for piece in pieces)
        marked = accented(text, node[1].text or "") if len({replace(piece, text="") for piece in pieces}) == 1 else None
        if marked is None:
            self._impossible()
            return items
        return [Item((replace(pieces[0], text=marked),))]

    def _fraction(self, node: etree._Element) -> list[Item]:
        upper, lower = self.items([node[0]]), self.items([node[1]])
        if node.get("linethickness") == "0":
            self._impossible()
            return [joined([*upper, self._mark(" choose "), *lower], "ordinary")]
        if any(item.kind == "fraction" for item in upper + lower):
            self._impossible()
        upper, lower = self._spaced(upper), self._spaced(lower)
        if shape(upper) == "sum":
            upper = [self._in_parentheses(*upper)]
        if shape(lower) != "single":
            lower = [self._in_parentheses(*lower)]
        return [joined([*upper, self._mark("/"), *lower], "fraction")]

    def _root(self, node: etree._Element) -> list[Item]:
        items = self.row(list(node) if node.tag == "msqrt" else [node[0]])
        index = "" if node.tag == "msqrt" else "".join(item.text for item in replace(self, level=1).row([node[1]]))
        sign = {"": "√", "3": "∛", "4": "∜"}.get(index, "√")
        before = self._script(node[1], 1) if index and sign == "√" else ()
        raised = any(piece.level > self.level for item in items for piece in item.pieces)
        bare = len(items) == 1 and items[0].kind == "ordinary" and not raised
        if self.flat:
            bare = bare and len(items[0].text) == 1
        content = items if bare or is_fenced(items) else [self._in_parentheses(*items)]
        return [joined([Item((*before, self._piece(sign))), *content], "ordinary")]

    def _in_parentheses(self, *items: Item) -> Item:
        return joined([self._mark("("), *items, self._mark(")")], "ordinary")

    def _table(self, node: etree._Element) -> list[Item]:
        self._impossible()
        equations = node.get("displaystyle") == "true" and "right" in node.get("columnalign", "")
        rows = []
        for row in node:
            if equations:
                rows.append(self.row([child for cell in row for child in cell]))
            else:
                cells = [self.row(list(cell)) for cell in row]
                rows.append([item for cell in cells for item in (*cell, self._mark(" ", "space"))][:-1])
        return [joined([item for row in rows for item in (*row, self._mark("; ", "space"))][:-1], "ordinary")]

    def _enclosed(self, node: etree._Element) -> list[Item]:
        self._impossible()
        return self.items(node)

    def _nothing(self, _node: etree._Element) -> list[Item]:
        return []


_READERS: Mapping[str, Callable[[Walker, etree._Element], list[Item]]] = MappingProxyType(
    {
        "mi": Walker._identifier,
        "mn": Walker._number,
        "mo": Walker._operator,
        "mtext": Walker._words,
        "mspace": Walker._space,
        "mrow": Walker._group,
        "mstyle": Walker._style,
        "msub": Walker._scripts,
        "msup": Walker._scripts,
        "msubsup": Walker._scripts,
        "mmultiscripts": Walker._prescripts,
        "mover": Walker._over_under,
        "munder": Walker._over_under,
        "munderover": Walker._over_under,
        "mfrac": Walker._fraction,
        "msqrt": Walker._root,
        "mroot": Walker._root,
        "mtable": Walker._table,
        "menclose": Walker._enclosed,
        "mphantom": Walker._nothing,
        "mpadded": Walker._nothing,
    }
)


def _prose(text: str) -> str:
    return "".join(PROSE.get(character, character) for character in text)


def _slants(character: str) -> bool:
    """Whether faces for prose have an italic of it: Latin and Greek letters, not ℝ, ℓ or Han."""
    return (
        character.isalpha()
        and not is_wide(character)
        and not "\u2100" <= character <= "\u214f"
        and character < "\ud800"
    )
