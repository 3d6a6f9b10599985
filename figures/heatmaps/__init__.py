"""Heatmaps: weights, scores and codes, one cell for each number."""

from __future__ import annotations

from figures.heatmaps.alignment import alignment, alignments
from figures.heatmaps.mask_steps import masks
from figures.heatmaps.position_codes import positions, similarity

__all__ = ["alignment", "alignments", "masks", "positions", "similarity"]
