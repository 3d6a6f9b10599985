"""Where a translator looks while it writes, beside the alignment that is known from how the data are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from torch import Tensor

from figures.canvas import SMALL, Canvas, Size, label, open_canvas
from figures.colours import VALUE, muted
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.sequences import AlignedSentence
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.heatmaps.weight_map import Area, draw_scale, draw_weight_map, outline_cells
from figures.language import Wording, words
from figures.models.attention_layer import GlobalScore, Mechanism

TEXT: Wording = {
    "keys": ("键：源句", "keys: source"),
    "queries": ("查询：译文", "queries: output"),
    "weight": ("权重", "weight"),
    "gold": ("绿框", "framed"),
    "gold_meaning": ("已知的\n正确对齐", "known\nalignment"),
    "sum": ("每一行\n相加为 1", "each row\nadds up to 1"),
    "general": ("软（general）", "soft (general)"),
    "hard-gumbel": ("硬（Gumbel）", "hard (Gumbel)"),
    "alignment_alt": (
        "注意力热力图（{mechanism}）：{rows} 个输出字符“{target}”对 {columns} 个源词“{source}”。"
        "每行最大权重落在：{strongest}。"
        "最大权重 {peak:.2f}；{sentences} 个没见过的日期上完全正确 {exact:.1%}，对齐正确 {alignment:.1%}。",
        "Attention map ({mechanism}): {rows} output tokens “{target}” over {columns} source tokens “{source}”. "
        "Strongest in each row: {strongest}. Largest weight {peak:.2f}; exact {exact:.1%}, alignment {alignment:.1%} "
        "on {sentences} held-out dates.",
    ),
    "alignments_alt": (
        "同一个日期“{source}”的 {count} 张对齐热力图。{each}。",
        "{count} attention maps of one date “{source}” side by side. {each}.",
    ),
    "one": (
        "{mechanism}：对齐正确 {alignment:.1%}，完全正确 {exact:.1%}",
        "{mechanism}: alignment {alignment:.1%}, exact {exact:.1%}",
    ),
}


def alignment(
    model: Annotated[TrainedTranslator, train_translator],
    mechanism: Mechanism = "additive",
    example: int = 0,
    score: GlobalScore | None = None,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The weights of one held-out date, written and read in one pass; the known alignment is framed."""
    mechanism = asked_for(model, mechanism, score)
    sentence, weights = attended(model, example)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (7.0, 4.6))
    area = Area(0, 2, canvas.width - 76, canvas.height)
    drawn = draw_weight_map(
        canvas, area, weights, sentence.target, sentence.source, names=(text["queries"], text["keys"]),
        partial=mechanism == "local-p",
    )  # fmt: skip
    outline_cells(canvas, drawn, known(sentence))
    _write_legend(canvas, drawn.right + 20, drawn.top, drawn.bottom, text)
    return Exhibit(canvas.figure, _describe(model, sentence, weights, text), _values(model, sentence, weights))


def alignments(
    models: Annotated[tuple[TrainedTranslator, ...], each(train_translator, mechanism=("additive", "dot"))],
    example: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The same date under several mechanisms, side by side."""
    return side_by_side(models, example, lang, size)


def soft_and_hard(
    models: Annotated[tuple[TrainedTranslator, ...], each(train_translator, mechanism=("general", "hard-gumbel"))],
    example: int = 0,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The same date under soft attention, which mixes, and hard attention, which picks one key a row."""
    return side_by_side(models, example, lang, size)


def side_by_side(
    models: Sequence[TrainedTranslator],
    example: int,
    lang: str,
    size: Size | None,
    columns: int = 2,
    wish: Size = (7.0, 4.6),
) -> Exhibit:
    """Maps of one example under each model, in rows of `columns`; the output tokens stand beside the first of a row."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, wish)
    found = [attended(model, example) for model in models]
    first = 46.0
    width = (canvas.width - first) / columns
    height = canvas.height / -(-len(models) // columns)
    values: dict[str, Any] = {}
    for number, (model, (sentence, weights)) in enumerate(zip(models, found, strict=True)):
        row, column = divmod(number, columns)
        left = first + column * width
        named = column == 0 or sentence.target != found[0][0].target
        area = Area(left - (0 if column else first), row * height + 2, left + width - 8, (row + 1) * height - 4)
        drawn = draw_weight_map(
            canvas, area, weights, sentence.target, sentence.source, title=text.get(model.mechanism, model.mechanism),
            rows_named=named, partial=model.mechanism == "local-p",
        )  # fmt: skip
        outline_cells(canvas, drawn, known(sentence))
        prefix = model.mechanism.replace("-", "_")
        values |= {f"{prefix}_{name}": value for name, value in _values(model, sentence, weights).items()}
    separator = "；" if lang.startswith("zh") else "; "
    alt = text["alignments_alt"].format(
        source=" ".join(found[0][0].source),
        count=len(models),
        each=separator.join(text["one"].format(mechanism=model.mechanism, **_quality(model)) for model in models),
    )
    return Exhibit(canvas.figure, alt, values)


def asked_for(model: TrainedTranslator, mechanism: Mechanism, score: GlobalScore | None) -> Mechanism:
    """The mechanism, by name or, where every state is looked at, by its score; ValueError if the model has another."""
    mechanism = score or mechanism
    if model.mechanism != mechanism:
        raise ValueError(f"the model attends by {model.mechanism!r}, not by {mechanism!r}")
    return mechanism


def attended(model: TrainedTranslator, example: int) -> tuple[AlignedSentence, Tensor]:
    """An example with its weights; ValueError for a model that has none."""
    sentence = model.examples[example]
    if sentence.weights is None:
        raise ValueError(f"a translator with mechanism {model.mechanism!r} has no weights to draw")
    return sentence, sentence.weights


def known(sentence: AlignedSentence) -> list[tuple[int, ...]]:
    """The known source positions of each written token; none where the model wrote something else."""
    rows: list[tuple[int, ...]] = []
    for position, token in enumerate(sentence.target):
        right = position < len(sentence.reference) and sentence.reference[position] == token
        rows.append(sentence.gold[position] if right else ())
    return rows


def _write_legend(canvas: Canvas, x: float, top: float, bottom: float, text: Mapping[str, str]) -> None:
    room = bottom - top
    height = min(110.0, room * 0.42)
    draw_scale(canvas, x, top + 16, height, text["weight"])
    y = top + height + 36
    label(canvas, x, y, text["gold"], bold=True, colour=VALUE, align="left", anchor="top")
    label(canvas, x, y + 17, text["gold_meaning"], size=SMALL, colour=muted(), align="left", anchor="top")
    if room > 180:
        label(canvas, x, y + 56, text["sum"], size=SMALL, colour=muted(), align="left", anchor="top")


def _quality(model: TrainedTranslator) -> dict[str, float]:
    return {"exact": model.quality.exact, "alignment": model.quality.alignment or 0.0}


def _describe(model: TrainedTranslator, sentence: AlignedSentence, weights: Tensor, text: Mapping[str, str]) -> str:
    pairs = zip(sentence.target, weights.argmax(-1).tolist(), strict=True)
    return text["alignment_alt"].format(
        mechanism=model.mechanism,
        rows=len(sentence.target),
        columns=len(sentence.source),
        target="".join(sentence.target),
        source=" ".join(sentence.source),
        strongest=", ".join(f"{token}→{sentence.source[key]}" for token, key in pairs),
        peak=float(weights.max()),
        sentences=model.quality.sentences,
        **_quality(model),
    )


def _values(model: TrainedTranslator, sentence: AlignedSentence, weights: Tensor) -> dict[str, Any]:
    rows = known(sentence)
    strongest = weights.argmax(-1).tolist()
    judged = [(key, row) for key, row in zip(strongest, rows, strict=True) if row]
    return {
        "exact": model.quality.exact,
        "token_accuracy": model.quality.token_accuracy,
        "alignment": model.quality.alignment,
        "alignment_within_one": model.quality.alignment_within_one,
        "mass": model.quality.mass,
        "parameters": model.parameters,
        "steps": model.steps,
        "seed": model.seed,
        "sentences": model.quality.sentences,
        "source": " ".join(sentence.source),
        "target": "".join(sentence.target),
        "source_length": len(sentence.source),
        "target_length": len(sentence.target),
        "correct": sentence.correct,
        "peak": float(weights.max()),
        "row_sum": float(weights[0].sum()),
        "example_aligned": sum(key in row for key, row in judged),
        "example_judged": len(judged),
    }
