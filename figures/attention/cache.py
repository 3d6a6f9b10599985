"""The KV cache: a new token then costs one row of scores."""

from __future__ import annotations

import torch
from torch import Tensor


class KVCache:
    """Keys and values seen so far, `[B, h_kv, T, d_head]`.

    Starts empty. With a `window`, only that many newest positions are
    kept (sliding-window attention).
    """

    def __init__(self, window: int | None = None) -> None:
        self.window = window
        self.k: Tensor | None = None
        self.v: Tensor | None = None

    def __len__(self) -> int:
        return 0 if self.k is None else self.k.shape[-2]

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Put new keys and values after the old; return all kept."""
        if self.k is not None and self.v is not None:
            k = torch.cat([self.k, k], dim=-2)  # along time
            v = torch.cat([self.v, v], dim=-2)
        if self.window is not None:
            k, v = k[..., -self.window :, :], v[..., -self.window :, :]
        self.k, self.v = k, v
        return k, v
