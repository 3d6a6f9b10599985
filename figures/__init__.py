"""What the course computes and draws: attention mechanisms, models, experiments, figures.

Knows attention, not slides: every function takes plain values and returns a record, an `Exhibit` or a `MeasuredTable`,
so all of it works in a notebook. Importing this package loads neither torch nor matplotlib.
"""

from __future__ import annotations

from figures.exhibit import Exhibit, MeasuredTable

__all__ = ["Exhibit", "MeasuredTable"]
