"""What is running: told as it happens, and counted at the end."""

from __future__ import annotations

from typing import Literal, Protocol

from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """A function of the lesson was started, has finished after `seconds`, or its earlier result was reused."""

    kind: Literal["started", "finished", "reused"]
    name: str
    seconds: float = 0.0


class Progress(Protocol):
    """Shows events."""

    def __call__(self, event: Event, /) -> None:
        """One event."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What ran: numbers of functions run and reused, and the seconds that workers spent."""

    ran: int = 0
    reused: int = 0
    seconds: float = 0.0
    names: tuple[str, ...] = ()
    """What ran, in the order in which it finished."""
