"""What a mask does: scores, masked scores and weights side by side, each with a scale of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from figures.attention import Attention, causal_mask, padding_mask, scaled_dot_product_attention
from figures.canvas import LARGE, SMALL, Canvas, Size, arrow, label, open_canvas
from figures.colours import EXTRA, KEY, QUERY, WEIGHTS, ink, muted, ramp, signed
from figures.exhibit import Exhibit
from figures.heatmaps.weight_map import checked_weights, write_tokens
from figures.language import Wording, words
from figures.matrices import Matrix, matrix
from figures.numerals import grid, shares

Kind = Literal["causal", "padding", "both"]

TEXT: Wording = {
    "scores": ("① 分数", "① scores"),
    "masked": ("② 遮盖后", "② masked"),
    "weights": ("③ softmax 权重", "③ softmax weights"),
    "scores_note": ("所有格子都有分数", "every cell has a score"),
    "masked_note": ("斜线 = 填 −∞", "hatched = −∞"),
    "weights_note": ("斜线处恰好为 0，{}每行和为 1", "exactly 0 there,{}rows add up to 1"),
    "pads_note": ("pad 列恰好为 0，{}pad 行作废", "pad columns exactly 0,{}pad rows unused"),
    "keys": ("键", "key"),
    "queries": ("查询", "query"),
    "causal": ("因果遮盖（只看自己和前面）", "causal mask (itself and what came before)"),
    "padding": ("填充遮盖（不看 pad）", "padding mask (never the pads)"),
    "both": ("填充与因果同时遮盖", "padding and causal mask"),
    "alt": (
        "{T} 个词“{tokens}”的三张矩阵并排：分数、{kind}后的分数、softmax 权重，各有自己的色标。"
        "{hidden} 格被遮住，画成斜线，权重恰好为 0；每行和为 1，最大权重 {peak:.2f}。",
        "Three matrices over {T} tokens “{tokens}” side by side: scores, scores under a {kind}, softmax weights, each "
        "with its own scale. {hidden} cells are masked and hatched, their weight is exactly 0; each row adds up to 1, "
        "the largest weight is {peak:.2f}.",
    ),
}
PAD = "pad"


def masks(
    kind: Kind = "causal",
    tokens: tuple[str, ...] = ("我", "爱", "读", "书"),
    padding: int = 2,
    d_k: int = 16,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Scores → masked → weights of one self-attention over random vectors.

    `padding` pads follow the tokens unless the mask is only causal; their rows are hatched too: no one reads them.
    """
    pads = 0 if kind == "causal" else padding
    shown = (*tokens, *[PAD] * pads)
    keep = mask_of(kind, len(tokens), len(shown))
    attention = random_attention(len(shown), d_k, keep, seed)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 3.3))
    drawn = _draw_steps(canvas, attention, keep, shown, text)
    for number, (start, end) in enumerate(pairwise(drawn), start=2):
        arrow(canvas, start.outline, end.outline, gid=f"step-{number}")
    return Exhibit(canvas.figure, _describe(attention, keep, shown, kind, text), _values(attention, keep, shown))


def mask_of(kind: Kind, real: int, length: int) -> Tensor:
    """The boolean mask `[length, length]` of a sentence with `real` tokens; True keeps."""
    columns = padding_mask([real], length).expand(length, length)
    return {"causal": causal_mask(length), "padding": columns, "both": columns & causal_mask(length)}[kind]


def random_attention(length: int, d_k: int, keep: Tensor, seed: int) -> Attention:
    """Attention over independent standard normal queries and keys; the values are the identity."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, length, d_k, generator=generator)
    return scaled_dot_product_attention(q, k, torch.eye(length), keep)


def _draw_steps(
    canvas: Canvas, attention: Attention, keep: Tensor, tokens: Sequence[str], text: Mapping[str, str]
) -> list[Matrix]:
    """The three matrices from left to right."""
    T = len(tokens)
    side_room, gap, head, foot = 46.0, 34.0, 56.0, 22.0 if canvas.wide else 36.0
    width = (canvas.width - side_room - 2 * gap - 2) / 3 / T
    height = (canvas.height - head - foot) / T
    cell = (min(width, height * 1.6), min(height, max(width, 18.0)))
    start = side_room + (canvas.width - side_room - 2 * gap - 3 * T * cell[0]) / 2
    top = head + (canvas.height - head - foot - T * cell[1]) / 2
    hidden = (~keep).numpy()
    scores = attention.scores
    largest = float(scores.abs().max())
    weights = torch.from_numpy(checked_weights(attention.weights, hidden))
    hidden = hidden | np.array([token == PAD for token in tokens])[:, None]
    steps = (
        ("scores", scores, grid(scores), signed(EXTRA), (-largest, largest), None),
        ("masked", scores, grid(scores), signed(EXTRA), (-largest, largest), hidden),
        ("weights", weights, shares(weights), ramp(WEIGHTS), (0.0, 1.0), hidden),
    )
    drawn = []
    for number, (name, values, written, colours, scale, covered) in enumerate(steps):
        gid = f"step-{number + 1}"
        part = matrix(
            canvas, start + number * (T * cell[0] + gap), top, values, cell=cell, colours=colours, scale=scale,
            written=written, hidden=covered, name=name, gid=gid, edge=WEIGHTS if name == "weights" else muted(),
        )  # fmt: skip
        write_tokens(canvas, part, tokens if number == 0 else (), tokens, gid=gid)
        centre = part.middle[0]
        colour = WEIGHTS if name == "weights" else ink()
        label(canvas, centre, part.top - 40, text[name], size=LARGE, bold=True, colour=colour, gid=gid)
        note = text["pads_note" if name == "weights" and PAD in tokens else f"{name}_note"]
        note = note.format("" if canvas.wide else "\n")
        label(canvas, centre, part.bottom + 5, note, size=SMALL, colour=muted(), anchor="top", gid=gid)
        drawn.append(part)
    label(canvas, drawn[0].left - 8, drawn[0].top - 12, f"{text['queries']}↓", colour=QUERY, align="right", size=SMALL)
    label(canvas, drawn[0].left - 8, drawn[0].top - 26, f"{text['keys']}→", colour=KEY, align="right", size=SMALL)
    return drawn


def _describe(attention: Attention, keep: Tensor, tokens: Sequence[str], kind: Kind, text: Mapping[str, str]) -> str:
    return text["alt"].format(
        T=len(tokens),
        tokens=" ".join(tokens),
        kind=text[kind],
        hidden=int((~keep).sum()),
        peak=float(attention.weights.max()),
    )


def _values(attention: Attention, keep: Tensor, tokens: Sequence[str]) -> dict[str, Any]:
    hidden = attention.weights[~keep]
    return {
        "tokens": list(tokens),
        "length": len(tokens),
        "masked_cells": int((~keep).sum()),
        "kept_cells": int(keep.sum()),
        "masked_weight": float(hidden.abs().max()) if len(hidden) else 0.0,
        "least_row_sum": float(attention.weights.sum(-1).min()),
        "largest_row_sum": float(attention.weights.sum(-1).max()),
        "peak": float(attention.weights.max()),
        "first_row": attention.weights[0].tolist(),
        "last_row": attention.weights[-1].tolist(),
        "score_std": float(attention.scores.std()),
    }
