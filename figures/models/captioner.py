"""Show, attend and tell, small: a convolutional encoder whose grid of features a writer looks at (Xu et al. 2015)."""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import max_pool2d, relu

from figures.models.attention_layer import Mechanism
from figures.models.translator import Decoded, Encoded, Writer

GRID = 6


class PictureEncoder(nn.Module):
    """Two convolutions with pooling, 24 × 24 pixels to 6 × 6 features, each with a learnt code of its place."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 24, 3, padding=1)
        self.second = nn.Conv2d(24, width, 3, padding=1)
        self.place = nn.Embedding(GRID * GRID, width)

    def features(self, pixels: Tensor) -> Tensor:
        """The feature map `[B, width, 6, 6]` of pixels `[B, 24, 24]`."""
        x = max_pool2d(relu(self.first(pixels[:, None])), 2)
        return max_pool2d(relu(self.second(x)), 2)

    def forward(self, pixels: Tensor) -> Encoded:
        """36 states in rows, nothing masked; their mean is the fixed vector."""
        states = self.features(pixels).flatten(2).transpose(1, 2)  # [B, 36, width]
        states = torch.tanh(states + self.place.weight)
        B, S, _ = states.shape
        mask = torch.ones(B, 1, S, dtype=torch.bool)
        return Encoded(states, mask, torch.full((B,), S), states.mean(1))


class Captioner(nn.Module):
    """A writer over the features of a picture; hard attention takes its scores from Luong's concat."""

    def __init__(self, symbols: int, mechanism: Mechanism, *, embedding: int = 32, width: int = 64) -> None:
        super().__init__()
        self.encoder = PictureEncoder(width)
        self.writer = Writer(symbols, mechanism, embedding, width, score="concat")

    def forward(
        self, pixels: Tensor, lengths: Tensor, target: Tensor | int, *, generator: Generator | None = None
    ) -> Decoded:
        """Describe pixels `[B, 24, 24]`; `lengths` are those of the grid and not used."""
        del lengths
        decoded: Decoded = self.writer(self.encoder(pixels), target, generator)
        return decoded
