"""Text of a figure as runs, measured by the shipped metrics: the slide shows what the figure's layout counted on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from matplotlib import font_manager
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from deck_builder.errors import DeckError
from deck_builder.formulas import runs as formula_runs
from deck_builder.model import PLAIN, Run, Style
from deck_builder.theming.metrics import Metrics, is_wide
from deck_builder.values import dataclass, replace

ASCENT, DESCENT, LINE_GAP = 0.86, 0.20, 0.16
"""What layout counts for a line, in em: the same for every text, so that neighbouring labels share a baseline. Their
middle, 0.33 em above it, is that of capitals and digits; with the gap, lines are 1.22 em apart, as in Calibri."""

LATIN, EAST_ASIAN, CODE = (0.952, 0.269), (1.058, 0.262), (0.92, 0.25)
"""Ascent and descent of a line as viewers set it: Calibri, Microsoft YaHei, Consolas."""

SCRIPT_SCALE = 2 / 3
"""Size of a raised or lowered run."""

_DOLLARS = re.compile(r"(?<!\\)\$")
_DEFAULT = re.compile(r"\\mathdefault\s*(?:\{\}|(?=\{))")
_REGULAR = re.compile(r"\\mathregular\b")

Line = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """Size of a line in points."""

    width: float
    ascent: float
    descent: float


@dataclass(frozen=True, slots=True)
class Typesetter:
    """Turns strings as matplotlib passes them into runs, and says how large they are."""

    metrics: Metrics

    def line(self, text: str, prop: FontProperties, *, formula: bool) -> Line | None:
        """The runs of one line; None where a formula in it needs two dimensions."""
        style = style_of(prop)
        if not formula:
            return (Run(text, style),) if text else ()
        runs: list[Run] = []
        for part, inside in _parts(text):
            if not inside:
                runs.append(Run(part.replace(r"\$", "$"), style))
            elif (set_runs := _formula(part)) is None:
                return None
            else:
                runs.extend(replace(run, style=_over(run.style, style)) for run in set_runs)
        return tuple(runs)

    def width(self, line: Line, size_pt: float) -> float:
        """Width of a line, without spare."""
        return size_pt * sum(
            self.metrics.advance(run.text, bold=run.style.bold, code=run.style.code)
            * (SCRIPT_SCALE if run.style.baseline else 1.0)
            for run in line
        )

    def extent(self, line: Line, size_pt: float) -> Extent:
        """What layout counts for a line."""
        return Extent(self.width(line, size_pt), ASCENT * size_pt, DESCENT * size_pt)


@lru_cache(maxsize=1024)
def _formula(tex: str) -> Line | None:
    """The runs of a formula; None where only outlines show it, or where only matplotlib knows its commands."""
    try:
        return formula_runs(_plain_tex(tex))
    except DeckError:
        return None


def glyphs(text: str, prop: FontProperties) -> Path:
    """The outlines of a text with formulas, from where its baseline begins, in points."""
    vertices, codes = text_to_path.get_text_path(prop, text, ismath=True)
    scale = prop.get_size_in_points() / text_to_path.FONT_SCALE
    return Path(np.asarray(vertices, dtype=float).reshape(-1, 2) * scale, codes)


def line_box(line: Line, size_pt: float) -> tuple[float, float]:
    """Ascent and descent of the line as a viewer sets it: the larger of its faces."""
    text = "".join(run.text for run in line)
    faces = [CODE if any(run.style.code for run in line) else LATIN]
    if any(map(is_wide, text)):
        faces.append(EAST_ASIAN)
    return size_pt * max(face[0] for face in faces), size_pt * max(face[1] for face in faces)


def style_of(prop: FontProperties) -> Style:
    """Weight, slant and pitch of a font. Its family does not matter: a deck has one face for prose and one for code."""
    return Style(
        bold=_weight(prop) >= font_manager.weight_dict["semibold"],
        italic=prop.get_style() in ("italic", "oblique"),
        code=any(family in ("monospace", "Consolas", "Courier New") for family in prop.get_family()[:1]),
    )


def _weight(prop: FontProperties) -> int:
    weight = prop.get_weight()
    return font_manager.weight_dict[weight] if isinstance(weight, str) else int(weight)


def _over(style: Style, base: Style) -> Style:
    if base == PLAIN:
        return style
    return replace(
        style, bold=style.bold or base.bold, italic=style.italic or base.italic, code=style.code or base.code
    )


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The parts between dollar signs, in turn outside and inside of formulas; empty ones are left out."""
    for position, part in enumerate(_DOLLARS.split(text)):
        if part:
            yield part, position % 2 == 1


def _plain_tex(tex: str) -> str:
    r"""The formula without what only matplotlib knows: `\mathdefault{10^{2}}`, as log axes write, is `{10^{2}}`."""
    bare = _REGULAR.sub(r"\\mathrm", _DEFAULT.sub("", tex)).strip()
    if bare.startswith("{") and bare.endswith("}") and _closes_last(bare):
        bare = bare[1:-1]
    return bare


def _closes_last(tex: str) -> bool:
    """Whether the brace that opens the string is closed by its last character."""
    depth = 0
    for position, character in enumerate(tex):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            return position == len(tex) - 1
    return False
