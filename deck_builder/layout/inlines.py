"""Inline text as runs: formulas become text, and what needs two dimensions is set apart or written on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deck_builder.layout.setting import Formulas
from deck_builder.model import Inlines, Math, Notice, Reference, Run, Source, Value


def flat_runs(inlines: Inlines, formulas: Formulas, source: Source) -> tuple[tuple[Run, ...], tuple[Notice, ...]]:
    """Runs for a place that has only one line of thought (title, list item, cell), and what was flattened for it."""
    runs: list[Run] = []
    notices: list[Notice] = []
    for inline in inlines:
        match inline:
            case Run():
                runs.append(inline)
            case Math(tex, style):
                spelt = formulas.runs(tex, style)
                if spelt is None:
                    spelt = formulas.linear(tex)
                    notices.append(
                        Notice(f"the formula ${tex}$ does not fit in a line of text; it is written on one line", source)
                    )
                runs += spelt
            case Value() | Reference():
                runs.append(leftover(inline))
    return joined(runs), tuple(notices)


_LEADING = re.compile(r"\s*[，。：；！？、）”’,.:;!?)]+\s*")


def split_at_formulas(inlines: Inlines, formulas: Formulas) -> Iterator[tuple[Run, ...] | Math]:
    """A paragraph as stretches of runs, and between them the formulas that need a line of their own."""
    return _tidy(_split(inlines, formulas))


def _split(inlines: Inlines, formulas: Formulas) -> Iterator[tuple[Run, ...] | Math]:
    runs: list[Run] = []
    for inline in inlines:
        match inline:
            case Run():
                runs.append(inline)
            case Math(tex, style):
                spelt = formulas.runs(tex, style)
                if spelt is None:
                    if any(run.text.strip() for run in runs):
                        yield joined(runs)
                    yield inline
                    runs = []
                else:
                    runs += spelt
            case Value() | Reference():
                runs.append(leftover(inline))
    if any(run.text.strip() for run in runs):
        yield joined(runs)


def _tidy(pieces: Iterable[tuple[Run, ...] | Math]) -> Iterator[tuple[Run, ...] | Math]:
    """The mark after a displaced formula goes to the text before it: no line may begin with one."""
    pieces = list(pieces)
    for index in range(2, len(pieces)):
        before, after = pieces[index - 2], pieces[index]
        if not before or isinstance(before, Math) or isinstance(after, Math):
            continue
        mark = _LEADING.match(after[0].text)
        if mark is not None:
            pieces[index - 2] = joined((*before, Run(mark.group().strip(), before[-1].style)))
            pieces[index] = joined((Run(after[0].text[mark.end() :], after[0].style), *after[1:]))
    yield from (piece for piece in pieces if piece)


def leftover(inline: Value | Reference) -> Run:
    """A quotation that no earlier stage resolved, as the text that names it."""
    if isinstance(inline, Reference):
        return Run(inline.target, inline.style)
    return Run(f"{inline.label}.{inline.name}", inline.style)


def joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Neighbours of one style as one run; empty ones dropped."""
    out: list[Run] = []
    for run in runs:
        if out and out[-1].style == run.style:
            out[-1] = Run(out[-1].text + run.text, run.style)
        elif run.text:
            out.append(run)
    return tuple(out)


def plain_text(runs: Iterable[Run]) -> str:
    """The characters alone."""
    return "".join(run.text for run in runs)
