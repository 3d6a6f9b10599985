"""One head beside the mean of all heads, which is what torch's module hands out unasked."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import Size, open_canvas
from figures.exhibit import Exhibit
from figures.experiments.head_average import HeadAverage, measure_head_average
from figures.experiments.heads import TrainedReader, train_reader
from figures.heads import ROLES
from figures.heatmaps.weight_map import Area, draw_weight_map
from figures.language import Wording, words

TEXT: Wording = {
    **ROLES,
    "keys": ("键", "keys"),
    "queries": ("查询", "queries"),
    "mean": ("{heads} 个头的平均", "mean of {heads} heads"),
    "alt": (
        "两张自注意力热力图，句子“{tokens}”。左：{name}，最大权重平均 {largest:.2f}，熵 {entropy:.2f}；右：{heads} 个头"
        "的平均，最大权重平均 {largest_of_mean:.2f}，熵 {entropy_of_mean:.2f}（熵已除以 ln T）。",
        "Two self-attention maps of “{tokens}”. Left: {name}, mean largest weight {largest:.2f}, entropy {entropy:.2f};"
        " right: the mean of {heads} heads, {largest_of_mean:.2f} and {entropy_of_mean:.2f} (entropies over ln T).",
    ),
}


def one_head_and_average(
    model: Annotated[TrainedReader, train_reader],
    facts: Annotated[HeadAverage, measure_head_average],
    head: int = 1,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The map of one head (from 1 on) and that of the mean; values are those of all heads on new sentences."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    tokens, weights = model.example.tokens, model.example.weights
    name = f"{text['head'].format(number=head)} {text[model.roles[head - 1]]}"
    titles = (name, text["mean"].format(heads=facts.heads))
    rows = 1 if canvas.width > 1.35 * canvas.height else 2
    width, height = canvas.width / (3 - rows), canvas.height / rows
    for number, (title, shown) in enumerate(zip(titles, (weights[head - 1], weights.mean(0)), strict=True)):
        left, top = (number * width, 2.0) if rows == 1 else (0.0, number * height + 2)
        area = Area(left, top, left + width - 8, top + height - 4)
        draw_weight_map(
            canvas, area, shown, tokens, tokens, names=(text["queries"], text["keys"]),
            title=title,
        )  # fmt: skip
    numbers = {
        "largest": facts.largest[head - 1],
        "largest_of_mean": facts.largest_of_mean,
        "entropy": facts.entropy[head - 1],
        "entropy_of_mean": facts.entropy_of_mean,
    }
    alt = text["alt"].format(tokens="".join(tokens), name=name, heads=facts.heads, **numbers)
    values: dict[str, Any] = {
        **numbers,
        "tokens": "".join(tokens),
        "role": text[model.roles[head - 1]],
        "mean_entropy": sum(facts.entropy) / facts.heads,
        "heads": facts.heads,
        "sentences": facts.sentences,
        "seed": model.seed,
        "steps": model.steps,
        "least_accuracy": min(model.accuracy),
        "torch_difference": facts.torch_difference,
        "most_first": max(facts.first),
        "most_diagonal": max(facts.diagonal),
    }
    for question, share, average in zip(
        model.questions, model.share.amax(0).tolist(), model.average_share, strict=True
    ):
        values |= {f"best_{question}": share, f"average_{question}": average}
    for i in range(facts.heads):
        values |= {f"diagonal_{i + 1}": facts.diagonal[i], f"first_{i + 1}": facts.first[i]}
    return Exhibit(canvas.figure, alt, values)
