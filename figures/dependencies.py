"""Several results of one kind as a single argument of a figure function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any


@dataclass(frozen=True, slots=True)
class Each:
    """A function with the variants in which it is wanted; called, it runs them all and returns their results."""

    function: Callable[..., Any]
    variants: tuple[Mapping[str, Any], ...]

    def __call__(self, **arguments: Any) -> tuple[Any, ...]:
        """One result a variant, in order; `arguments` are common to all."""
        return tuple(self.function(**{**arguments, **variant}) for variant in self.variants)


def each(function: Callable[..., Any], /, **choices: Sequence[Any]) -> Each:
    """Want `function` once for each combination of the choices, the last varying fastest.

    In a signature, `models: Annotated[tuple[Translator, ...], each(train_translator, score=("dot", "additive"))]`
    says that the two models are made beforehand. In a notebook one makes them by
    `each(train_translator, score=("dot", "additive"))(steps=300)`. The choices are literals or constants, because
    they are read from the source.
    """
    combinations = product(*choices.values())
    return Each(function, tuple(dict(zip(choices, values, strict=True)) for values in combinations))
