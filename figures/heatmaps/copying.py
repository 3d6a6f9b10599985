"""A very short summary: which word is copied from the sentence, which is made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from figures.canvas import NORMAL, SMALL, Canvas, Size, box, label, open_canvas
from figures.colours import EXTRA, VALUE, hairline, muted
from figures.exhibit import Exhibit
from figures.experiments.summaries import Summary, TrainedSummariser, train_summariser
from figures.heatmaps.weight_map import Area, draw_weight_map, outline_cells
from figures.language import Wording, words
from figures.matrices import Matrix
from figures.numerals import share

TEXT: Wording = {
    "keys": ("键：说明的第一句", "keys: first sentence"),
    "queries": ("查询：函数名", "queries: name"),
    "p_gen": ("生成的概率 p_gen", "p_gen"),
    "copy": ("抄", "copy"),
    "generate": ("生成", "generate"),
    "frame": ("绿框：原文里的同一个词", "green: the same word"),
    "alt": (
        "指针生成网络把说明“{source}”概括成函数名“{target}”：热力图每行一个写出的词，每列一个原文词；各词的生成概率 "
        "p_gen 是 {p_gen}，小于一半就是抄写。",
        "A pointer-generator sums up “{source}” as the function name “{target}”: a row for each word written, a "
        "column for each word of the sentence; p_gen is {p_gen}, below one half the word is copied.",
    ),
}
BAR = 84.0


def copying(
    model: Annotated[TrainedSummariser, train_summariser], example: int = 0, lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Weights over the sentence for each word of its name, and how much of each word is generated (See et al. 2017)."""
    summary = model.examples[example]
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 3.3))
    area = Area(0, 2, canvas.width - BAR - 62, canvas.height - 20)
    names = (text["queries"], text["keys"])
    drawn = draw_weight_map(canvas, area, summary.weights, summary.target, summary.source, names=names)
    outline_cells(canvas, drawn, [_occurrences(summary, word) for word in summary.target])
    _draw_bars(canvas, drawn, summary, text)
    label(canvas, canvas.width - 4, canvas.height - 9, text["frame"], size=SMALL, colour=muted(), align="right")
    alt = text["alt"].format(
        source=" ".join(summary.source),
        target=" ".join(summary.target),
        p_gen=", ".join(f"{word} {share(float(p))}" for word, p in zip(summary.target, summary.p_gen, strict=True)),
    )
    values: dict[str, Any] = {
        "source": " ".join(summary.source),
        "target": " ".join(summary.target),
        "reference": " ".join(summary.reference),
        "correct": summary.target == summary.reference,
        "p_gen": summary.p_gen.tolist(),
        "copied": sum(float(p) < 0.5 for p in summary.p_gen),
        "rouge": model.rouge,
        "baseline_rouge": model.baseline_rouge,
        "exact": model.exact,
        "pointing": model.pointing,
        "p_gen_copied": model.p_gen_copied,
        "p_gen_generated": model.p_gen_generated,
        "training": model.training,
        "parameters": model.parameters,
        "steps": model.steps,
    }
    return Exhibit(canvas.figure, alt, values)


def _occurrences(summary: Summary, word: str) -> list[int]:
    return [position for position, each in enumerate(summary.source) if each == word]


def _draw_bars(canvas: Canvas, drawn: Matrix, summary: Summary, text: Mapping[str, str]) -> None:
    """One bar for each written word beside its row: its length is p_gen."""
    x = drawn.right + 16
    label(canvas, x, drawn.top - 6, text["p_gen"], size=SMALL, colour=muted(), align="left", anchor="bottom")
    for cells, p in zip(drawn.cells, summary.p_gen.tolist(), strict=True):
        height = cells[0].get_height()
        y = cells[0].get_y() + height / 2
        thick = min(14.0, height - 4)
        copied = p < 0.5
        box(canvas, x, y - thick / 2, BAR, thick, edge=hairline(), line=0.8, name="whole")
        if p > 0:
            box(canvas, x, y - thick / 2, BAR * p, thick, fill=VALUE if copied else EXTRA, name=f"p_gen {p:.2f}")
        verdict = text["copy" if copied else "generate"]
        size = NORMAL if height >= 18 else SMALL
        label(canvas, x + BAR + 5, y, verdict, size=size, colour=VALUE if copied else EXTRA, bold=True, align="left")
