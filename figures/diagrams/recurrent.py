"""What a recurrent network can map to what: the limit of equal lengths belongs to the synchronous one only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Generator, nn

from figures.canvas import NORMAL, SMALL, Boxed, Canvas, Size, arrow, box, label, open_canvas
from figures.colours import EXTRA, VALUE, WARNING, ink, muted, tint
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.models.training import initialise
from figures.models.translator import Translator

TEXT: Wording = {
    "one_to_many": ("一对多", "one to many"),
    "one_to_many_note": ("图片 → 描述", "picture → caption"),
    "many_to_one": ("多对一", "many to one"),
    "many_to_one_note": ("评论 → 情感", "review → mood"),
    "synchronous": ("同步多对多", "synchronous"),
    "synchronous_note": ("{sync_in} 进必 {sync_out} 出", "{sync_in} in, {sync_out} out, always"),
    "encoder_decoder": ("编码器–解码器", "encoder–decoder"),
    "encoder_decoder_note": ("{source} 进 {target} 出，长度可以不同", "{source} in, {target} out: lengths may differ"),
    "input": ("输入", "input"),
    "state": ("状态", "state"),
    "output": ("输出", "output"),
    "image": ("图", "img"),
    "alt": (
        "四种循环网络并排：一对多、多对一、同步多对多（{sync_in} 个输入必得 {sync_out} 个输出）、编码器–解码器"
        "（{source} 个输入得到 {target} 个输出）。长度相等只是同步网络的限制。",
        "Four recurrent networks side by side: one to many, many to one, synchronous ({sync_in} inputs give {sync_out} "
        "outputs), encoder–decoder ({source} inputs give {target} outputs). Equal lengths limit the synchronous one "
        "only.",
    ),
}


@dataclass(frozen=True, slots=True)
class Unrolled:
    """One network unrolled in time: which step reads which token and which step writes which."""

    name: str
    inputs: tuple[str, ...]
    """One entry a step; empty where nothing is read."""
    outputs: tuple[str, ...]
    """One entry a step; empty where nothing is written."""


NETWORKS = (
    Unrolled("one_to_many", ("{image}", "", ""), ("一", "只", "猫")),
    Unrolled("many_to_one", ("真", "好", "看"), ("", "", "+")),
    Unrolled("synchronous", ("我", "爱", "读", "书"), ("wǒ", "ài", "dú", "shū")),
    Unrolled("encoder_decoder", ("4", "May", "", "", "", ""), ("", "", "5", "月", "4", "日")),
)


def recurrent_mappings(seed: int = 0, lang: str = "zh", size: Size | None = None) -> Exhibit:
    """Four unrolled networks; the lengths come from running a GRU and an encoder–decoder with random weights."""
    lengths = run_lengths(seed)
    text = words(TEXT, lang)
    canvas = open_canvas(size, (11.9, 2.5))
    columns = sum(len(network.inputs) for network in NETWORKS)
    margin, gap = 38.0, 26.0 if canvas.wide else 14.0
    pitch = (canvas.width - margin - gap * (len(NETWORKS) - 1) - 2) / columns
    x = margin
    for network in NETWORKS:
        _draw(canvas, network, x, pitch, lengths, text)
        x += pitch * len(network.inputs) + gap
    for name, y in zip(("output", "state", "input"), _rows(canvas), strict=True):
        label(canvas, 2, y, text[name], size=SMALL, colour=muted(), align="left")
    return Exhibit(canvas.figure, text["alt"].format(**lengths), lengths)


def run_lengths(seed: int) -> dict[str, Any]:
    """Steps in and out of a GRU, and of a translator told to write as many steps as the picture shows."""
    generator = Generator().manual_seed(seed)
    synchronous = next(n for n in NETWORKS if n.name == "synchronous")
    gru = nn.GRU(8, 8, batch_first=True)
    outputs, _ = gru(torch.randn(1, len(synchronous.inputs), 8, generator=generator))
    pair = next(n for n in NETWORKS if n.name == "encoder_decoder")
    source = sum(1 for token in pair.inputs if token)
    target = sum(1 for token in pair.outputs if token)
    model = Translator(10, 10, "none")
    initialise(model, generator)
    with torch.no_grad():
        written = model(torch.full((1, source), 3), torch.tensor([source]), target).symbols.shape[1]
    return {
        "sync_in": len(synchronous.inputs), "sync_out": outputs.shape[1], "source": source, "target": written,
    }  # fmt: skip


def _rows(canvas: Canvas) -> tuple[float, float, float]:
    """Heights of outputs, states and inputs."""
    top, bottom = 62.0, canvas.height - 24
    reach = min(bottom - top, 190.0)
    top += (bottom - top - reach) / 2
    return top, top + reach / 2, top + reach


def _draw(
    canvas: Canvas, network: Unrolled, x: float, pitch: float, lengths: Mapping[str, Any], text: Mapping[str, str]
) -> None:
    out_y, state_y, in_y = _rows(canvas)
    width, height = pitch - (12 if canvas.wide else 8), 26.0
    steps = len(network.inputs)
    good = network.name == "encoder_decoder"
    colour = VALUE if good else WARNING if network.name == "synchronous" else ink()
    centre = x + pitch * steps / 2
    label(canvas, centre, out_y - 48, text[network.name], size=NORMAL, bold=True, colour=colour)
    note = text[f"{network.name}_note"].format(**lengths)
    label(canvas, centre, out_y - 31, note, size=NORMAL if canvas.wide else SMALL, colour=muted())

    def place(step: int, y: float, token: str, role: str) -> Boxed:
        left = x + step * pitch + (pitch - width) / 2
        fill, name = tint(role, 0.14), token or f"{network.name} {step + 1}"
        return box(
            canvas,
            left,
            y - height / 2,
            width,
            height,
            token,
            fill=fill,
            edge=role,
            size=NORMAL if canvas.wide else SMALL,
            rounded=True,
            name=name,
        )

    states = [place(step, state_y, "", EXTRA) for step in range(steps)]
    for one, other in pairwise(states):
        arrow(canvas, one, other)
    _tokens(
        canvas, network.inputs, states, lambda step, token: place(step, in_y, token.format(**text), muted()), into=True
    )
    _tokens(canvas, network.outputs, states, lambda step, token: place(step, out_y, token, muted()), into=False)


def _tokens(
    canvas: Canvas,
    tokens: Sequence[str],
    states: Sequence[Boxed],
    place: Callable[[int, str], Boxed],
    *,
    into: bool,
) -> None:
    """A box for each token that is read or written, joined to the state of its step."""
    for step, token in enumerate(tokens):
        if not token:
            continue
        drawn = place(step, token)
        if into:
            arrow(canvas, drawn, states[step], sides=("top", "bottom"))
        else:
            arrow(canvas, states[step], drawn, sides=("top", "bottom"))
