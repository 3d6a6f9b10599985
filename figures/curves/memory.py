"""What training keeps in memory, by how attention is computed, in how many bits, on how many cards."""

from __future__ import annotations

from typing import Annotated, Any

from figures.bars import Bar, Group, Part, bar, draw_groups
from figures.canvas import Size, open_canvas
from figures.colours import EXTRA, QUERY, VALUE, WARNING, WEIGHTS
from figures.exhibit import Exhibit
from figures.experiments.data_parallel import DataParallelFacts, measure_data_parallel
from figures.experiments.length_cost import MIB
from figures.experiments.memory import KeptForBackward, MixedPrecision, measure_kept, measure_mixed_precision
from figures.language import Wording, words

WISH = (7.0, 4.6)

TEXT: Wording = {
    "eager": ("逐步计算", "step by step"),
    "fused": ("融合 SDPA", "fused SDPA"),
    "checkpointed": ("重算 checkpoint", "checkpoint"),
    "chunked": ("分块（自动求导）", "chunked (autograd)"),
    "square": ("T × T", "T × T"),
    "other": ("其余", "other"),
    "kept_title": (
        "一层注意力为反向传播保留（T = {length}，{heads} 头）",
        "Kept for backward (T = {length}, {heads} heads)",
    ),
    "kept_alt": (
        "横条图：T = {length}、{heads} 头的一层注意力为反向传播保留的内存。逐步计算 {eager:.0f} MiB（其中 T×T "
        "{square:.0f} MiB），融合 SDPA {fused:.0f} MiB，重算 {checkpointed:.0f} MiB，分块加自动求导 {chunked:.0f} "
        "MiB。",
        "Bars: memory kept for the backward pass of one attention, T = {length}, {heads} heads. Step by step "
        "{eager:.0f} MiB ({square:.0f} of them T×T), fused SDPA {fused:.0f} MiB, checkpointed {checkpointed:.0f} "
        "MiB, chunked under autograd {chunked:.0f} MiB.",
    ),
    "single": ("单精度", "float32"),
    "mixed": ("bfloat16", "bfloat16"),
    "activations": ("激活", "activations"),
    "fixed": ("权重、梯度、Adam", "weights, gradients, Adam"),
    "both": ("合计（训练一步，T = {length}）", "Together (one step of training, T = {length})"),
    "mixed_alt": (
        "横条图：单精度下激活 {activations:.0f} MiB、权重梯度与 Adam {fixed:.0f} MiB；bfloat16 自动混合精度下激活 "
        "{activations_mixed:.0f} MiB（{ratio:.2f} 倍），后者仍是 {fixed_mixed:.0f} MiB，合计 {total_ratio:.2f} 倍。",
        "Bars: in float32 activations take {activations:.0f} MiB, weights, gradients and Adam {fixed:.0f} MiB; "
        "under bfloat16 autocast activations take {activations_mixed:.0f} MiB ({ratio:.2f} times), the rest is "
        "still {fixed_mixed:.0f} MiB; together {total_ratio:.2f} times.",
    ),
    "cards_title": ("每张卡 {batch} 句：每张卡保留的 T × T", "{batch} sentences a card: T × T kept by each card"),
    "alone": ("一张卡", "one card"),
    "card": ("两张卡之 {number}", "card {number} of two"),
    "cards_alt": (
        "横条图：每张卡 {batches} 句时，一张卡单独训练与两张卡数据并行，每张卡保留的 T×T 内存分别是 {alone} 与 "
        "{each} MiB：只看每卡批量，不随卡数增长。",
        "Bars: with {batches} sentences a card, one card alone keeps {alone} MiB of T×T, each of two cards keeps "
        "{each} MiB: it depends on the batch of each card, not on their number.",
    ),
}


def kept_for_backward(
    kept: Annotated[KeptForBackward, measure_kept], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Memory that one attention keeps, by how it is computed."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    mib = {name: getattr(kept, name) / MIB for name in ("eager", "square", "fused", "checkpointed", "chunked")}
    eager = Bar(
        text["eager"],
        (Part(mib["square"], WARNING, text["square"]), Part(mib["eager"] - mib["square"], QUERY, text["other"])),
        f"{mib['eager']:.3g} MiB",
    )
    others = [
        bar(text[name], mib[name], f"{mib[name]:.3g} MiB", WARNING if name == "chunked" else VALUE)
        for name in ("chunked", "fused", "checkpointed")
    ]
    title = text["kept_title"].format(length=kept.length, heads=kept.heads)
    draw_groups(canvas, [Group(title, (eager, *others))])
    alt = text["kept_alt"].format(length=kept.length, heads=kept.heads, **mib)
    values: dict[str, Any] = {f"{name}_mib": amount for name, amount in mib.items()}
    values |= {
        "length": kept.length,
        "heads": kept.heads,
        "square_share": kept.square / kept.eager,
        "saving": kept.eager / kept.fused,
        "largest_tile": kept.largest_tile,
        "recompute_factor": kept.products_checkpointed / kept.products,
    }
    return Exhibit(canvas.figure, alt, values)


def mixed_precision(
    measured: Annotated[MixedPrecision, measure_mixed_precision], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """What bfloat16 halves and what it does not."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    both = (measured.activations + measured.fixed, measured.activations_mixed + measured.fixed_mixed)
    parts = (
        ("activations", (measured.activations, measured.activations_mixed), WEIGHTS),
        ("fixed", (measured.fixed, measured.fixed_mixed), EXTRA),
        ("both", both, QUERY),
    )
    groups = [
        Group(
            text[name].format(length=measured.length),
            tuple(
                bar(text[precision], amount / MIB, f"{amount / MIB:.0f} MiB", colour)
                for precision, amount in zip(("single", "mixed"), amounts, strict=True)
            ),
            colour,
        )
        for name, amounts, colour in parts
    ]
    draw_groups(canvas, groups)
    values: dict[str, Any] = {
        "length": measured.length,
        "parameters": measured.parameters,
        "activations": measured.activations / MIB,
        "activations_mixed": measured.activations_mixed / MIB,
        "fixed": measured.fixed / MIB,
        "fixed_mixed": measured.fixed_mixed / MIB,
        "ratio": measured.activations_mixed / measured.activations,
        "total_ratio": both[1] / both[0],
    }
    return Exhibit(canvas.figure, text["mixed_alt"].format(**values), values)


def data_parallel(
    facts: Annotated[DataParallelFacts, measure_data_parallel], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """T × T memory of one card alone and of each of two cards."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    groups = []
    for batch, alone, each in zip(facts.batches, facts.alone, facts.each, strict=True):
        bars = [bar(text["alone"], alone / MIB, f"{alone / MIB:.1f} MiB", QUERY)]
        for number, kept in enumerate(each, start=1):
            bars.append(bar(text["card"].format(number=number), kept / MIB, f"{kept / MIB:.1f} MiB", VALUE))
        groups.append(Group(text["cards_title"].format(batch=batch), tuple(bars)))
    draw_groups(canvas, groups)
    values: dict[str, Any] = {
        "length": facts.length,
        "world": facts.world,
        "batches": list(facts.batches),
        "alone_mib": [alone / MIB for alone in facts.alone],
        "each_mib": [each[0] / MIB for each in facts.each],
        "inputs_differ": facts.inputs_differ,
        "gradients_equal": facts.gradients_equal,
        "gradient_difference": facts.gradient_difference,
        "parameter_mib": facts.parameter_bytes / MIB,
    }
    alt = text["cards_alt"].format(
        batches=" / ".join(map(str, facts.batches)),
        alone=" / ".join(f"{each:.1f}" for each in values["alone_mib"]),
        each=" / ".join(f"{each:.1f}" for each in values["each_mib"]),
    )
    return Exhibit(canvas.figure, alt, values)
