"""Display formulas: of natural size, centred in their column, smaller where they must."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from deck_builder.layout.measure import SPARE, lines_height, measure
from deck_builder.layout.parts import Formula
from deck_builder.layout.setting import Area, Setting, Step
from deck_builder.model import Equation, Notice, Run
from deck_builder.pages import EMU_PER_POINT, EquationBox, Line, TextBox

REFERENCE_PT = 24.0
"""Formulas are measured at this size; their extent grows in proportion."""
LEAST_PT = 11.0
NUMBER_GAP = 8.0
NUMBER_SPARE = 1.0
"""So that rounding never breaks the number, in points."""


def formula(block: Equation, setting: Setting, *, body_size: bool = False) -> Formula:
    """A measured formula."""
    width, height = setting.formulas.size(block.tex, REFERENCE_PT)
    return Formula(
        tex=block.tex,
        width=max(width, 1.0) / REFERENCE_PT,
        height=max(height, 1.0) / REFERENCE_PT,
        alt=setting.formulas.spoken(block.tex),
        name=block.label or "",
        number=block.number,
        body_size=body_size,
        source=block.source,
    )


def formula_size(block: Formula, width: float, step: Step, setting: Setting) -> float:
    """The largest size up to the step's at which it fits; below the floor rather than beyond its column or the page."""
    top = min(step.equation, step.body) if block.body_size else step.equation
    room = width - 2 * _number_width(block, step, setting)
    sizes = [size for size in setting.theme.sizes.equation if size <= top] or [top]
    most = min(room / block.width, setting.theme.body.height / EMU_PER_POINT / block.height)
    return next((size for size in sizes if size <= most), None) or max(1.0, floor(most * 10) / 10)


def _number_width(block: Formula, step: Step, setting: Setting) -> float:
    if block.number is None:
        return 0.0
    return measure(_number_runs(block), setting.metrics).natural * step.body * SPARE + NUMBER_SPARE + NUMBER_GAP


def _number_runs(block: Formula) -> tuple[Run, ...]:
    return (Run(f"({block.number})"),)


def formula_height(block: Formula, width: float, step: Step, setting: Setting) -> float:
    """Height of its box in points; a number beside it needs a line."""
    height = block.height * formula_size(block, width, step, setting)
    return max(height, _number_height(block, step, setting)) if block.number is not None else height


def _number_height(block: Formula, step: Step, setting: Setting) -> float:
    lines = measure(_number_runs(block), setting.metrics).lines(float("inf"))
    return lines_height(lines, setting.metrics) * step.body


def place_formula(block: Formula, area: Area, step: Step, setting: Setting) -> Iterator[EquationBox | TextBox | Notice]:
    """Its box in the middle of the column, its number at the right edge."""
    size = formula_size(block, area.width, step, setting)
    width, height = block.width * size, block.height * size
    if size < LEAST_PT:
        yield Notice(f"a formula is so wide that it is set at {size:g} pt; break it into lines", block.source)
    left, top = area.left + (area.width - width) / 2, area.top + (area.height - height) / 2
    yield EquationBox(
        frame=Area(left, top, width, height).frame,
        tex=block.tex,
        size_pt=size,
        name=block.name,
        alt=block.alt,
        source=block.source,
    )
    if block.number is not None:
        aside = _number_width(block, step, setting) - NUMBER_GAP
        tall = _number_height(block, step, setting)
        box = Area(area.left + area.width - aside, area.top + (area.height - tall) / 2, aside, tall)
        yield TextBox(
            frame=box.frame,
            lines=(Line(runs=_number_runs(block), size_pt=step.body, alignment="right"),),
            role="caption",
            anchor="middle",
            source=block.source,
        )
