"""One figure alone, as a picture or a deck of one slide: for tuning it, and for an exam paper."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click

from deck_builder.build import Options as BuildOptions
from deck_builder.build import build
from deck_builder.drawing.files import FileKind
from deck_builder.errors import DeckError
from deck_builder.measurements import Measurement, measurements
from deck_builder.model import NOWHERE, Deck, FigureCall, Notice, Run, Settings, Slide
from deck_builder.reading import read_settings
from deck_builder.reading.yaml_values import load_mapping
from deck_builder.running import Evidence, Progress, Runner, RunReport
from deck_builder.running.values import Measured
from deck_builder.theming.read import read_theme
from deck_builder.values import dataclass, replace
from deck_builder.writing.target import Target

SUFFIXES = (".png", ".svg", ".pdf", ".pptx")
_ARGUMENT = re.compile(r"(?P<name>[^\W\d]\w*)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user asked for. `lesson` is the folder that the function is looked for in, and whose cache is used."""

    function: str
    arguments: tuple[str, ...]
    target: Path
    lesson: Path
    size: tuple[float, float] | None = None
    dpi: int = 200
    lang: str | None = None
    seed: int | None = None
    template: Path | None = None
    jobs: int | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What was done."""

    values: tuple[Measurement, ...]
    notices: tuple[Notice, ...]
    run: RunReport


def draw_one(options: Options, progress: Progress | None = None) -> Report:
    """Draw the figure. On any error the old file stays.

    Raises:
        click.UsageError: The command was written wrongly.
        DeckError: The function, its arguments or the target do not fit.
    """
    call = FigureCall(options.function, arguments(options.arguments), options.function.rpartition(".")[2])
    Target(options.target, force=options.target.suffix.lower() != ".pptx" or options.force).check()
    settings = _settings(options)
    template = options.template or (options.lesson / settings.template if settings.template else None)
    if options.target.suffix.lower() == ".pptx":
        return _as_deck(call, settings, template, options, progress)
    return _as_picture(call, settings, template, options, progress)


def arguments(written: Sequence[str]) -> Mapping[str, Any]:
    """`score=dot n=3` as values, each read as in a directive."""
    found: dict[str, Any] = {}
    for text in written:
        match = _ARGUMENT.fullmatch(text)
        if match is None:
            raise click.UsageError(f"{text!r} is no argument of the figure; write name=value, such as score=dot")
        if match["name"] in found:
            raise click.UsageError(f"{match['name']!r} is given twice; keep one")
        try:
            values = load_mapping(f"{match['name']}: {match['value']}", lambda _line: NOWHERE)
        except DeckError as error:
            raise click.UsageError(f"{text!r}: {error.message}") from error
        found.update(values.values if values else {})
    return found


def _settings(options: Options) -> Settings:
    """Those of the lesson, where the command does not say otherwise."""
    settings = read_settings(options.lesson)
    return replace(
        settings,
        lang=options.lang or settings.lang,
        seed=settings.seed if options.seed is None else options.seed,
        toc=False,
        toc_notes=(),
    )


def _as_picture(
    call: FigureCall, settings: Settings, template: Path | None, options: Options, progress: Progress | None
) -> Report:
    from deck_builder.running.pictures import Look

    kind = cast(FileKind, options.target.suffix.lower().removeprefix("."))
    look = Look(kind=kind, size=options.size, dpi=options.dpi, colours=dict(read_theme(template).colours))
    with Runner(options.lesson, jobs=options.jobs, progress=progress) as runner:
        measured, content, notices = runner.picture(call, settings, look)
        report = runner.report
    write_whole(options.target, content)
    return Report(_values(call, measured), notices, report)


def _as_deck(
    call: FigureCall, settings: Settings, template: Path | None, options: Options, progress: Progress | None
) -> Report:
    slide = Slide("content", (Run(call.label),), (call,))
    deck = Deck(settings, (slide,), folder=os.path.abspath(options.lesson))  # noqa: PTH100 - as the reader does
    with Runner(options.lesson, jobs=options.jobs, progress=progress) as runner:
        evidence, _ = runner.measure(deck)
    made = build(
        BuildOptions(
            source=options.lesson, target=options.target, template=template, jobs=options.jobs, force=options.force
        ),
        progress,
        deck=deck,
    )
    return Report(_values(call, evidence.labels[call.label]), made.notices, made.run)


def _values(call: FigureCall, measured: Measured) -> tuple[Measurement, ...]:
    return measurements(Deck(Settings(), ()), Evidence({call.label: measured})).values


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the target, then replace it."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
