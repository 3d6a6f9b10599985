"""Pictures, their captions, and the captioner."""

from __future__ import annotations

import pytest
import torch
from measured import record

from figures.data.pictures import DIGITS, NEW_TYPEFACES, PLACES, TYPEFACES, Picture, glyphs, pictures
from figures.experiments.captions import WORDS, as_batch, describe, train_captioner
from figures.models.captioner import Captioner


def test_digits_of_one_typeface_differ_and_have_ink():
    shapes = glyphs(("DejaVuSans",))
    assert shapes.shape == (5, 10, 8, 8)
    upright = shapes[2].flatten(1)
    assert (upright.sum(1) > 3).all()
    assert (torch.cdist(upright, upright) + 10 * torch.eye(10)).min() > 0.5
    assert not set(TYPEFACES) & set(NEW_TYPEFACES)


def test_a_caption_names_the_cells_that_have_ink():
    shapes = glyphs(("DejaVuSans", "DejaVuSerif"))
    for picture in pictures(50, (1, 3), shapes, torch.Generator().manual_seed(0)):
        ink = picture.pixels.view(3, 8, 3, 8).amax((1, 3)).flatten()
        assert (ink > 0.3).nonzero().flatten().tolist() == [cell for cell, _ in picture.digits]
        assert picture.caption[0::2] == tuple(PLACES[cell] for cell, _ in picture.digits)
        assert picture.caption[1::2] == tuple(DIGITS[digit] for _, digit in picture.digits)


def test_a_digit_word_comes_from_the_four_features_of_its_cell():
    picture = Picture(torch.zeros(24, 24), ((2, 3), (7, 1)))
    batch = as_batch([picture])
    assert WORDS.decode(batch.target[0]) == ("右上", "三", "下中", "一")
    grid = batch.gold[0].view(-1, 6, 6)
    assert grid.sum((1, 2)).tolist() == [0, 4, 0, 4, 0]
    assert grid[1, :2, 4:].all()
    assert grid[3, 4:, 2:4].all()
    assert as_batch([picture], words=0).gold[0].view(-1, 6, 6).sum((1, 2)).tolist() == [4, 0, 4, 0, 0]


def test_each_feature_sees_its_part_of_the_picture():
    model = Captioner(len(WORDS), "additive")
    pixels = torch.rand(1, 24, 24, generator=torch.Generator().manual_seed(0)).requires_grad_()
    feature = model.encoder.features(pixels)[0, :, 5, 0].sum()
    (gradient,) = torch.autograd.grad(feature, pixels)
    rows, columns = gradient[0].nonzero().T
    assert rows.min() >= 17
    assert columns.max() <= 6


def test_the_weights_of_a_described_picture_are_those_of_its_caption():
    model = Captioner(len(WORDS), "additive")
    picture = pictures(1, (2, 2), glyphs(("DejaVuSans",)), torch.Generator().manual_seed(0))[0]
    described = describe(model, picture)
    assert described.weights.shape == (len(described.target), 6, 6)
    assert described.weights.sum((1, 2)).tolist() == pytest.approx([1] * len(described.target), abs=1e-5)
    assert len(described.cells) == 2


@pytest.mark.slow
def test_digits_are_looked_at_and_places_are_told_without_a_look():
    captioner = record(train_captioner, mechanism="additive")
    assert captioner.quality.alignment > 0.95
    assert captioner.quality.mass > 5 * captioner.uniform_mass
    assert captioner.place_alignment < 0.1 < 0.6 < captioner.quality.exact
