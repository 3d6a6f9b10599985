"""Text set piece by piece: styles opened and closed, line ends of the source become spaces, what is left out no gap."""

from __future__ import annotations

from deck_builder.model import PLAIN, Equation, Run, Source, Style
from deck_builder.reading.context import Context
from deck_builder.reading.emphasis import is_cjk
from deck_builder.reading.pieces import Comment, Picture, Piece
from deck_builder.values import dataclass, field


@dataclass(slots=True)
class Runs:
    """The pieces of one text while they are gathered."""

    context: Context
    line: int
    """The line of the source that is being read."""
    pieces: list[Piece] = field(default_factory=list)
    style: Style = PLAIN
    stack: list[tuple[str, Style]] = field(default_factory=list)
    """What is open, and the style outside it."""
    soft: Style | None = None
    """A line of the source ended in this style; whether that is a space depends on what follows."""
    gap: bool = False
    """Something was left out behind a space."""

    def source(self) -> Source:
        """The place of what is being read."""
        return self.context.place(self.line)

    def notice(self, message: str) -> None:
        """Report something at this place."""
        self.context.log.notice(message, self.source())

    def last(self) -> Piece | None:
        """The piece before."""
        return self.pieces[-1] if self.pieces else None

    def open(self, kind: str, style: Style) -> None:
        """Set what follows in `style`, until `kind` is closed."""
        self.stack.append((kind, self.style))
        self.style = style

    def close(self, kind: str) -> None:
        """End `kind`, and whatever was opened inside it and never closed."""
        for position in range(len(self.stack) - 1, -1, -1):
            if self.stack[position][0] == kind:
                self.style = self.stack[position][1]
                del self.stack[position:]
                return

    def add(self, piece: Piece) -> None:
        """Set a formula, a picture and the like."""
        if isinstance(piece, (Picture, Equation, Comment)):
            self.drop()  # as text it takes no room
        else:
            self.end_line()
            self.gap = False
        self.soft = None
        self.pieces.append(piece)

    def drop(self, message: str = "") -> None:
        """Say why something is left out; the space before it then also stands for the one behind it."""
        if message:
            self.notice(message)
        last = self.last()
        self.gap = isinstance(last, Run) and last.text.endswith(" ")

    def add_text(self, text: str) -> None:
        """Set text in the style that is open."""
        if self.gap:
            self.gap, text = False, text.lstrip(" ")
        last = self.last()
        if isinstance(last, Run) and last.text.endswith("\n") and not self.style.code:
            self.soft, text = None, text.lstrip(" ")
        if not text:
            return
        if self.soft is not None and not (isinstance(last, Run) and is_cjk(last.text[-1]) and is_cjk(text[0])):
            self.end_line()
            last = self.last()
        self.soft = None
        if isinstance(last, Run) and last.style == self.style:
            self.pieces[-1] = Run(last.text + text, self.style)
        else:
            self.pieces.append(Run(text, self.style))

    def end_line(self) -> None:
        """Set the space that a line end of the source stands for, in the style it was written in."""
        last = self.last()
        if self.soft is None or last is None or isinstance(last, (Picture, Equation)):
            return
        if isinstance(last, Run) and last.style == self.soft:
            self.pieces[-1] = Run(last.text + " ", last.style)
        else:
            self.pieces.append(Run(" ", self.soft))

    def break_line(self) -> None:
        """Set a line break; no space stays before it."""
        last = self.last()
        if isinstance(last, Run) and not last.style.code:
            self.pieces[-1:] = [Run(text, last.style)] if (text := last.text.rstrip(" ")) else []
        self.soft = None
        self.add_text("\n")
