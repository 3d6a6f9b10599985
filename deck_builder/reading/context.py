"""What the conversion of one file knows, and where it puts what belongs to the slide as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from deck_builder.model import Block, Source
from deck_builder.reading.files import Text
from deck_builder.reading.labels import Labels
from deck_builder.reading.log import Log
from deck_builder.reading.macros import definitions
from deck_builder.reading.tree import Node, build
from deck_builder.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Notes:
    """Speaker notes, wherever on the slide they are written."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Foot:
    """A footnote, set at the foot of its slide."""

    blocks: tuple[Block, ...]


@dataclass(slots=True)
class Footnotes:
    """Footnotes of a file: their texts, and those quoted so far."""

    texts: dict[str, Node] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    count: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    """The conversion of one text; `part` gives that of a piece of it, which shares all collections."""

    parser: MarkdownIt
    text: Text
    folder: Path
    """Where pictures are looked for, absolute."""
    log: Log
    labels: Labels
    macros: dict[str, str]
    environment: dict[str, Any] = field(default_factory=dict)
    asides: list[Notes | Foot] = field(default_factory=list)
    """Filled while a block is converted; emptied after each block of the top level."""
    footnotes: Footnotes = field(default_factory=Footnotes)
    own_figure: bool = False
    """Whether a caption is read, where `.name` quotes the figure's own values."""

    def place(self, line: int) -> Source:
        """The source of a line of the text, counted from 0."""
        return self.text.place(line)

    def part(self, content: str, line: int) -> Context:
        """The conversion of a piece of the text that begins at `line`."""
        return replace(self, text=self.text.part(content, line))

    def at(self, source: Source) -> Context:
        """The conversion of words whose only line is `source`."""
        return replace(self, text=Text("\n", ((0, source),)))

    def take_macros(self, tex: str, source: Source) -> str:
        """TeX without the macro definitions in it, which become the deck's."""
        found = definitions(tex) if "\\" in tex else None
        if found is None or not found.macros:
            return tex.strip()
        self.macros.update(found.macros)
        for problem in found.problems:
            self.log.notice(problem, source)
        return found.rest.strip()

    def tree(self) -> list[Node]:
        """The text's blocks; its footnotes are taken out and kept."""
        tokens: list[Any] = []
        self.parser.block.parse(self.text.content, self.parser, self.environment, tokens)
        return self._without_footnotes(build(tokens, self.text, self.log))

    def _without_footnotes(self, nodes: list[Node]) -> list[Node]:
        kept: list[Node] = []
        for node in nodes:
            if node.children:
                node.children = self._without_footnotes(node.children)
            if node.kind == "footnote_reference":
                self.footnotes.texts[node.token.meta["label"]] = node
            else:
                kept.append(node)
        return kept
