"""Labels of figures, tables, equations and listings: unique in the deck, and every quotation of one leads somewhere."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from deck_builder.model import Source
from deck_builder.reading.attributes import nearest
from deck_builder.reading.log import Log
from deck_builder.values import dataclass, field

VALID = re.compile(r"[^\W\d][\w-]*")


class Use(NamedTuple):
    """A place that quotes a label."""

    kind: Literal["value", "link"]
    target: str
    source: Source


@dataclass(slots=True)
class Labels:
    """Labels given and quoted so far."""

    places: dict[str, Source] = field(default_factory=dict)
    unchecked: set[str] = field(default_factory=set)
    """Labels of listings and cells, which may repeat."""
    named: dict[str, list[Source]] = field(default_factory=dict)
    """A function's name → the figures that are named by it, for want of a label."""
    uses: list[Use] = field(default_factory=list)

    def claim(self, label: str, source: Source, log: Log) -> str:
        """The author's own label; a second use of it is an error that names both lines."""
        if VALID.fullmatch(label) is None:
            log.error(f"label `{label}` must be letters, digits, `-` and `_`, beginning with a letter", source)
        elif label in self.places:
            log.error(f"label `{label}` is already given at {self.places[label]}; choose another", source)
        else:
            self.places[label] = source
        return label

    def name(self, function: str, source: Source) -> str:
        """The label of a figure without one: its function's name, for a second one `name-2`."""
        name = function.rpartition(".")[2]
        earlier = self.named.setdefault(name, [])
        earlier.append(source)
        number = len(earlier)
        label = name if number == 1 else f"{name}-{number}"
        while label in self.places:
            number += 1
            label = f"{name}-{number}"
        self.places[label] = source
        return label

    def check(self, identifiers: set[str], log: Log) -> None:
        """Report every quotation that leads nowhere or is ambiguous; `identifiers` are those of slides.

        References `@fig-x` are not among them: numbering resolves those.
        """
        for use in self.uses:
            if use.kind == "link":
                if use.target not in identifiers and use.target not in self.places.keys() | self.unchecked:
                    hint = nearest(use.target, identifiers)
                    log.notice(f"link to `#{use.target}`: no slide has this name{hint}", use.source)
                continue
            same = self.named.get(use.target, [])
            if len(same) > 1:
                places = " and ".join(map(str, same))
                log.error(f"`{use.target}` is ambiguous: {places} are both called so; give them a `label:`", use.source)
            elif use.target not in self.places:
                hint = nearest(use.target, self.places)
                log.error(f"no figure or table is labelled `{use.target}`{hint}", use.source)
