"""Training with and without the padding mask: two losses that fall alike, two readers that do not read alike."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import Size
from figures.colours import VALUE, WARNING
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.padding_training import PaddedReader, train_padded_reader
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot, ticks_at

WISH = (7.0, 4.6)
SMOOTHED = 20
"""Steps that are averaged into one point of the curve."""

TEXT: Wording = {
    "masked": ("遮盖", "mask"),
    "unmasked": ("不遮盖", "no mask"),
    "step": ("训练步", "step"),
    "loss": ("训练 loss", "training loss"),
    "pads": ("读的时候补几个 pad", "pads while reading"),
    "changed": ("结论改变的句子", "verdicts changed"),
    "alt": (
        "左：{steps} 步训练的 loss，不遮盖最后 {unmasked_loss:.2f}，遮盖 {masked_loss:.2f}，两条都在下降。右：读的时候"
        "补 {pads} 个 pad，不遮盖时结论改变的句子占 {changed}，遮盖时都是 {masked_changed:.0%}。",
        "Left: loss over {steps} steps, {unmasked_loss:.2f} at the end without the mask, {masked_loss:.2f} with it; "
        "both fall. Right: with {pads} pads while reading, {changed} of the verdicts change without the mask, "
        "{masked_changed:.0%} with it.",
    ),
}


def padding_training(
    readers: Annotated[tuple[PaddedReader, ...], each(train_padded_reader, masked=(False, True))],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """The loss while training, and the share of verdicts that longer batches change."""
    text = words(TEXT, lang)
    unmasked, masked = readers
    figure, (left, right) = open_plot(size, WISH, columns=2)
    names = (text["unmasked"], text["masked"])
    losses = [
        Line(
            name, [SMOOTHED * (i + 0.5) for i in range(len(smooth))], smooth, colour,
            marker=False, end=reader.final_loss,
        )
        for name, reader, colour in zip(names, readers, (WARNING, VALUE), strict=True)
        for smooth in [reader.loss[: reader.steps // SMOOTHED * SMOOTHED].view(-1, SMOOTHED).mean(1).tolist()]
    ]  # fmt: skip
    draw_lines(left, losses)
    name_axes(left, text["step"], text["loss"])
    changes = [
        Line(name, reader.pads, reader.changed, colour)
        for name, reader, colour in zip(names, readers, (WARNING, VALUE), strict=True)
    ]
    draw_lines(right, changes)
    ticks_at(right, [count for count in unmasked.pads if count != min(c for c in unmasked.pads if c)])
    right.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    name_axes(right, text["pads"], text["changed"])
    values: dict[str, Any] = {
        "steps": unmasked.steps,
        "seed": unmasked.seed,
        "most": unmasked.most,
        "idioms": unmasked.idioms,
        "first_loss": float(unmasked.loss[:SMOOTHED].mean()),
        "unmasked_loss": unmasked.final_loss,
        "masked_loss": masked.final_loss,
        "masked_changed": max(masked.changed),
        "masked_accuracy": masked.accuracy[0],
    }
    for i, count in enumerate(unmasked.pads):
        values |= {
            f"changed_{count}": unmasked.changed[i],
            f"weight_{count}": unmasked.weight[i],
            f"accuracy_{count}": unmasked.accuracy[i],
        }
    alt = text["alt"].format(
        **{name: values[name] for name in ("steps", "unmasked_loss", "masked_loss", "masked_changed")},
        pads=" / ".join(map(str, unmasked.pads)),
        changed=" / ".join(f"{share:.1%}" for share in unmasked.changed),
    )
    return Exhibit(figure, alt, values)
