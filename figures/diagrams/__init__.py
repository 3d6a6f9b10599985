"""The diagrams of the course, composed of boxes, matrices and arrows from computed values."""

from __future__ import annotations

from figures.diagrams.fixed_vector import bottleneck
from figures.diagrams.query_key_value import qkv
from figures.diagrams.recurrent import recurrent_mappings
from figures.diagrams.weighted_sum import weighted_sum

__all__ = ["bottleneck", "qkv", "recurrent_mappings", "weighted_sum"]
