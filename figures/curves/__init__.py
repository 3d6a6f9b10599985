"""Curves: what was measured, against what was varied."""

from __future__ import annotations

from figures.curves.scaling import gradient, softmax_saturation, variance
from figures.curves.translation import bottleneck, recency, training_loss

__all__ = ["bottleneck", "recency", "training_loss", "variance", "gradient", "softmax_saturation"]
