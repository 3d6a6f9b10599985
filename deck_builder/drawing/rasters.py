"""Grids of very many colours, and resampled images, as pictures."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from deck_builder.drawing.clipping import Region
from deck_builder.drawing.marks import Box, Raster

PIXELS_PER_POINT = 3
"""Resolution of pictures: 216 dots an inch."""
_MOST_PIXELS = 4_000_000

Pixels = NDArray[np.uint8]
"""(rows, columns, 4), red green blue alpha."""
Corners = NDArray[np.float64]
"""(rows + 1, columns + 1, 2), corners of cells in points."""


def is_regular(corners: Corners) -> bool:
    """Whether rows and columns of the grid are upright and straight."""
    columns, rows = np.ptp(corners[:, :, 0], axis=0), np.ptp(corners[:, :, 1], axis=1)
    return bool(np.isfinite(corners).all() and max(columns.max(), rows.max()) < 1e-6)


def picture(corners: Corners, pixels: Pixels, region: Region) -> Raster | None:
    """The grid as one picture of what is seen of it in `region`; None where nothing is.

    Cells keep hard edges where they are larger than the picture's pixels.
    """
    (left, bottom), (right, top) = corners.min(axis=(0, 1)).tolist(), corners.max(axis=(0, 1)).tolist()
    whole = Box(left, bottom, right, top)
    if not region.box.meets(whole):
        return None
    seen = region.box.common(whole)
    width, height = _resolution(seen)
    if region.holds(whole) and is_regular(corners) and pixels.shape[0] > height and pixels.shape[1] > width:
        return Raster(whole, png(_as_seen(corners, pixels)))
    x = seen.left + (np.arange(width) + 0.5) / width * seen.width
    y = seen.top - (np.arange(height) + 0.5) / height * seen.height
    points = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    sampled = _sampled(corners, pixels, points)
    sampled[~region.contains(points), 3] = 0
    return Raster(seen, png(sampled.reshape(height, width, 4)))


def _resolution(box: Box) -> tuple[int, int]:
    density = min(PIXELS_PER_POINT, (_MOST_PIXELS / max(box.width * box.height, 1e-6)) ** 0.5)
    return max(1, round(box.width * density)), max(1, round(box.height * density))


def _as_seen(corners: Corners, pixels: Pixels) -> Pixels:
    """The pixels with the topmost row and the leftmost column first."""
    pixels = pixels[::-1] if corners[0, 0, 1] < corners[-1, 0, 1] else pixels
    return pixels[:, ::-1] if corners[0, 0, 0] > corners[0, -1, 0] else pixels


def _sampled(corners: Corners, pixels: Pixels, points: NDArray[np.float64]) -> Pixels:
    """The pixel at each point; clear where there is none."""
    if is_regular(corners):
        column, row = _between(corners[0, :, 0], points[:, 0]), _between(corners[:, 0, 1], points[:, 1])
    else:
        origin, along, up = corners[0, 0], corners[0, -1] - corners[0, 0], corners[-1, 0] - corners[0, 0]
        shares = np.linalg.solve(np.column_stack([along, up]), (points - origin).T)
        column, row = (np.floor(shares * [[pixels.shape[1]], [pixels.shape[0]]])).astype(int)
    inside = (column >= 0) & (column < pixels.shape[1]) & (row >= 0) & (row < pixels.shape[0])
    sampled = np.zeros((len(points), 4), dtype=np.uint8)
    sampled[inside] = pixels[row[inside], column[inside]]
    return sampled


def _between(borders: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.intp]:
    """Between which two borders each place lies; the borders rise or fall."""
    if borders[0] > borders[-1]:
        return len(borders) - 2 - _between(borders[::-1], places)
    return np.searchsorted(borders, places, side="right") - 1


def resampled(pixels: Pixels, box: Box, region: Region) -> Raster | None:
    """Pixels that fill a box already, cut to what is seen of them in `region`."""
    if not region.box.meets(box):
        return None
    if region.holds(box):
        return Raster(box, png(pixels))
    rows, columns = pixels.shape[:2]
    x, y = np.linspace(box.left, box.right, columns + 1), np.linspace(box.top, box.bottom, rows + 1)
    return picture(np.stack(np.meshgrid(x, y), axis=2), pixels, region)


def png(pixels: Pixels) -> bytes:
    """The pixels as PNG, without metadata: the same pixels give the same bytes."""
    shown = pixels if (pixels[..., 3] < 255).any() else pixels[..., :3]
    buffer = BytesIO()
    Image.fromarray(np.ascontiguousarray(shown)).save(buffer, format="png", compress_level=6)
    return buffer.getvalue()
