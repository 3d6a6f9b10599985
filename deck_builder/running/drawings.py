"""Figures drawn for their frames: what a drawing depends on, how it is kept, and what stands in for a missing one."""

from __future__ import annotations

import html
from collections.abc import Mapping

from deck_builder.cache import bundle, unbundle
from deck_builder.errors import DeckError
from deck_builder.model import Figure, Notice
from deck_builder.pages import CODE_INSET_PT, EMU_PER_POINT, Box, CodeBox, Drawing, DrawingBox, Pages
from deck_builder.running.execution import Kept, Task, Want
from deck_builder.running.fingerprint import digest
from deck_builder.running.plans import Plans
from deck_builder.running.tickets import Key
from deck_builder.running.tool import Tool
from deck_builder.theming.theme import Theme
from deck_builder.values import replace

ALT = "@@alternative-text@@"
"""Stands in kept drawings where the alternative text goes: a changed caption draws nothing again."""
FORMAT = 2
"""Of what is kept: raised when that changes, so that older drawings are made again."""
CODE_PT = 12.0
CODE_LINE = 1.4
CODE_LETTER = 0.602
"""Height of a line and width of a letter in such code, in em."""


def drawing_wanted(box: DrawingBox, figure: Figure, plans: Plans, theme: Theme, lang: str, tool: Tool) -> Want:
    """The drawing of a figure for its box: it depends on the figure, the frame's size, colours, and the tool."""
    call = figure.call
    if call is None:
        raise DeckError(f"the figure {box.label} has no function that draws it", figure.source)
    ticket = plans.ticket(call)
    options = {
        "frame_size": (box.frame.width, box.frame.height),
        "colours": dict(theme.colours),
        "name": box.label,
        "lang": lang,
    }
    code = digest([ticket.key.code, options, FORMAT])

    def task() -> Task:
        from deck_builder.running.worker import draw

        return Task(plans.node(call), draw, {**options, "alt": ALT})

    return Want(
        ticket=ticket,
        kind="drawings",
        key=Key(code, digest([ticket.key.versions, tool.drawing])[:16]),
        task=task,
        pack=pack,
        source=figure.source,
    )


def pack(drawing: Drawing) -> bytes:
    """The drawing as it is kept."""
    head = {"media": [*drawing.media], "shapes": drawing.shapes, "notices": drawing.notices}
    return bundle(head, [drawing.group, *drawing.media.values()])


def unpack(content: bytes, alt: str) -> Drawing:
    """The drawing that `pack` wrote, with its alternative text."""
    head, (group, *media) = unbundle(content)
    written = html.escape("".join(letter if letter.isprintable() else " " for letter in alt))
    return Drawing(
        group=group.replace(ALT.encode(), written.encode()),
        media=dict(zip(head["media"], media, strict=True)),
        shapes=head["shapes"],
        notices=tuple(head["notices"]),
    )


def with_drawings(pages: Pages, wants: Mapping[str, Want], kept: Mapping[str, Kept]) -> Pages:
    """The pages with drawings by label; a box whose figure may not be drawn shows the code of its function."""
    drawings = dict(pages.drawings)
    notices = list(pages.notices)

    def filled(box: Box) -> Box:
        if not isinstance(box, DrawingBox):
            return box
        want = wants[box.label]
        if found := kept.get(str(want.key)):
            drawing = unpack(found.content, box.alt)
            drawings[box.label] = drawing
            notices.extend(Notice(f"{box.label}: {text}", want.source) for text in drawing.notices)
            return box
        from deck_builder.running.snippets import excerpt

        message = (
            f"{box.label} was never drawn in this size and these colours: its code is shown; build without --no-run"
        )
        notices.append(Notice(message, want.source))
        return _code_box(box, excerpt(want.task().node.target))

    made = tuple(replace(page, boxes=tuple(filled(box) for box in page.boxes)) for page in pages.pages)
    return replace(pages, pages=made, notices=tuple(notices), drawings=drawings)


def _code_box(box: DrawingBox, code: str) -> CodeBox:
    """The function's source in place of a drawing that may not be made, as much as the frame holds."""
    width, height = (length / EMU_PER_POINT - 2 * CODE_INSET_PT for length in (box.frame.width, box.frame.height))
    count, room = int(height / (CODE_PT * CODE_LINE)), int(width / (CODE_PT * CODE_LETTER))
    lines = [line if len(line) <= room else f"{line[: max(room - 1, 0)]}…" for line in code.splitlines()]
    shown = lines if len(lines) <= count else [*lines[: max(count - 1, 0)], "…"]
    return CodeBox(
        frame=box.frame,
        text="\n".join(shown),
        language="python",
        size_pt=CODE_PT,
        name=box.label,
        source=box.source,
    )
