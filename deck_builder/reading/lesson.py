"""One lesson, file by file: front matter, text, parts, slides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from deck_builder.errors import DeckError
from deck_builder.model import Block, Deck, Equation, Inlines, Paragraph, Settings, Slide, Source
from deck_builder.reading import files, foreign, front_matter, shortcodes
from deck_builder.reading.attributes import split
from deck_builder.reading.blocks import arrange, block_at, blocks, paragraph
from deck_builder.reading.context import Context, Notes
from deck_builder.reading.fences import cell_label
from deck_builder.reading.front_matter import Front
from deck_builder.reading.inlines import inlines, pieces
from deck_builder.reading.labels import Labels
from deck_builder.reading.log import Log
from deck_builder.reading.parser import make_parser
from deck_builder.reading.pieces import as_inline
from deck_builder.reading.slides import Break, Part, Title, cut
from deck_builder.reading.tree import Node
from deck_builder.reading.yaml_values import Values
from deck_builder.values import replace

_DRAWN_TABLE = re.compile(r"-+(?: +-+)* +-{2,}(?: +-+)*|-{2,}(?: +-+)+")


def read(path: Path) -> Deck:
    """The lesson of a folder (its `*.md` in name order) or of a single file.

    What the deck cannot show is among its notices. `Settings.macros` maps names with their backslash to TeX bodies
    (`reading.macros` says how); `Image.path` is absolute or an address on the network, never checked for existence.

    Raises:
        DeckError: There is nothing to read.
        DeckErrors: Every mistake in the Markdown, each with its file and line.
    """
    log, labels, parser = Log(), Labels(), make_parser()
    paths = files.lesson_files(path, log)
    folder = paths[0].parent
    fronts = [front for file in paths if (front := _front(file, log)) is not None]
    log.raise_errors()
    deck_front = front_matter.flatten(fronts[0].values, log)
    macros = dict(front_matter.front_macros(deck_front, log))
    contexts = [Context(parser, _body(front, folder, deck_front, log), folder, log, labels, macros) for front in fronts]
    settings = front_matter.settings(deck_front, partial(_line, contexts[0]), log)
    settings = replace(settings, toc_notes=_notes(deck_front, "toc-notes", contexts[0]))
    cover_notes = _notes(deck_front, "notes", contexts[0])
    for front in fronts[1:]:
        _local(front, macros, log)
    parts = [part for context in contexts for part in _parts(context)]
    start = fronts[0].text.place(0)
    slides, identifiers = cut(parts, settings, start, log, cover_notes=cover_notes)
    _report_idle_notes(deck_front, settings, slides, log)
    labels.check(identifiers, log)
    log.raise_errors()
    if not slides:
        raise DeckError("there is nothing to show; begin a slide with `## Title`", start)
    notices = tuple(sorted(log.notices, key=lambda notice: notice.source))
    return Deck(replace(settings, macros=macros), slides, notices, str(folder))


def read_settings(path: Path) -> Settings:
    """What the lesson of a folder says of itself, without the words of its cover; a folder without one says nothing.

    Raises:
        DeckErrors: The front matter is wrong.
    """
    if path.is_dir() and not any(path.glob("*.md")):
        return Settings()
    log = Log()
    front = _front(files.lesson_files(path, log)[0], log)
    log.raise_errors()
    values = front.values if front else Values()
    settings = front_matter.settings(front_matter.flatten(values, log), lambda _text, _source: (), log)
    log.raise_errors()
    return settings


def _front(file: Path, log: Log) -> Front | None:
    try:
        front = front_matter.split(files.load(file, log), log)
        foreign.refuse(front)
    except DeckError as error:
        log.errors.append(error)
        return None
    return front


def _body(front: Front, folder: Path, deck_front: Values, log: Log) -> files.Text:
    included = files.include(front.text, folder, log)
    return shortcodes.resolve(included, {**deck_front.values, **front.values.values}, log)


def _local(front: Front, macros: dict[str, str], log: Log) -> None:
    """Front matter of a further file: its macros count, what the first file sets is reported."""
    macros.update(front_matter.front_macros(front.values, log))
    for key, place in front.values.places.items():
        if key != "macros":
            log.notice(f"front matter `{key}` is only read in the first file", place)


def _line(context: Context, markdown: str, source: Source) -> Inlines:
    """A line of Markdown from the front matter."""
    if not markdown:
        return ()
    return inlines(" ".join(markdown.split()), 0, context.at(source), "the title")


def _notes(front: Values, key: str, context: Context) -> tuple[Block, ...]:
    """Speaker notes from the front matter."""
    text = front_matter.text_block(front, key, context.log)
    if text is None:
        return ()
    part = replace(context, text=text, asides=[])
    found = blocks(part.tree(), part)
    return (*found, *(block for aside in part.asides for block in aside.blocks))


def _report_idle_notes(front: Values, settings: Settings, slides: tuple[Slide, ...], log: Log) -> None:
    """Notes of the front matter whose slide the deck does not have."""
    if front.values.get("notes") and slides and slides[0].kind != "cover":
        log.notice("`notes` are those of the cover; without `title` there is none", front.places["notes"])
    if settings.toc_notes and not settings.toc:
        log.notice("`toc-notes` are those of the agenda; write `toc: true` to have one", front.places["toc-notes"])


def _parts(context: Context) -> Iterator[Part]:
    """The blocks of a file with what cuts them into slides, notes and footnotes behind the block that brought them."""
    nodes = context.tree()
    context.labels.unchecked.update(_cell_labels(nodes))
    for index, node in enumerate(nodes):
        if node.kind == "heading":
            yield from _title(node, context)
        elif node.kind == "hr" and node.token.markup.startswith("-"):
            yield from _break(nodes, index, context)
        else:
            yield from block_at(nodes, index, context)
        yield from context.asides
        context.asides.clear()
    for label, note in context.footnotes.texts.items():
        if label not in context.footnotes.numbers:
            context.log.notice(f"footnote `[^{label}]` is quoted nowhere; left out", context.place(note.line))


def _cell_labels(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        if node.kind == "fence":
            label = cell_label(node.token.info, node.token.content)
            if label is not None:
                yield label
        yield from _cell_labels(node.children)


def _title(node: Node, context: Context) -> Iterator[Part]:
    """A heading of the top level; pictures in it go onto its slide."""
    token = node.inline()
    content, attributes = split(token.content if token else "")
    found = [
        as_inline(piece) if isinstance(piece, Equation) else piece for piece in pieces(content, node.line, context)
    ]
    blocks = arrange(found, node.line, context)
    first = blocks[0] if blocks else None
    words = first.inlines if isinstance(first, Paragraph) else ()
    yield Title(int(node.token.tag[1:]), words, attributes, context.place(node.line))
    yield from blocks[1:] if words else blocks
    if said := attributes.pairs.get("notes"):
        yield Notes(tuple(paragraph(said, node.line, context)))


def _break(nodes: list[Node], index: int, context: Context) -> Iterator[Part]:
    """A slide begins; dashes that draw a table or underline a heading elsewhere are reported."""
    node = nodes[index]
    source = context.place(node.line)
    line = node.token.content.strip()
    if _DRAWN_TABLE.fullmatch(line):
        context.log.notice("a table drawn with dashes alone is not read; write a pipe table `| a | b |`", source)
        return
    before = nodes[index - 1].token.map if index and nodes[index - 1].kind == "paragraph" else None
    if before and before[1] == node.line and len(line) > 3:
        context.log.notice("dashes below text begin a slide, they make no heading; write `## Title`", source)
    yield Break(source)
