"""Heatmaps: weights, scores and codes, one cell for each number."""

from __future__ import annotations

from figures.heatmaps.alignment import alignment, alignments, soft_and_hard
from figures.heatmaps.averaged import one_head_and_average
from figures.heatmaps.copying import copying
from figures.heatmaps.cross_attention import cross_attention
from figures.heatmaps.fills import mask_fills
from figures.heatmaps.head_roles import head_roles
from figures.heatmaps.heads import average_of_heads, self_attention
from figures.heatmaps.labels import label_mismatch
from figures.heatmaps.local_window import local_window
from figures.heatmaps.mask_gallery import mask_gallery
from figures.heatmaps.mask_steps import masks
from figures.heatmaps.order import word_order
from figures.heatmaps.other_functions import other_functions
from figures.heatmaps.overview import overview
from figures.heatmaps.pictures import pictures
from figures.heatmaps.position_codes import positions, similarity
from figures.heatmaps.recall import recall
from figures.heatmaps.speech import speech
from figures.heatmaps.tinted_text import tinted_text
from figures.heatmaps.toy import toy

__all__ = [
    "alignment",
    "alignments",
    "soft_and_hard",
    "self_attention",
    "average_of_heads",
    "one_head_and_average",
    "overview",
    "head_roles",
    "tinted_text",
    "speech",
    "pictures",
    "copying",
    "toy",
    "recall",
    "label_mismatch",
    "local_window",
    "masks",
    "mask_gallery",
    "cross_attention",
    "mask_fills",
    "other_functions",
    "positions",
    "similarity",
    "word_order",
]
