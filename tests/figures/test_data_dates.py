"""Dates and their alignment against Babel's own formatting."""

from __future__ import annotations

import datetime

import pytest
from babel.dates import format_date

from figures.data.dates import FIRST_DAY, LANGUAGES, LAST_DAY, date_pair, date_pairs
from figures.data.pairs import Batch, Vocabulary

FIELDS = {"en": "EEEE, MMMM d, y"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tokens_spell_what_babel_formats(language):
    for day in (datetime.date(1920, 4, 18), datetime.date(1999, 12, 31), FIRST_DAY, LAST_DAY):
        pair = date_pair(day, language)
        assert "".join(pair.source) == format_date(day, "full", language).replace(" ", "")
        assert "".join(pair.target) == format_date(day, "full", "zh")


def test_a_digit_comes_from_the_same_digit_and_a_unit_from_nowhere():
    pair = date_pair(datetime.date(1920, 4, 18), "en")
    links = {target: [pair.source[s] for s in places] for target, places in zip(pair.target, pair.gold, strict=True)}
    assert links == {
        "1": ["1"], "9": ["9"], "2": ["2"], "0": ["0"], "年": [], "4": ["April"], "月": [], "8": ["8"], "日": [],
        "星期日": ["Sunday"],
    }  # fmt: skip
    assert pair.gold[0] == (pair.source.index("9") - 1,)
    december = date_pair(datetime.date(2012, 12, 3), "fr")
    assert december.gold[5:7] == ((december.source.index("décembre"),),) * 2


def test_every_digit_of_year_and_day_is_linked_to_an_equal_digit():
    for pair in date_pairs(300, seed=1):
        for token, places in zip(pair.target, pair.gold, strict=True):
            for place in places:
                assert token == pair.source[place] or not pair.source[place].isdigit()


def test_drawn_dates_differ_and_come_again():
    pairs = date_pairs(200, seed=3)
    assert len({pair.target for pair in pairs}) == 200
    assert pairs == date_pairs(200, seed=3)
    assert pairs != date_pairs(200, seed=4)
    assert {pair.language for pair in pairs} == set(LANGUAGES)


def test_a_batch_holds_its_pairs_padded():
    pairs = date_pairs(20, seed=0)
    source, target = (Vocabulary.of(getattr(pair, side) for pair in pairs) for side in ("source", "target"))
    batch = Batch.of(pairs, source, target)
    for b, pair in enumerate(pairs):
        assert source.decode(batch.source[b]) == pair.source
        assert target.decode(batch.target[b]) == pair.target
        assert batch.target[b, len(pair.target)] == 2
        for t in range(batch.target.shape[1]):
            gold = pair.gold[t] if t < len(pair.gold) else ()
            assert tuple(batch.gold[b, t].nonzero().flatten().tolist()) == gold
    with pytest.raises(KeyError):
        source.encode([("猫",)])
