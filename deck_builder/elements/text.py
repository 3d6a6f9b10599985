"""Text: runs with their faces and language, paragraphs with their list marks, text bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from deck_builder.elements.xml import element
from deck_builder.model import PLAIN, Run, Style
from deck_builder.pages import EMU_PER_POINT, Line
from deck_builder.theming.metrics import is_wide

ROLE_COLOURS = {"q": "accent1", "k": "accent2", "v": "accent3", "w": "accent4", "warn": "accent5", "muted": "tx2"}
"""One meaning, one theme colour, everywhere."""

SMALL = 0.8
SMALL_FLOOR_PT = 11.0
BULLETS = ("•", "–", "•", "–", "•")
TASK_MARKS = {"open": "☐", "done": "☑"}


_SYMBOL = re.compile("[\u2016\u2032-\u2034\u2190-\u22ff\u27c0-\u2aff]")
"""Marks of mathematics that count as neither Latin nor East Asian."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Typefaces that code is set in; prose inherits the theme's."""

    latin: str = "Consolas"
    east_asian: str = "Microsoft YaHei"


@dataclass(frozen=True, slots=True)
class Context:
    """What the printers need to know of the deck: its language, its code faces, how a link becomes an element."""

    lang: str = "en-US"
    faces: Faces = Faces()
    link: Callable[[str], etree._Element | None] | None = None
    mark_colour: str = "FFF2B3"


@lru_cache(maxsize=4096)
def language_of(text: str, lang: str) -> str:
    """The language tag of a run: an East Asian deck's own where the text holds Han, else English."""
    if lang.split("-")[0] not in ("zh", "ja", "ko"):
        return "zh-CN" if any(map(is_wide, text)) else lang
    return lang if any(map(is_wide, text)) else "en-US"


def solid(colour: str, alpha: float = 1.0) -> etree._Element:
    """`a:solidFill` of a theme slot as slides name it (`tx1`, `bg2`, `accent3`) or of RRGGBB."""
    tag = "a:srgbClr" if len(colour) == 6 and not colour.startswith("accent") else "a:schemeClr"
    opacity = element("a:alpha", {"val": round(alpha * 100_000)}) if alpha < 1 else None
    return element("a:solidFill", None, element(tag, {"val": colour}, opacity))


def typefaces(latin: str, east_asian: str) -> tuple[etree._Element, ...]:
    """`a:latin`, `a:ea` and `a:cs`: a run that names one names all, or Han falls to another face."""
    return (
        element("a:latin", {"typeface": latin}),
        element("a:ea", {"typeface": east_asian}),
        element("a:cs", {"typeface": latin}),
    )


def run_properties(
    tag: str,
    text: str,
    style: Style,
    context: Context,
    *,
    size_pt: float | None = None,
    colour: str | None = None,
) -> etree._Element:
    """`a:rPr` (or `a:endParaRPr`) in schema order: fill, highlight, faces, link."""
    if style.role == "small" and size_pt:
        size_pt = max(SMALL_FLOOR_PT, size_pt * SMALL)
    lang = language_of(text, context.lang)
    attributes = {
        "lang": lang,
        "altLang": "en-US" if lang != "en-US" else context.lang if context.lang != "en-US" else None,
        "sz": round(size_pt * 100) if size_pt else None,
        "b": True if style.bold else None,
        "i": True if style.italic else None,
        "u": "sng" if style.underline else None,
        "strike": "sngStrike" if style.strike else None,
        "baseline": style.baseline * (30_000 if style.baseline > 0 else 25_000) if style.baseline else None,
        "noProof": True if style.code else None,
        "dirty": False,
    }
    fill = ROLE_COLOURS.get(style.role or "", style.colour or colour)
    highlight = element("a:srgbClr", {"val": context.mark_colour})
    return element(
        tag,
        attributes,
        solid(fill) if fill else None,
        element("a:highlight", None, highlight) if style.role == "mark" else None,
        *_faces(text, style, context),
        context.link(style.link) if style.link and context.link else None,
    )


def _faces(text: str, style: Style, context: Context) -> tuple[etree._Element, ...]:
    """Faces that differ from what prose inherits: those of code, and the Latin one for mathematics beside Han.

    Without it, viewers take ∑ or √ after Han from the East Asian face, where they are one em wide.
    """
    if style.code:
        return typefaces(context.faces.latin, context.faces.east_asian)
    symbolic = not text.isascii() and _SYMBOL.search(text) is not None and not any(map(is_wide, text))
    return typefaces("+mn-lt", "+mn-lt") if symbolic else ()


def runs(
    items: Iterable[Run],
    context: Context,
    *,
    size_pt: float | None = None,
    colour: str | None = None,
    bold: bool = False,
) -> list[etree._Element]:
    """`a:r` and `a:br` of a row of runs; `bold` is laid over each run's own style."""
    out: list[etree._Element] = []
    for item in items:
        style = item.style
        if bold and not style.bold:
            style = Style(**{**{name: getattr(style, name) for name in Style.__slots__}, "bold": True})
        for position, part in enumerate(item.text.split("\n")):
            if position:
                properties = run_properties("a:rPr", part, style, context, size_pt=size_pt, colour=colour)
                out.append(element("a:br", None, properties))
            if part:
                properties = run_properties("a:rPr", part, style, context, size_pt=size_pt, colour=colour)
                out.append(element("a:r", None, properties, element("a:t", text=part)))
    return out


def paragraph(
    line: Line, context: Context, *, line_spacing: float = 1.0, colour: str | None = None, start_at: int | None = None
) -> etree._Element:
    """`a:p` of a line: its mark, indent, spacing and runs."""
    left, hang = (round(length * EMU_PER_POINT) for length in line.indent_pt)
    attributes = {
        "marL": left,
        "lvl": line.level or None,
        "indent": -hang,
        "algn": {"left": "l", "center": "ctr", "right": "r"}.get(line.alignment or ""),
    }
    properties = element(
        "a:pPr",
        attributes,
        element("a:lnSpc", None, element("a:spcPct", {"val": round(line_spacing * 100_000)})),
        element("a:spcBef", None, element("a:spcPts", {"val": round(line.space_before_pt * 100)})),
        element("a:spcAft", None, element("a:spcPts", {"val": round(line.space_after_pt * 100)})),
        *_mark(line, start_at),
    )
    content = runs(line.runs, context, size_pt=line.size_pt, colour=colour, bold=line.heading)
    if not content:
        content = [run_properties("a:endParaRPr", "", PLAIN, context, size_pt=line.size_pt)]
    return element("a:p", None, properties, *content)


def _mark(line: Line, start_at: int | None) -> tuple[etree._Element, ...]:
    if line.mark == "none":
        return (element("a:buNone"),)
    if line.mark == "number":
        attributes = {"type": "arabicPeriod", "startAt": start_at if start_at and start_at > 1 else None}
        return (element("a:buFont", {"typeface": "+mj-lt"}), element("a:buAutoNum", attributes))
    glyph = TASK_MARKS.get(line.mark, BULLETS[line.level])
    face = "Segoe UI Symbol" if line.mark in TASK_MARKS else "Arial"
    return (element("a:buFont", {"typeface": face}), element("a:buChar", {"char": glyph}))


def paragraphs(
    lines: Sequence[Line], context: Context, *, line_spacing: float = 1.0, colour: str | None = None
) -> list[etree._Element]:
    """`a:p` of each line. The numbers of one row share its `startAt`: PowerPoint counts on from it by itself."""
    out = []
    starts: dict[int, int] = {}
    for line in lines:
        for level in [level for level in starts if level > line.level]:
            del starts[level]
        if line.mark == "number":
            start = starts.setdefault(line.level, line.number)
            out.append(paragraph(line, context, line_spacing=line_spacing, colour=colour, start_at=start))
            continue
        if not line.indent:
            starts.pop(line.level, None)
        out.append(paragraph(line, context, line_spacing=line_spacing, colour=colour))
    return out


def text_body(
    tag: str,
    content: Sequence[etree._Element],
    *,
    inset_emu: tuple[int, int, int, int] | None = (0, 0, 0, 0),
    anchor: str | None = "t",
    wrap: bool = True,
    vertical: str | None = None,
) -> etree._Element:
    """`p:txBody` (or `a:txBody` in a cell) with at least one paragraph, as PowerPoint demands."""
    insets = dict(zip(("lIns", "tIns", "rIns", "bIns"), inset_emu, strict=True)) if inset_emu else {}
    body = element(
        "a:bodyPr",
        {"vert": vertical, "wrap": "square" if wrap else "none", **insets, "rtlCol": False, "anchor": anchor},
        element("a:noAutofit"),
    )
    return element(tag, None, body, element("a:lstStyle"), *(content or [element("a:p")]))
