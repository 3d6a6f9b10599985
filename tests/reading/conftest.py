from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from deck_builder.model import (
    Block,
    Callout,
    Code,
    Columns,
    Deck,
    Equation,
    Figure,
    FigureCall,
    Heading,
    Image,
    Inline,
    Inlines,
    List,
    Math,
    Paragraph,
    Quote,
    Reference,
    Rule,
    Run,
    SnippetCall,
    Style,
    Table,
    TableCall,
    Value,
)
from deck_builder.reading import read

Read = Callable[..., Deck]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty lesson folder, `content`, below the current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "content").mkdir()
    return tmp_path / "content"


@pytest.fixture
def lesson(folder: Path) -> Read:
    """Writes files (a text alone is `a.md`) and reads the lesson."""

    def write(text: str = "", **files: str) -> Deck:
        for name, content in ({"a": text} if text else files).items():
            (folder / f"{name}.md").write_bytes(content.encode())
        return read(folder)

    return write


@pytest.fixture
def dump() -> Callable[[Deck], str]:
    return dump_deck


def dump_deck(deck: Deck) -> str:
    """A deck as compact text: one line a slide, block or item, notices at the end."""
    return "\n".join([*_slides(deck), *(f"notice {notice}" for notice in deck.notices)]) + "\n"


def _slides(deck: Deck) -> Iterator[str]:
    for slide in deck.slides:
        flags = [*(f".{name}" for name in slide.classes), *_pairs(slide.attributes)]
        flags += ["title-hidden"] * slide.title_hidden + ["hidden"] * slide.hidden
        flags += [f"section={slide.section!r}"] if slide.section else []
        yield " ".join([slide.kind, f"#{slide.identifier}", f'"{text(slide.title)}"', *flags])
        yield from _indented(slide.blocks)
        if slide.notes:
            yield "  notes"
            yield from _indented(slide.notes, 4)


def _pairs(mapping: Mapping[str, object]) -> list[str]:
    return [f"{key}={value}" for key, value in mapping.items()]


def _indented(blocks: Iterable[Block], by: int = 2) -> Iterator[str]:
    for block in blocks:
        for line in _block(block):
            yield " " * by + line


def _options(**options: object) -> str:
    return "".join(f" {key}={value}" for key, value in options.items() if value not in (None, "", (), False))


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(inlines=inlines):
            yield f"p {text(inlines)}"
        case Heading(level=level, inlines=inlines):
            yield f"h{level} {text(inlines)}"
        case List():
            yield f"ol {block.start}" if block.ordered else "ul"
            for item in block.items:
                box = {None: "-", True: "[x]", False: "[ ]"}[item.checked]
                inner = list(_indented(item.blocks, 0))
                yield f"  {box} {inner[0] if inner else ''}".rstrip()
                yield from (f"    {line}" for line in inner[1:])
        case Quote(blocks=blocks):
            yield "quote"
            yield from _indented(blocks)
        case Rule():
            yield "rule"
        case Table():
            widths = "/".join(f"{width:g}" for width in block.widths)
            yield (
                "table "
                + " ".join(a[0] for a in block.alignments)
                + _options(widths=widths, label=block.label, caption=text(block.caption), alt=block.alt)
            )
            if block.header:
                yield "  " + " | ".join(map(text, block.header))
                yield "  ---"
            for row in block.rows:
                yield "  " + " | ".join(map(text, row))
        case Code():
            yield f"code {block.language}".rstrip() + _options(
                label=block.label, filename=block.filename, highlight=block.highlight, first=block.first_number
            )
            yield from (f"  {line}" for line in block.text.split("\n"))
        case Equation():
            yield f"equation {block.tex!r}" + _options(label=block.label)
        case Image():
            name = block.path if "://" in block.path else Path(block.path).name
            yield f"image {name}" + _options(
                caption=text(block.caption),
                alt=block.alt,
                label=block.label,
                width=block.width,
                height=block.height,
                decorative=block.decorative,
                link=block.link,
            )
        case Columns(columns=columns):
            yield "columns"
            for column in columns:
                yield f"  column {column.width:g}" if column.width else "  column"
                yield from _indented(column.blocks, 4)
        case Callout(kind=kind, title=title, blocks=blocks):
            yield f"callout {kind} {text(title)}".rstrip()
            yield from _indented(blocks)
        case FigureCall() | TableCall():
            name = "figure" if isinstance(block, FigureCall) else "table-call"
            size = {"width": block.width, "height": block.height} if isinstance(block, FigureCall) else {}
            yield f"{name} {block.function}({', '.join(f'{k}={v!r}' for k, v in block.arguments.items())})" + _options(
                label=block.label, caption=text(block.caption), alt=block.alt, **size
            )
        case SnippetCall():
            yield f"snippet {block.function}" + _options(
                lines=block.lines, highlight=block.highlight, label=block.label, caption=text(block.caption)
            )
        case Figure():
            raise AssertionError("the reader runs nothing")


def text(inlines: Inlines) -> str:
    return "".join(map(_inline, inlines))


def _inline(inline: Inline) -> str:
    match inline:
        case Run(text=content):
            shown = content.replace("\n", "↵").replace("\u00a0", "␣")
        case Math(tex=tex):
            shown = f"${tex}$".replace("\n", "↵")
        case Value():
            index = f"[{inline.index}]" if inline.index is not None else ""
            shown = f"{{value {inline.label}.{inline.name}{index}:{inline.format}}}"
        case Reference(target=target):
            shown = f"{{@{target}}}"
    marks = _marks(inline.style)
    return f"⟨{marks}|{shown}⟩" if marks else shown


def _marks(style: Style) -> str:
    names = [name for name in ("bold", "italic", "code", "strike", "underline") if getattr(style, name)]
    names += {1: ["sup"], -1: ["sub"], 0: []}[style.baseline]
    names += [style.role] if style.role else []
    names += [style.link] if style.link else []
    return " ".join(names)
