"""`::: {.class}`: speaker notes, columns, callouts, figures with their captions, and divs that only hold something."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deck_builder.model import Block, Callout, Column, Columns, Image, Inlines, Paragraph, Source
from deck_builder.reading.attributes import Attributes, report_unknown
from deck_builder.reading.context import Context, Notes
from deck_builder.reading.inlines import inlines
from deck_builder.reading.pieces import plain
from deck_builder.reading.tree import Node
from deck_builder.values import replace

Inner = Callable[[Sequence[Node], Context], tuple[Block, ...]]

CALLOUTS = ("note", "tip", "warning", "important", "caution")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?|\.\d+)%?")
_KNOWN = (
    *("notes", "columns", "column", "incremental", "nonincremental", "hidden", "content-visible", "content-hidden"),
    *(f"callout-{kind}" for kind in CALLOUTS),
)
_STEPS = {"incremental", "nonincremental", "fragment"}


def div(node: Node, context: Context, *, inner: Inner) -> Sequence[Block]:
    """The blocks that a div becomes; `inner` converts what it holds."""
    attributes: Attributes = node.token.meta["attributes"]
    source = context.place(node.line)
    if node.token.meta["problem"]:
        context.log.error(node.token.meta["problem"], source)
    classes = set(attributes.classes)
    kind = next(
        (name for name in attributes.classes if name.removeprefix("callout-") in CALLOUTS and "-" in name), None
    )
    if "notes" in classes:
        context.asides.append(Notes(inner(node.children, context)))
        return ()
    if _is_hidden(attributes):
        inner(node.children, replace(context, asides=[]))  # for the macros defined in it
        return ()
    if "columns" in classes:
        return _columns(node, attributes, context, inner)
    if kind is not None:
        return [_callout(kind.removeprefix("callout-"), node, attributes, context, inner)]
    content: Sequence[Block] = inner(node.children, context)
    if attributes.identifier and attributes.identifier.startswith("fig-"):
        content = _figure(attributes.identifier, content, source, context)
    if "layout-ncol" in attributes.pairs:
        content = _grid(attributes, content, source, context)
    _report(attributes, source, context)
    return content


def _is_hidden(attributes: Attributes) -> bool:
    """`.hidden`, and Quarto's conditional content where it is not for presentations."""
    if "hidden" in attributes.classes:
        return True
    pairs = attributes.pairs
    ours = ("pptx", "presentation", "presentations")
    matches = pairs.get("when-format") in ours if "when-format" in pairs else pairs.get("unless-format") not in ours
    if "content-visible" in attributes.classes:
        return not matches
    return "content-hidden" in attributes.classes and matches


def _report(attributes: Attributes, source: Source, context: Context) -> None:
    """Say what a div that only holds something would have meant."""
    if _STEPS & set(attributes.classes):
        context.log.notice("step by step is not kept; the slide shows everything at once", source)
    if "column" in attributes.classes:
        context.log.notice("a `.column` outside `.columns` has no place beside; its contents are kept", source)
    known = (*_KNOWN, *sorted(_STEPS))
    keys = ("width", "when-format", "unless-format", "layout-ncol")
    report_unknown(attributes, "a div; its contents are kept", context.log, source, classes=known, keys=keys)


def _columns(node: Node, attributes: Attributes, context: Context, inner: Inner) -> list[Block]:
    """Columns side by side; what stands in the row outside any column goes before or after it."""
    source = context.place(node.line)
    report_unknown(attributes, "columns", context.log, source, classes=("columns",))
    columns: list[Column] = []
    around: tuple[list[Node], list[Node]] = ([], [])
    for child in node.children:
        if child.kind == "div" and "column" in child.token.meta["attributes"].classes:
            columns.append(_column(child, context, inner))
        else:
            around[bool(columns)].append(child)
    before, after = (inner(nodes, context) for nodes in around)
    row = [Columns(tuple(columns), source=source)] if columns else []
    return [*before, *row, *after]


def _column(node: Node, context: Context, inner: Inner) -> Column:
    attributes: Attributes = node.token.meta["attributes"]
    source = context.place(node.line)
    report_unknown(attributes, "a column", context.log, source, classes=("column",), keys=("width",))
    written = attributes.pairs.get("width", "")
    match = _PERCENT.fullmatch(written)
    if written and match is None:
        context.log.notice(f'column width `{written}` is no percentage; write `width="40%"`', source)
    return Column(inner(node.children, context), float(match[1]) if match else 0.0, source=source)


def _callout(kind: str, node: Node, attributes: Attributes, context: Context, inner: Inner) -> Callout:
    """A framed remark; its title is `title="…"` or a heading at its beginning."""
    source = context.place(node.line)
    keys = ("title", "collapse", "appearance", "icon")
    report_unknown(attributes, "a callout", context.log, source, classes=(f"callout-{kind}",), keys=keys)
    children: Sequence[Node] = node.children
    title: Inlines = ()
    if "title" in attributes.pairs:
        title = inlines(attributes.pairs["title"], node.line, context, "a title")
    elif children and children[0].kind == "heading" and (token := children[0].inline()) is not None:
        title = inlines(token.content, children[0].line, context, "a title")
        children = children[1:]
    return Callout(kind, title, inner(children, context), source=source)


def _figure(label: str, content: Sequence[Block], source: Source, context: Context) -> Sequence[Block]:
    """`::: {#fig-id}` around a picture and its caption (Quarto)."""
    pictures = [block for block in content if isinstance(block, Image)]
    if not pictures:
        context.labels.unchecked.add(label)
        context.log.notice(f"`#{label}` holds no picture; it gets no number", source)
        return content
    context.labels.claim(label, source, context.log)
    if len(pictures) > 1:
        context.log.notice(f"`#{label}` holds several pictures; the first bears its number", source)
        return [replace(block, label=label) if block is pictures[0] else block for block in content]
    caption, rest = pictures[0].caption, list(content)
    if isinstance(last := content[-1], Paragraph):
        caption, rest = last.inlines, rest[:-1]
    shown = replace(pictures[0], label=label, caption=caption, alt=pictures[0].alt or plain(caption))
    return [shown if block is pictures[0] else block for block in rest]


def _grid(attributes: Attributes, content: Sequence[Block], source: Source, context: Context) -> list[Block]:
    """`::: {layout-ncol=2}`: blocks in rows of so many (Quarto)."""
    written = attributes.pairs["layout-ncol"]
    if not written.isdecimal() or not 1 <= int(written) <= 6:
        context.log.notice(f"`layout-ncol={written}` is no number from 1 to 6; its contents are kept", source)
        return list(content)
    count = int(written)
    rows = [content[start : start + count] for start in range(0, len(content), count)]
    return [Columns(tuple(Column((block,), source=source) for block in row), source=source) for row in rows]


def caption_beside(nodes: Sequence[Node], index: int) -> Node | None:
    """The caption below a table, or the one above it that belongs to no table before."""
    after = nodes[index + 1] if index + 1 < len(nodes) else None
    if after is not None and after.kind == "caption":
        return after
    before = nodes[index - 1] if index else None
    if before is None or before.kind != "caption":
        return None
    return None if index > 1 and nodes[index - 2].kind == "table" else before
