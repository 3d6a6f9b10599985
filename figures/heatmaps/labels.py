"""One matrix of weights under two rows of labels: those of the model's own tokenizer, and those of another one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from figures.canvas import Size, open_canvas
from figures.data.dates import date_pairs
from figures.exhibit import Exhibit
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.heatmaps.alignment import attended
from figures.heatmaps.weight_map import Area, draw_weight_map
from figures.language import Wording, words

MISSING = "?"
"""Stands over a column for which the other tokenizer has no label."""
COUNTED = 500

TEXT: Wording = {
    "keys": ("键：源句", "keys: source"),
    "own": ("模型自己的 {count} 个 token", "the model's own {count} tokens"),
    "other": ("换一个分词器：只有 {count} 个", "another tokenizer: only {count}"),
    "alt": (
        "同一个权重矩阵的两张热力图，译文“{target}”。左边标模型自己的 {own} 个 token“{tokens}”；右边标数字不拆开的另一"
        "种切法“{others}”，只有 {other} 个，{right} 列标对，其余错位或没有标签。",
        "One matrix of weights twice, output “{target}”. Left under the model's own {own} tokens “{tokens}”; right "
        "under another tokenizer that keeps numbers whole, “{others}”: {other} labels, {right} columns right.",
    ),
}


def label_mismatch(
    model: Annotated[TrainedTranslator, partial(train_translator, mechanism="general")],
    example: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The same weights, labelled rightly and by a tokenizer that does not cut numbers into digits."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    sentence, weights = attended(model, example)
    own, other = sentence.source, whole_numbers(sentence.source)
    shown = shifted(own, other)
    half = canvas.width / 2
    titles = (text["own"].format(count=len(own)), text["other"].format(count=len(other)))
    for number, (title, labels) in enumerate(zip(titles, (own, shown), strict=True)):
        area = Area(number * half, 2, (number + 1) * half - 8, canvas.height)
        draw_weight_map(canvas, area, weights, sentence.target, labels, names=("", text["keys"]), title=title)
    right = sum(a == b for a, b in zip(own, shown, strict=True))
    alt = text["alt"].format(
        target="".join(sentence.target), own=len(own), other=len(other), tokens=" ".join(own),
        others=" ".join(other), right=right,
    )  # fmt: skip
    values: dict[str, Any] = {
        "source": " ".join(own),
        "others": " ".join(other),
        "target": "".join(sentence.target),
        "own": len(own),
        "other": len(other),
        "right": right,
        "missing": max(0, len(own) - len(other)),
        "seed": model.seed,
        "steps": model.steps,
        "exact": model.quality.exact,
        "alignment": model.quality.alignment,
        **count_mismatches(model.seed + 1_000_000),
    }
    return Exhibit(canvas.figure, alt, values)


def whole_numbers(tokens: Sequence[str]) -> tuple[str, ...]:
    """The same text by a tokenizer that keeps a number whole: neighbouring digits are joined."""
    found: list[str] = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        if before.isdigit() and token.isdigit():
            found[-1] += token
        else:
            found.append(token)
    return tuple(found)


def shifted(own: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The labels of the other tokenizer over the columns of the model, one after another, `?` where they run out."""
    return (*other, *([MISSING] * len(own)))[: len(own)]


def count_mismatches(seed: int) -> dict[str, Any]:
    """Over 500 dates: the share of columns with their right label, and of sentences with as many labels as columns."""
    columns = right = equal = 0
    for pair in date_pairs(COUNTED, seed):
        own, other = pair.source, whole_numbers(pair.source)
        columns += len(own)
        right += sum(a == b for a, b in zip(own, shifted(own, other), strict=True))
        equal += len(own) == len(other)
    return {"dates": COUNTED, "right_share": right / columns, "equal_share": equal / COUNTED}
