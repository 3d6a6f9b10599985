"""Tables of measured results, one row for each thing compared."""

from __future__ import annotations

from figures.tables.checks import dropout_switches, head_roles, injected_bugs, mask_conventions
from figures.tables.claims import gates, score_spread
from figures.tables.costs import (
    biases,
    cache_sizes,
    chunks,
    configurations,
    decoding,
    memory_by_length,
    published_caches,
)
from figures.tables.dot_product import mask_fills, scaling, shapes
from figures.tables.multi_head import multi_head
from figures.tables.self_checks import checklist, self_checks
from figures.tables.trades import trades
from figures.tables.translators import all_mechanisms, mechanisms

__all__ = [
    "mechanisms",
    "all_mechanisms",
    "gates",
    "score_spread",
    "shapes",
    "mask_fills",
    "scaling",
    "configurations",
    "memory_by_length",
    "decoding",
    "cache_sizes",
    "published_caches",
    "biases",
    "chunks",
    "injected_bugs",
    "self_checks",
    "checklist",
    "trades",
    "mask_conventions",
    "head_roles",
    "multi_head",
    "dropout_switches",
]
