"""Cross-attention: queries of one sentence, keys and values of another, and a padding mask made from the wrong one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor

from figures.attention import Attention, MultiHeadAttention, padding_mask
from figures.canvas import LARGE, SMALL, Canvas, Size, label, open_canvas
from figures.colours import VALUE, WARNING, muted
from figures.exhibit import Exhibit
from figures.heatmaps.weight_map import Area, draw_weight_map, outline_cells
from figures.language import Wording, words
from figures.models.training import initialise

PAD = "pad"
SOURCES = (("good", "morning"), ("I", "am", "very", "tired"))
TARGETS = (("早", "上", "好"), ("我", "很", "累"))

TEXT: Wording = {
    "right": ("对：按源句的长度遮盖", "right: lengths of the source"),
    "wrong": ("错而不报：按译文的长度遮盖", "silently wrong: lengths of the target"),
    "seen": ("平均 {weight:.0%} 给了 pad", "{weight:.0%} on a pad on average"),
    "lost": ("“{token}”丢了", "“{token}” is lost"),
    "clean": ("pad 恰好 0", "pads exactly 0"),
    "all": ("四个词都在", "all four tokens"),
    "alt": (
        "两对句子的交叉注意力权重图，行是译文，列是源句，补到 {T_k} 列。左：按源句长度遮盖，pad 的权重恰好为 0。右：按"
        "译文长度遮盖，不报错，但第一句平均 {pad_weight:.0%} 的权重给了 pad，第二句的“{lost}”丢了"
        "（本来有 {lost_weight:.0%}）；红框 {wrong} 格。",
        "Cross-attention of two pairs of sentences, target down, source along, padded to {T_k}. Left: masked by the "
        "lengths of the source, pads get exactly 0. Right: by those of the target, without an error, yet on average "
        "{pad_weight:.0%} of the first is on a pad and “{lost}” of the second is lost ({lost_weight:.0%} before); "
        "{wrong} cells framed in red.",
    ),
}


@dataclass(frozen=True, slots=True)
class Crossed:
    """Two pairs through one layer under both masks `[B, 1, 1, T_k]`; weights are `[B, 1, T_q, T_k]`."""

    right: Attention
    wrong: Attention
    keep: Tensor
    wrong_keep: Tensor
    output_shape: tuple[int, ...]
    change: float
    error: str


def cross_attention(d_model: int = 16, seed: int = 0, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Weights of two padded pairs under the mask of the source and under that of the target by mistake."""
    text = words(TEXT, lang)
    crossed = cross(d_model, seed)
    facts = _values(crossed, d_model, seed)
    canvas = open_canvas(size, (7.0, 4.6))
    half = canvas.width / 2
    for column, name in enumerate(("right", "wrong")):
        role = VALUE if name == "right" else WARNING
        step = f"step-{column + 1}"
        label(canvas, column * half + half / 2, 10, text[name], size=LARGE, bold=True, colour=role, gid=step)
        notes = [text[note].format(weight=facts["pad_weight"], token=facts["lost"]) for note in _notes(name)]
        for pair, area in enumerate(_areas(canvas, column)):
            _draw(canvas, area, crossed, pair, name, step)
            centre = (area.left + area.right) / 2
            label(canvas, centre, area.bottom + 9, notes[pair], size=SMALL, colour=muted(), gid=step)
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)


def cross(d_model: int, seed: int) -> Crossed:
    """A random layer of one head from targets to sources, both padded to four tokens."""
    generator = Generator().manual_seed(seed)
    layer = MultiHeadAttention(d_model, 1)
    initialise(layer, generator)
    T = max(map(len, SOURCES))
    tokens = sorted({token for sentence in (*SOURCES, *TARGETS) for token in sentence} | {PAD})
    vectors = {token: 2 * torch.randn(d_model, generator=generator) for token in tokens}
    context, x = (
        torch.stack([torch.stack([vectors[token] for token in padded(sentence, T)]) for sentence in side])
        for side in (SOURCES, TARGETS)
    )
    keep, wrong_keep = (padding_mask([*map(len, side)], T)[:, None, None, :] for side in (SOURCES, TARGETS))
    with torch.no_grad():
        output, right = layer(x, context, keep)
        wrong_output, wrong = layer(x, context, wrong_keep)
        try:
            layer(x[:, :-1], context, wrong_keep[..., :-1])
            message = ""
        except RuntimeError as error:
            message = type(error).__name__
    real = padding_mask([*map(len, TARGETS)], T)
    change = float((output - wrong_output)[real].abs().max())
    return Crossed(right, wrong, keep, wrong_keep, tuple(output.shape), change, message)


def padded(tokens: Sequence[str], length: int) -> tuple[str, ...]:
    """The tokens and as many pads as it takes."""
    return (*tokens, *[PAD] * (length - len(tokens)))


def _notes(name: str) -> tuple[str, str]:
    return ("clean", "all") if name == "right" else ("seen", "lost")


def _areas(canvas: Canvas, column: int) -> list[Area]:
    """The places of both pairs: beside each other where the frame is wide, else one above the other."""
    half, top, foot = canvas.width / 2, 24.0, 20.0
    left = column * half + 4
    if canvas.wide:
        quarter = half / 2
        return [Area(left + n * quarter, top, left + (n + 1) * quarter - 12, canvas.height - foot) for n in range(2)]
    height = (canvas.height - top) / 2
    return [Area(left, top + n * height, left + half - 14, top + (n + 1) * height - foot) for n in range(2)]


def _draw(canvas: Canvas, area: Area, crossed: Crossed, pair: int, name: str, step: str) -> None:
    """The rows of real target tokens; the framed cells are kept or hidden by mistake."""
    attention, keep = (crossed.right, crossed.keep) if name == "right" else (crossed.wrong, crossed.wrong_keep)
    rows = len(TARGETS[pair])
    columns = keep[pair, 0, 0]
    drawn = draw_weight_map(
        canvas, area, attention.weights[pair, 0, :rows], TARGETS[pair], padded(SOURCES[pair], len(columns)),
        hidden=(~columns).expand(rows, -1).numpy(), gid=step,
    )  # fmt: skip
    mistaken = (columns != crossed.keep[pair, 0, 0]).nonzero().flatten().tolist()
    if mistaken:
        outline_cells(canvas, drawn, [mistaken] * rows, colour=WARNING)


def _values(crossed: Crossed, d_model: int, seed: int) -> Mapping[str, Any]:
    seen = crossed.wrong_keep & ~crossed.keep  # [B, 1, 1, T_k]
    lost = crossed.keep & ~crossed.wrong_keep
    rows = len(TARGETS[0])
    pads, losses = (
        attention.weights[:, 0, :rows][cells[:, 0].expand(-1, rows, -1)]
        for attention, cells in ((crossed.wrong, seen), (crossed.right, lost))
    )
    hidden = crossed.right.weights[:, 0, :rows][~crossed.keep[:, 0].expand(-1, rows, -1)]
    place = lost[1, 0, 0].nonzero().flatten().tolist()
    return {
        "d_model": d_model,
        "seed": seed,
        "T_k": crossed.keep.shape[-1],
        "weights_shape": list(crossed.right.weights.shape),
        "output_shape": list(crossed.output_shape),
        "pad_weight": float(pads.mean()),
        "lost_weight": float(losses.mean()),
        "lost": SOURCES[1][place[0]],
        "right_pad_weight": float(hidden.max()),
        "wrong": rows * int((seen | lost).sum()),
        "change": crossed.change,
        "error": crossed.error,
    }
