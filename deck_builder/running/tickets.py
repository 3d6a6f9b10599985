"""What a result is kept under: known of a call before its function is looked at, while nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping

from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """What a result depends on: code with its arguments and files, and the versions of packages that it ran with."""

    code: str
    versions: str

    def __str__(self) -> str:
        return f"{self.code}.{self.versions}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A call as far as finding its result goes."""

    name: str
    """For messages."""
    key: Key
    versions: Mapping[str, str]
