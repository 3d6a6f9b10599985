"""Text: runs with their faces and language, paragraphs with their list marks, text bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from lxml import etree

from deck_builder.elements.xml import element, stencil
from deck_builder.model import PLAIN, Run, Style
from deck_builder.pages import EMU_PER_POINT, Line
from deck_builder.theming.metrics import is_wide
from deck_builder.values import dataclass, replace

ROLE_COLOURS = {"q": "accent1", "k": "accent2", "v": "accent3", "w": "accent4", "warn": "accent5", "muted": "tx2"}
"""One meaning, one theme colour, everywhere."""

SMALL = 0.8
SMALL_FLOOR_PT = 11.0
BULLETS = ("•", "–", "•", "–", "•")
ALIGNMENTS = {"left": "l", "center": "ctr", "right": "r"}
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
    other = "en-US" if lang != "en-US" else context.lang if context.lang != "en-US" else None
    fill = ROLE_COLOURS.get(style.role or "", style.colour or colour)
    mark = context.mark_colour if style.role == "mark" else None
    properties = _run_properties(tag, lang, other, size_pt, _look(style), fill, mark, _faces(text, style, context))
    if style.link and context.link and (link := context.link(style.link)) is not None:
        properties.append(link)
    return properties


def _look(style: Style) -> tuple[tuple[str, object], ...]:
    """The attributes of a style, in the order in which they are written."""
    return (
        ("b", True if style.bold else None),
        ("i", True if style.italic else None),
        ("u", "sng" if style.underline else None),
        ("strike", "sngStrike" if style.strike else None),
        ("baseline", style.baseline * (30_000 if style.baseline > 0 else 25_000) if style.baseline else None),
        ("noProof", True if style.code else None),
    )


@stencil
def _run_properties(
    tag: str,
    lang: str,
    other: str | None,
    size_pt: float | None,
    look: tuple[tuple[str, object], ...],
    fill: str | None,
    mark: str | None,
    faces: tuple[str, str] | None,
) -> etree._Element:
    size = round(size_pt * 100) if size_pt else None
    return element(
        tag,
        {"lang": lang, "altLang": other, "sz": size, **dict(look), "dirty": False},
        solid(fill) if fill else None,
        element("a:highlight", None, element("a:srgbClr", {"val": mark})) if mark else None,
        *(typefaces(*faces) if faces else ()),
    )


def _faces(text: str, style: Style, context: Context) -> tuple[str, str] | None:
    """Faces that differ from what prose inherits: those of code, and the Latin one for mathematics beside Han.

    Without it, viewers take ∑ or √ after Han from the East Asian face, where they are one em wide.
    """
    if style.code:
        return context.faces.latin, context.faces.east_asian
    symbolic = style.math and not text.isascii() and _SYMBOL.search(text) is not None and not any(map(is_wide, text))
    return ("+mn-lt", "+mn-lt") if symbolic else None


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
            style = replace(style, bold=True)
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
    properties = _paragraph_properties(
        line.indent_pt,
        line.level,
        line.alignment,
        (line_spacing, line.space_before_pt, line.space_after_pt),
        line.mark,
        start_at,
    )
    content = runs(line.runs, context, size_pt=line.size_pt, colour=colour, bold=line.heading)
    if not content:
        content = [run_properties("a:endParaRPr", "", PLAIN, context, size_pt=line.size_pt)]
    return element("a:p", None, properties, *content)


@stencil
def _paragraph_properties(
    indent_pt: tuple[float, float],
    level: int,
    alignment: str | None,
    spacing: tuple[float, float, float],
    mark: str,
    start_at: int | None,
) -> etree._Element:
    left, hang = (round(length * EMU_PER_POINT) for length in indent_pt)
    between, before, after = spacing
    return element(
        "a:pPr",
        {"marL": left, "lvl": level or None, "indent": -hang, "algn": ALIGNMENTS.get(alignment or "")},
        element("a:lnSpc", None, element("a:spcPct", {"val": round(between * 100_000)})),
        element("a:spcBef", None, element("a:spcPts", {"val": round(before * 100)})),
        element("a:spcAft", None, element("a:spcPts", {"val": round(after * 100)})),
        *_mark(mark, level, start_at),
    )


def _mark(mark: str, level: int, start_at: int | None) -> tuple[etree._Element, ...]:
    if mark == "none":
        return (element("a:buNone"),)
    if mark == "number":
        attributes = {"type": "arabicPeriod", "startAt": start_at if start_at and start_at > 1 else None}
        return (element("a:buFont", {"typeface": "+mj-lt"}), element("a:buAutoNum", attributes))
    face = "Segoe UI Symbol" if mark in TASK_MARKS else "Arial"
    glyph = TASK_MARKS.get(mark, BULLETS[level])
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
    body = _body_properties(vertical, wrap, inset_emu, anchor)
    return element(tag, None, body, element("a:lstStyle"), *(content or [element("a:p")]))


@stencil
def _body_properties(
    vertical: str | None, wrap: bool, inset_emu: tuple[int, int, int, int] | None, anchor: str | None
) -> etree._Element:
    insets = dict(zip(("lIns", "tIns", "rIns", "bIns"), inset_emu, strict=True)) if inset_emu else {}
    return element(
        "a:bodyPr",
        {"vert": vertical, "wrap": "square" if wrap else "none", **insets, "rtlCol": False, "anchor": anchor},
        element("a:noAutofit"),
    )
