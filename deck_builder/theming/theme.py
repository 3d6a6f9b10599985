"""What layout, drawing and writing need to know of a template. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deck_builder.pages import Frame
from deck_builder.theming.metrics import Metrics
from deck_builder.values import dataclass, field

Role = Literal["cover", "section", "content", "two-contents", "figure", "title-only"]
"""What a layout is for; found by its name, else guessed from its placeholders."""

PlaceholderKind = Literal["title", "subtitle", "body", "picture", "footer", "number", "date"]


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A box that the layout reserves; `index` is its `idx` (0 for the title), unique in the layout."""

    index: int
    kind: PlaceholderKind
    frame: Frame
    name: str = ""
    type: str = ""
    """The `type` attribute as the layout writes it: `ctrTitle`, `title`, `body`, `subTitle`, `sldNum`, `ftr`, …"""
    size_pt: float | None = None
    """The size its first level inherits, when the template says one."""
    anchor: Literal["top", "middle", "bottom"] = "top"
    bold: bool = False
    colour: str | None = None
    """Theme slot or RRGGBB of its text, when the template says one."""
    idx: int | None = None
    """Its `idx` as the layout writes it, where that is not `index`: some programs number all their placeholders 0."""

    @property
    def reference(self) -> Mapping[str, str]:
        """The attributes of `p:ph` in a slide's shape that fills it."""
        idx = self.index if self.idx is None else self.idx
        return {**({"type": self.type} if self.type else {}), **({"idx": str(idx)} if idx else {})}


@dataclass(frozen=True, slots=True)
class Layout:
    """One named layout."""

    name: str
    role: Role | None
    """None where a layout serves only those who ask for it by name."""
    part: str
    """Its part in the template, e.g. `ppt/slideLayouts/slideLayout2.xml`."""
    placeholders: tuple[Placeholder, ...]

    def first(self, kind: PlaceholderKind) -> Placeholder | None:
        """The first placeholder of a kind, or None."""
        return next((p for p in self.placeholders if p.kind == kind), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes in points, largest first; the last is the floor."""

    title: tuple[float, ...] = (30.0, 24.0)
    body: tuple[float, ...] = (20.0, 18.0, 16.0)
    code: tuple[float, ...] = (16.0, 15.0, 14.0, 13.0, 12.0)
    table: tuple[float, ...] = (16.0, 15.0, 14.0, 13.0, 12.0)
    caption: float = 12.0
    footer: float = 11.0
    equation: tuple[float, ...] = (24.0, 22.0, 20.0, 18.0, 16.0, 14.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A template as values. `colours` maps the twelve slots (dk1 lt1 dk2 lt2 accent1…6 hlink folHlink) to RRGGBB."""

    template: str = field(compare=False)
    """Path of the .pptx."""
    digest: str
    """Of the template's bytes: part of what a drawing depends on."""
    width: int
    height: int
    layouts: tuple[Layout, ...]
    colours: Mapping[str, str] = field(hash=False)
    colour_map: Mapping[str, str] | None = field(default=None, hash=False)
    """What the colours of slides (`bg1`, `tx1`, …) shall stand for, where that is not what the master says."""
    latin: str
    east_asian: str
    code: str
    body: Frame
    """The drawing area of an ordinary slide."""
    sizes: Sizes = Sizes()
    metrics: Metrics = field(hash=False, repr=False, compare=False)

    def layout(self, role: Role) -> Layout:
        """The layout that plays a role; every theme has one for each (guessed where no name fits)."""
        return next(layout for layout in self.layouts if layout.role == role)
