"""Common faults as bars: what was measured before and after the fix."""

from __future__ import annotations

from typing import Annotated, Any

from figures.bars import Group, bar, draw_groups
from figures.canvas import Size, open_canvas
from figures.colours import EXTRA, VALUE, WARNING, WEIGHTS, muted
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.heads import TrainedReader, train_reader
from figures.experiments.padding import PaddingDrift, measure_padding_drift
from figures.experiments.positions import TrainedOrderReader, train_order_reader
from figures.heads import ROLES
from figures.language import Wording, words
from figures.numerals import decimals, scientific

WISH = (7.0, 4.6)

TEXT: Wording = {
    **ROLES,
    "unmasked": ("没有遮盖：真词分给 pad 的权重", "no mask: weight that real tokens give to pads"),
    "masked": ("加了遮盖", "with the mask"),
    "pads": ("+{count} 个 pad", "+{count} pads"),
    "drift": ("{weight:.0%}，输出偏 {drift:.2f}", "{weight:.0%}, output off by {drift:.2f}"),
    "no_drift": ("{weight:.0%}，输出偏 {tiny}", "{weight:.0%}, output off by {tiny}"),
    "padding_alt": (
        "横条图：{length} 个真词的句子补 {pads} 个 pad。没有遮盖时真词分给 pad 的权重是 {weights}，输出偏差 {drifts}；"
        "加了遮盖权重都是 0，偏差不超过 {masked:.0e}。",
        "Bars: a sentence of {length} tokens with {pads} pads. Without a mask its tokens give {weights} of their "
        "weight to pads and its outputs move by {drifts}; with the mask the weights are 0 and the outputs move by "
        "at most {masked:.0e}.",
    ),
    "sinusoidal": ("正弦位置", "sinusoidal"),
    "learned": ("可学位置", "learned"),
    "no_positions": ("没有位置", "no positions"),
    "order_title": ("分清成语和打乱的成语（没见过的）", "Telling unseen idioms from shuffled ones"),
    "chance": ("乱猜", "chance"),
    "swap_title": ("“{one}”与“{other}”的输出差", "Output difference of “{one}” and “{other}”"),
    "order_alt": (
        "横条图：判断四字成语是否被打乱，没见过的成语上 {each}，乱猜 50%。“{one}”与“{other}”的输出差：{differences}。",
        "Bars: telling idioms from shuffled ones on unseen idioms: {each}; chance 50%. Output difference of “{one}” "
        "and “{other}”: {differences}.",
    ),
    "entropy_title": ("权重的熵 ÷ ln T（1 = 均匀）", "Entropy of the weights ÷ ln T (1 = uniform)"),
    "std_title": ("分数的标准差", "Standard deviation of the scores"),
    "before": ("训练前（{heads} 个头平均）", "before training (mean of {heads})"),
    "entropy_alt": (
        "横条图：训练前 {heads} 个头的平均熵 {before:.2f}、分数标准差 {before_std:.2f}；训练后各头的熵 {after}，"
        "标准差 {after_std}。",
        "Bars: before training the {heads} heads have mean entropy {before:.2f} and score deviation "
        "{before_std:.2f}; after it their entropies are {after}, the deviations {after_std}.",
    ),
}


def padding_drift(
    drift: Annotated[PaddingDrift, measure_padding_drift], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Weight on pads and change of the outputs, without and with the padding mask."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    groups = []
    for name, weights, moves, colour in (
        ("unmasked", drift.weight, drift.drift, WARNING),
        ("masked", drift.masked_weight, drift.masked_drift, VALUE),
    ):
        note = text["drift" if name == "unmasked" else "no_drift"]
        bars = tuple(
            bar(
                text["pads"].format(count=count),
                weight,
                note.format(weight=weight, drift=move, tiny=scientific(move)),
                colour,
            )
            for count, weight, move in zip(drift.pads, weights, moves, strict=True)
        )
        groups.append(Group(text[name], bars, colour))
    draw_groups(canvas, groups, largest=1.0)
    alt = text["padding_alt"].format(
        length=drift.length,
        pads="/".join(map(str, drift.pads)),
        weights=" / ".join(f"{weight:.0%}" for weight in drift.weight),
        drifts=" / ".join(f"{move:.2f}" for move in drift.drift),
        masked=max(drift.masked_drift),
    )
    values: dict[str, Any] = {"length": drift.length, "pads": list(drift.pads)}
    for i, count in enumerate(drift.pads):
        values |= {f"weight_{count}": drift.weight[i], f"drift_{count}": drift.drift[i]}
    values |= {"masked_weight": max(drift.masked_weight), "masked_drift": max(drift.masked_drift)}
    return Exhibit(canvas.figure, alt, values)


def order_readers(
    readers: Annotated[
        tuple[TrainedOrderReader, ...], each(train_order_reader, positions=("none", "sinusoidal", "learned"))
    ],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Readers of idioms without and with positions: accuracy on shuffled idioms, and one sentence in two orders."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    names = {
        reader.positions: text["no_positions" if reader.positions == "none" else reader.positions] for reader in readers
    }
    colours = {reader.positions: WARNING if reader.positions == "none" else VALUE for reader in readers}
    accuracy = [bar(names[r.positions], r.accuracy, f"{r.accuracy:.1%}", colours[r.positions]) for r in readers]
    accuracy.append(bar(text["chance"], 0.5, "50%", muted()))
    differences = {reader.positions: abs(reader.logit - reader.swapped_logit) for reader in readers}
    largest = max(differences.values())
    swapped = [
        bar(names[name], difference / largest, difference_written(difference), colours[name])
        for name, difference in differences.items()
    ]
    one, other = "".join(readers[0].sentence), "".join(readers[0].swapped)
    title = text["swap_title"].format(one=one, other=other)
    draw_groups(canvas, [Group(text["order_title"], tuple(accuracy)), Group(title, tuple(swapped))], largest=1.0)
    separator = "，" if lang.startswith("zh") else ", "
    alt = text["order_alt"].format(
        one=one,
        other=other,
        each=separator.join(f"{names[r.positions]} {r.accuracy:.1%}" for r in readers),
        differences=separator.join(
            f"{names[name]} {difference_written(difference)}" for name, difference in differences.items()
        ),
    )
    values: dict[str, Any] = {"idioms": readers[0].idioms, "steps": readers[0].steps, "one": one, "other": other}
    for reader in readers:
        values |= {
            f"{reader.positions}_accuracy": reader.accuracy,
            f"{reader.positions}_training_accuracy": reader.training_accuracy,
            f"{reader.positions}_difference": differences[reader.positions],
        }
    return Exhibit(canvas.figure, alt, values)


def difference_written(difference: float) -> str:
    """Two decimals, or a power of ten where nothing but rounding is left."""
    return decimals(difference, 2) if difference >= 0.01 else scientific(difference)


def head_statistics(
    model: Annotated[TrainedReader, train_reader], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Entropy of the weights and deviation of the scores, before training and for each trained head."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    h = model.num_heads
    before, before_std = sum(model.initial_entropy) / h, sum(model.initial_score_std) / h
    first = text["before"].format(heads=h)
    names = [f"{text['head'].format(number=i + 1)} {text[role]}" for i, role in enumerate(model.roles)]
    largest = max(*model.score_std, before_std)
    entropy = (
        bar(first, before, f"{before:.2f}", muted()),
        *(bar(name, e, f"{e:.2f}", WEIGHTS) for name, e in zip(names, model.entropy, strict=True)),
    )
    deviation = (
        bar(first, before_std / largest, f"{before_std:.2f}", muted()),
        *(bar(name, s / largest, f"{s:.2f}", EXTRA) for name, s in zip(names, model.score_std, strict=True)),
    )
    groups = [Group(text["entropy_title"], entropy, WEIGHTS), Group(text["std_title"], deviation, EXTRA)]
    draw_groups(canvas, groups, largest=1.0)
    alt = text["entropy_alt"].format(
        heads=h,
        before=before,
        before_std=before_std,
        after=", ".join(f"{e:.2f}" for e in model.entropy),
        after_std=", ".join(f"{s:.2f}" for s in model.score_std),
    )
    values: dict[str, Any] = {"heads": h, "entropy_before": before, "std_before": before_std}
    for i in range(h):
        values |= {f"entropy_{i + 1}": model.entropy[i], f"std_{i + 1}": model.score_std[i]}
    return Exhibit(canvas.figure, alt, values)
