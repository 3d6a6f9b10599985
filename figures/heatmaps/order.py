"""Self-attention without positions does not know the order of its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor

from figures.attention import Attention, causal_mask, scaled_dot_product_attention, sinusoidal_encoding
from figures.canvas import LARGE, SMALL, Canvas, Size, label, open_canvas
from figures.colours import VALUE, WARNING, muted
from figures.exhibit import Exhibit
from figures.heatmaps.weight_map import Area, draw_weight_map
from figures.language import Wording, words
from figures.numerals import scientific

TEXT: Wording = {
    "without": (
        "没有位置：{one} 和 {other} 的权重只是换了行列",
        "no positions: the same weights, rows and columns swapped",
    ),
    "with": ("加了位置：权重真的变了", "with positions: the weights do change"),
    "pooled": ("平均后最大差 {difference}", "largest difference of means {difference}"),
    "alt": (
        "四张 {T}×{T} 权重图：{one} 与 {other}，不加和加位置编码。不加时把行列换回来最多差 {without:.1e}，"
        "平均输出最多差 {pooled_without:.1e}；加了以后是 {with_positions:.2f} 和 {pooled_with:.2f}。",
        "Four {T} by {T} maps of weights: {one} and {other}, without and with positions. Without, the rows and "
        "columns put back differ by at most {without:.1e}, the mean outputs by {pooled_without:.1e}; with them by "
        "{with_positions:.2f} and {pooled_with:.2f}.",
    ),
}


@dataclass(frozen=True, slots=True)
class Swapped:
    """A sentence and a reordering of it through the same self-attention."""

    one: Attention
    other: Attention
    order: Tensor

    @property
    def weights_difference(self) -> float:
        """Largest difference of weights after rows and columns are put back."""
        back = self.other.weights[self.order.argsort()][:, self.order.argsort()]
        return float((self.one.weights - back).abs().max())

    @property
    def pooled_difference(self) -> float:
        """Largest difference of the outputs averaged over positions."""
        return float((self.one.output.mean(0) - self.other.output.mean(0)).abs().max())


def word_order(
    one: tuple[str, ...] = ("猫", "追", "狗"),
    other: tuple[str, ...] = ("狗", "追", "猫"),
    d_model: int = 16,
    seed: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Weights of both orders of the same words, without and with sinusoidal positions, for random projections.

    Its values also say what is not drawn: the outputs compared position by position, their means with the positions
    added behind the attention (`pooled_after`), and without positions but under a causal mask (`pooled_causal`).
    """
    pairs = {name: swapped(one, other, d_model, seed, positions=name == "with") for name in ("without", "with")}
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    _draw(canvas, pairs, one, other, text)
    facts: dict[str, Any] = {
        "T": len(one),
        "one": "".join(one),
        "other": "".join(other),
        "without": pairs["without"].weights_difference,
        "with_positions": pairs["with"].weights_difference,
        "pooled_without": pairs["without"].pooled_difference,
        "pooled_with": pairs["with"].pooled_difference,
        "by_position_without": float((pairs["without"].one.output - pairs["without"].other.output).abs().max()),
        "pooled_after": _pooled_with_positions_after(pairs["without"]),
        "pooled_causal": swapped(one, other, d_model, seed, positions=False, causal=True).pooled_difference,
    }
    return Exhibit(canvas.figure, text["alt"].format(**facts), facts)


def _pooled_with_positions_after(pair: Swapped) -> float:
    """The largest difference of means when the code of each position is added to what attention gave."""
    code = sinusoidal_encoding(*pair.one.output.shape)
    return float(((pair.one.output + code).mean(0) - (pair.other.output + code).mean(0)).abs().max())


def swapped(
    one: Sequence[str], other: Sequence[str], d_model: int, seed: int, *, positions: bool, causal: bool = False
) -> Swapped:
    """Both orders through one attention; a word keeps its embedding wherever it stands."""
    if sorted(one) != sorted(other):
        raise ValueError(f"{''.join(one)} and {''.join(other)} are not made of the same words")
    generator = Generator().manual_seed(seed)
    embedding = {word: torch.randn(d_model, generator=generator) for word in sorted(set(one))}
    w_q, w_k, w_v = torch.randn(3, d_model, d_model, generator=generator) / d_model**0.5
    places = sinusoidal_encoding(len(one), d_model) if positions else 0.0
    mask = causal_mask(len(one)) if causal else None

    def attend(sentence: Sequence[str]) -> Attention:
        x = torch.stack([embedding[word] for word in sentence]) + places
        return scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, mask)

    order = torch.tensor([list(one).index(word) for word in other])
    return Swapped(attend(one), attend(other), order)


def _written(difference: float) -> str:
    """Two digits, as a power of ten where it is nothing but rounding."""
    return scientific(difference) if 0 < difference < 1e-3 else f"{difference:.2g}"


def _draw(
    canvas: Canvas, pairs: Mapping[str, Swapped], one: Sequence[str], other: Sequence[str], text: Mapping[str, str]
) -> None:
    """Two lanes of two maps, beside each other where the frame is wide."""
    beside = canvas.wide
    for number, (name, pair) in enumerate(pairs.items()):
        role, step = (WARNING, "step-1") if name == "without" else (VALUE, "step-2")
        left, top = (number * canvas.width / 2, 0.0) if beside else (0.0, number * canvas.height / 2)
        width = canvas.width / 2 - 12 if beside else canvas.width
        bottom = canvas.height if beside else (number + 1) * canvas.height / 2 - 8
        title = text[name].format(one="".join(one), other="".join(other))
        label(canvas, left + 2, top + 9, title, size=LARGE, bold=True, colour=role, align="left", gid=step)
        note = text["pooled"].format(difference=_written(pair.pooled_difference))
        for half, (attention, sentence) in enumerate(((pair.one, one), (pair.other, other))):
            area = Area(left + half * width / 2, top + 22, left + (half + 1) * width / 2 - 8, bottom - 18)
            drawn = draw_weight_map(canvas, area, attention.weights, sentence, sentence, gid=step)
        label(canvas, left + width / 2, drawn.bottom + 11, note, size=SMALL, colour=muted(), gid=step)
