"""Text tinted by weight: the source as it was read, once for each token that is written."""

from __future__ import annotations

from typing import Annotated, Any

from matplotlib.colors import to_hex

from figures.canvas import NORMAL, SMALL, Canvas, Size, box, label, open_canvas, text_width
from figures.colours import WEIGHTS, hairline, muted, ramp, readable_on
from figures.exhibit import Exhibit
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.heatmaps.alignment import asked_for, attended
from figures.heatmaps.weight_map import checked_weights
from figures.language import Wording, words
from figures.models.attention_layer import GlobalScore, Mechanism
from figures.numerals import share

TEXT: Wording = {
    "writes": ("写“{token}”", "“{token}”"),
    "note": ("底色越深权重越大，每行相加为 1", "the darker, the heavier; each row adds up to 1"),
    "alt": (
        "权重配色：写译文“{target}”的每个字时，源句“{source}”各词按注意力权重着色。最深处：{strongest}。",
        "Text tinted by weight: for each token of the output “{target}” the source “{source}” is shaded by attention. "
        "Darkest: {strongest}.",
    ),
}


def tinted_text(
    model: Annotated[TrainedTranslator, train_translator],
    mechanism: Mechanism = "additive",
    example: int = 0,
    score: GlobalScore | None = None,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The source sentence once for each output token, its tokens as the model reads them, shaded by their weights."""
    mechanism = asked_for(model, mechanism, score)
    sentence, weights = attended(model, example)
    numbers = checked_weights(weights, partial=mechanism == "local-p")
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    pitch = min(28.0, (canvas.height - 20) / len(sentence.target))
    top = (canvas.height - 20 - pitch * len(sentence.target)) / 2
    names = [text["writes"].format(token=token) for token in sentence.target]
    left = max(text_width(name) for name in names) + 14
    widths = [max(text_width(token) + 12, pitch) for token in sentence.source]
    stretch = min(1.6, (canvas.width - left - 4) / (sum(widths) + 3 * len(widths)))
    left += max(0.0, canvas.width - left - 4 - sum(w * stretch + 3 for w in widths)) / 2
    for row, name in enumerate(names):
        y = top + row * pitch
        label(canvas, left - 8, y + pitch / 2, name, align="right")
        _tint_row(canvas, left, y + 2, pitch - 4, sentence.source, numbers[row].tolist(), [w * stretch for w in widths])
    label(canvas, canvas.width - 4, canvas.height - 8, text["note"], size=SMALL, colour=muted(), align="right")
    strongest = numbers.argmax(-1)
    pairs = zip(sentence.target, strongest.tolist(), numbers.max(-1).tolist(), strict=True)
    alt = text["alt"].format(
        target="".join(sentence.target),
        source=" ".join(sentence.source),
        strongest=", ".join(f"{token}→{sentence.source[key]} {share(weight)}" for token, key, weight in pairs),
    )
    values: dict[str, Any] = {
        "source": " ".join(sentence.source),
        "target": "".join(sentence.target),
        "exact": model.quality.exact,
        "alignment": model.quality.alignment,
        "peak": float(numbers.max()),
        "row_sum": float(numbers[0].sum()),
    }
    return Exhibit(canvas.figure, alt, values)


def _tint_row(
    canvas: Canvas,
    x: float,
    y: float,
    height: float,
    tokens: tuple[str, ...],
    weights: list[float],
    widths: list[float],
) -> None:
    colours = ramp(WEIGHTS)
    for token, weight, width in zip(tokens, weights, widths, strict=True):
        fill = to_hex(colours(weight))
        box(
            canvas, x, y, width, height, token, fill=fill, edge=hairline(), line=0.6, colour=readable_on(fill),
            size=NORMAL if height >= 16 else SMALL, name=f"{token} {weight:.2f}",
        )  # fmt: skip
        x += width + 3
