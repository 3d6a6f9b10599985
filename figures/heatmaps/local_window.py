"""A window along the diagonal: where it fails by design, and where it is at home."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from figures.canvas import SMALL, Canvas, Size, label, open_canvas
from figures.colours import VALUE, WARNING, muted
from figures.exhibit import Exhibit
from figures.experiments.bottleneck import LengthCurve, train_on_lengths
from figures.experiments.sequences import AlignedSentence
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.heatmaps.alignment import known
from figures.heatmaps.weight_map import Area, draw_weight_map, outline_cells
from figures.language import Wording, words

TEXT: Wording = {
    "dates": ("日期 → 中文：词序变了", "dates → Chinese: another order"),
    "syllables": ("汉字 → 拼音：次序不变", "characters → syllables: same order"),
    "dates_note": ("写对 {exact:.1%}，对齐 {alignment:.1%}", "exact {exact:.1%}, alignment {alignment:.1%}"),
    "syllables_note": ("长度 {length}：读对 {accuracy:.1%}", "length {length}: {accuracy:.1%} right"),
    "frame": ("斜线：窗口以外；绿框：正确的源词", "hatched: outside the window; green: right source"),
    "alt": (
        "同一种 local-m 窗口注意力在两个任务上的热力图。左：日期译成中文，词序改变，正确的源词在窗口之外，写对 "
        "{exact:.1%}；右：汉字读成拼音，次序不变，长度 {length} 的句子读对 {accuracy:.1%}。",
        "Maps of one local-m attention on two tasks. Left: dates into Chinese, where the order changes and the "
        "right source lies outside the window, exact {exact:.1%}; right: characters into syllables in the same "
        "order, {accuracy:.1%} right at length {length}.",
    ),
}


def local_window(
    dates: Annotated[TrainedTranslator, partial(train_translator, mechanism="local-m")],
    syllables: Annotated[LengthCurve, partial(train_on_lengths, mechanism="local-m")],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Luong's monotonic window (2015, §3.2) on a task that reorders and on one that does not."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    example = dates.examples[0]
    length = syllables.lengths[len(syllables.lengths) // 2]
    accuracy = syllables.accuracy[len(syllables.lengths) // 2]
    quality = {"exact": dates.quality.exact, "alignment": dates.quality.alignment or 0.0}
    half = canvas.width / 2
    for number, (name, sentence, colour, facts) in enumerate(
        (
            ("dates", example, WARNING, quality),
            ("syllables", syllables.example, VALUE, {"length": length, "accuracy": accuracy}),
        )
    ):
        left = number * half
        label(canvas, left + half / 2, 10, text[name], bold=True, colour=colour)
        area = Area(left, 22, left + half - 10, canvas.height - 40)
        _draw(canvas, area, sentence)
        note = text[f"{name}_note"].format(**facts)
        label(canvas, left + half / 2, canvas.height - 28, note, size=SMALL, colour=colour, bold=True)
    label(canvas, canvas.width / 2, canvas.height - 9, text["frame"], size=SMALL, colour=muted())
    values: dict[str, Any] = {
        **{f"dates_{name}": value for name, value in quality.items()},
        "window": dates.window,
        "length": length,
        "syllables_accuracy": accuracy,
        "dates_steps": dates.steps,
        "syllables_steps": syllables.steps,
    }
    for each_length, share in zip(syllables.lengths, syllables.accuracy, strict=True):
        values[f"syllables_{each_length}"] = share
    alt = text["alt"].format(exact=quality["exact"], length=length, accuracy=accuracy)
    return Exhibit(canvas.figure, alt, values)


def _draw(canvas: Canvas, area: Area, sentence: AlignedSentence) -> None:
    """One map; what lies outside the window has weight exactly 0 and is hatched."""
    if sentence.weights is None:
        raise ValueError("a model without attention has no window to draw")
    hidden = (sentence.weights == 0).numpy()
    drawn = draw_weight_map(canvas, area, sentence.weights, sentence.target, sentence.source, hidden=hidden)
    outline_cells(canvas, drawn, known(sentence))
