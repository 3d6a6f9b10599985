r"""Formulas: TeX in; text runs, Office Math, pictures, sizes and plain text out.

Everything goes through one MathML tree (`conversion.py`). Layout and writing hold a `Formulas`, which binds the deck's
macros, language and cache; figures use `runs` alone.
"""

from deck_builder.formulas.cache import FormulaCache
from deck_builder.formulas.conversion import mathml
from deck_builder.formulas.extent import size
from deck_builder.formulas.setting import Formulas, omml, picture_palette
from deck_builder.formulas.text import linear, plain, runs, spoken

__all__ = ["FormulaCache", "Formulas", "linear", "mathml", "omml", "picture_palette", "plain", "runs", "size", "spoken"]
