"""A figure drawn as a file of its own: what that depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from deck_builder.drawing.files import FileKind
from deck_builder.model import FigureCall
from deck_builder.running.execution import Task, Want
from deck_builder.running.fingerprint import digest
from deck_builder.running.plans import Plans
from deck_builder.running.tickets import Key
from deck_builder.running.tool import Tool
from deck_builder.running.worker import picture
from deck_builder.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a figure becomes a file; without a size (inches) it has the one that its function wishes."""

    kind: FileKind
    size: tuple[float, float] | None
    dpi: int
    colours: Mapping[str, str]


def picture_wanted(call: FigureCall, plans: Plans, look: Look, tool: Tool) -> Want:
    """The file of a figure."""
    options = asdict(look)
    ticket = plans.ticket(call)
    return Want(
        ticket=ticket,
        kind="pictures",
        key=Key(digest([ticket.key.code, options]), digest([ticket.key.versions, tool.picture])[:16]),
        task=lambda: Task(plans.node(call), picture, options),
        pack=bytes,
        source=call.source,
    )
