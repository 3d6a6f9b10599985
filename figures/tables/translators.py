"""The translators of dates side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from figures.dependencies import each
from figures.exhibit import MeasuredTable
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.language import Wording, words
from figures.models.attention_layer import Mechanism
from figures.numerals import decimals

TEXT: Wording = {
    "mechanism": ("机制", "mechanism"),
    "score": ("打分", "score"),
    "parameters": ("参数", "parameters"),
    "exact": ("完全正确", "exact"),
    "alignment": ("对齐正确", "alignment"),
    "mass": ("落在正确处的权重", "weight on the right places"),
    "none": ("无（固定向量）", "none (fixed vector)"),
    "additive": ("加性（Bahdanau）", "additive (Bahdanau)"),
    "dot": ("点积（Luong）", "dot (Luong)"),
    "general": ("general（Luong）", "general (Luong)"),
    "concat": ("concat（Luong）", "concat (Luong)"),
    "local-m": ("local-m（窗口沿对角线）", "local-m (window on the diagonal)"),
    "local-p": ("local-p（预测窗口）", "local-p (predicted window)"),
    "hard-gumbel": ("硬（Gumbel）", "hard (Gumbel)"),
    "hard-reinforce": ("硬（REINFORCE）", "hard (REINFORCE)"),
    "task": ("任务", "task"),
}

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
    lang: str = "zh",
) -> MeasuredTable:
    """All nine translators of dates, among them the two that look at a window and the two that pick one state."""
    return side_by_side(models, lang)


def side_by_side(models: Sequence[TrainedTranslator], lang: str) -> MeasuredTable:
    """One row for each translator; quality on held-out sentences, a dash where there is no attention."""
    text = words(TEXT, lang)
    first = models[0]
    values: dict[str, Any] = {"sentences": first.quality.sentences, "steps": first.steps, "seed": first.seed}
    rows: list[tuple[str | int | float, ...]] = []
    for model in models:
        quality, name = model.quality, model.mechanism
        rows.append(
            (
                text.get(name, name),
                "–" if name == "none" else SCORES.get(name, GENERAL),
                f"{model.parameters:,}",
                f"{quality.exact:.1%}",
                "–" if quality.alignment is None else f"{quality.alignment:.1%}",
                "–" if quality.mass is None else decimals(quality.mass, 2),
            )
        )
        values |= _values(model)
    header = tuple(text[name] for name in ("mechanism", "score", "parameters", "exact", "alignment", "mass"))
    return MeasuredTable(header, tuple(rows), ("left", "left", "right", "right", "right", "right"), values)


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
