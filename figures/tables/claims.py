"""Popular claims about scores and weights in numbers: what sums to one, and when the scores have variance one."""

from __future__ import annotations

from typing import Annotated, Any

from figures.dependencies import each
from figures.exhibit import MeasuredTable
from figures.experiments.softmax import (
    GateFacts,
    InitialSpread,
    PremiseFacts,
    SameFunction,
    measure_gates,
    measure_initial_spread,
    measure_premises,
    measure_same_function,
)
from figures.language import Wording, words
from figures.numerals import decimals

TEXT: Wording = {
    "kind": ("怎么分", "how it is shared out"),
    "sum": ("和", "sum"),
    "nonzero": ("不为 0 的个数", "not 0"),
    "softmax": ("softmax（软注意力）", "softmax (soft attention)"),
    "gate": ("sigmoid（通道门控）", "sigmoid (channel gate)"),
    "hard": ("argmax（硬注意力）", "argmax (hard attention)"),
    "source": ("分数从哪里来", "where the scores come from"),
    "deviation": ("标准差", "deviation"),
    "independent": ("独立，均值 0，方差 1", "independent, mean 0, variance 1"),
    "shifted": ("每个分量的均值改成 1", "every entry with mean 1"),
    "same": ("键等于查询，$k = q$", "key = query, $k = q$"),
    "torch_default": ("PyTorch 默认初始化，$d_{{model}} = {d}$", "torch's initialisation, $d_{{model}} = {d}$"),
    "narrow": ("$N(0, 0.02^2)$ 初始化，$d_{{model}} = {d}$", "$N(0, 0.02^2)$, $d_{{model}} = {d}$"),
}


def gates(facts: Annotated[GateFacts, measure_gates], lang: str = "zh") -> MeasuredTable:
    """The same scores shared out by softmax, sigmoid and argmax: sums, and how many are not 0."""
    text = words(TEXT, lang)
    rows = (
        (text["softmax"], decimals(facts.softmax_sum, 2), str(facts.channels)),
        (text["gate"], decimals(facts.gate_sum, 2), str(facts.channels)),
        (text["hard"], "1", str(facts.hard_nonzero)),
    )
    values: dict[str, Any] = {
        "channels": facts.channels, "softmax_sum": facts.softmax_sum, "gate_sum": facts.gate_sum,
        "hard_nonzero": facts.hard_nonzero,
    }  # fmt: skip
    return MeasuredTable((text["kind"], text["sum"], text["nonzero"]), rows, ("left", "right", "right"), values)


def score_spread(
    premises: Annotated[PremiseFacts, measure_premises],
    fresh: Annotated[tuple[InitialSpread, ...], each(measure_initial_spread, d_model=(512, 64))],
    same: Annotated[SameFunction, measure_same_function],
    lang: str = "zh",
) -> MeasuredTable:
    """Standard deviation of scaled scores: 1 where the premises of the derivation hold, else what comes out."""
    text = words(TEXT, lang)
    drawn = {"independent": premises.independent, "shifted": premises.shifted, "same": premises.same}
    found = {text[name]: variance**0.5 for name, variance in drawn.items()}
    found[text["torch_default"].format(d=fresh[0].d_model)] = fresh[0].torch_default
    found |= {text["narrow"].format(d=layer.d_model): layer.narrow for layer in fresh}
    values: dict[str, Any] = {f"variance_{name}": variance for name, variance in drawn.items()}
    values |= {f"torch_default_{layer.d_model}": layer.torch_default for layer in fresh}
    values |= {f"narrow_{layer.d_model}": layer.narrow for layer in fresh}
    values |= {
        "d_k": premises.d_k, "samples": premises.samples, "concat_difference": same.concat,
        "torch_difference": same.torch,
    }  # fmt: skip
    rows = tuple((name, decimals(deviation, 3)) for name, deviation in found.items())
    return MeasuredTable((text["source"], text["deviation"]), rows, ("left", "right"), values)
