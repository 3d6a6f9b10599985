"""The command line. Everything heavy is imported inside the commands, so that `--help` is instant."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

import click

from deck_builder import __version__

if TYPE_CHECKING:
    from deck_builder.build import Report
    from deck_builder.one_figure import Report as FigureReport
    from deck_builder.running import Event

DEFAULT_COMMAND = "build"


class DefaultGroup(click.Group):
    """`deckbuild PATH` is `deckbuild build PATH`; the verbs beside it are subcommands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command in front of what names none."""
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h", "--version"):
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deckbuild")
def cli() -> None:
    """Markdown plus working Python becomes a native, editable PowerPoint deck.

    deckbuild content/ -o attention.pptx builds a lesson; `deckbuild build --help` shows the options.
    """


@cli.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The deck to write; by default PATH's name.")
@click.option("--template", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A .pptx to build on.")
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; by default one a core.")
@click.option("--no-run", is_flag=True, help="Execute nothing: use cached results, show the code of what has none.")
@click.option("--strict", is_flag=True, help="Treat every notice as an error.")
@click.option("--force", is_flag=True, help="Replace a deck edited by hand; the old file is kept as a backup.")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def build(
    path: Path,
    output: Path | None,
    template: Path | None,
    jobs: int | None,
    no_run: bool,
    strict: bool,
    force: bool,
    debug: bool,
) -> None:
    """Build the lesson in PATH, a folder of Markdown files or one file."""
    from deck_builder.build import Options
    from deck_builder.build import build as build_deck

    target = output or Path(f"{path.resolve().stem}.pptx")
    if target.suffix.lower() != ".pptx":
        raise click.UsageError(f"{target} has the suffix {target.suffix or '(none)'}; decks are written as .pptx")
    options = Options(
        source=path, target=target, template=template, jobs=jobs, run=not no_run, strict=strict, force=force
    )
    with in_one_line(debug=debug), ProgressLine(sys.stderr) as progress:
        report = build_deck(options, progress)
    print_report(report)


@cli.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; by default one a core.")
@click.option("--no-run", is_flag=True, help="Execute nothing: list the values of cached results.")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def values(path: Path, form: str, jobs: int | None, no_run: bool, debug: bool) -> None:
    """List every value that the lesson in PATH measures, and where it is quoted."""
    from deck_builder import measurements
    from deck_builder.errors import DeckErrors

    with in_one_line(debug=debug), ProgressLine(sys.stderr) as progress:
        found = measurements.measure(path, run=not no_run, jobs=jobs, progress=progress)
    for notice in found.notices:
        click.echo(f"notice: {notice}", err=True)
    if form == "json":
        click.echo(measurements.as_json(found.values))
    else:
        for line in measurements.as_text(found.values):
            click.echo(line)
        quoted = sum(bool(value.quoted) for value in found.values)
        click.echo(f"{len(found.values)} values, {quoted} of them quoted", err=True)
    if found.errors:
        raise DeckErrors(found.errors)


@cli.command()
@click.argument("function")
@click.argument("arguments", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .png, .svg, .pdf or .pptx.")
@click.option(
    "--lesson",
    type=click.Path(exists=True, path_type=Path),
    help="The lesson that it belongs to; by default content/, or this folder where there is none.",
)
@click.option("--size", callback=lambda _context, _option, text: size_of(text), help="Inches, such as 8x4.5.")
@click.option("--dpi", type=click.IntRange(36, 1200), default=200, show_default=True, help="Of a .png.")
@click.option("--lang", help="Language of its words; by default the lesson's.")
@click.option("--seed", type=click.IntRange(min=0), help="Given to functions that declare it; by default the lesson's.")
@click.option("--template", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Whose colours to use.")
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; by default one a core.")
@click.option("--force", is_flag=True, help="Replace a .pptx edited by hand; the old file is kept as a backup.")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def figure(function: str, output: Path, lesson: Path | None, debug: bool, **options: Any) -> None:
    """Draw one figure alone: FUNCTION is its dotted path, arguments are given as in a directive (score=dot)."""
    from deck_builder import one_figure

    suffix = output.suffix.lower()
    if suffix not in one_figure.SUFFIXES:
        right = f"{', '.join(one_figure.SUFFIXES[:-1])} or {one_figure.SUFFIXES[-1]}"
        raise click.UsageError(f"{output} has the suffix {output.suffix or '(none)'}; a figure is written as {right}")
    if suffix == ".pptx" and options["size"]:
        raise click.UsageError("on a slide a figure has the size of its place; leave out --size, or write a .png")
    folder = lesson or (Path("content") if Path("content").is_dir() else Path())
    asked = one_figure.Options(
        function=function, target=output, lesson=folder if folder.is_dir() else folder.parent, **options
    )
    with in_one_line(debug=debug), ProgressLine(sys.stderr) as progress:
        report = one_figure.draw_one(asked, progress)
    print_figure(output, report)


SIZE = re.compile(r"(\d+(?:\.\d+)?) ?[x×*] ?(\d+(?:\.\d+)?)")


def size_of(text: str | None) -> tuple[float, float] | None:
    """`8x4.5` as inches."""
    if text is None:
        return None
    match = SIZE.fullmatch(text.strip())
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(0.5 <= inches <= 60 for inches in size):
        raise click.BadParameter(f"{text!r} is no width and height from 0.5 to 60 inches; write 8x4.5")
    return size


def print_figure(target: Path, report: FigureReport) -> None:
    """Say what the figure measured and where it is."""
    from deck_builder.measurements import as_text

    for notice in report.notices:
        click.echo(f"notice: {notice}", err=True)
    for line in as_text(report.values):
        click.echo(line)
    run = report.run
    click.echo(f"{target}: {run.ran} run, {run.reused} reused, {target.stat().st_size / 1e6:.2f} MB")


@contextmanager
def in_one_line(*, debug: bool) -> Iterator[None]:
    """Tell a fault of the tool in one line, unless the traceback is wanted; errors of the user pass as they are."""
    try:
        yield
    except (click.ClickException, KeyboardInterrupt):
        raise
    except Exception as error:
        if debug:
            raise
        raise click.ClickException(
            f"unexpected {type(error).__name__}: {error}; run again with --debug and report what it prints"
        ) from None


def print_report(report: Report) -> None:
    """Say what was done: notices, what was fitted, what ran, the size and the time."""
    for notice in report.notices:
        click.echo(f"notice: {notice}", err=True)
    for line in report.pages.fitted:
        click.echo(f"fitted: {line}", err=True)
    if report.backup:
        click.echo(f"the deck edited by hand is kept as {report.backup}")
    count = len(report.pages.pages)
    run = report.run
    click.echo(
        f"{report.target}: {count} slides, {len(report.pages.drawings)} figures "
        f"({run.ran} run, {run.reused} reused), {len(report.notices)} notices, "
        f"{report.size_bytes / 1e6:.2f} MB, {report.seconds:.1f} s"
    )


class ProgressLine:
    """Names what runs, on one line that overwrites itself on a terminal and line by line elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live:
            self._write("")

    def __call__(self, event: Event) -> None:
        """Show one event."""
        if event.kind == "started":
            self._write(f"running {event.name} …")
        elif event.kind == "finished" and not self._live:
            self._write(f"ran {event.name} in {event.seconds:.1f} s")

    def _write(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text}" if self._live else f"{text}\n")
        self._stream.flush()


def main(arguments: list[str] | None = None) -> Any:
    """Entry point. Output is UTF-8 on every console."""
    gc.disable()  # one short run that makes many small values and ends: looking for cycles costs a quarter of it
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        return cli.main(arguments, prog_name="deckbuild")
    finally:
        gc.freeze()  # the last look for cycles, when the interpreter ends, has nothing to look at


if __name__ == "__main__":
    main()
