"""Results as blocks: a figure to be drawn, a table, or the code of what was not run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from deck_builder.model import Block, Code, Figure, FigureCall, Inlines, Math, Notice, Run, Style, Table, TableCall
from deck_builder.running.calls import Call
from deck_builder.running.tickets import Ticket
from deck_builder.running.values import Evidence, Measured, plain_text
from deck_builder.values import dataclass

BOLD = Style(bold=True)
CODE = Style(code=True)
MARKUP = re.compile(
    r"\\(?P<plain>[\\$*`])|(?<!\\)\$(?=\S)(?P<tex>[^$]*?[^\s$\\])\$(?!\d)|\*\*(?=\S)(?P<bold>.+?)\*\*|`(?P<code>[^`]+)`"
)


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave; `data` is None where nothing was run. `key` is that of the result in the cache."""

    call: Call
    ticket: Ticket
    code: Callable[[], str]
    """The source of its function, asked only where nothing was run."""
    data: Mapping[str, Any] | None = None
    key: str = ""

    def measured(self) -> Measured:
        """Its values for prose to quote."""
        return Measured(self.data["values"] if self.data else None, self.call.function, self.call.source)

    def block(self, evidence: Evidence) -> Block:
        """The block that takes the place of the call."""
        match self.call:
            case FigureCall() if self.data:
                return _figure(self.call, self.data, self.key, evidence)
            case TableCall() if self.data:
                return _table(self.call, self.data, self.key, evidence)
            case _:
                return _code(self.call, self.code(), evidence)

    def notices(self, evidence: Evidence) -> Iterator[Notice]:
        """What the reader of the deck should know of it."""
        call, data = self.call, self.data
        if data is None:
            yield Notice(f"{call.label} was never run, so its code is shown; build without --no-run", call.source)
            return
        if notice := self.made_otherwise():
            yield notice
        if isinstance(call, FigureCall) and not _figure(call, data, "", evidence).alt:
            yield Notice(
                f"{call.label} has no alternative text; write alt: or caption:, or let {call.function} return `alt`",
                call.source,
            )

    def made_otherwise(self) -> Notice | None:
        """Says with which versions the result was made, where they are not those of today."""
        if self.data is None or self.key == str(self.ticket.key):
            return None
        difference = _difference(self.data["versions"], self.ticket.versions)
        return Notice(f"{self.call.label} was made with {difference}", self.call.source)


def _difference(made: Mapping[str, str], now: Mapping[str, str]) -> str:
    """`torch 2.6.0 (now 2.7.0)`."""
    changed = [name for name in sorted({**made, **now}) if made.get(name) != now.get(name)]
    told = [f"{name} {made.get(name, 'unknown')} (now {now.get(name, 'not used')})" for name in changed]
    return ", ".join(told) or "another version of the tool"


def _figure(call: FigureCall, data: Mapping[str, Any], fingerprint: str, evidence: Evidence) -> Figure:
    """The figure with its caption's values set. Its alt text is the author's, the function's, or the caption."""
    caption = evidence.set_in(call.caption, own=call.label)
    return Figure(
        label=call.label,
        caption=caption,
        alt=call.alt or data["alt"] or plain_text(caption),
        aspect=data["aspect"],
        values=data["values"],
        call=call,
        fingerprint=fingerprint,
        source=call.source,
    )


def _table(call: TableCall, data: Mapping[str, Any], fingerprint: str, evidence: Evidence) -> Table:
    """The table; the caption is the author's or the function's."""
    return Table(
        header=tuple(cell(text) for text in data["header"]),
        rows=tuple(tuple(cell(text) for text in row) for row in data["rows"]),
        alignments=tuple(data["alignments"]),
        caption=evidence.set_in(call.caption, own=call.label) or cell(data["caption"]),
        label=call.label or None,
        alt=call.alt or data["alt"] or None,
        fingerprint=fingerprint,
        source=call.source,
    )


def _code(call: Call, text: str, evidence: Evidence) -> Code:
    """The source of a function that was not run."""
    caption = plain_text(evidence.set_in(call.caption, own=call.label))
    return Code(text, "python", label=call.label or None, filename=caption or None, source=call.source)


def cell(text: str) -> Inlines:
    """Text of a cell: `$…$` is a formula, `**…**` bold, backticks code; a backslash takes their meaning from them."""
    inlines: list[Run | Math] = []
    end = 0
    for match in MARKUP.finditer(text):
        inlines.append(Run(text[end : match.start()]))
        if match["tex"]:
            inlines.append(Math(match["tex"]))
        elif match["bold"]:
            inlines.append(Run(match["bold"], BOLD))
        elif match["code"]:
            inlines.append(Run(match["code"], CODE))
        else:
            inlines.append(Run(match["plain"]))
        end = match.end()
    inlines.append(Run(text[end:]))
    return tuple(inline for inline in inlines if isinstance(inline, Math) or inline.text)
