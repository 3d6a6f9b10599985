"""Operators of formulas by what they do (the classes of TeX)."""

from __future__ import annotations

RELATIONS = frozenset("=≠<>≤≥≪≫≲≳≮≯≈∼≃≅≐≡≢∝≍≺≻⪯⪰∈∉∋∌⊂⊃⊆⊇⊄⊅⊈⊉⊊⊋⊏⊐⊑⊒⊢⊣⊨⊥⟂∥∣≔≕≜≝≟∷:∴∵→←↔⇒⇐⇔⟶⟵⟷⟹⟸⟺↦⟼⇝↪↩⇀⇌↑↓⇑⇓⊸")
SIGNS = frozenset("+−-±∓")
BINARIES = SIGNS | frozenset("×÷⋅·∗⋆∘∙∪∩∖∧∨⊕⊖⊗⊘⊙⊎⊓⊔†‡≀⨿⊺⋄△▽◁▷")
PUNCTUATION = frozenset(",;")
OPENING = frozenset("([{⟨⌊⌈⟦⌜")
CLOSING = frozenset(")]}⟩⌋⌉⟧⌝")
INTEGRALS = frozenset("∫∬∭∮∯∰")
BIG = INTEGRALS | frozenset("∑∏∐⋀⋁⋂⋃⨀⨁⨂⨄⨆")
BARS = frozenset("|‖")
NOTHING = "\u2063"
r"""Stands where `\left.` leaves a fence out."""
APPLICATION = "\u2061"
"""Stands between a function and its argument."""
AROUND_FUNCTIONS = "0.1667em"
r"""Space that math-core adds around functions, unlike the author's `\,` by one digit; equations add their own."""
