"""Numbers as figures write them: a true minus sign, no 0 before the point where room is short."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

MINUS = "−"


def decimals(number: float, places: int = 1) -> str:
    """`-1.25` → `−1.2`; what rounds to zero has no sign."""
    written = f"{number:.{places}f}"
    if float(written) == 0:
        written = written.lstrip("-")
    return written.replace("-", MINUS)


def share(weight: float, places: int = 2) -> str:
    """A weight of 0..1 without its leading zero: `.27`; exactly 0 and 1 as `0` and `1`."""
    if weight in (0.0, 1.0):
        return f"{weight:.0f}"
    written = f"{weight:.{places}f}"
    return written[1:] if written.startswith("0") else written


def grid(values: ArrayLike, places: int = 1) -> list[list[str]]:
    """Every cell of a matrix by `decimals`."""
    return [[decimals(float(cell), places) for cell in row] for row in np.atleast_2d(np.asarray(values))]


def shares(values: ArrayLike, places: int = 2) -> list[list[str]]:
    """Every cell of a matrix of weights by `share`."""
    return [[share(float(cell), places) for cell in row] for row in np.atleast_2d(np.asarray(values))]


def listed(numbers: Iterable[float], places: int = 2) -> str:
    """Numbers in a sentence: `0.27, 0.52, 0.21`."""
    return ", ".join(decimals(number, places) for number in numbers)


def grouped(number: int) -> str:
    """Digits in threes: `1,048,576`."""
    return f"{number:,}"


def power_of_ten(number: float) -> str:
    """A formula with one digit and a power of ten: `-1e9` → `$-10^{9}$`."""
    exponent = math.floor(math.log10(abs(number)))
    digits = number / 10**exponent
    head = "-" if abs(digits + 1) < 1e-9 else rf"{digits:.1f} \cdot "
    return f"${head}10^{{{exponent}}}$"


def scientific(number: float) -> str:
    """One digit and a power of ten as plain text: `1.2e-7` → `1×10⁻⁷`."""
    digit, exponent = f"{number:.0e}".split("e")
    return f"{digit.replace('-', MINUS)}×10{str(int(exponent)).translate(_RAISED)}"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
