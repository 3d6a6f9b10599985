"""A language model that sees the future gives itself away: its loss falls below what is possible."""

from __future__ import annotations

from typing import Annotated, Any

from figures.canvas import SMALL, Size
from figures.colours import VALUE, WARNING, muted
from figures.dependencies import each
from figures.exhibit import Exhibit
from figures.experiments.leak import TrainedCopier, train_copier
from figures.language import Wording, words
from figures.plots import Line, draw_lines, name_axes, open_plot

WISH = (7.0, 4.6)
TAIL = 20

TEXT: Wording = {
    "causal": ("有因果遮盖", "causal mask"),
    "leaking": ("忘了遮盖", "mask forgotten"),
    "floor": ("熵下界 {floor:.3f}", "entropy floor {floor:.3f}"),
    "step": ("训练步", "training step"),
    "loss": ("每个符号的 loss（nat）", "loss per symbol (nats)"),
    "alt": (
        "训练 loss 曲线，{steps} 步。有因果遮盖的模型停在 {causal:.3f}，高于熵下界 {floor:.3f}；忘了遮盖的降到 "
        "{leaking:.3f}，低于下界，随机符号也能“预测”对 {random:.1%}（最多应为 {chance:.1%}），自己写时只对 "
        "{written:.1%}（有遮盖的 {causal_written:.1%}）。",
        "Training loss over {steps} steps. With the causal mask it stays at {causal:.3f}, above the entropy floor "
        "{floor:.3f}; without, it falls to {leaking:.3f}, below the floor: it “predicts” {random:.1%} of random "
        "symbols (chance {chance:.1%}), yet writes only {written:.1%} right on its own ({causal_written:.1%} with "
        "the mask).",
    ),
}


def leak(
    models: Annotated[tuple[TrainedCopier, ...], each(train_copier, causal=(True, False))],
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Loss of the same model with the causal mask and without it, and the entropy that no honest model goes below."""
    causal, leaking = models
    text = words(TEXT, lang)
    figure, (axes,) = open_plot(size, WISH)
    steps = list(range(1, causal.steps + 1))
    axes.axhline(causal.floor, color=muted(), linewidth=1.2, linestyle="--", label="floor")
    lines = [
        Line(
            text[name],
            steps,
            model.loss.tolist(),
            colour,
            marker=False,
            width=1.6,
            end=float(model.loss[-TAIL:].mean()),
        )
        for name, model, colour in (("causal", causal, VALUE), ("leaking", leaking, WARNING))
    ]
    draw_lines(axes, lines, low=0, high=float(causal.loss.max()))
    floor = text["floor"].format(floor=causal.floor)
    place = (causal.steps * 0.98, causal.floor - 0.04)
    axes.text(*place, floor, fontsize=SMALL, color=muted(), ha="right", va="top")
    axes.set_xlim(0, causal.steps)
    name_axes(axes, text["step"], text["loss"])
    values: dict[str, Any] = {"steps": causal.steps, "floor": causal.floor, "chance": causal.chance}
    for name, model in (("causal", causal), ("leaking", leaking)):
        values |= {
            f"{name}_loss": model.test_loss,
            f"{name}_random": model.accuracy_random,
            f"{name}_repeat": model.accuracy_repeat,
            f"{name}_written": model.written,
        }
    alt = text["alt"].format(
        steps=causal.steps, causal=causal.test_loss, floor=causal.floor, leaking=leaking.test_loss,
        random=leaking.accuracy_random, chance=causal.chance, written=leaking.written, causal_written=causal.written,
    )  # fmt: skip
    return Exhibit(figure, alt, values)
