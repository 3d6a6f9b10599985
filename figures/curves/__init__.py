"""Curves and bars: what was measured, against what was varied."""

from __future__ import annotations

from figures.curves.cost import additive_vs_dot, length_cost
from figures.curves.decoding import cache_step, cache_total
from figures.curves.leak import leak
from figures.curves.memory import data_parallel, kept_for_backward, mixed_precision
from figures.curves.noticed import bugs_noticed
from figures.curves.padding_training import padding_training
from figures.curves.pitfalls import head_statistics, order_readers, padding_drift
from figures.curves.placement import order_placement
from figures.curves.position_bias import alibi, rotary_distance
from figures.curves.position_distance import position_similarity
from figures.curves.repetition import repetition, temperatures
from figures.curves.scaling import gradient, softmax_saturation, variance
from figures.curves.small_data import small_data
from figures.curves.softmax_shape import entropy_by_spread, peaks
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
    "alibi",
    "rotary_distance",
    "cache_step",
    "cache_total",
    "leak",
    "kept_for_backward",
    "mixed_precision",
    "data_parallel",
    "padding_drift",
    "padding_training",
    "order_placement",
    "order_readers",
    "head_statistics",
    "repetition",
    "temperatures",
    "entropy_by_spread",
    "small_data",
    "peaks",
    "bugs_noticed",
]
