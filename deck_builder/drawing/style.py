"""matplotlib's defaults for figures of a deck: the theme's colours, legible sizes, faces that ship with the tool."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib import font_manager
from matplotlib.colors import LinearSegmentedColormap, to_rgb

from deck_builder.paths import templates
from deck_builder.values import replace

ALIASES = ("SimHei", "Microsoft YaHei", "SimSun", "PingFang SC", "Noto Sans CJK SC", "Source Han Sans SC")
"""Chinese faces that scripts ask for; where the machine lacks one, the face that ships with the tool answers."""
HAN_FACE = "Lecture Sans SC"
BOLD = 700
RAMP = "lecture"
"""The colormap of images that name none: paper, the colour of weights, and its dark end."""


def apply(colours: Mapping[str, str], size_inches: tuple[float, float] | None) -> None:
    """Set matplotlib's defaults for the next figure, whatever they were.

    `colours` maps the theme's slots to RRGGBB; `size_inches` is the frame's size where it is known.
    """
    _register_faces(templates() / "fonts")
    mpl.rcdefaults()
    mpl.rcParams.update(mpl.rc_params_from_file(templates() / "lecture.mplstyle", use_default_template=False))
    mpl.rcParams.update(_colours({slot: f"#{value}" for slot, value in colours.items()}))
    if RAMP in mpl.colormaps:
        mpl.colormaps.unregister(RAMP)
    mpl.colormaps.register(_ramp(f"#{colours['lt1']}", f"#{colours['accent4']}"))
    mpl.rcParams["image.cmap"] = RAMP
    if size_inches:
        mpl.rcParams["figure.figsize"] = size_inches


def _colours(slots: Mapping[str, str]) -> dict[Any, Any]:
    ink, muted, paper = slots["dk1"], slots["dk2"], slots["lt1"]
    inked = (
        "text.color",
        "axes.titlecolor",
        "xtick.labelcolor",
        "ytick.labelcolor",
        "legend.labelcolor",
        "patch.edgecolor",
    )
    quiet = (
        "axes.labelcolor",
        "axes.edgecolor",
        "xtick.color",
        "ytick.color",
        "grid.color",
        "hatch.color",
        "legend.edgecolor",
    )
    paper_like = ("figure.facecolor", "axes.facecolor", "legend.facecolor")
    boxplot = (
        "boxprops.color",
        "whiskerprops.color",
        "capprops.color",
        "flierprops.color",
        "flierprops.markeredgecolor",
    )
    return {
        **dict.fromkeys(inked, ink),
        **dict.fromkeys(quiet, muted),
        **dict.fromkeys(paper_like, paper),
        **{f"boxplot.{name}": ink for name in boxplot},
        "boxplot.medianprops.color": slots["accent1"],
        "axes.prop_cycle": cycler(color=[slots[f"accent{number}"] for number in range(1, 7)]),
    }


def _ramp(paper: str, role: str) -> LinearSegmentedColormap:
    bright = sum(to_rgb(paper)) > 1.5
    end = tuple(channel / 2 if bright else 1 - (1 - channel) * 0.4 for channel in to_rgb(role))
    return LinearSegmentedColormap.from_list(RAMP, [to_rgb(paper), to_rgb(role), end])


def _register_faces(folder: Path) -> None:
    """Make the faces in `folder` known, once; the Chinese one also under the names that scripts expect."""
    manager = font_manager.fontManager
    known = {Path(entry.fname) for entry in manager.ttflist}
    for path in sorted(folder.glob("*.[ot]tf")):
        if path not in known:
            manager.addfont(path)
    names = {entry.name for entry in manager.ttflist}
    han = next(entry for entry in manager.ttflist if entry.name == HAN_FACE)
    manager.ttflist.extend(replace(han, name=alias) for alias in ALIASES if alias not in names)
    if not any(entry.name == HAN_FACE and entry.weight == BOLD for entry in manager.ttflist):
        manager.ttflist.append(
            replace(han, weight=BOLD)
        )  # it has one weight, which bold text may have without a warning
