"""How many of ten injected bugs each check notices, with training and without."""

from __future__ import annotations

from typing import Annotated, Any

from figures.bars import Bar, Group, bar, draw_groups
from figures.canvas import Size, open_canvas
from figures.colours import VALUE, WARNING
from figures.exhibit import Exhibit
from figures.experiments.injected_bugs import BugTable, measure_bugs
from figures.experiments.self_checks import Noticed, run_checks
from figures.language import Wording, words
from figures.tables.checks import injected_bugs
from figures.tables.self_checks import self_checks

TEXT: Wording = {
    "trained": ("训练以后再看", "after training"),
    "untrained": ("不用训练", "without training"),
    "digit": ("“7 在不在”的正确率", "accuracy, digit"),
    "weight": ("“7 在不在”的热力图", "map, digit"),
    "recall": ("联想回忆的正确率", "accuracy, recall"),
    "rows": ("行和为 1", "rows sum to 1"),
    "future": ("改未来", "future changed"),
    "padding": ("补齐不变", "padded = alone"),
    "hand": ("手算例", "hand example"),
    "one": ("只留一键", "one key"),
    "five": ("以上五项合起来", "these five together"),
    "torch": ("和 PyTorch 逐元素比", "compared with torch"),
    "alt": (
        "横条图：{bugs} 个注入的错，各种检查查出几个。{each}。",
        "Bars: how many of {bugs} injected bugs each check notices. {each}.",
    ),
}
TRAINED = ("digit", "recall", "weight")
UNTRAINED = ("rows", "future", "padding", "hand", "one", "five", "torch")


def bugs_noticed(
    table: Annotated[BugTable, measure_bugs],
    noticed: Annotated[Noticed, run_checks],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Two groups of bars on a scale that ends at all bugs."""
    text = words(TEXT, lang)
    tasks, checks = injected_bugs(table, lang).values, self_checks(noticed, lang).values
    counts = {name: int(tasks[f"{name}_reveals"]) for name in TRAINED}
    counts |= {name: int(checks[name]) for name in UNTRAINED if name != "five"}
    counts["five"] = int(checks["together_without_torch"])
    bugs = int(checks["bugs"])

    def bars(names: tuple[str, ...], colour: str) -> tuple[Bar, ...]:
        return tuple(bar(text[name], counts[name], str(counts[name]), colour, bold=name == "five") for name in names)

    canvas = open_canvas(size, (7.0, 4.6))
    groups = (
        Group(text["trained"], bars(TRAINED, WARNING), WARNING),
        Group(text["untrained"], bars(UNTRAINED, VALUE), VALUE),
    )
    draw_groups(canvas, groups, largest=bugs)
    each = "，".join(f"{text[name]} {counts[name]}" for name in (*TRAINED, *UNTRAINED))
    values: dict[str, Any] = counts | {"bugs": bugs}
    return Exhibit(canvas.figure, text["alt"].format(bugs=bugs, each=each), values)
