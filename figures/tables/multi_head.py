"""Multi-head attention in figures: what each head sees, sums instead of concatenation, and what refuses to run."""

from __future__ import annotations

from typing import Annotated, Any

from figures.exhibit import MeasuredTable
from figures.experiments.multi_head import MultiHeadFacts, measure_multi_head
from figures.language import Wording, words
from figures.numerals import scientific

TEXT: Wording = {
    "asked": ("量什么", "measured"),
    "found": ("结果", "found"),
    "reach": ("头 1 的查询依赖 $x$ 的几维", "components of $x$ that reach head 1"),
    "of": ("{d_model} 维中的 {reach} 维", "{reach} of {d_model}"),
    "sum": ("拼接 $\\cdot W_O$ 与逐头相加之差", "concatenation $\\cdot W_O$ less the sum over heads"),
    "torch": ("与 `nn.MultiheadAttention` 之差", "difference from `nn.MultiheadAttention`"),
    "free": ("$d_{model}=512$、$h=7$、$d_k=64$", "$d_{model}=512$, $h=7$, $d_k=64$"),
    "shape": ("输出 {shape}", "output {shape}"),
    "refused": ("$d_{model}=512$、$h=7$、不给 $d_k$", "$d_{model}=512$, $h=7$, no $d_k$"),
}


def multi_head(facts: Annotated[MultiHeadFacts, measure_multi_head], lang: str = "zh") -> MeasuredTable:
    """Five facts about a random layer; the values also hold those about merging heads in the wrong way."""
    text = words(TEXT, lang)
    shape = str(list(facts.free_shape))
    rows = (
        (text["reach"], text["of"].format(reach=facts.reach, d_model=facts.d_model)),
        (text["sum"], _small(facts.sum_difference)),
        (text["torch"], _small(facts.torch_difference)),
        (text["free"], text["shape"].format(shape=shape)),
        (text["refused"], facts.refused),
    )
    values: dict[str, Any] = {
        "d_model": facts.d_model,
        "heads": facts.num_heads,
        "reach": facts.reach,
        "sum_difference": facts.sum_difference,
        "torch_difference": facts.torch_difference,
        "free_shape": list(facts.free_shape),
        "refused": facts.refused,
        "input_shape": list(facts.small[0]),
        "output_shape": list(facts.small[1]),
        "weights_shape": list(facts.small[2]),
        "merge_equal": facts.merge.silent_equal,
        "merge_error": facts.merge.view_error,
        "merge_reads": list(facts.merge.silent_reads),
        "future_read": [position for position in facts.merge.silent_reads if position > 0],
        "right_reads": list(facts.merge.right_reads),
    }
    return MeasuredTable((text["asked"], text["found"]), rows, ("left", "right"), values)


def _small(difference: float) -> str:
    """A difference that may be nothing at all."""
    return scientific(difference) if difference else "0"
