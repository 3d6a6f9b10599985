"""Pictures: where their file is, how large they are meant, and rows of them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from deck_builder.model import Block, Column, Columns, Image, Inlines, Run, Source
from deck_builder.reading.attributes import Attributes, report_unknown
from deck_builder.reading.context import Context
from deck_builder.reading.pieces import plain
from deck_builder.values import dataclass, replace

_SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(%|in|cm|mm|pt|px|)")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
_KEYS = ("width", "height", "fig-alt", "alt", "fig-cap", "fig-align")


@dataclass(frozen=True, slots=True)
class Written:
    """A picture as written: `![caption](target "title")`, perhaps inside a link."""

    target: str
    caption: Inlines
    title: str
    link: str | None


def image(written: Written, attributes: Attributes, source: Source, context: Context) -> Image:
    """The block of a picture; its caption is also its alt text, which `fig-alt` overrides."""
    pairs = attributes.pairs
    report_unknown(attributes, "a picture", context.log, source, classes=("decorative",), keys=_KEYS)
    if attributes.identifier:
        context.labels.claim(attributes.identifier, source, context.log)
    caption = written.caption
    if not caption and (title := pairs.get("fig-cap") or written.title.removeprefix("fig:")):
        caption = (Run(title),)
    elif written.title not in ("", "fig:"):
        context.log.notice("the title of a picture is not shown; put the words into its brackets", source)
    return Image(
        locate(written.target, source, context),
        caption,
        pairs.get("fig-alt", pairs.get("alt", plain(caption))),
        label=attributes.identifier,
        width=size(pairs.get("width"), source, context),
        height=size(pairs.get("height"), source, context),
        decorative="decorative" in attributes.classes,
        link=written.link,
        source=source,
    )


def html_image(attributes: Mapping[str, str], link: str | None, source: Source, context: Context) -> Image:
    """The block of `<img src alt width height>`."""
    return Image(
        locate(attributes.get("src", ""), source, context),
        (),
        attributes.get("alt", ""),
        width=size(attributes.get("width"), source, context),
        height=size(attributes.get("height"), source, context),
        link=link,
        source=source,
    )


def locate(target: str, source: Source, context: Context) -> str:
    """The absolute path of a picture file; an address on the network stays as it is.

    Files above the folder that holds the lesson's folder are out of bounds; they are reported and not found.
    """
    if _ADDRESS.match(target):
        if target.startswith("data:"):
            context.log.notice("a picture inside the text is not read; save it as a file beside the lesson", source)
            return target.partition(",")[0]
        return target
    name = unquote(target).partition("?")[0]
    if "%" in target and (context.folder / target).is_file():
        name = target
    path = os.path.normpath(context.folder / name)
    bounds = (Path(os.path.normpath(context.folder)).parent, Path.cwd())
    if not any(Path(path).is_relative_to(bound) for bound in bounds):
        context.log.notice(f"picture {name} lies outside the project; copy it beside the lesson", source)
        return str(context.folder / Path(name).name)
    return path


def size(written: str | None, source: Source, context: Context) -> str | None:
    """A width or height as `50%`, `3in`, `5cm` or `200px`; what is no length is reported and left out."""
    if not written:
        return None
    match = _SIZE.fullmatch(written.strip())
    if match is None:
        context.log.notice(f"`{written}` is no size; write `50%`, `3in`, `5cm` or `200px`", source)
        return None
    number, unit = match[1], match[2] or "px"
    if unit == "mm":
        return f"{float(number) / 10:g}cm"
    return f"{float(number) / 72:g}in" if unit == "pt" else f"{number}{unit}"


def row(images: Sequence[Image]) -> list[Block]:
    """Several pictures of one paragraph side by side; a width in percent becomes the share of the row."""
    if len(images) < 2:
        return [*images]
    columns = []
    for picture in images:
        share = _PERCENT.fullmatch(picture.width or "")
        shown = replace(picture, width=None) if share else picture
        columns.append(Column((shown,), float(share[1]) if share else 0.0, source=picture.source))
    return [Columns(tuple(columns), source=images[0].source)]
