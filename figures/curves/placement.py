"""Where positions have to be added, as bars: behind the attention they come too late."""

from __future__ import annotations

from typing import Annotated

from figures.bars import Group, bar, draw_groups
from figures.canvas import Size, open_canvas
from figures.colours import VALUE, WARNING, muted
from figures.exhibit import Exhibit
from figures.experiments.positions import OrderFacts, measure_order
from figures.language import Wording, words
from figures.numerals import scientific

WISH = (7.0, 4.6)

TEXT: Wording = {
    "placement_title": ("正着读与倒着读：句子平均后相差多少", "Read forwards and backwards: difference of the means"),
    "nowhere": ("不加位置", "no positions"),
    "after": ("注意力之后才加", "added after attention"),
    "before": ("注意力之前加", "added before attention"),
    "causal": ("不加，但有因果遮盖", "none, but a causal mask"),
    "placement_alt": (
        "横条图：同样的词正着读与倒着读，平均后相差：不加位置 {nowhere:.0e}，注意力之后才加 {after:.0e}，注意力之前加 "
        "{before:.3f}，不加位置但有因果遮盖 {causal:.3f}。",
        "Bars: difference of mean outputs for words read forwards and backwards: no positions {nowhere:.0e}, added "
        "after attention {after:.0e}, before it {before:.3f}, none but a causal mask {causal:.3f}.",
    ),
}


def order_placement(facts: Annotated[OrderFacts, measure_order], lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Whether a layer can tell a sentence from its reverse, by where positions are added and by its mask."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    found = {
        "nowhere": (facts.pooled, WARNING),
        "after": (facts.added_after, WARNING),
        "before": (facts.added_before, VALUE),
        "causal": (facts.causal_pooled, muted()),
    }
    bars = tuple(
        bar(text[name], amount, scientific(amount) if amount < 1e-4 else f"{amount:.3f}", colour)
        for name, (amount, colour) in found.items()
    )
    draw_groups(canvas, [Group(text["placement_title"], bars)])
    numbers = {name: amount for name, (amount, _) in found.items()}
    values = {
        **numbers,
        "d_model": facts.d_model,
        "length": facts.length,
        "equivariance": facts.equivariance,
        "position_by_position": facts.position_by_position,
        "norm": facts.norm,
        "relative": facts.relative,
    }
    return Exhibit(canvas.figure, text["placement_alt"].format(**numbers), values)
