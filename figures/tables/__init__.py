"""Tables of measured results, one row for each thing compared."""

from __future__ import annotations

from figures.tables.checks import dropout_switches, head_roles, injected_bugs, mask_conventions
from figures.tables.costs import cache_sizes, configurations, decoding, memory_by_length
from figures.tables.dot_product import mask_fills, scaling, shapes
from figures.tables.multi_head import multi_head
from figures.tables.self_checks import checklist, self_checks
from figures.tables.trades import trades
from figures.tables.translators import all_mechanisms, mechanisms

__all__ = [
    "mechanisms",
    "all_mechanisms",
    "shapes",
    "mask_fills",
    "scaling",
    "configurations",
    "memory_by_length",
    "decoding",
    "cache_sizes",
    "injected_bugs",
    "self_checks",
    "checklist",
    "trades",
    "mask_conventions",
    "head_roles",
    "multi_head",
    "dropout_switches",
]
