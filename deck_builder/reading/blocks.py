"""The tree of a text → blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from deck_builder.model import (
    Block,
    Code,
    Equation,
    Heading,
    Image,
    Inline,
    Inlines,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Run,
    Source,
    Style,
)
from deck_builder.reading import divs, equations, fences, pictures
from deck_builder.reading.attributes import split
from deck_builder.reading.cells import table
from deck_builder.reading.context import Context, Foot, Notes
from deck_builder.reading.inlines import pieces
from deck_builder.reading.pieces import Comment, FootnoteMark, Picture, Piece, trimmed
from deck_builder.reading.tree import Node
from deck_builder.values import dataclass, field, replace

_TASK = re.compile(r"\[([ xX])\][ \t]+")
_PAUSE = re.compile(r"\.[ \u00a0]\.[ \u00a0]\.")
_NOTES = re.compile(r"<!--\s*notes:\s*(.*?)\s*-->\s*", re.DOTALL | re.IGNORECASE)
_BOLD = Style(bold=True)


def blocks(nodes: Sequence[Node], context: Context) -> tuple[Block, ...]:
    """The blocks of some nodes, in order. Notes and footnotes among them go to `context.asides`."""
    return tuple(block for index in range(len(nodes)) for block in block_at(nodes, index, context))


def block_at(nodes: Sequence[Node], index: int, context: Context) -> Sequence[Block]:
    """The blocks of one node among its neighbours: a table takes its caption from beside it."""
    node = nodes[index]
    if node.kind == "table":
        return [table(node, divs.caption_beside(nodes, index), context)]
    if node.kind == "caption":
        return _caption(nodes, index, context)
    return _READERS[node.kind](node, context)


def _paragraph(node: Node, context: Context) -> list[Block]:
    token = node.inline()
    if token is None:
        return []
    if _PAUSE.fullmatch(token.content):
        context.log.notice("pause `. . .` is not kept; the slide shows everything at once", context.place(node.line))
        return []
    return paragraph(token.content, node.line, context)


def paragraph(markdown: str, line: int, context: Context) -> list[Block]:
    """A paragraph, parted where pictures and display formulas stand in it."""
    return arrange(pieces(markdown, line, context), line, context)


def arrange(found: Sequence[Piece], line: int, context: Context) -> list[Block]:
    """The blocks of a paragraph's pieces: text, formulas and rows of pictures in reading order."""
    page = _Arrangement(context.place(line), context)
    for piece in found:
        match piece:
            case Picture():
                alone = piece.own_line or not any(isinstance(other, Run) and other.text.strip() for other in found)
                page.add_picture(piece.image if alone else replace(piece.image, caption=()), piece.own_line)
            case Equation():
                page.end_text()
                page.end_row()
                page.blocks.append(piece)
            case Comment(text=notes, line=at):
                _note(notes, at, context)
            case FootnoteMark():
                page.text.append(_footnote(piece, context))
            case _:
                page.text.append(piece)
    if page.text and not (page.blocks or page.row or trimmed(page.text)):
        context.log.notice("blank lines made by `<br>` are not kept; the layout spaces the blocks", page.source)
    page.end_text()
    page.end_row()
    return page.blocks


@dataclass(slots=True)
class _Arrangement:
    """The blocks of a paragraph while they are gathered."""

    source: Source
    context: Context
    blocks: list[Block] = field(default_factory=list)
    text: list[Inline] = field(default_factory=list)
    row: list[Image] = field(default_factory=list)
    waiting: list[Image] = field(default_factory=list)
    """Pictures inside a line of text, which follow it."""

    def add_picture(self, image: Image, own_line: bool) -> None:
        if trimmed(self.text) and not own_line:
            self.context.log.notice("a picture inside a line of text is placed below it", image.source)
            self.waiting.append(image)
        else:
            self.end_text()
            self.row.append(image)

    def end_text(self) -> None:
        words = trimmed(self.text)
        if words:
            self.end_row()
            self.blocks.append(Paragraph(words, source=self.source))
        self.row.extend(self.waiting)
        self.text, self.waiting = [], []

    def end_row(self) -> None:
        self.blocks.extend(pictures.row(self.row))
        self.row = []


def _note(markdown: str, line: int, context: Context) -> None:
    part = context.part(f"{markdown}\n", line)
    context.asides.append(Notes(blocks(part.tree(), part)))


def _footnote(mark: FootnoteMark, context: Context) -> Run:
    """The number of a footnote; its text is put aside once."""
    notes = context.footnotes
    number = notes.numbers.get(mark.label) if mark.label else None
    if number is None:
        notes.count += 1
        number = notes.count
        if mark.text is None:
            notes.numbers[mark.label] = number
            content = blocks(notes.texts[mark.label].children, context) if mark.label in notes.texts else ()
        else:
            content = tuple(paragraph(mark.text, mark.line, context))
        context.asides.append(Foot(_at_foot(number, content)))
    return Run(str(number), Style(baseline=1))


def _at_foot(number: int, content: tuple[Block, ...]) -> tuple[Block, ...]:
    """A footnote's blocks in small type, its number before the first."""
    small = tuple(
        replace(block, inlines=_restyle(block.inlines, role="small")) if isinstance(block, Paragraph) else block
        for block in content
    )
    mark = (Run(str(number), Style(baseline=1, role="small")), Run(" ", Style(role="small")))
    if small and isinstance(small[0], Paragraph):
        return (replace(small[0], inlines=(*mark, *small[0].inlines)), *small[1:])
    return (Paragraph(mark), *small)


def _restyle(inlines: Inlines, **change: bool | str) -> Inlines:
    return tuple(replace(inline, style=replace(inline.style, **change)) for inline in inlines)  # type: ignore[arg-type]


def _heading(node: Node, context: Context) -> list[Block]:
    """A heading inside a slide; its text may bring pictures, which follow it."""
    token = node.inline()
    content, _attributes = split(token.content if token else "")
    level = int(node.token.tag[1:])
    parts = paragraph(content, node.line, context)
    return [Heading(level, p.inlines, source=p.source) if isinstance(p, Paragraph) else p for p in parts]


def _list(node: Node, context: Context, *, ordered: bool) -> list[Block]:
    items = tuple(_item(child, context) for child in node.children)
    start = node.token.attrs.get("start", 1)
    return [List(items, ordered, int(start), source=context.place(node.line))]


def _item(node: Node, context: Context) -> Item:
    checked = None
    first = node.children[0].inline() if node.children and node.children[0].kind == "paragraph" else None
    if first is not None and (box := _TASK.match(first.content)) is not None:
        checked = box[1] != " "
        first.content = first.content[box.end() :]
    return Item(blocks(node.children, context), checked, source=context.place(node.line))


def _definitions(node: Node, context: Context) -> list[Block]:
    """A definition list: each term in bold, what it means indented below it."""
    items: list[Item] = []
    for child in node.children:
        if child.kind == "dt":
            token = child.inline()
            words = paragraph(token.content if token else "", child.line, context)
            bold = tuple(
                replace(b, inlines=_restyle(b.inlines, bold=True)) if isinstance(b, Paragraph) else b for b in words
            )
            items.append(Item(bold, source=context.place(child.line)))
        elif items:
            items[-1] = replace(items[-1], blocks=(*items[-1].blocks, *blocks(child.children, context)))
    return [List(tuple(items), source=context.place(node.line))]


def _quote(node: Node, context: Context) -> list[Block]:
    return [Quote(blocks(node.children, context), source=context.place(node.line))]


def _rule(node: Node, context: Context) -> list[Block]:
    return [Rule(source=context.place(node.line))]


def _indented_code(node: Node, context: Context) -> list[Block]:
    return [Code(node.token.content.rstrip("\n"), source=context.place(node.line))]


def _line_block(node: Node, context: Context) -> list[Block]:
    return paragraph(node.token.content, node.line, context)


def _comment(node: Node, context: Context) -> list[Block]:
    """A comment is dropped, unless it holds speaker notes."""
    match = _NOTES.fullmatch(node.token.content.strip())
    if match is not None:
        before = node.token.content.find(match[1]) if match[1] else 0
        _note(match[1], node.line + node.token.content.count("\n", 0, before), context)
    return []


def _dropped(node: Node, context: Context) -> list[Block]:
    context.log.notice(f"HTML `<{node.token.meta['tag']}>` is not read; left out", context.place(node.line))
    return []


def _unclosed(node: Node, context: Context) -> list[Block]:
    closing = node.token.meta["closing"]
    what = "comment" if closing == "-->" else f"`<{closing[2:]}`"
    context.log.error(f"this {what} is not closed; end it with `{closing}`", context.place(node.line))
    return []


def _grid_table(node: Node, context: Context) -> list[Block]:
    source = context.place(node.line)
    context.log.notice("a grid table with cells that span is not read; it is shown as written", source)
    return [Code(node.token.content, source=source)]


def _caption(nodes: Sequence[Node], index: int, context: Context) -> list[Block]:
    """Nothing for a caption that its table takes; a second one is shown as text."""
    beside = (i for i in (index - 1, index + 1) if 0 <= i < len(nodes) and nodes[i].kind == "table")
    if any(divs.caption_beside(nodes, i) is nodes[index] for i in beside):
        return []
    context.log.notice("a table has one caption; this one is shown as text", context.place(nodes[index].line))
    return paragraph(nodes[index].token.content, nodes[index].line, context)


_READERS: dict[str, Callable[[Node, Context], Sequence[Block]]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "bullet_list": partial(_list, ordered=False),
    "ordered_list": partial(_list, ordered=True),
    "dl": _definitions,
    "blockquote": _quote,
    "hr": _rule,
    "code_block": _indented_code,
    "line_block": _line_block,
    "comment": _comment,
    "dropped": _dropped,
    "unclosed": _unclosed,
    "grid_table": _grid_table,
    "math_block": equations.equation,
    "latex_block": equations.latex,
    "fence": fences.fence,
    "div": partial(divs.div, inner=blocks),
}
