"""Checks that need no training: which of ten bugs they notice, and what a right layer gives on a checklist."""

from __future__ import annotations

import math
from typing import Annotated, Any

from figures.exhibit import Alignment, MeasuredTable
from figures.experiments.self_checks import LayerReport, Noticed, inspect_layer, run_checks
from figures.language import Wording, words
from figures.numerals import power_of_ten
from figures.tables.checks import TEXT as BUG_NAMES

TEXT: Wording = {
    **BUG_NAMES,
    "rows": ("行和为 1", "rows sum to 1"),
    "future": ("改未来", "future changed"),
    "padding": ("补齐不变", "padded = alone"),
    "one": ("只留一键", "one key"),
    "hand": ("手算例", "hand example"),
    "torch": ("比 torch", "torch"),
    "noticed": ("查出几个", "noticed"),
    "number": ("", ""),
    "what": ("查什么", "what is checked"),
    "how": ("一行测试", "test in a line"),
    "measured": ("本课的多头层", "the course's layer"),
    "row_sum": ("权重每行加起来是 1", "every row of weights sums to 1"),
    "leak": ("改后面的词，第 0 个输出不动", "later tokens do not move output 0"),
    "pads": ("补齐前后，同一句结果一样", "a sentence alone and padded is the same"),
    "split": ("拆头：第 0 个头是前 $d_k$ 维，合头还原", "head 0 is the first $d_k$ features; merging undoes it"),
    "same": ("同 PyTorch 自带的函数一样", "the same as PyTorch's own function"),
    "twice": ("eval() 里算两次，结果相同", "two runs in eval() are equal"),
    "cached": ("有缓存、无缓存，结果一样", "the same with and without cache"),
    "loss": ("刚开始的 loss 约为 ln 类别数", "the first loss is about ln of the classes"),
    "batch": ("一个批次能背下来", "one batch can be learnt by heart"),
    "deviation": ("最多差 {value}", "off by {value} at most"),
    "zero": ("变化 0", "change 0"),
    "equal": ("相同", "equal"),
    "different": ("不同", "different"),
    "near": ("{value:.2f}（ln {classes} = {ideal:.2f}）", "{value:.2f} (ln {classes} = {ideal:.2f})"),
    "learnt": ("loss {first:.2f} → {last:.4f}", "loss {first:.2f} → {last:.4f}"),
}
NOTICED = "●"
CENTRED: Alignment = "center"


def self_checks(noticed: Annotated[Noticed, run_checks], lang: str = "zh") -> MeasuredTable:
    """Ten bugs down the side, six checks along the top, a dot where the check fails."""
    text = words(TEXT, lang)
    rows: list[tuple[str, ...]] = []
    for bug, passed in zip(noticed.bugs, noticed.passed, strict=True):
        rows.append((text[bug], *("" if ok else NOTICED for ok in passed)))
    counts = [sum(not passed[column] for passed in noticed.passed) for column in range(len(noticed.checks))]
    rows.append((f"**{text['noticed']}**", *(f"**{count}**" for count in counts)))
    without_torch = [all(passed[:-1]) for passed in noticed.passed[1:]]
    values: dict[str, Any] = dict(zip(noticed.checks, counts, strict=True)) | {
        "bugs": len(noticed.bugs) - 1,
        "false_alarms": sum(not ok for ok in noticed.passed[0]),
        "together_without_torch": without_torch.count(False),
    }
    header = (text["bug"], *(text[check] for check in noticed.checks))
    alignment: tuple[Alignment, ...] = ("left", *(CENTRED for _ in noticed.checks))
    return MeasuredTable(header, tuple(rows), alignment, values)


def checklist(report: Annotated[LayerReport, inspect_layer], lang: str = "zh") -> MeasuredTable:
    """Nine lines from cheap to dear, each with its test and what the course's own layer gives."""
    text = words(TEXT, lang)
    ideal = math.log(report.classes)
    near = text["near"].format(value=report.first_loss, classes=report.classes, ideal=ideal)
    equal = {True: text["equal"], False: text["different"]}
    lines = (
        ("row_sum", "`weights.sum(-1) == 1`", _deviation(report.row_sum, text)),
        ("leak", "`x[:, 1:] += 1`", _deviation(report.future, text)),
        ("pads", "`f(x[:, :5]) == f(pad(x))[:, :5]`", _deviation(report.padding, text)),
        ("split", "`merge(split(x)) == x`", equal[report.split]),
        ("same", "`F.scaled_dot_product_attention`", _deviation(report.torch, text)),
        ("twice", "`torch.equal(f(x), f(x))`", equal[report.evaluation]),
        ("cached", "`f(x, cache=cache)`", _deviation(report.cache, text)),
        ("loss", "`cross_entropy(f(x), y)`", near),
        ("batch", "`fit(model, batch)`", text["learnt"].format(first=report.first_loss, last=report.last_loss)),
    )
    rows = tuple((str(number), text[name], how, result) for number, (name, how, result) in enumerate(lines, start=1))
    values = {
        "row_sum": report.row_sum, "future": report.future, "padding": report.padding, "split": report.split,
        "evaluation": report.evaluation, "training": report.training, "cache": report.cache, "torch": report.torch,
        "first_loss": report.first_loss, "last_loss": report.last_loss, "ideal": ideal, "lines": len(lines),
    }  # fmt: skip
    header = tuple(text[name] for name in ("number", "what", "how", "measured"))
    return MeasuredTable(header, rows, ("right", "left", "left", "left"), values)


def _deviation(value: float, text: dict[str, str]) -> str:
    return text["zero"] if value == 0 else text["deviation"].format(value=power_of_ten(value))
