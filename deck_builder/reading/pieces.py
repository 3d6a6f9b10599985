"""What one line of Markdown falls into, and the parts of it that fit where no blocks can stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deck_builder.model import Equation, Image, Inline, Inlines, Math, Reference, Run, Value
from deck_builder.reading.context import Context
from deck_builder.values import dataclass

_SPACES = re.compile(r"[ \t\n]+")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture met inside a line."""

    image: Image
    own_line: bool
    """Nothing but the picture stands on its line."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Speaker notes written as `<!-- notes: … -->` inside a line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FootnoteMark:
    """The place of a footnote: of one defined elsewhere, or of the text given."""

    label: str
    text: str | None
    line: int


Piece = Inline | Picture | Equation | Comment | FootnoteMark


def flat(found: Iterable[Piece], context: Context, where: str) -> Inlines:
    """Pieces without blocks; what would be one is reported `where` it stands."""
    result: list[Inline] = []
    for piece in found:
        match piece:
            case Picture(image=image):
                context.log.notice(f"a picture in {where} is not shown; its words stand in for it", image.source)
                result += [Run(image.alt)] if image.alt else []
            case Equation():
                result.append(as_inline(piece))
            case Comment():
                pass
            case FootnoteMark(line=line):
                context.log.notice(f"a footnote in {where} is not shown", context.place(line))
            case _:
                result.append(piece)
    return trimmed(result)


def as_inline(equation: Equation) -> Math:
    """A display formula set inside a line."""
    return Math(equation.tex, values=equation.values)


def trimmed(found: Sequence[Inline]) -> Inlines:
    """Inlines without the space and the line breaks at either end."""
    if not any(
        isinstance(edge, Run) and (edge.text[0] in " \t\n" or edge.text[-1] in " \t\n")
        for edge in (*found[:1], *found[-1:])
    ):
        return tuple(found)
    result = list(found)
    while result and isinstance(first := result[0], Run) and not first.style.code:
        text = first.text.lstrip(" \t\n")
        result[:1] = [Run(text, first.style)] if text else []
        if text:
            break
    while result and isinstance(last := result[-1], Run) and not last.style.code:
        text = last.text.rstrip(" \t\n")
        result[-1:] = [Run(text, last.style)] if text else []
        if text:
            break
    return tuple(result)


def plain(found: Iterable[Inline]) -> str:
    """The words alone: titles for navigation, alt text."""
    words = []
    for inline in found:
        match inline:
            case Run(text=text):
                words.append(text)
            case Math(tex=tex):
                words.append(tex)
            case Value(label=label, name=name):
                words.append(f"{label}.{name}")
            case Reference(target=target):
                words.append(target)
    return _SPACES.sub(" ", "".join(words)).strip()
