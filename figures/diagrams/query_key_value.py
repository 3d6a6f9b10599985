"""Diagram 2: one attention from X to its output, every matrix with its numbers, one query row to follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.colors import Colormap
from matplotlib.patches import Rectangle
from torch import Tensor

from figures.canvas import LARGE, NORMAL, SMALL, Align, Canvas, Size, arrow, label, open_canvas
from figures.colours import EXTRA, KEY, QUERY, VALUE, WEIGHTS, ink, muted, ramp, signed
from figures.diagrams.query_key_value_plan import Plan, plan_for
from figures.diagrams.worked_example import WorkedExample, worked_example
from figures.exhibit import Exhibit
from figures.language import Wording, words
from figures.matrices import Matrix, frame_row, matrix
from figures.numerals import decimals, grid, listed, share, shares

WISH = (11.9, 5.0)

TEXT: Wording = {
    "x": ("X 输入", "X input"),
    "q": ("Q 查询", "Q query"),
    "k": ("K 键", "K key"),
    "v": ("V 值", "V value"),
    "project": ("① 投影", "① project"),
    "project_note": ("同一个 X，三次相乘", "one X, three products"),
    "legend_sign": ("底色：彩色为正，灰色为负", "shade: colour +, grey −"),
    "legend_mask": ("斜线：被遮住，不参与", "hatched: masked out"),
    "product": ("② 打分 QKᵀ", "② score QKᵀ"),
    "scaled": ("③ 缩放 ÷√{d_k}", "③ scale ÷√{d_k}"),
    "masked": ("④ 遮盖", "④ mask"),
    "weights": ("⑤ softmax", "⑤ softmax"),
    "output": ("⑥ 混合", "⑥ mix"),
    "follow": ("跟着“{token}”这一行（蓝框）走：", "Follow the row of “{token}” (framed):"),
    "follow_short": ("“{token}”这一行的权重", "Weights of “{token}”"),
    "line_product": ("打分  q·k{j} = {terms} = {total}", "score  q·k{j} = {terms} = {total}"),
    "line_scaled": ("缩放  {product} ÷ √{d_k} = {scaled}", "scale  {product} ÷ √{d_k} = {scaled}"),
    "line_masked": (
        "遮盖  “{hidden}”还没出现，不参与 softmax",
        "mask  “{hidden}” is still to come: not in the softmax",
    ),
    "line_weights": ("归一  {terms} = {total}", "share  {terms} = {total}"),
    "line_output": ("混合  {terms} = [{output}]", "mix  {terms} = [{output}]"),
    "alt": (
        "缩放点积注意力的一次真实计算，{T} 个词“{tokens}”，d_k = {d_k}：X 投影成 Q、K、V，再依次是 QKᵀ、除以 √{d_k}、"
        "因果遮盖、softmax、乘 V。“{token}”这一行的权重是 {weights}，和为 {total}；被遮住的 {hidden} 格画成斜线。",
        "One real scaled dot-product attention over {T} tokens “{tokens}”, d_k = {d_k}: X is projected to Q, K and "
        "V, then QKᵀ, division by √{d_k}, causal mask, softmax, times V. The weights of “{token}” are {weights} and "
        "add up to {total}; the {hidden} masked cells are hatched.",
    ),
}

SHAPES = {
    "x": r"$[T, d_{model}]$",
    "q": r"$[T_q, d_k]$",
    "k": r"$[T_k, d_k]$",
    "v": r"$[T_k, d_v]$",
    "product": r"$[T_q, T_k]$",
    "scaled": r"$[T_q, T_k]$",
    "masked": r"$[T_q, T_k]$",
    "weights": r"$[T_q, T_k]$",
    "output": r"$[T_q, d_v]$",
}
STEPS = {"x": 1, "q": 1, "k": 1, "v": 1, "product": 2, "scaled": 3, "masked": 4, "weights": 5, "output": 6}
ROLES = {"q": QUERY, "k": KEY, "v": VALUE, "weights": WEIGHTS, "output": WEIGHTS}
LEFT: Align = "left"
RIGHT: Align = "right"
SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"


def qkv(
    tokens: tuple[str, ...] = ("我", "爱", "读", "书"),
    query: int = 2,
    example: int = 2318,
    lang: str = "zh",
    size: Size | None = None,
) -> Exhibit:
    """Every matrix of one causal self-attention with d_k = 3.

    `query` is the row to follow; `example` is the seed of the embeddings and projections.
    """
    worked = worked_example(tokens, example=example)
    canvas = open_canvas(size, WISH)
    text = words(TEXT, lang)
    plan = plan_for(canvas)
    drawn = {name: _draw(canvas, plan, worked, name, text) for name in plan.places}
    for name in drawn.keys() - {"x", "k", "v"}:
        frame_row(canvas, drawn[name], query, colour=QUERY, gid=_step(name))
    for (start, end), sides in plan.routes.items():
        arrow(canvas, drawn[start].outline, drawn[end].outline, sides=sides, gid=_step(end), name=f"{start} → {end}")
    _write_projection(canvas, drawn, text)
    _write_row(canvas, plan, worked, query, text)
    return Exhibit(canvas.figure, _describe(worked, query, text), _values(worked, query))


def _step(name: str) -> str:
    return f"step-{STEPS[name]}"


def _draw(canvas: Canvas, plan: Plan, worked: WorkedExample, name: str, text: Mapping[str, str]) -> Matrix:
    values, written, colours, scale = _contents(worked, name)
    x, y = plan.places[name]
    scores = name in {"product", "scaled", "masked", "weights"}
    hidden = ~worked.mask.numpy() if name in {"masked", "weights"} else None
    drawn = matrix(
        canvas,
        x,
        y,
        values,
        cell=plan.wide_cell if scores or name == "output" else plan.narrow_cell,
        colours=colours,
        scale=scale,
        written=written,
        hidden=hidden,
        edge=ROLES.get(name),
        name=name,
        gid=_step(name),
    )
    _name(canvas, plan, worked, name, drawn, text)
    return drawn


def _contents(worked: WorkedExample, name: str) -> tuple[Tensor, list[list[str]], Colormap, tuple[float, float]]:
    """Values, their text, and a colour scale of their own."""
    values: Tensor = {
        "x": worked.x,
        "q": worked.q,
        "k": worked.k,
        "v": worked.v,
        "product": worked.products,
        "scaled": worked.attention.scores,
        "masked": worked.attention.scores,
        "weights": worked.attention.weights,
        "output": worked.attention.output,
    }[name]
    if name == "weights":
        return values, shares(values), ramp(WEIGHTS), (0.0, 1.0)
    places = 1 if name in {"x", "q", "k", "v"} else 2
    largest = float(values.abs().max())
    return values, grid(values, places), signed(muted() if name == "x" else ROLES.get(name, EXTRA)), (-largest, largest)


def _name(canvas: Canvas, plan: Plan, worked: WorkedExample, name: str, drawn: Matrix, text: Mapping[str, str]) -> None:
    """Title above, shape below or beside, tokens along the sides of what they belong to."""
    step, colour = _step(name), ROLES.get(name, ink())
    columns = name in {"product", "scaled", "masked", "weights"}
    above = drawn.top - (15 if columns else 3)
    title = text[name].format(d_k=worked.q.shape[-1])
    if name == "output":
        x, side = (drawn.left - 10, RIGHT) if canvas.wide else (drawn.right + 8, LEFT)
        label(canvas, x, drawn.top + 2, title, size=LARGE, bold=True, align=side, anchor="center", gid=step)
    else:
        label(
            canvas,
            drawn.left,
            above,
            title,
            size=LARGE,
            bold=True,
            colour=colour,
            align="left",
            anchor="bottom",
            gid=step,
        )
    if name == "x":
        for token, cells in zip(worked.tokens, drawn.cells, strict=True):
            label(canvas, drawn.left - 9, _middle(cells[0])[1], token, gid=step)
    if columns:
        for token, cell in zip(worked.tokens, drawn.cells[0], strict=True):
            label(canvas, _middle(cell)[0], drawn.top - 8, token, size=SMALL, colour=KEY, gid=step)
    if name == "weights" and canvas.wide:
        for token, cells in zip(worked.tokens, drawn.cells, strict=True):
            label(canvas, drawn.right + 9, _middle(cells[0])[1], token, size=SMALL, colour=QUERY, gid=step)
    if name in plan.below:
        edge, side = (drawn.right, RIGHT) if name == "product" else (drawn.left, LEFT)
        label(
            canvas, edge, drawn.bottom + 3, SHAPES[name], size=SMALL, colour=muted(), align=side, anchor="top", gid=step
        )
    elif name != "output":
        label(
            canvas,
            drawn.right,
            above,
            SHAPES[name],
            size=SMALL,
            colour=muted(),
            align="right",
            anchor="bottom",
            gid=step,
        )


def _write_projection(canvas: Canvas, drawn: Mapping[str, Matrix], text: Mapping[str, str]) -> None:
    """The first step's title and the three projections beside their arrows; how to read cells."""
    x = drawn["x"]
    label(canvas, x.left, drawn["q"].top, text["project"], size=LARGE, bold=True, align="left", gid="step-1")
    label(
        canvas,
        x.left,
        drawn["q"].top + 20,
        text["project_note"],
        size=SMALL,
        colour=muted(),
        align="left",
        gid="step-1",
    )
    for line, name in enumerate(("legend_sign", "legend_mask")):
        y = canvas.height - 26 + 17 * line
        label(
            canvas, 2, y, text[name], size=SMALL, colour=muted(), align="left", gid="step-1" if line == 0 else "step-4"
        )
    apart = 0 if canvas.height > 300 else 9
    for name, rise in (("q", -apart), ("k", -9), ("v", apart)):
        target = drawn[name]
        y = (x.middle[1] + target.middle[1]) / 2 + rise
        shift = 20 if name == "k" else 36
        label(canvas, target.left - shift, y, f"$W_{name.upper()}$", size=NORMAL, colour=ROLES[name], gid="step-1")


def _write_row(canvas: Canvas, plan: Plan, worked: WorkedExample, query: int, text: Mapping[str, str]) -> None:
    """The followed row in figures: its largest score, its weights and their sum, its output."""
    x, y = plan.notes
    lines = _worked_lines(worked, query, text)
    if not canvas.wide:
        lines = {"weights": lines["weights"].split("  ")[1]}
    title = text["follow"] if canvas.wide else text["follow_short"]
    label(canvas, x, y, title.format(token=worked.tokens[query]), bold=True, align="left", colour=QUERY, gid="step-2")
    for number, (name, line) in enumerate(lines.items(), start=1):
        strong = name == "weights"
        colour = WEIGHTS if strong else ink()
        label(canvas, x, y + plan.leading * number, line, align="left", bold=strong, colour=colour, gid=_step(name))


def _worked_lines(worked: WorkedExample, query: int, text: Mapping[str, str]) -> dict[str, str]:
    """One line of arithmetic for each step, in the numbers of the matrices."""
    d_k = worked.q.shape[-1]
    weights = worked.attention.weights[query]
    key = int(weights.argmax())
    factors = zip(worked.q[query].tolist(), worked.k[key].tolist(), strict=True)
    product, scaled = float(worked.products[query, key]), float(worked.attention.scores[query, key])
    hidden = [token for token, keep in zip(worked.tokens, worked.mask[query].tolist(), strict=True) if not keep]
    seen = [i for i, weight in enumerate(weights.tolist()) if weight > 0]
    lines = {
        "product": text["line_product"].format(
            j=SUBSCRIPTS[key],
            terms=" + ".join(f"{_signed(a)}×{_signed(b)}" for a, b in factors),
            total=decimals(product, 2),
        ),
        "scaled": text["line_scaled"].format(product=decimals(product, 2), d_k=d_k, scaled=decimals(scaled, 2)),
        "masked": text["line_masked"].format(hidden="".join(hidden)),
        "weights": text["line_weights"].format(
            terms=" + ".join(share(weight) for weight in weights.tolist()), total=f"{float(weights.sum()):.2f}"
        ),
        "output": text["line_output"].format(
            terms=" + ".join(f"{share(float(weights[i]))}v{SUBSCRIPTS[i]}" for i in seen),
            output=listed(worked.attention.output[query].tolist()),
        ),
    }
    if not hidden:
        del lines["masked"]
    return lines


def _signed(number: float) -> str:
    written = decimals(number)
    return written if number >= 0 else f"({written})"


def _middle(cell: Rectangle) -> tuple[float, float]:
    return cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2


def _describe(worked: WorkedExample, query: int, text: Mapping[str, str]) -> str:
    weights = worked.attention.weights[query]
    return text["alt"].format(
        T=len(worked.tokens),
        tokens="".join(worked.tokens),
        token=worked.tokens[query],
        d_k=worked.q.shape[-1],
        weights=listed(weights.tolist()),
        total=decimals(float(weights.sum()), 2),
        hidden=int((~worked.mask).sum()),
    )


def _values(worked: WorkedExample, query: int) -> dict[str, Any]:
    weights = worked.attention.weights[query]
    return {
        "tokens": list(worked.tokens),
        "query": worked.tokens[query],
        "d_k": worked.q.shape[-1],
        "d_model": worked.x.shape[-1],
        "products": [round(x, 4) for x in worked.products[query].tolist()],
        "scores": worked.attention.scores[query].tolist(),
        "weights": weights.tolist(),
        "weight_sum": float(weights.sum()),
        "strongest": worked.tokens[int(weights.argmax())],
        "strongest_weight": float(weights.max()),
        "output": worked.attention.output[query].tolist(),
        "masked_cells": int((~worked.mask).sum()),
        "largest_masked_weight": float(worked.attention.weights[~worked.mask].max()),
    }
