"""Diagram 1: a whole sentence squeezed into one vector, and the same sentence when the decoder may look back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any

from torch import Tensor

from figures.canvas import LARGE, NORMAL, SMALL, Boxed, Canvas, Size, arrow, box, label, open_canvas, text_width
from figures.colours import KEY, WARNING, WEIGHTS, Colour, hairline, muted, paper, signed, tint
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.sequences import AlignedSentence
from figures.experiments.translation import TrainedTranslator, train_translator
from figures.language import Wording, words
from figures.matrices import Matrix, matrix
from figures.numerals import share

SHOWN = 8
"""Components of a state that are drawn."""
FORMULA = r"$c_i = \alpha_{i1} h_1 + \alpha_{i2} h_2 + \cdots$"

TEXT: Wording = {
    "without": ("没有注意力：整句话只剩一个向量", "No attention: one vector is all that is left"),
    "with": ("有注意力：写“{token}”时回头看每个状态", "Attention: writing “{token}”, look back at every state"),
    "vector": ("固定向量", "fixed vector"),
    "context": ("上下文", "context"),
    "wrong": ("第 {place} 个字应为“{right}”，写成“{written}”", "token {place} should be “{right}”, is “{written}”"),
    "right": ("这一句写对了", "this one is right"),
    "quality": ("{sentences} 个没见过的日期，写对 {exact:.1%}", "{exact:.1%} of {sentences} unseen dates right"),
    "sum": ("{terms} … = {total}", "{terms} … = {total}"),
    "mix": ("每一步按权重现配一个", "mixed anew at every step"),
    "alt": (
        "上半：没有注意力的翻译器把“{source}”的 {count} 个编码器状态压成一个 {size} 维向量，解码器每一步只看到它，"
        "写出“{without}”（应为“{reference}”）。下半：有注意力时，写“{token}”这一步向全部 {count} 个状态连线，"
        "最粗的连到“{strongest}”，权重 {weight}；写出“{with_attention}”。",
        "Above: a translator without attention squeezes the {count} encoder states of “{source}” into one vector of "
        "{size} numbers, all that the decoder sees; it writes “{without}” (right: “{reference}”). Below: with "
        "attention the step that writes “{token}” is joined to all {count} states, most strongly to “{strongest}” "
        "with weight {weight}; it writes “{with_attention}”.",
    ),
}


@dataclass(frozen=True, slots=True)
class Lane:
    """One half of the picture: where its title, decoder boxes and encoder strips lie, in points."""

    title: float
    boxes: float
    box_height: float
    strips: float
    cell: tuple[float, float]
    encoder_width: float
    vector: float
    """Left edge of the one vector between encoder and decoder."""
    decoder: float
    """Left edge of what stands right of that vector."""


def bottleneck(
    models: Annotated[tuple[TrainedTranslator, ...], each(train_translator, mechanism=("none", "additive"))],
    example: int = 0,
    step: int | None = None,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """One held-out date through a translator without and one with attention.

    `step` is the output token that looks back; left out, it is the first that the model without attention gets wrong.
    """
    without, attending = (model.examples[example] for model in models)
    if attending.weights is None:
        raise ValueError(f"the second model has mechanism {models[1].mechanism!r}; its weights are to be drawn")
    chosen = _interesting_step(without, attending.weights) if step is None else step
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 5.0))
    half = canvas.height / 2
    _draw_squeezed(canvas, _lane(canvas, 0, half - 8), without, models[0], text)
    canvas.axes.axhline(half - 1, color=hairline(), linewidth=0.8, label="_divider", gid="step-4")
    _draw_attending(canvas, _lane(canvas, half + 8, half - 8), attending, models[1], chosen, text)
    alt = _describe(without, attending, attending.weights[chosen], chosen, text)
    return Exhibit(canvas.figure, alt, _values(models, without, attending, attending.weights[chosen], chosen))


def _interesting_step(without: AlignedSentence, weights: Tensor) -> int:
    """The first token that the fixed vector gets wrong, else the one that looks most sharply."""
    wrong = [position for position in _wrong(without) if position < len(weights)]
    return wrong[0] if wrong else int(weights.amax(-1).argmax())


def _wrong(sentence: AlignedSentence) -> list[int]:
    pairs = enumerate(zip(sentence.target, sentence.reference, strict=False))
    return [position for position, (written, right) in pairs if written != right]


def _lane(canvas: Canvas, top: float, height: float) -> Lane:
    roomy = height > 130
    box_height = 24.0 if roomy else 18.0
    boxes = top + 22
    cell = (16.0 if canvas.wide else 10.0, 7.0 if roomy else 4.0)
    strips = top + height - 17 - SHOWN * cell[1]
    encoder_width = canvas.width * 0.46
    vector = encoder_width + (30 if canvas.wide else 18)
    return Lane(top + 8, boxes, box_height, strips, cell, encoder_width, vector, vector + (60 if canvas.wide else 36))


def _draw_encoder(canvas: Canvas, lane: Lane, sentence: AlignedSentence, gid: str) -> list[Matrix]:
    """Each source token under the first components of its state, chained in both reading directions."""
    strips = []
    centres = _places(sentence.source, 2, lane.encoder_width, padding=5)
    for token, state, (centre, _) in zip(sentence.source, sentence.encoder_states, centres, strict=True):
        strips.append(_strip(canvas, centre - lane.cell[0] / 2, lane, state, KEY, f"state of {token}", gid))
        label(canvas, centre, strips[-1].bottom + 9, token, size=SMALL, gid=gid)
    for one, other in pairwise(strips):
        arrow(canvas, one.outline, other.outline, line=1.0, head="both" if lane.cell[0] > 12 else "none", gid=gid)
    return strips


def _strip(canvas: Canvas, x: float, lane: Lane, state: Tensor, role: Colour, name: str, gid: str) -> Matrix:
    values = state[:SHOWN, None]
    return matrix(
        canvas,
        x,
        lane.strips,
        values,
        cell=lane.cell,
        colours=signed(role),
        scale=(-1, 1),
        edge=role,
        name=name,
        gid=gid,
    )


def _draw_decoder(
    canvas: Canvas, lane: Lane, sentence: AlignedSentence, left: float, width: float, role: Colour, marked: list[int]
) -> list[Boxed]:
    """One box for each token that was written; the marked ones in the colour of their role."""
    gid = "step-3" if role == WARNING else "step-4"
    boxes = []
    places = _places(sentence.target, left, width, padding=8)
    for position, (token, (centre, room)) in enumerate(zip(sentence.target, places, strict=True)):
        special = position in marked
        boxes.append(
            box(
                canvas,
                centre - room / 2 + 1,
                lane.boxes,
                room - 2,
                lane.box_height,
                token,
                fill=role if special else tint(muted(), 0.1),
                edge=role if special else muted(),
                line=2.0 if special else 1.0,
                bold=special,
                name=f"output {token}",
                gid=gid,
            )
        )
    return boxes


def _draw_squeezed(
    canvas: Canvas, lane: Lane, sentence: AlignedSentence, model: TrainedTranslator, text: Mapping[str, str]
) -> None:
    """Without attention: states, one vector, and lines from it to every step of the decoder."""
    label(canvas, 2, lane.title, text["without"], size=LARGE, bold=True, colour=WARNING, align="left", gid="step-1")
    strips = _draw_encoder(canvas, lane, sentence, "step-1")
    vector = _draw_vector(canvas, lane, sentence.fixed_vector, WARNING, text["vector"], "step-2")
    arrow(canvas, strips[-1].outline, vector.outline, colour=WARNING, line=2.4, gid="step-2")
    width = canvas.width - lane.decoder - 2
    boxes = _draw_decoder(canvas, lane, sentence, lane.decoder, width, WARNING, _wrong(sentence))
    for one in boxes:
        arrow(
            canvas, vector.outline, one, sides=("right", "bottom"), colour=WARNING, line=0.9, alpha=0.55, gid="step-3"
        )
    _write_lines(canvas, lane, [_verdict(sentence, text), _quality(model, text)], WARNING, "step-3")


def _draw_attending(
    canvas: Canvas,
    lane: Lane,
    sentence: AlignedSentence,
    model: TrainedTranslator,
    chosen: int,
    text: Mapping[str, str],
) -> None:
    """With attention: lines from one step back to every state, as wide and as dark as their weights."""
    assert sentence.weights is not None
    weights = sentence.weights[chosen]
    title = text["with"].format(token=sentence.target[chosen])
    label(canvas, 2, lane.title, title, size=LARGE, bold=True, colour=WEIGHTS, align="left", gid="step-4")
    strips = _draw_encoder(canvas, lane, sentence, "step-4")
    boxes = _draw_decoder(canvas, lane, sentence, 2, lane.encoder_width, WEIGHTS, [chosen])
    for strip, weight in zip(strips, weights.tolist(), strict=True):
        arrow(
            canvas,
            boxes[chosen],
            strip.outline,
            sides=("bottom", "top"),
            colour=WEIGHTS,
            line=0.8 + 5 * weight,
            alpha=0.45 + 0.55 * weight,
            head="none",
            name=f"weight {weight:.2f}",
            gid="step-4",
        )
    _name_weight(canvas, boxes[chosen], strips[int(weights.argmax())], float(weights.max()))
    _draw_vector(canvas, lane, sentence.contexts[chosen], WEIGHTS, text["context"], "step-4")
    largest = weights.sort(descending=True).values[:3].tolist()
    terms = " + ".join(share(weight) for weight in largest)
    total = text["sum"].format(terms=terms, total=f"{float(weights.sum()):.2f}")
    _write_lines(canvas, lane, [text["mix"], total, _quality(model, text)], WEIGHTS, "step-4")
    if lane.cell[1] > 5:
        label(
            canvas, lane.decoder + 8, lane.strips - 8, FORMULA, size=LARGE, colour=WEIGHTS, align="left", gid="step-4"
        )


def _name_weight(canvas: Canvas, step: Boxed, strip: Matrix, weight: float) -> None:
    """The largest weight on a small sign halfway along its line, so that no other line runs through it."""
    written = share(weight)
    width, height = text_width(written, NORMAL) + 8, 15.0
    x = (step.get_x() + step.get_width() / 2 + strip.middle[0]) / 2
    y = (step.get_y() + step.get_height() + strip.top) / 2
    box(
        canvas, x - width / 2, y - height / 2, width, height, written, fill=paper(), edge=WEIGHTS, line=1.0,
        colour=WEIGHTS, bold=True, name=f"weight {written}", gid="step-4",
    )  # fmt: skip


def _draw_vector(canvas: Canvas, lane: Lane, vector: Tensor, role: Colour, name: str, gid: str) -> Matrix:
    """The one vector that the decoder sees, with its name under it."""
    cell = (lane.cell[0] * 1.5, lane.cell[1])
    drawn = _strip(canvas, lane.vector, replace(lane, cell=cell), vector, role, name, gid)
    drawn.outline.set_linewidth(2.4)
    label(canvas, drawn.middle[0], drawn.bottom + 9, name, size=SMALL, colour=role, bold=True, gid=gid)
    return drawn


def _write_lines(canvas: Canvas, lane: Lane, lines: Sequence[str], role: Colour, gid: str) -> None:
    """What to notice, right of the vector; the last line is the measured quality."""
    leading = 18.0 if lane.cell[1] > 5 else 15.0
    foot = lane.strips + SHOWN * lane.cell[1] + 9
    for number, line in enumerate(reversed(lines)):
        quality = number == 0
        x = canvas.width - 4 if role == WARNING else lane.decoder + 8
        label(
            canvas, x, foot - number * leading, line, size=SMALL if quality else NORMAL, bold=not quality,
            colour=muted() if quality else role, align="right" if role == WARNING else "left", gid=gid,
        )  # fmt: skip


def _verdict(sentence: AlignedSentence, text: Mapping[str, str]) -> str:
    wrong = _wrong(sentence)
    if not wrong:
        return text["right"]
    place = wrong[0]
    return text["wrong"].format(place=place + 1, right=sentence.reference[place], written=sentence.target[place])


def _quality(model: TrainedTranslator, text: Mapping[str, str]) -> str:
    return text["quality"].format(sentences=model.quality.sentences, exact=model.quality.exact)


def _places(tokens: Sequence[str], left: float, width: float, *, padding: float) -> list[tuple[float, float]]:
    """Centre and width of a column for each token: its own width, and an equal part of what is left over."""
    own = [text_width(token, NORMAL) + padding for token in tokens]
    spare = (width - sum(own)) / len(tokens)
    places = []
    for each_width in own:
        places.append((left + (each_width + spare) / 2, each_width + spare))
        left += each_width + spare
    return places


def _describe(
    without: AlignedSentence, attending: AlignedSentence, weights: Tensor, chosen: int, text: Mapping[str, str]
) -> str:
    strongest = int(weights.argmax())
    return text["alt"].format(
        source=" ".join(without.source),
        count=len(without.source),
        size=without.fixed_vector.shape[0],
        without="".join(without.target),
        reference="".join(without.reference),
        token=attending.target[chosen],
        strongest=attending.source[strongest],
        weight=f"{float(weights[strongest]):.2f}",
        with_attention="".join(attending.target),
    )


def _values(
    models: Sequence[TrainedTranslator],
    without: AlignedSentence,
    attending: AlignedSentence,
    weights: Tensor,
    chosen: int,
) -> dict[str, Any]:
    strongest = int(weights.argmax())
    return {
        "source": " ".join(without.source),
        "reference": "".join(without.reference),
        "written_without": "".join(without.target),
        "written_with": "".join(attending.target),
        "wrong_without": len(_wrong(without)),
        "wrong_with": len(_wrong(attending)),
        "states": len(without.source),
        "state_size": without.fixed_vector.shape[0],
        "numbers_in_states": without.encoder_states.numel(),
        "numbers_in_vector": without.fixed_vector.numel(),
        "vector_norm": float(without.fixed_vector.norm()),
        "state_norms": without.encoder_states.norm(dim=-1).tolist(),
        "token": attending.target[chosen],
        "strongest": attending.source[strongest],
        "strongest_weight": float(weights[strongest]),
        "weights": weights.tolist(),
        "weight_sum": float(weights.sum()),
        "exact_without": models[0].quality.exact,
        "exact_with": models[1].quality.exact,
        "steps": models[0].steps,
        "sentences": models[0].quality.sentences,
    }
