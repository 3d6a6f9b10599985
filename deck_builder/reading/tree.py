"""Markdown-it's flat row of tokens → a tree, divs paired with their ends."""

from __future__ import annotations

from markdown_it.token import Token

from deck_builder.model import Source
from deck_builder.reading.files import Text
from deck_builder.reading.log import Log
from deck_builder.values import dataclass, field

MAXIMUM_DEPTH = 60
"""Markdown-it itself gives up at 100."""


@dataclass(slots=True)
class Node:
    """A token with what stands between it and its end."""

    kind: str
    """`paragraph`, `bullet_list`, `div`, `fence`, …"""
    token: Token
    children: list[Node] = field(default_factory=list)

    @property
    def line(self) -> int:
        """Its first line, counted from 0."""
        return self.token.map[0] if self.token.map else 0

    def inline(self) -> Token | None:
        """Its text, for paragraphs, headings and terms."""
        return next((child.token for child in self.children if child.kind == "inline"), None)


def build(tokens: list[Token], text: Text, log: Log) -> list[Node]:
    """The tree of a text; a div without an end is an error, an end without a div a notice."""
    root = Node("root", Token("root", "", 0))
    stack = [root]
    for token in tokens:
        if token.type == "div_close":
            if stack[-1].kind == "div":
                stack.pop()
            else:
                log.notice("`:::` closes nothing; left out", text.place(token.map[0] if token.map else 0))
        elif token.nesting != -1 and len(stack) > MAXIMUM_DEPTH:
            log.error(
                f"more than {MAXIMUM_DEPTH} blocks inside each other", text.place(token.map[0] if token.map else 0)
            )
            return root.children
        elif token.type == "div_open" or token.nesting == 1:
            node = Node(token.type.removesuffix("_open"), token)
            stack[-1].children.append(node)
            stack.append(node)
        elif token.nesting == -1:
            while stack[-1].kind == "div":
                _unclosed(stack.pop(), text, log)
            stack.pop()
        else:
            stack[-1].children.append(Node(token.type, token))
    while len(stack) > 1:
        _unclosed(stack.pop(), text, log)
    return root.children


def _unclosed(node: Node, text: Text, log: Log) -> None:
    source: Source = text.place(node.line)
    log.error("this div is not closed; end it with a line `:::`", source)
