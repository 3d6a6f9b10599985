"""Curves: what was measured, against what was varied."""

from __future__ import annotations

from figures.curves.scaling import gradient, softmax_saturation, variance

__all__ = ["variance", "gradient", "softmax_saturation"]
