"""Measured values set into prose: `{value} fig-align.accuracy:.1%` becomes "97.3%"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deck_builder.errors import DeckError
from deck_builder.model import (
    Block,
    Callout,
    Equation,
    Figure,
    Heading,
    Image,
    Inline,
    Inlines,
    Math,
    Paragraph,
    Reference,
    Run,
    Source,
    Table,
    Value,
)
from deck_builder.running.suggest import hint
from deck_builder.values import dataclass, field, replace

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Measured:
    """The values behind one label; None where its function was not run."""

    values: Mapping[str, Any] | None
    function: str
    source: Source


@dataclass(frozen=True, slots=True)
class Evidence:
    """All values of a deck by label."""

    labels: Mapping[str, Measured] = field(default_factory=dict)

    def set_in(self, inlines: Inlines, own: str = "") -> Inlines:
        """The inlines with their values as text; `own` is the label meant by a value that names none."""
        if not any(isinstance(inline, (Value, Reference)) or getattr(inline, "values", ()) for inline in inlines):
            return inlines
        return tuple(self._set(inline, own) for inline in inlines)

    def set_in_block(self, block: Block) -> Block:
        """The block with the values of its own text set; captions of figures and tables have theirs already."""
        match block:
            case Paragraph(inlines=inlines) | Heading(inlines=inlines):
                made = self.set_in(inlines)
                return block if made is inlines else replace(block, inlines=made)
            case Callout(title=title):
                return replace(block, title=self.set_in(title))
            case Table(header=header, rows=rows, caption=caption):
                return replace(
                    block,
                    header=tuple(self.set_in(cell) for cell in header),
                    rows=tuple(tuple(self.set_in(cell) for cell in row) for row in rows),
                    caption=self.set_in(caption),
                )
            case Image(caption=caption) | Figure(caption=caption):
                return replace(block, caption=self.set_in(caption))
            case Equation(tex=tex, values=(_, *_) as values):
                return replace(block, tex=self._set_in_tex(tex, values, ""), values=())
            case _:
                return block

    def _set(self, inline: Inline, own: str) -> Inline:
        match inline:
            case Value():
                return Run(self.text(inline, own), inline.style)
            case Math(tex=tex, values=(_, *_) as values):
                return replace(inline, tex=self._set_in_tex(tex, values, own), values=())
            case Reference(target=target) if target in self.labels and self.labels[target].values is None:
                return Run(f"@{target}", inline.style)  # a figure that was not run has no number to refer to
            case _:
                return inline

    def _set_in_tex(self, tex: str, values: tuple[Value, ...], own: str) -> str:
        for value in values:
            tex = tex.replace(f"`{value.written}`", in_tex(self.text(value, own)), 1)
        return tex

    def text(self, value: Value, own: str = "") -> str:
        """A quoted value as the deck shows it; `?` where nothing was measured.

        Raises:
            DeckError: There is no such value, or its format does not fit.
        """
        try:
            label = value.label or own
            measured = self._measured(label)
            if measured.values is None:
                return UNKNOWN
            found = _element(value, label, measured.values)
            return written(found, value.format)
        except DeckError as error:
            error.source = error.source or value.source
            raise

    def _measured(self, label: str) -> Measured:
        if not label:
            raise DeckError("a value without a label means its own figure; outside of captions write label.name")
        if label not in self.labels:
            raise DeckError(f"nothing measured has the label {label!r}{hint(label, self.labels, 'there are')}")
        measured = self.labels[label]
        twin = self.labels.get(f"{label}-2")
        if twin and twin.function == measured.function and label == measured.function.rpartition(".")[2]:
            # neither call has a label but the one made from their common function
            raise DeckError(f"{label!r} could be the call at {measured.source} or {twin.source}; give each a label")
        return measured


def _element(value: Value, label: str, values: Mapping[str, Any]) -> Any:
    if value.name not in values:
        has = hint(value.name, values, "it measures") if values else "; it measures nothing"
        raise DeckError(f"{label} has no value {value.name!r}{has}")
    found = values[value.name]
    if value.index is None:
        return found
    if not isinstance(found, tuple | list):
        raise DeckError(f"{label}.{value.name} is {found!r}, no list; leave out [{value.index}]")
    if not -len(found) <= value.index < len(found):
        raise DeckError(f"{label}.{value.name} has {len(found)} entries, counted from 0; there is no [{value.index}]")
    return found[value.index]


_POWER = re.compile(r"(?<=\d)[eE]([-+]?)0*(\d+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+(?:[eE][-+]?\d+)?\s*%?")


def typeset(number: str) -> str:
    """A formatted number as print has it: a real minus sign, 1.2×10⁻⁷ for 1.2e-07; anything else stays as it is."""
    if not _NUMBER.fullmatch(number):
        return number
    power = _POWER.sub(lambda match: "×10" + (match[1].strip("+") + match[2]).translate(_RAISED), number)
    return power.replace("-", "\u2212")


def written(value: Any, style: str) -> str:
    """The value by Python's format language; the entries of a list one by one."""
    if isinstance(value, tuple | list):
        return ", ".join(written(item, style) for item in value)
    try:
        text = format(value, style)
        return text if isinstance(value, str | bool) else typeset(text)
    except (ValueError, TypeError) as error:
        raise DeckError(f"the format {style!r} does not fit {value!r}: {error}; write for example .1% or .2f") from None


_TEX = {"%": r"\%", ",": "{,}", "\u2212": "-", "×": r"\times "}
_RAISED_TEX = re.compile("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_TEX_TEXT = {**{letter: f"\\{letter}" for letter in "%#$&_{}"}, "\\": r"\textbackslash{}", "^": r"\textasciicircum{}"}
_SET_NUMBER = re.compile(r"[-+\u2212]?[\d.,]+(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?%?")


def in_tex(text: str) -> str:
    """A value's text inside a formula: numbers as numbers, anything else as words."""
    return ",\\ ".join(_part_in_tex(part) for part in text.split(", "))


def _part_in_tex(text: str) -> str:
    if not _SET_NUMBER.fullmatch(text):
        return r"\text{" + "".join(_TEX_TEXT.get(letter, letter) for letter in text) + "}"
    raised = _RAISED_TEX.sub(lambda match: f"10^{{{match[1].translate(_LOWERED)}}}", text)
    return "{" + "".join(_TEX.get(letter, letter) for letter in raised) + "}"


def plain_text(inlines: Inlines) -> str:
    """The words of some inlines, for alternative texts."""
    return "".join(_word(inline) for inline in inlines).replace("\n", " ").strip()


def _word(inline: Inline) -> str:
    match inline:
        case Run(text=text):
            return text
        case Math(tex=tex):
            return tex
        case Reference(target=target):
            return target
        case _:
            return ""
