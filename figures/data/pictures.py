"""Small pictures with printed digits in a 3 × 3 grid, in the typefaces that matplotlib ships, and their captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import Generator, Tensor

SIDE = 24
CELL = 8
PLACES = ("左上", "上中", "右上", "左中", "正中", "右中", "左下", "下中", "右下")
DIGITS = tuple("零一二三四五六七八九")
TYPEFACES = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSerif",
    "DejaVuSerif-Bold", "STIXGeneral", "STIXGeneralBol", "cmr10",
)  # fmt: skip
NEW_TYPEFACES = ("DejaVuSerif-Italic", "STIXGeneralItalic", "cmss10")
"""Never seen in training."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`pixels` `[24, 24]`, 0 is white, and its digits: cell (0 to 8, row by row) and digit, in order of cells."""

    pixels: Tensor
    digits: tuple[tuple[int, int], ...]

    @property
    def caption(self) -> tuple[str, ...]:
        """Place, digit, place, digit, …: `("右上", "三", "下中", "一")`."""
        return tuple(word for cell, digit in self.digits for word in (PLACES[cell], DIGITS[digit]))


def glyphs(typefaces: Sequence[str]) -> Tensor:
    """Each digit in each typeface at five angles: `[typefaces · 5, 10, 8, 8]`, dark is 1."""
    folder = Path(mpl.get_data_path()) / "fonts" / "ttf"
    drawn = [
        torch.stack([glyph(ImageFont.truetype(str(folder / f"{name}.ttf"), 36), digit, angle) for digit in range(10)])
        for name in typefaces
        for angle in (-14, -7, 0, 7, 14)
    ]
    return torch.stack(drawn)


def glyph(font: ImageFont.FreeTypeFont, digit: int, angle: float) -> Tensor:
    """One digit `[8, 8]`, drawn large, turned, cut to its ink and made small."""
    large = Image.new("L", (72, 72))
    ImageDraw.Draw(large).text((36, 36), str(digit), fill=255, font=font, anchor="mm")
    large = large.rotate(angle, resample=Image.Resampling.BILINEAR)
    small = large.crop((18, 18, 54, 54)).resize((CELL, CELL), Image.Resampling.BOX)
    return torch.tensor(list(small.tobytes()), dtype=torch.float32).view(CELL, CELL) / 255


def pictures(count: int, digits: tuple[int, int], shapes: Tensor, generator: Generator) -> tuple[Picture, ...]:
    """`count` random pictures of `digits[0]` to `digits[1]` digits in different cells, with noise."""
    made = []
    for _ in range(count):
        number = int(torch.randint(digits[0], digits[1] + 1, (), generator=generator))
        cells = torch.randperm(9, generator=generator)[:number].sort().values.tolist()
        pixels = 0.1 * torch.rand(SIDE, SIDE, generator=generator)
        content = []
        for cell in cells:
            digit, shape = (int(torch.randint(n, (), generator=generator)) for n in (10, len(shapes)))
            top, left = CELL * (cell // 3), CELL * (cell % 3)
            pixels[top : top + CELL, left : left + CELL] += 0.9 * shapes[shape, digit]
            content.append((cell, digit))
        made.append(Picture(pixels, tuple(content)))
    return tuple(made)
