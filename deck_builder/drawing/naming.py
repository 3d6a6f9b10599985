"""Names for the selection pane: an author's `gid`, else the label, else a plain word; groups of what a `gid` covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, Tick
from matplotlib.collections import LineCollection, PathCollection, PolyCollection, QuadMesh
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch
from matplotlib.spines import Spine
from matplotlib.table import Cell, Table
from matplotlib.text import Text

from deck_builder.drawing.marks import Label, Mark
from deck_builder.model import Run
from deck_builder.values import dataclass

_WORDS: tuple[tuple[type, str], ...] = (
    (Text, "text"),
    (Spine, "axis line"),
    (Line2D, "line"),
    (FancyBboxPatch, "box"),
    (FancyArrowPatch, "arrow"),
    (Cell, "table cell"),
    (Table, "table"),
    (AxesImage, "image"),
    (QuadMesh, "mesh"),
    (ContourSet, "contour"),
    (LineCollection, "line"),
    (PathCollection, "point"),
    (PolyCollection, "area"),
    (Legend, "legend"),
)
_SPACE = Run(" ")
LONGEST = 40
"""Characters of a text that its shape's name quotes."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A named shape: the number of its mark."""

    name: str
    mark: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A named group of what an author's `gid` covers."""

    name: str
    children: tuple[Leaf | Branch, ...]


Node = Leaf | Branch


def arrange(marks: Sequence[Mark], *, taken: str) -> tuple[Node, ...]:
    """Every mark with a name of its own, in drawing order, in groups where one `gid` covers several shapes.

    No name is given twice, and none is `taken`, the name of the whole.
    """
    covered = Counter(id(artist) for mark in marks for artist in _authored(mark))
    names = _Names(taken)
    containers = _containers(marks)
    return tuple(_nodes(list(range(len(marks))), 0, marks, covered, names, containers))


def _nodes(
    numbers: list[int],
    depth: int,
    marks: Sequence[Mark],
    covered: Counter[int],
    names: _Names,
    containers: dict[int, str],
) -> Iterator[Node]:
    """The marks `numbers`, whose `depth` outermost groups are open already."""
    position = 0
    while position < len(numbers):
        mark = marks[numbers[position]]
        groups = _groups(mark, covered)
        if len(groups) <= depth:
            yield Leaf(names.unique(_name(mark, covered, containers)), numbers[position])
            position += 1
            continue
        owner = groups[depth]
        last = position
        while last < len(numbers) and owner in _groups(marks[numbers[last]], covered):
            last += 1
        name = names.unique(str(owner.get_gid()))
        yield Branch(name, tuple(_nodes(numbers[position:last], depth + 1, marks, covered, names, containers)))
        position = last


class _Names:
    """Gives out names, each once."""

    def __init__(self, taken: str) -> None:
        self._used = {taken}
        self._counts: Counter[str] = Counter()

    def unique(self, name: str) -> str:
        """The name itself, or with the next free number."""
        found = name
        while found in self._used:
            self._counts[name] += 1
            found = f"{name} {self._counts[name] + 1}"
        self._used.add(found)
        return found


# ---------------------------------------------------------------- what authors said


def _authored(mark: Mark) -> Iterator[Artist]:
    """The artists with a `gid` that a mark belongs to, outermost first."""
    seen = set()
    for artist in (*mark.scopes, *mark.lettering):
        if artist.get_gid() is not None and id(artist) not in seen:
            seen.add(id(artist))
            yield artist


def _groups(mark: Mark, covered: Counter[int]) -> list[Artist]:
    """The artists whose `gid` names a group around the mark: it covers several shapes, or another one names this."""
    authored = list(_authored(mark))
    return [
        artist
        for artist in mark.scopes
        if artist.get_gid() is not None and (covered[id(artist)] > 1 or artist.get_gid() != authored[-1].get_gid())
    ]


def _containers(marks: Sequence[Mark]) -> dict[int, str]:
    """The label of the bars, stems, … that an artist is one of, by the artist's identity."""
    axes = {id(artist): artist for mark in marks for artist in mark.scopes if isinstance(artist, Axes)}
    return {
        id(child): str(container.get_label())
        for owner in axes.values()
        for container in owner.containers
        for child in container.get_children()
        if not str(container.get_label()).startswith("_")
    }


# ---------------------------------------------------------------- one name


def _name(mark: Mark, covered: Counter[int], containers: dict[int, str]) -> str:
    authored = list(_authored(mark))
    if authored and covered[id(authored[-1])] == 1:
        return str(authored[-1].get_gid())
    artist = mark.artist
    if artist is not None and artist.get_gid() is not None:
        return f"{artist.get_gid()} {mark.part or _word(mark)}"
    if label := containers.get(id(artist)) or _label(artist):
        return f"{label} {mark.part}".strip()
    return mark.part or f"{_word(mark)} {quoted(mark.label)}".strip()


def _label(artist: Artist | None) -> str:
    if artist is None or isinstance(artist, Axes | Figure):
        return ""
    label = str(artist.get_label() or "")
    return "" if label.startswith("_") else label


def quoted(label: Label | None) -> str:
    """The beginning of a text."""
    if label is None:
        return ""
    words = " ".join("".join(run.text for line in label.lines for run in (*line, _SPACE)).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def _word(mark: Mark) -> str:
    """A plain word for what the mark is."""
    artist = mark.artist
    around = mark.scopes[-2] if len(mark.scopes) > 1 else None
    if isinstance(around, Tick) and isinstance(artist, Line2D):
        return "grid line" if artist is around.gridline else "tick"
    if isinstance(around, Axes | Figure) and isinstance(artist, Patch) and artist is around.patch:
        return "background"
    if isinstance(around, Legend) and isinstance(artist, FancyBboxPatch):
        return "legend box"
    if artist is None or isinstance(artist, Axes | Axis | Figure):
        return "shape"
    word = next((word for kind, word in _WORDS if isinstance(artist, kind)), None)
    return word or type(artist).__name__.lower()
