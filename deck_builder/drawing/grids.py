"""Grids of colours as shapes: cells where they are few, a run of colours where they are a scale, else a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform, Transform
from numpy.typing import NDArray

from deck_builder.drawing.clipping import Region
from deck_builder.drawing.marks import Box, Fill, Gradient, Outline, Paint, Preset
from deck_builder.drawing.outlines import outline
from deck_builder.drawing.paint import Palette
from deck_builder.drawing.rasters import Corners, Pixels, is_regular, picture
from deck_builder.drawing.tracing import clipped
from deck_builder.elements.line import Stroke

MOST_CELLS = 4_096
"""A grid of more is a picture."""
LONGEST_STRIP = 64
"""A mesh one cell wide and longer than this is a colour scale, not data."""
MOST_STRETCHES = 32
BARE = Paint(None, None)

Colours = NDArray[np.float64]
"""(rows · columns, 4), row by row, from 0 to 1."""
Part = tuple[Outline, Paint, str]
"""A shape, its paint, and what part of the grid it is."""


def mesh(
    corners: Corners, colours: Colours, edges: Colours | None, width_pt: float, palette: Palette, region: Region
) -> Iterator[Part]:
    """What is seen of a mesh; `edges` are the colours of its lines, one for each cell."""
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    # The first index of a mesh may run along x.
    turned = not is_regular(corners) and is_regular(corners.swapaxes(0, 1))
    straight = corners.swapaxes(0, 1) if turned else corners
    if stretches := scale(straight, colours, palette):
        for strip, fill in stretches:
            yield from ((seen, paint, "colour scale") for seen, paint in clipped(strip, Paint(fill, None), region))
    elif rows * columns > MOST_CELLS and is_regular(straight):
        pixels: Pixels = np.round(colours * 255).astype(np.uint8).reshape(rows, columns, 4)
        if found := picture(straight, pixels.swapaxes(0, 1) if turned else pixels, region):
            yield found, BARE, ""
    else:
        yield from cells(corners, colours, edges, width_pt, palette, region)


def image(corners: Corners, pixels: Pixels, palette: Palette, region: Region) -> Iterator[Part]:
    """What is seen of an image that came as it is, one pixel for each cell."""
    rows, columns = pixels.shape[:2]
    if rows * columns > MOST_CELLS:
        if found := picture(corners, pixels, region):
            yield found, BARE, ""
    else:
        yield from cells(corners, pixels.reshape(-1, 4) / 255, None, 0.0, palette, region)


def unit_grid(rows: int, columns: int, transform: Transform) -> Corners:
    """The corners of equal cells that fill the unit square, transformed."""
    x, y = np.meshgrid(np.linspace(0, 1, columns + 1), np.linspace(0, 1, rows + 1))
    corners = transform.transform(np.column_stack([x.ravel(), y.ravel()]))
    return corners.reshape(rows + 1, columns + 1, 2)


def veiled(pixels: Pixels, alpha: Any, otherwise: float) -> Pixels:
    """The pixels with the alpha of their image: one for each of them, or one for all."""
    each = np.asarray(alpha, dtype=float)
    thinned = pixels.copy()
    thinned[..., 3] = np.round(pixels[..., 3] * (each if each.shape == pixels.shape[:2] else otherwise))
    return thinned


# ---------------------------------------------------------------- cells


def cells(
    corners: Corners, colours: Colours, edges: Colours | None, width_pt: float, palette: Palette, region: Region
) -> Iterator[Part]:
    """What is seen of each cell, row by row; a clear one is a shape without fill."""
    columns = corners.shape[1] - 1
    for row, column, found in _outlines(corners):
        index = row * columns + column
        edge = None if edges is None or width_pt <= 0 else palette.colour(edges[index], literal=True)
        paint = Paint(palette.colour(colours[index], literal=True), Stroke(edge, width_pt) if edge else None)
        for seen, seen_paint in clipped(found, paint, region):
            yield seen, seen_paint, f"cell {row},{column}"


def _outlines(corners: Corners) -> Iterator[tuple[int, int, Outline]]:
    quads = np.stack([corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]], axis=2)
    low, high = quads.min(axis=2), quads.max(axis=2)
    upright = _are_upright(quads)
    for row, column in np.argwhere(np.isfinite(quads).all(axis=(2, 3))).tolist():
        if upright[row, column]:
            box = Box(*low[row, column].tolist(), *high[row, column].tolist())
            yield row, column, Preset("rect", box)
        else:
            quad = np.vstack([quads[row, column], quads[row, column, :1]])
            if found := outline(Path(quad, closed=True), IdentityTransform(), simplify=False):
                yield row, column, found


def _are_upright(quads: NDArray[np.float64]) -> NDArray[np.bool_]:
    first, second, third, fourth = (quads[:, :, corner] for corner in range(4))
    level = np.abs(first[..., 1] - second[..., 1]) + np.abs(third[..., 1] - fourth[..., 1])
    plumb = np.abs(second[..., 0] - third[..., 0]) + np.abs(fourth[..., 0] - first[..., 0])
    return np.asarray(level + plumb < 1e-6)


# ---------------------------------------------------------------- colour scales


def scale(corners: Corners, colours: Colours, palette: Palette) -> list[tuple[Preset, Fill]] | None:
    """A long strip of cells as a few rectangles whose colours run from end to end; None where it is no such strip.

    Two colours each, because not every viewer knows gradients of more.
    """
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    if min(rows, columns) != 1 or max(rows, columns) <= LONGEST_STRIP or not is_regular(corners):
        return None
    upright = rows > columns
    borders = corners[:, 0, 1] if upright else corners[0, :, 0]
    middles = (borders[:-1] + borders[1:]) / 2
    places = np.concatenate([borders[:1], middles[1:-1], borders[-1:]])
    (left, bottom), (right, top) = corners.min(axis=(0, 1)).tolist(), corners.max(axis=(0, 1)).tolist()
    parts: list[tuple[Preset, Fill]] = []
    for start, stop in pairwise(_knots(places, colours)):
        low, high = sorted((float(places[start]), float(places[stop])))
        first, last = (colours[index] for index in ((start, stop) if places[start] < places[stop] else (stop, start)))
        # The format's gradients run from the top.
        start_end = [palette.on_paper(colour) for colour in ((last, first) if upright else (first, last))]
        box = Box(left, low, right, high) if upright else Box(low, bottom, high, top)
        gradient = Gradient(tuple(zip((0.0, 1.0), start_end, strict=True)), 90.0 if upright else 0.0)
        fill = start_end[0] if start_end[0] == start_end[1] else gradient
        parts.append((Preset("rect", box), fill))
    return parts


def _knots(places: NDArray[np.float64], colours: NDArray[np.float64]) -> list[int]:
    """Between which cells colours run straight: the fewest, with the error doubled until they are few enough."""
    error = 1.5 / 255
    while len(knots := _straight_stretches(places, colours, error)) > MOST_STRETCHES:
        error *= 2
    return knots


def _straight_stretches(places: NDArray[np.float64], colours: NDArray[np.float64], error: float) -> list[int]:
    knots = [0]
    while knots[-1] < len(places) - 1:
        start, stop = knots[-1], knots[-1] + 1
        while stop + 1 < len(places) and _runs_straight(places, colours, start, stop + 1) <= error:
            stop += 1
        knots.append(stop)
    return knots


def _runs_straight(places: NDArray[np.float64], colours: NDArray[np.float64], start: int, stop: int) -> float:
    """How far the colours between two cells are from a straight run between theirs."""
    share = (places[start : stop + 1] - places[start]) / (places[stop] - places[start])
    straight = colours[start] + share[:, np.newaxis] * (colours[stop] - colours[start])
    return float(np.abs(straight - colours[start : stop + 1]).max())
