"""Colour with one meaning everywhere: roles by position in the property cycle, ramps made of them, readable labels."""

from __future__ import annotations

from matplotlib import rcParams
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

Colour = str | tuple[float, float, float]

QUERY = "C0"
KEY = "C1"
VALUE = "C2"
WEIGHTS = "C3"
WARNING = "C4"
EXTRA = "C5"

READABLE = 4.5
"""The contrast that text has to reach on what lies behind it (WCAG 2.2, level AA)."""


def ink() -> str:
    """The colour of text in the theme that is being drawn."""
    return str(rcParams["text.color"])


def muted() -> str:
    """The colour of axes, captions and arrows."""
    return str(rcParams["axes.labelcolor"])


def paper() -> str:
    """The colour behind everything."""
    return str(rcParams["axes.facecolor"])


def hairline() -> str:
    """The colour of grids and of the borders between cells."""
    return mix(paper(), muted(), 0.25)


def mix(start: Colour, end: Colour, share: float) -> str:
    """The colour `share` (0..1) of the way from `start` to `end`, as #rrggbb."""
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(start), to_rgb(end), strict=True))
    return to_hex((red, green, blue))


def tint(role: Colour, share: float) -> str:
    """Paper with `share` (0..1) of the role's colour."""
    return mix(paper(), role, share)


def luminance(colour: Colour) -> float:
    """Relative luminance (0 black .. 1 white) as WCAG defines it."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio (1 .. 21) as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable_on(background: Colour) -> str:
    """A colour for text on `background`: ink or paper where readable, else black or white, one of which always is."""
    candidates = (ink(), paper(), "#ffffff", "#000000")
    return next((c for c in candidates if contrast(c, background) >= READABLE), candidates[0])


def ramp(role: Colour = WEIGHTS, *, name: str = "weights") -> LinearSegmentedColormap:
    """Paper → the role's colour → its dark end (its bright end on dark paper): for values from 0 to a maximum."""
    end = mix(role, "#000000", 0.5) if luminance(paper()) > 0.5 else mix(role, "#ffffff", 0.6)
    return LinearSegmentedColormap.from_list(name, [to_rgb(paper()), to_rgb(role), to_rgb(end)])


def signed(role: Colour, *, name: str = "signed") -> LinearSegmentedColormap:
    """Grey → paper → the role's colour, all pale enough for ink on top: for matrices whose numbers are written."""
    ends = (tint(muted(), 0.4), paper(), tint(role, 0.45))
    return LinearSegmentedColormap.from_list(name, [to_rgb(end) for end in ends])


def diverging(role: Colour, *, name: str = "diverging") -> LinearSegmentedColormap:
    """Dark grey → paper → the role's colour: for values around 0 that are seen, not read."""
    return LinearSegmentedColormap.from_list(name, [to_rgb(mix(muted(), ink(), 0.3)), to_rgb(paper()), to_rgb(role)])
