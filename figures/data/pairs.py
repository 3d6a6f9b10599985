"""A source, a target, and which source positions each target token is written from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

PAD, BOS, EOS = "<pad>", "<bos>", "<eos>"
SPECIAL = (PAD, BOS, EOS)


@dataclass(frozen=True, slots=True)
class Pair:
    """One example. `gold[t]` are the source positions that target token t comes from."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    gold: tuple[tuple[int, ...], ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The symbols of one side; the first three are padding (index 0), begin (1) and end (2)."""

    symbols: tuple[str, ...]

    @classmethod
    def of(cls, sequences: Iterable[Sequence[str]]) -> Vocabulary:
        """The sorted symbols of all `sequences`, after the special ones."""
        found = sorted({symbol for sequence in sequences for symbol in sequence})
        return cls((*SPECIAL, *found))

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, sequences: Sequence[Sequence[str]], *, end: bool = False) -> Tensor:
        """Indices `[B, T]`, padded with 0; `end` adds the end symbol to each. An unknown symbol is a KeyError."""
        index = {symbol: i for i, symbol in enumerate(self.symbols)}
        rows = [[index[symbol] for symbol in sequence] + [2] * end for sequence in sequences]
        width = max(len(row) for row in rows)
        return torch.tensor([row + [0] * (width - len(row)) for row in rows])

    def decode(self, indices: Tensor) -> tuple[str, ...]:
        """The symbols of one row of indices `[T]`, up to its end symbol or padding."""
        symbols: list[str] = []
        for i in indices.tolist():
            if i in (0, 2):
                break
            symbols.append(self.symbols[i])
        return tuple(symbols)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs as tensors: source `[B, S]`, lengths `[B]`, target with its end symbol `[B, T]`, gold `[B, T, S]`."""

    source: Tensor
    lengths: Tensor
    target: Tensor
    gold: Tensor

    @classmethod
    def of(cls, pairs: Sequence[Pair], source: Vocabulary, target: Vocabulary) -> Batch:
        """All `pairs` as one batch, padded to the longest."""
        sources = source.encode([pair.source for pair in pairs])
        targets = target.encode([pair.target for pair in pairs], end=True)
        gold = torch.zeros(len(pairs), targets.shape[1], sources.shape[1], dtype=torch.bool)
        links = [(b, t, s) for b, pair in enumerate(pairs) for t, places in enumerate(pair.gold) for s in places]
        gold[tuple(torch.tensor(links).T)] = True
        return cls(sources, torch.tensor([len(pair.source) for pair in pairs]), targets, gold)

    def take(self, rows: Tensor) -> Batch:
        """The batch of these rows `[b]`."""
        return Batch(self.source[rows], self.lengths[rows], self.target[rows], self.gold[rows])

    def __len__(self) -> int:
        return len(self.lengths)
