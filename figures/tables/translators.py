"""The translators of dates side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from figures.dependencies import each
from figures.exhibit import MeasuredTable
from figures.experiments.softmax import SameFunction, ScoreTime, measure_same_function, measure_score_time
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.language import Wording, words
from figures.models.attention_layer import Mechanism

TEXT: Wording = {
    "mechanism": ("机制", "mechanism"),
    "score": ("打分", "score"),
    "exact": ("完全正确", "exact"),
    "alignment": ("对齐正确", "alignment"),
    "own": ("注意力参数", "attention parameters"),
    "products": ("每步乘法", "products a step"),
    "none": ("无（固定向量）", "none (fixed vector)"),
    "additive": ("加性（Bahdanau）", "additive (Bahdanau)"),
    "dot": ("dot（Luong）", "dot (Luong)"),
    "general": ("general（Luong）", "general (Luong)"),
    "concat": ("concat（Luong）", "concat (Luong)"),
    "local-m": ("local-m（窗口沿对角线）", "local-m (window on the diagonal)"),
    "local-p": ("local-p（预测窗口）", "local-p (predicted window)"),
    "hard-gumbel": ("硬（Gumbel）", "hard (Gumbel)"),
    "hard-reinforce": ("硬（REINFORCE）", "hard (REINFORCE)"),
}
STATES = 10
"""Source states for which the multiplications of a step are counted: a date has 8 to 10 tokens."""
BOUNDS = (2, 5, 10, 20)
"""A ratio of clock times is told by the largest of these that it exceeds, because clocks differ."""

SCORES: Mapping[str, str] = {
    "additive": r"$v^\top \tanh(W s + U h)$",
    "dot": r"$s^\top h$",
    "concat": r"$v^\top \tanh(W [s; h])$",
}
GENERAL = r"$s^\top W h$"
"""Local and hard attention score by Luong's general form too."""
EVERY: tuple[Mechanism, ...] = (
    "none",
    "additive",
    "dot",
    "general",
    "concat",
    "local-m",
    "local-p",
    "hard-gumbel",
    "hard-reinforce",
)


def mechanisms(
    models: Annotated[
        tuple[TrainedTranslator, ...],
        each(train_translator, mechanism=("none", "additive", "dot", "general", "concat")),
    ],
    lang: str = "zh",
) -> MeasuredTable:
    """The five translators of dates: score, parameters, exact match and alignment on held-out dates."""
    return side_by_side(models, lang)


def all_mechanisms(
    models: Annotated[tuple[TrainedTranslator, ...], each(train_translator, mechanism=EVERY)],
    time: Annotated[ScoreTime, measure_score_time],
    same: Annotated[SameFunction, measure_same_function],
    lang: str = "zh",
) -> MeasuredTable:
    """All nine translators of dates, among them the two that look at a window and the two that pick one state."""
    table = side_by_side(models, lang)
    slower = max((bound for bound in BOUNDS if time.ratio > bound), default=1)
    return replace(table, values={**table.values, "additive_slower": slower, "concat_difference": same.concat})


def side_by_side(models: Sequence[TrainedTranslator], lang: str) -> MeasuredTable:
    """One row for each translator; quality on held-out sentences, a dash where there is no attention.

    The attention's parameters are those beyond the model without any, which comes first.
    """
    text = words(TEXT, lang)
    first = models[0]
    if first.mechanism != "none":
        raise ValueError(f"the first model is {first.mechanism!r}; it would be the one without attention, 'none'")
    values: dict[str, Any] = {
        "sentences": first.quality.sentences, "steps": first.steps, "seed": first.seed, "states": STATES,
    }  # fmt: skip
    rows: list[tuple[str | int | float, ...]] = []
    for model in models:
        quality, name = model.quality, model.mechanism
        own, products = model.parameters - first.parameters, step_products(model)
        rows.append(
            (
                text.get(name, name),
                "–" if name == "none" else SCORES.get(name, GENERAL),
                "–" if name == "none" else f"{own:,}",
                "–" if name == "none" else f"{products:,}",
                f"{quality.exact:.1%}",
                "–" if quality.alignment is None else f"{quality.alignment:.1%}",
            )
        )
        key = name.replace("-", "_")
        values |= {**_values(model), f"{key}_own_parameters": own, f"{key}_products": products}
    header = tuple(text[name] for name in ("mechanism", "score", "own", "products", "exact", "alignment"))
    return MeasuredTable(header, tuple(rows), ("left", "left", "right", "right", "right", "right"), values)


def step_products(model: TrainedTranslator, S: int = STATES) -> int:
    """Multiplications of scores and weighted sum for one query over S states, as `figures.attention` computes them.

    Nothing is kept from one step to the next, so U h is computed anew; a window is cut out of all S scores.
    """
    d = model.examples[0].fixed_vector.shape[0]
    d_a = d // 2
    general = d * d + 2 * S * d
    return {
        "none": 0,
        "additive": d * d_a + S * (d * d_a + d_a) + S * d,
        "dot": 2 * S * d,
        "concat": S * (2 * d * d_a + d_a) + S * d,
        "local-p": general + d * d_a + d_a + S,
    }.get(model.mechanism, general)


def _values(model: TrainedTranslator) -> dict[str, Any]:
    name, quality = model.mechanism.replace("-", "_"), model.quality
    values: dict[str, Any] = {
        f"{name}_parameters": model.parameters,
        f"{name}_exact": quality.exact,
        f"{name}_token_accuracy": quality.token_accuracy,
        f"{name}_steps": model.steps,
    }
    if quality.alignment is not None:
        values |= {
            f"{name}_alignment": quality.alignment,
            f"{name}_alignment_within_one": quality.alignment_within_one,
            f"{name}_mass": quality.mass,
        }
    return values
