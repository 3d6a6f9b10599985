"""Curves: what was measured, against what was varied."""

from __future__ import annotations

from figures.curves.cost import additive_vs_dot, length_cost
from figures.curves.position_distance import position_similarity
from figures.curves.scaling import gradient, softmax_saturation, variance
from figures.curves.translation import bottleneck, recency, training_loss

__all__ = [
    "bottleneck",
    "recency",
    "training_loss",
    "variance",
    "gradient",
    "softmax_saturation",
    "additive_vs_dot",
    "length_cost",
    "position_similarity",
]
