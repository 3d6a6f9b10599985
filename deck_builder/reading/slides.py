"""A lesson's blocks → slides: headings and `---` cut, notes and footnotes go to theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from deck_builder.model import (
    EMPTY,
    Block,
    Callout,
    Code,
    Columns,
    Equation,
    Heading,
    Image,
    Inlines,
    List,
    Paragraph,
    Quote,
    Run,
    Settings,
    Slide,
    Source,
    Table,
)
from deck_builder.reading.attributes import Attributes, report_unknown
from deck_builder.reading.context import Foot, Notes
from deck_builder.reading.identifiers import Identifiers
from deck_builder.reading.log import Log
from deck_builder.reading.pieces import plain
from deck_builder.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Title:
    """A heading of the top level."""

    level: int
    inlines: Inlines
    attributes: Attributes
    source: Source


@dataclass(frozen=True, slots=True)
class Break:
    """`---`."""

    source: Source


Part = Title | Break | Block | Notes | Foot

CLASSES = ("hidden", "unlisted", "unnumbered")
KEYS = ("layout", "background-color", "background-image", "fit", "transition", "notes", "visibility")
CHOICES = {"fit": ("auto", "shrink", "split", "error"), "transition": ("fade", "push", "morph", "none")}
NOT_YET = ("background-image", "transition")
_WORDS = 40
"""Characters of a slide's first words that name it."""


@dataclass(slots=True)
class _Draft:
    """A slide while its parts are gathered."""

    kind: str
    source: Source
    title: Title | None = None
    blocks: list[Block] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)
    feet: list[Block] = field(default_factory=list)
    section: str = ""
    identifier: str | None = None
    """As pandoc gives it: in the order of headings, so that links written for pandoc keep their targets."""

    def is_empty(self) -> bool:
        return not self.notes and self.is_notes_alone()

    def is_notes_alone(self) -> bool:
        """Whether it shows nothing; it may have notes."""
        return not (self.blocks or self.feet or (self.title and self.title.inlines))


def slide_level(parts: Iterable[Part], settings: Settings) -> int:
    """The heading level that begins slides: as set, else 2, else 1 where the deck has no heading of level 2."""
    if settings.slide_level is not None:
        return settings.slide_level
    return 2 if any(isinstance(part, Title) and part.level == 2 for part in parts) else 1


def cut(
    parts: Sequence[Part], settings: Settings, start: Source, log: Log, *, cover_notes: tuple[Block, ...] = ()
) -> tuple[tuple[Slide, ...], set[str]]:
    """The slides of a lesson, cover first, and every identifier in it.

    Notes that stand before anything else are the cover's, as in pandoc, after those of the front matter.
    """
    identifiers = Identifiers()
    slides: list[Slide] = []
    has_cover = bool(settings.title or settings.subtitle or settings.author)
    identifier = identifiers.make("title-slide", start) if has_cover else None
    drafts = _drafts(parts, slide_level(parts, settings), start, identifiers, log)
    if has_cover:
        title = settings.title or settings.subtitle or (Run(settings.author),)
        if drafts and drafts[0].source == start and drafts[0].is_notes_alone():
            cover_notes += tuple(drafts.pop(0).notes)
        slides.append(Slide("cover", title, notes=cover_notes, identifier=identifier, source=start))
    for draft in drafts:
        before = slides[-1].title if slides and slides[-1].kind != "cover" else ()
        slides.append(_finish(draft, before, identifiers, log))
    return tuple(slides), set(identifiers.taken)


def _drafts(parts: Sequence[Part], level: int, start: Source, identifiers: Identifiers, log: Log) -> list[_Draft]:
    drafts = [_Draft("content", start)]
    section = ""
    for part in parts:
        draft = drafts[-1]
        match part:
            case Title(level=found) if found < level:
                section = plain(part.inlines)
                identifier = _identifier(part, identifiers, log)
                drafts.append(_Draft("section", part.source, part, section=section, identifier=identifier))
            case Title(level=found) if found == level:
                identifier = _identifier(part, identifiers, log)
                drafts.append(_Draft("content", part.source, part, section=section, identifier=identifier))
            case Title():
                _inside(part, draft, identifiers, log)
            case Break(source=source):
                drafts.append(_Draft("content", source, section=section))
            case Notes(blocks=blocks):
                draft.notes.extend(blocks)
            case Foot(blocks=blocks):
                draft.feet.extend(blocks)
            case _:
                draft.blocks.append(part)
    return [draft for draft in _after_sections(drafts) if not draft.is_empty()]


def _identifier(part: Title, identifiers: Identifiers, log: Log) -> str:
    if part.attributes.identifier:
        return identifiers.claim(part.attributes.identifier, part.source, log)
    return identifiers.make(plain(part.inlines), part.source)


def _inside(part: Title, draft: _Draft, identifiers: Identifiers, log: Log) -> None:
    """A heading below the slide level is a heading inside the slide."""
    _identifier(part, identifiers, log)
    report_unknown(part.attributes, "a heading inside a slide", log, part.source, classes=("unnumbered", "unlisted"))
    if part.inlines:
        draft.blocks.append(Heading(part.level, part.inlines, source=part.source))


def _after_sections(drafts: Iterable[_Draft]) -> Iterable[_Draft]:
    """What stands between a section's heading and the next slide gets a slide of its own with the same title."""
    for draft in drafts:
        if draft.kind != "section" or not (draft.blocks or draft.feet):
            yield draft
            continue
        title = replace(draft.title, attributes=Attributes()) if draft.title else None
        yield replace(draft, blocks=[], feet=[])
        yield _Draft("content", draft.source, title, draft.blocks, feet=draft.feet, section=draft.section)


def _finish(draft: _Draft, before: Inlines, identifiers: Identifiers, log: Log) -> Slide:
    written = draft.title.inlines if draft.title else ()
    title = written or before or (Run(first_words(draft.blocks) or "…"),)
    attributes = draft.title.attributes if draft.title else Attributes()
    blocks = [*draft.blocks, *draft.feet]
    return Slide(
        "section" if draft.kind == "section" else "content",
        title,
        tuple(blocks),
        notes=tuple(draft.notes),
        identifier=draft.identifier or identifiers.make(plain(written), draft.source),
        classes=attributes.classes,
        attributes=_checked(attributes, draft.source, log) if draft.title else EMPTY,
        title_hidden=not written,
        hidden="hidden" in attributes.classes or attributes.pairs.get("visibility") == "hidden",
        section=draft.section,
        source=draft.source,
    )


def _checked(attributes: Attributes, source: Source, log: Log) -> Mapping[str, str]:
    """The attributes of a slide that mean something; the others are reported."""
    report_unknown(attributes, "a slide", log, source, classes=CLASSES, keys=KEYS)
    kept: dict[str, str] = {}
    for key, value in attributes.pairs.items():
        choices = CHOICES.get(key)
        if choices is not None and value not in choices:
            log.notice(f"`{key}={value}` is none of {', '.join(choices)}", source)
        elif key in KEYS and key != "notes":
            kept[key] = value
            if key in NOT_YET and value != "none":
                log.notice(f"`{key}=` is not shown yet", source)
    return MappingProxyType(kept) if kept else EMPTY


def first_words(blocks: Sequence[Block]) -> str:
    """The words a slide begins with, for one that has no title."""
    for block in blocks:
        text = _words(block)
        if text:
            return text if len(text) <= _WORDS else f"{text[:_WORDS].rstrip()}…"
    return ""


def _words(block: Block) -> str:
    match block:
        case Paragraph(inlines=inlines) | Heading(inlines=inlines):
            return plain(inlines)
        case List(items=items):
            return first_words([inner for item in items for inner in item.blocks])
        case Quote(blocks=inner):
            return first_words(inner)
        case Callout(title=title, blocks=inner):
            return plain(title) or first_words(inner)
        case Columns(columns=columns):
            return first_words([inner for column in columns for inner in column.blocks])
        case Table(caption=caption, header=header):
            return plain(caption) or " ".join(plain(cell) for cell in header)
        case Image(caption=caption, alt=alt):
            return plain(caption) or alt
        case Code(text=text):
            return text.strip().partition("\n")[0]
        case Equation(tex=tex):
            return tex
        case _:
            return plain(getattr(block, "caption", ()))
