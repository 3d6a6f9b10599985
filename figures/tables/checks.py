"""What checks reveal: a toy task and faulty attention, masks and their conventions, heads and dropout switched off."""

from __future__ import annotations

from typing import Annotated, Any

from figures.exhibit import MeasuredTable
from figures.experiments.dropout import DropoutFacts, DropoutSwitches, measure_dropout, measure_dropout_switches
from figures.experiments.heads import TrainedReader, train_reader
from figures.experiments.injected_bugs import BugTable, measure_bugs
from figures.experiments.mask_conventions import half_precision_error, probe_masks
from figures.experiments.padding import combine_masks
from figures.heads import ROLES, role_share
from figures.language import Wording, words
from figures.numerals import decimals, power_of_ten

TEXT: Wording = {
    "bug": ("代码里的错", "bug"),
    "digit": ("数字在不在", "does the digit occur"),
    "weight": ("数字上的权重", "weight on the digit"),
    "recall": ("联想回忆", "associative recall"),
    "difference": ("与 torch 相差", "difference from torch"),
    "none": ("没有错", "none"),
    "no scale": ("没有缩放", "no scaling"),
    "times √d": (r"乘 $\sqrt{d}$，不是除", "times √d, not over it"),
    "no mask": ("没有遮盖", "no mask"),
    "fill -1e-9": ("填 $-10^{-9}$，不是 $-10^9$", "filled with $-10^{-9}$"),
    "mask inverted": ("遮盖反了", "mask inverted"),
    "softmax over queries": ("softmax 沿查询做", "softmax over queries"),
    "uniform weights": ("权重一律均匀", "uniform weights"),
    "weights transposed": ("权重转置", "weights transposed"),
    "k as v": ("把 K 当 V", "K used as V"),
    "context dropped": ("丢掉上下文，返回 q", "context dropped"),
}
MORE: Wording = {
    **ROLES,
    "function": ("函数", "function"),
    "true_means": ("mask 里 True 表示", "True means"),
    "empty_row": ("整行被遮住时输出", "row without keys"),
    "keep": ("保留", "keep"),
    "ignore": ("遮住", "ignore"),
    "role": ("在做什么", "what it does"),
    "share": ("权重", "weight there"),
    "own": ("本职题", "its own question"),
    "others": ("其余题", "the others"),
    "switch": ("情形", "situation"),
    "equal": ("两次结果相同吗", "two runs equal"),
    "training": ("train()", "train()"),
    "evaluation": ("eval()", "eval()"),
    "training_without_grad": ("train() + no_grad()", "train() + no_grad()"),
    "function_in_evaluation": ("eval() 里调 F.scaled_dot_product_attention(dropout_p={p:g})",
                               "F.scaled_dot_product_attention(dropout_p={p:g}) in eval()"),
    "yes": ("相同", "yes"),
    "no": ("不同", "no"),
}  # fmt: skip
REVEALED = 0.05
"""An accuracy this far below that of the right code counts as noticed."""


def injected_bugs(table: Annotated[BugTable, measure_bugs], lang: str = "zh") -> MeasuredTable:
    """Ten bugs and the right code on a toy task, on a stricter one, and against torch's own function."""
    text = words(TEXT, lang)
    right = table.reports[0]
    rows = []
    values: dict[str, Any] = {
        "steps": table.steps,
        "digit_chance": table.digit_chance,
        "recall_chance": table.recall_chance,
        "bugs": len(table.reports) - 1,
        "digit_reveals": 0,
        "weight_reveals": 0,
        "recall_reveals": 0,
        "torch_reveals": 0,
        "tasks_reveal": 0,
    }
    for report in table.reports:
        noticed = {
            "digit": report.digit_accuracy < right.digit_accuracy - REVEALED,
            "weight": report.digit_weight < right.digit_weight / 2,
            "recall": report.recall_accuracy < right.recall_accuracy - REVEALED,
            "torch": report.difference > 1e-4,
        }
        rows.append(
            (
                text[report.bug],
                _marked(f"{report.digit_accuracy:.1%}", noticed["digit"]),
                _marked(decimals(report.digit_weight, 2), noticed["weight"]),
                _marked(f"{report.recall_accuracy:.1%}", noticed["recall"]),
                _marked(_difference(report.difference), noticed["torch"]),
            )
        )
        values["tasks_reveal"] += noticed["digit"] or noticed["recall"]
        values |= {f"{check}_reveals": values[f"{check}_reveals"] + seen for check, seen in noticed.items()}
        name = report.bug.replace(" -", " minus ").replace(" ", "_").replace("-", "_").replace("√", "root_")
        values |= {f"{name}_digit": report.digit_accuracy, f"{name}_recall": report.recall_accuracy}
        values |= {f"{name}_weight": report.digit_weight, f"{name}_difference": report.difference}
    header = tuple(text[name] for name in ("bug", "digit", "weight", "recall", "difference"))
    return MeasuredTable(header, tuple(rows), ("left", "right", "right", "right", "right"), values)


def _difference(value: float) -> str:
    """Two digits, or the power of ten of what is only rounding."""
    if value == 0:
        return "0"
    return decimals(value, 1) if value >= 0.05 else power_of_ten(value)


def _marked(written: str, noticed: bool) -> str:
    """Bold where the bug shows."""
    return f"**{written}**" if noticed else written


def mask_conventions(lang: str = "zh") -> MeasuredTable:
    """What True means in the masks of four functions, and what a row without keys gives, found by asking them."""
    text = words(MORE, lang)
    found = probe_masks()
    rows = tuple((f"`{each.function}`", text[each.true_means], each.empty_row) for each in found)
    masks = combine_masks()
    values: dict[str, Any] = {"lengths": list(masks.lengths), "pads": list(masks.pads)}
    values |= {"rows": masks.rows, "empty_rows": masks.empty_rows, "half_error": half_precision_error()}
    values |= {f"empty_row_{number}": each.empty_row for number, each in enumerate(found)}
    values |= {f"true_means_{number}": each.true_means for number, each in enumerate(found)}
    header = tuple(text[name] for name in ("function", "true_means", "empty_row"))
    return MeasuredTable(header, rows, ("left", "left", "right"), values)


def head_roles(model: Annotated[TrainedReader, train_reader], lang: str = "zh") -> MeasuredTable:
    """Each trained head: what it looks at, and what the model can no longer answer without it."""
    text = words(MORE, lang)
    rows = []
    values: dict[str, Any] = {"heads": model.num_heads, "least_accuracy": min(model.accuracy)}
    for head, role in enumerate(model.roles):
        without = dict(zip(model.questions, model.without[head].tolist(), strict=True))
        weight = role_share(model, head)
        own = without.get(role)
        others = [accuracy for question, accuracy in without.items() if question != role]
        rows.append(
            (
                text["head"].format(number=head + 1),
                text[role],
                "–" if weight is None else decimals(weight, 2),
                "–" if own is None else f"{own:.1%}",
                f"{min(others):.1%}",
            )
        )
        values |= {f"share_{head + 1}": weight, f"own_{head + 1}": own, f"others_{head + 1}": min(others)}
        values[f"role_{head + 1}"] = text[role]
    values["greatest_own"] = max((values[f"own_{head + 1}"] or 0.0) for head in range(model.num_heads))
    values["least_others"] = min(values[f"others_{head + 1}"] for head in range(model.num_heads))
    header = (text["head"].format(number="").strip(), *(text[name] for name in ("role", "share", "own", "others")))
    return MeasuredTable(header, tuple(rows), ("left", "left", "right", "right", "right"), values)


def dropout_switches(
    switches: Annotated[DropoutSwitches, measure_dropout_switches],
    facts: Annotated[DropoutFacts, measure_dropout],
    lang: str = "zh",
) -> MeasuredTable:
    """What switches dropout off and what does not: whether two runs on one input agree to the bit."""
    text = words(MORE, lang)
    names = ("training", "training_without_grad", "evaluation", "function_in_evaluation")
    found = {name: bool(getattr(switches, name)) for name in names}
    rows = tuple((text[name].format(p=switches.p), text["yes" if equal else "no"]) for name, equal in found.items())
    values = {**found, "p": switches.p, "bias": facts.bias, "draws": facts.draws}
    return MeasuredTable((text["switch"], text["equal"]), rows, ("left", "left"), values)
