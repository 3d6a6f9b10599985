"""The one family of errors, each with its place in the lesson."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from deck_builder.model import Source


class DeckError(click.ClickException):
    """Something a user can mend: `file:line: what is wrong; what would be right`. Exit code 1."""

    exit_code = 1

    def __init__(self, message: str, source: Source | None = None) -> None:
        super().__init__(message)
        self.source = source

    def lines(self) -> tuple[str, ...]:
        """The error as printed, one line a problem."""
        return (f"{self.source}: {self.message}" if self.source and self.source.path else self.message,)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the place first, so that editors can jump to it (click would begin with "Error:")."""
        for line in self.lines():
            click.echo(line, file=file or sys.stderr)


class DeckErrors(DeckError):
    """Several problems found in one pass, reported together."""

    def __init__(self, errors: Iterable[DeckError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(error.message for error in self.errors), self.errors[0].source)

    def lines(self) -> tuple[str, ...]:
        """All problems in the order found."""
        return tuple(line for error in self.errors for line in error.lines())


@contextmanager
def located(source: Source) -> Iterator[None]:
    """Give a passing `DeckError` its place, so that low-level code knows nothing of Markdown."""
    try:
        yield
    except DeckError as error:
        if error.source is None:
            error.source = source
        raise
