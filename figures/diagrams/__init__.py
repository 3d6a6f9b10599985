"""The diagrams of the course, composed of boxes, matrices and arrows from computed values."""

from __future__ import annotations

from figures.diagrams.cached_batch import cached_batch
from figures.diagrams.decoding_step import decoding_step
from figures.diagrams.dropped_weights import dropped_weights
from figures.diagrams.fixed_vector import bottleneck
from figures.diagrams.head_split import head_split
from figures.diagrams.heads_side_by_side import multi_head
from figures.diagrams.mask_shapes import mask_shapes
from figures.diagrams.online_softmax import online_softmax
from figures.diagrams.query_key_value import qkv
from figures.diagrams.recurrent import recurrent_mappings
from figures.diagrams.summary import summary
from figures.diagrams.weighted_sum import weighted_sum

__all__ = [
    "bottleneck",
    "qkv",
    "multi_head",
    "recurrent_mappings",
    "weighted_sum",
    "head_split",
    "mask_shapes",
    "decoding_step",
    "cached_batch",
    "dropped_weights",
    "online_softmax",
    "summary",
]
