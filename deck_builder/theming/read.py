"""Read a template into a `Theme`, straight from its XML: only the parts that are needed, each once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from lxml import etree

from deck_builder import paths
from deck_builder.errors import DeckError
from deck_builder.pages import Frame
from deck_builder.theming.colours import better_map, by_part, read_map, read_values
from deck_builder.theming.faces import CODE, read_faces, stretch
from deck_builder.theming.metrics import Metrics, load_metrics
from deck_builder.theming.package import NAMESPACES, RELATION_ID, Package, open_package
from deck_builder.theming.placeholders import Master, default_frame, read_master, read_placeholders
from deck_builder.theming.roles import Candidate, with_roles
from deck_builder.theming.theme import Layout, Sizes, Theme
from deck_builder.values import dataclass, replace

DEFAULT = "lecture.pptx"
EMU_PER_INCH = 914_400
USUAL_HEIGHT = 7.5 * EMU_PER_INCH
"""Of the slides that the sizes of `Sizes` are meant for."""


def read_theme(path: Path | None = None) -> Theme:
    """The theme of a template (.pptx or .potx); without one, of the template that ships with the tool.

    Raises `DeckError` when the file is missing, is no presentation, or has no layout.
    """
    template = path or paths.templates() / DEFAULT
    package = open_package(template)
    with package.archive:
        return _theme(package)


def _theme(package: Package) -> Theme:
    main = package.main()
    presentation = package.xml(main)
    size = presentation.find("p:sldSz", NAMESPACES)
    if size is None:
        raise DeckError(f"{package.path.name} does not say how large its slides are; save it again in PowerPoint")
    page = Frame(0, 0, int(size.get("cx", 0)), int(size.get("cy", 0)))
    masters = _masters(package, presentation, main)
    candidates = [candidate for master in masters for candidate in master.candidates(package, page)]
    layouts = with_roles(_told_apart(candidates))
    content = next(layout for layout in layouts if layout.role == "content")
    theme_root = package.xml(masters[0].theme)
    latin, east_asian = read_faces(theme_root)
    values, mapping = read_values(theme_root), read_map(masters[0].root)
    better = better_map(mapping, values)
    return Theme(
        template=str(package.path),
        digest=hashlib.sha256(package.path.read_bytes()).hexdigest(),
        width=page.width,
        height=page.height,
        layouts=layouts,
        colours=by_part(better or mapping, values),
        colour_map=better,
        latin=latin,
        east_asian=east_asian,
        code=CODE,
        body=_body(content, page),
        sizes=_sizes(content, page),
        metrics=_metrics(latin),
    )


# ---------------------------------------------------------------- masters and layouts


@dataclass(frozen=True, slots=True)
class _MasterPart:
    """A slide master, the part of its theme, and its layouts in their order."""

    root: etree._Element
    theme: str
    layouts: tuple[str, ...]

    def candidates(self, package: Package, page: Frame) -> tuple[Candidate, ...]:
        mapping = read_map(self.root)
        values = read_values(package.xml(self.theme))
        master = read_master(self.root, better_map(mapping, values) or mapping)
        return tuple(_candidate(package, part, master, page) for part in self.layouts)


def _masters(package: Package, presentation: etree._Element, main: str) -> tuple[_MasterPart, ...]:
    related = package.related(main)
    ids = [node.get(RELATION_ID, "") for node in presentation.iterfind(".//p:sldMasterId", NAMESPACES)]
    masters = tuple(_master(package, related[identifier].part) for identifier in ids if identifier in related)
    if not any(master.layouts for master in masters):
        count = len(presentation.findall(".//p:sldId", NAMESPACES))
        raise DeckError(
            f"{package.path.name} has no slide layouts (it has {len(masters)} masters and {count} slides); "
            "a template needs at least one layout with a title"
        )
    return masters


def _master(package: Package, part: str) -> _MasterPart:
    root, related = package.xml(part), package.related(part)
    theme = next((relation.part for relation in related.values() if relation.kind == "theme"), None)
    if theme is None:
        raise DeckError(f"{package.path.name}: the master {part} has no theme; save the template again in PowerPoint")
    ids = [node.get(RELATION_ID, "") for node in root.iterfind("p:sldLayoutIdLst/p:sldLayoutId", NAMESPACES)]
    return _MasterPart(root, theme, tuple(related[identifier].part for identifier in ids if identifier in related))


def _candidate(package: Package, part: str, master: Master, page: Frame) -> Candidate:
    root = package.xml(part)
    placeholders, vertical = read_placeholders(root, master, page)
    sheet = root.find("p:cSld", NAMESPACES)
    name = " ".join((sheet.get("name", "") if sheet is not None else "").split()) or Path(part).stem
    return Candidate(Layout(name, None, part, placeholders), root.get("type", ""), vertical)


def _told_apart(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Layouts of the same name (those of a second master, say) get a number, so that a name means one layout."""
    seen: Counter[str] = Counter()
    out = []
    for candidate in candidates:
        layout = candidate.layout
        seen[layout.name] += 1
        name = f"{layout.name} ({seen[layout.name]})" if seen[layout.name] > 1 else layout.name
        out.append(replace(candidate, layout=replace(layout, name=name)))
    return tuple(out)


# ---------------------------------------------------------------- what the whole theme says


def _body(content: Layout, page: Frame) -> Frame:
    """All that the ordinary layout gives to content, or what its title leaves free."""
    frames = [placeholder.frame for placeholder in content.placeholders if placeholder.kind == "body"]
    if frames:
        left, top = max(0, min(frame.left for frame in frames)), max(0, min(frame.top for frame in frames))
        right = min(page.width, max(frame.right for frame in frames))
        bottom = min(page.height, max(frame.bottom for frame in frames))
        if right - left > page.width // 4 and bottom - top > page.height // 4:
            return Frame(left, top, right - left, bottom - top)
    usual = default_frame("body", page)
    title = content.first("title")
    top = title.frame.bottom + page.height // 40 if title else usual.top
    return Frame(usual.left, top, usual.width, usual.bottom - top) if top < page.height // 2 else usual


def _sizes(content: Layout, page: Frame) -> Sizes:
    """The usual sizes in proportion to the slide's height, begun with the template's own where it says one."""
    usual, scale = Sizes(), page.height / USUAL_HEIGHT
    scaled: dict[str, Any] = {
        field.name: tuple(_scaled(size, scale) for size in value) if isinstance(value, tuple) else _scaled(value, scale)
        for field in fields(Sizes)
        for value in (getattr(usual, field.name),)
    }
    title, body = content.first("title"), content.first("body")
    own_title = title.size_pt if title and title.size_pt else scaled["title"][0]
    own_body = body.size_pt if body and body.size_pt else scaled["body"][0]
    scaled["title"] = _from(own_title, (_scaled(36.0, scale), *scaled["title"]))
    scaled["body"] = _from(own_body, (_scaled(24.0, scale), *scaled["body"]))
    return Sizes(**scaled)


def _scaled(size_pt: float, scale: float) -> float:
    """To the half point."""
    return round(size_pt * scale * 2) / 2


def _from(own: float, steps: tuple[float, ...]) -> tuple[float, ...]:
    """A template's own size, then the steps below it."""
    return (own, *(size for size in steps if size < own))


def _metrics(latin: str) -> Metrics:
    """The shipped tables, made wider for a face that runs wider than Calibri."""
    metrics, factor = load_metrics(paths.templates() / "metrics.json"), stretch(latin)
    if factor == 1.0:
        return metrics
    wider = [
        {key: round(width * factor, 4) for key, width in table.items()} for table in (metrics.regular, metrics.bold)
    ]
    return replace(metrics, regular=wider[0], bold=wider[1])
