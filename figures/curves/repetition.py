"""Why a model repeats itself, and which temperature is which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from figures.bars import Bar, Group, bar, draw_groups
from figures.canvas import Size, open_canvas
from figures.colours import QUERY, VALUE, WARNING, WEIGHTS, Colour, muted
from figures.exhibit import Exhibit
from figures.experiments.decoding import DecodingReport, Writing, measure_decoding
from figures.language import Wording, words
from figures.plots import name_axes, open_plot

WISH = (7.0, 4.6)

TEXT: Wording = {
    "greedy": ("贪心", "greedy"),
    "dropout left on": ("贪心，忘关 dropout", "greedy, dropout on"),
    "attention temperature": ("注意力温度 {strength:g}", "attention temperature {strength:g}"),
    "temperature": ("采样温度 {strength:g}", "sampling temperature {strength:g}"),
    "penalty": ("重复惩罚 {strength:g}", "repetition penalty {strength:g}"),
    "no repeated run": ("禁止重复 4 字", "no repeated 4 characters"),
    "text": ("真实文本", "real text"),
    "title": ("重复的四字片段（括号里：成语写对）", "Repeated runs of four (in brackets: valid idioms)"),
    "written": ("{repeated:.0%}（{valid:.0%}）", "{repeated:.0%} ({valid:.0%})"),
    "alt": (
        "横条图：同一模型不同解码方式写出的文本里重复四字片段的比例。{each}；真实文本 {text:.0%}。",
        "Bars: share of repeated runs of four characters in text of one model by way of decoding. {each}; real text "
        "{text:.0%}.",
    ),
    "attention_title": ("改注意力的温度", "attention temperature"),
    "output_title": ("改采样的温度", "sampling temperature"),
    "temperature_axis": ("温度 τ", "temperature τ"),
    "loss": ("新文本上的 loss（nat）", "loss on new text (nats)"),
    "entropy": ("下一个字的熵（nat）", "entropy of the next character (nats)"),
    "temperatures_alt": (
        "左：注意力温度 {attention} 时新文本的 loss 是 {losses}，τ = 1 时 {at_one:.3f}；右：采样温度 {outputs} "
        "时下一个字的熵是 {entropies}。",
        "Left: at attention temperatures {attention} the loss on new text is {losses}, {at_one:.3f} at τ = 1; "
        "right: at sampling temperatures {outputs} the entropy of the next character is {entropies}.",
    ),
}


def repetition(
    report: Annotated[DecodingReport, measure_decoding], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """The share of repeated runs for each way of decoding, and how many idioms come out right."""
    text = words(TEXT, lang)
    canvas = open_canvas(size, WISH)
    bars = [_bar(writing, text) for writing in report.writings]
    real = text["written"].format(repeated=report.text_repeated, valid=report.text_valid)
    bars.append(bar(text["text"], report.text_repeated, real, muted()))
    draw_groups(canvas, [Group(text["title"], tuple(bars))], largest=1.0)
    separator = "，" if lang.startswith("zh") else ", "
    every = separator.join(f"{_name(w, text)} {w.repeated:.0%}" for w in report.writings)
    values: dict[str, Any] = {
        "steps": report.steps,
        "idioms": report.idioms,
        "loss": report.loss,
        "dropout_loss": report.dropout_loss,
        "text_repeated": report.text_repeated,
    }
    for writing in report.writings:
        values |= {f"{_key(writing)}_repeated": writing.repeated, f"{_key(writing)}_valid": writing.valid}
        values[f"{_key(writing)}_sample"] = writing.sample[:20]
    return Exhibit(canvas.figure, text["alt"].format(each=every, text=report.text_repeated), values)


def temperatures(
    report: Annotated[DecodingReport, measure_decoding], lang: str = "zh", size: Size | None = None
) -> Exhibit:
    """Two temperatures often confused: of attention, which training has set, and of sampling, which is free."""
    text = words(TEXT, lang)
    figure, (attention, output) = open_plot(size, WISH, columns=2)
    for axes, x, y, colour, title, axis in (
        (attention, report.attention_temperatures, report.attention_losses, WARNING, "attention_title", "loss"),
        (output, report.temperatures, report.entropy, VALUE, "output_title", "entropy"),
    ):
        axes.plot(x, y, color=colour, linewidth=2.2, marker="o", markersize=5, label=text[title])
        axes.set_title(text[title], color=colour, fontweight="bold")
        axes.set_xticks(list(x), [f"{value:g}" for value in x])
        name_axes(axes, text["temperature_axis"], text[axis])
    at_one = report.attention_losses[report.attention_temperatures.index(1.0)]
    alt = text["temperatures_alt"].format(
        attention=", ".join(f"{t:g}" for t in report.attention_temperatures),
        losses=", ".join(f"{loss:.3f}" for loss in report.attention_losses),
        at_one=at_one,
        outputs=", ".join(f"{t:g}" for t in report.temperatures),
        entropies=", ".join(f"{entropy:.2f}" for entropy in report.entropy),
    )
    values: dict[str, Any] = {"loss": report.loss, "dropout_loss": report.dropout_loss}
    for temperature, loss in zip(report.attention_temperatures, report.attention_losses, strict=True):
        values[f"loss_{temperature:g}".replace(".", "_")] = loss
    for temperature, entropy in zip(report.temperatures, report.entropy, strict=True):
        values[f"entropy_{temperature:g}".replace(".", "_")] = entropy
    return Exhibit(figure, alt, values)


def _bar(writing: Writing, text: Mapping[str, str]) -> Bar:
    colours: dict[str, Colour] = {"greedy": WARNING, "dropout left on": WARNING, "attention temperature": WARNING}
    colour = colours.get(writing.method, QUERY if writing.method == "temperature" else WEIGHTS)
    written = text["written"].format(repeated=writing.repeated, valid=writing.valid)
    return bar(_name(writing, text), writing.repeated, written, colour)


def _name(writing: Writing, text: Mapping[str, str]) -> str:
    return text[writing.method].format(strength=writing.strength)


def _key(writing: Writing) -> str:
    """A name that prose can quote: `temperature_0_8`."""
    method = writing.method.replace(" ", "_")
    plain = writing.method in ("greedy", "dropout left on", "no repeated run")
    return method if plain else f"{method}_{writing.strength:g}".replace(".", "_")
