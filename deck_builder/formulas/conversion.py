"""TeX → MathML that says plainly what each letter, fence and accent is; every printer of formulas reads this."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from lxml import etree

from deck_builder.errors import DeckError
from deck_builder.formulas.tex import COMMANDS, ROLE_SENTINELS, problem, rewrite
from deck_builder.model import EMPTY

Macros = Mapping[str, str]
FrozenMacros = tuple[tuple[str, str], ...]

_NAMES = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega partial
    nabla infty ell hbar Re Im frac dfrac tfrac cfrac binom sqrt sum prod int iint oint bigcup bigcap bigoplus
    bigotimes lim limsup liminf max min argmax argmin sup inf log ln exp sin cos tan tanh cosh sinh det dim ker
    deg gcd Pr arg hat bar tilde vec dot ddot check breve overline underline widehat widetilde overbrace
    underbrace overset underset stackrel overrightarrow overleftarrow mathbb mathbf mathrm mathcal mathscr
    mathfrak mathsf mathtt mathit boldsymbol bm operatorname text textbf textit texttt left right middle big Big
    bigg Bigg bigl bigr Bigl Bigr biggl biggr langle rangle lVert rVert lvert rvert lfloor rfloor lceil rceil
    Vert vert mid parallel cdot cdots ldots dots vdots ddots times div pm mp ast star circ bullet oplus otimes
    odot leq geq le ge neq ne approx sim simeq cong equiv propto ll gg in notin ni subset subseteq supset
    supseteq cup cap setminus emptyset varnothing forall exists neg land lor to gets mapsto rightarrow leftarrow
    Rightarrow Leftarrow Leftrightarrow iff implies longrightarrow xrightarrow xleftarrow uparrow downarrow
    coloneqq triangleq doteq perp top bot intercal dagger prime quad qquad color textcolor phantom boxed cancel
    displaystyle textstyle limits nolimits begin end label tag nonumber substack mathop mathbin mathrel
"""
KNOWN = tuple(_NAMES.split())
"""Commands offered as close matches; the converter knows many more."""

_ENVIRONMENTS = "aligned align gathered gather cases dcases rcases array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix"
_ADVICE = {
    "Duplicate subscript or superscript": r"braces would do: {x^a}^b or x^{a^b}",
    "Unmatched closing token": r"each } and \right needs its { and \left",
    'Found "&"': r"\begin{aligned} … \end{aligned} around the rows would do, or \& for the character",
    "Expected closing token": "close it, or remove what opens it",
    "Too many expansions": "a macro may not contain itself",
    "Not valid in text mode": r"inside \text, write $…$ around mathematics and \_ \& \% for the characters",
    "Not valid in math mode": r"\text{…} around words would do",
}
_ACCENTS = {"̂": "ˆ", "~": "˜", "̃": "˜", "ˇ": "ˇ"}
_JOINED = (((".", ".", "."), "…"), (("·", "·", "·"), "⋯"), ((":", "="), "≔"))
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_POSITION = re.compile(r"(?:macro(\d+):)?(\d+): (.*)", re.DOTALL)
_ENTITY = str.maketrans({"\ufe00": None, "\ufe01": None})
_COLOUR = re.compile(r"color:(#[0-9A-F]{6})")


def mathml(tex: str, *, display: bool = False, macros: Macros = EMPTY) -> str:
    r"""`<math>` of a formula: Presentation MathML in which styled letters are letters with a `mathvariant`.

    `macros` maps names (with or without backslash) to bodies with `#1` … for arguments. Roles given as colours
    (`\textcolor{q}{Q}`) come out as `<mstyle class="q">`. Raises `DeckError` with the column and what would be right.
    """
    return etree.tostring(tree(tex, display=display, macros=macros), encoding="unicode")


def tree(tex: str, *, display: bool = False, macros: Macros = EMPTY) -> etree._Element:
    """The same as a tree of its own."""
    return etree.fromstring(_markup(tex, display, freeze(macros)))


def freeze(macros: Macros) -> FrozenMacros:
    """Macros as a value that can be a key."""
    return tuple(sorted((name.lstrip("\\"), body) for name, body in macros.items()))


@lru_cache(maxsize=4096)
def _markup(tex: str, display: bool, macros: FrozenMacros) -> bytes:
    math = etree.fromstring(_convert(tex, display, macros).replace("&ApplyFunction;", "\u2061").translate(_ENTITY))
    for child in math:
        _clean(child)
    _join_dots(math)
    return etree.tostring(math)


# ---------------------------------------------------------------- conversion


def _convert(tex: str, display: bool, macros: FrozenMacros) -> str:
    from math_core import LatexError, LatexToMathML

    source = rewrite(tex)
    bodies = _used(source.tex, {**COMMANDS, **dict(macros), **source.macros})
    origin: Callable[[int], int] | None = None
    try:
        converter = LatexToMathML(macros=bodies, fancy_error=False, allow_unreliable_rendering=True)
        origin = source.origin
        return str(converter.convert_with_local_state(source.tex, displaystyle=display))
    except LatexError as error:
        raise _explained(tex, origin, str(error), bodies) from error


def _used(tex: str, macros: Mapping[str, str]) -> dict[str, str]:
    """The macros that `tex` reaches, so that a macro which cannot be read harms only the formulas that use it."""
    used: dict[str, str] = {}
    waiting = [tex]
    while waiting:
        for name in _COMMAND.findall(waiting.pop()):
            body = macros.get(name)
            if body is None or name in used or body.strip() == "\\" + name:
                continue
            inner = rewrite(body)
            used.update(inner.macros)
            used[name] = inner.tex
            waiting += [inner.tex, *inner.macros.values()]
    return used


def _explained(tex: str, origin: Callable[[int], int] | None, message: str, macros: Mapping[str, str]) -> DeckError:
    """The converter's complaint at the author's position, with what would be right."""
    match = _POSITION.match(message)
    if not match:
        return DeckError(f"formula {tex!r}: {message}")
    what = match[3].rstrip(".")
    advice = next((advice for start, advice in _ADVICE.items() if what.startswith(start)), "")
    if what.startswith("Unknown command"):
        advice = _close(what, (*KNOWN, *macros), "\\") or r"macros: in the front matter can define it"
    elif what.startswith("Unknown environment"):
        advice = _close(what, _ENVIRONMENTS.split(), "") or f"one of {', '.join(_ENVIRONMENTS.split())} would do"
    what = what[0].lower() + what[1:] + (f"; {advice}" if advice else "")
    if match[1] or origin is None:
        name = list(macros)[int(match[1] or 0)]
        return DeckError(rf"macro \{name} = {macros[name]}: {what}")
    return problem(tex, min(origin(int(match[2])), len(tex)), what)


def _close(message: str, names: Sequence[str], prefix: str) -> str:
    from difflib import get_close_matches

    wrong = message.partition('"')[2].rstrip('"').lstrip("\\")
    matches = get_close_matches(wrong, names, n=2, cutoff=0.7)
    return f"did you mean {' or '.join(prefix + name for name in matches)}?" if matches else ""


# ---------------------------------------------------------------- cleaning


def _clean(node: etree._Element) -> None:
    """Make a node and what is below it say what it means, without style sheets and without decoration."""
    for child in list(node):
        _clean(child)
    tag = str(node.tag)
    if tag == "mrow":
        _clean_row(node)
    elif tag in ("mi", "mn"):
        _clean_letters(node)
    elif tag == "mtext":
        _clean_text(node)
    elif tag == "mspace":
        _clean_space(node)
    elif tag == "mtable":
        _clean_table(node)
    elif tag in ("mover", "munder", "munderover"):
        _clean_over(node)
    elif tag == "mpadded" and node.get("width") != "0":
        node.tag = "mrow"
        node.attrib.clear()
        _clean_row(node)
    elif tag == "menclose":
        for extra in node.findall("mrow[@class]"):
            node.remove(extra)
    if tag in ("mrow", "mtd", "mstyle", "mphantom", "msqrt"):
        _join_dots(node)


def _clean_row(node: etree._Element) -> None:
    colour = _COLOUR.match(node.get("style", ""))
    style = _keep(node, "displaystyle", "scriptlevel")
    for child in node.findall("mspace"):
        if not child.attrib:
            node.remove(child)
    if colour:
        node.tag = "mstyle"
        node.attrib.clear()
        role = ROLE_SENTINELS.get(colour[1])
        node.set(*(("class", role) if role else ("mathcolor", colour[1])))
    elif style:
        node.tag = "mstyle"
    elif len(node) == 1:
        _replace(node, node[0])


def _keep(node: etree._Element, *names: str) -> bool:
    """Drop all attributes but these; whether any is left."""
    for name in list(node.attrib):
        if name not in names:
            del node.attrib[name]
    return bool(node.attrib)


def _replace(node: etree._Element, by: etree._Element) -> None:
    """Put `by` where `node` stands."""
    parent = node.getparent()
    assert parent is not None
    by.tail = None
    parent.replace(node, by)


def _clean_letters(node: etree._Element) -> None:
    """Styled letters of Unicode's mathematical block become plain letters with the variant they stand for."""
    text = node.text or ""
    variants = {letter(character)[1] for character in text}
    if text and len(variants) == 1 and (variant := variants.pop()):
        node.text = "".join(letter(character)[0] for character in text)
        if variant != "italic" or len(text) > 1:
            node.set("mathvariant", variant)


@lru_cache(maxsize=2048)
def letter(character: str) -> tuple[str, str]:
    """The plain letter of a mathematical one and its `mathvariant`; ℝ, ℒ and 𝔤 stay, as readers know them so."""
    if not "\U0001d400" <= character <= "\U0001d7ff":
        return character, ""
    words = unicodedata.name(character, "").split()
    if {"SCRIPT", "FRAKTUR", "DOUBLE-STRUCK"} & set(words):
        return character, ""
    if "MONOSPACE" in words:
        return unicodedata.normalize("NFKC", character), "monospace"
    parts = [part for part in ("BOLD", "SANS-SERIF", "ITALIC") if part in words]
    return unicodedata.normalize("NFKC", character), "-".join(parts).lower()


def _clean_text(node: etree._Element) -> None:
    tags = {str(inner.tag) for inner in node.iter()} | {inner.get("class", "") for inner in node.iter()}
    node.text = "".join(map(str, node.itertext())).replace("``", "“").replace("’’", "”").replace("‘‘", "“")
    for child in list(node):
        node.remove(child)
    bold, italic = "b" in tags, bool({"i", "em"} & tags)
    variant = "bold-italic" if bold and italic else "bold" if bold else "italic" if italic else ""
    if "code" in tags:
        variant = "monospace"
    elif "math-core-sans-serif-font" in tags:
        variant = "sans-serif"
    if variant:
        node.set("mathvariant", variant)


def _clean_space(node: etree._Element) -> None:
    """Every width in em; the converter counts 10 pt to its `rem`."""
    width = node.get("style", node.get("width", "")).partition(":")[2] or node.get("width", "")
    if width:
        node.attrib.clear()
        node.set("width", width.rstrip(";").replace("rem", "em"))


def _clean_table(node: etree._Element) -> None:
    """Alignment per column on the table, as MathML had it before style sheets."""
    _draw_bars(node)
    aligned = ["center"] * max((len(row) for row in node), default=0)
    for row in node:
        for column, cell in enumerate(row):
            style = cell.get("style", "")
            if "border-top" in style or "border-bottom" in style:
                raise DeckError(r"formula: \hline cannot be drawn in an equation; a Markdown table would do")
            if match := re.search("text-align: (left|right)", style):
                aligned[column] = match[1]
            cell.attrib.clear()
    _keep(node, "displaystyle", "scriptlevel")
    node.set("columnalign", " ".join(aligned))


def _draw_bars(node: etree._Element) -> None:
    """Vertical rules become columns of bars: no equation format of PowerPoint has rules."""
    ruled = {column for row in node for column, cell in enumerate(row) if "border-right" in cell.get("style", "")}
    for row in node:
        for column in sorted(ruled, reverse=True):
            if column < len(row):
                bar = etree.Element("mtd")
                etree.SubElement(bar, "mo", lspace="0", rspace="0").text = "|"
                row.insert(column + 1, bar)


def _clean_over(node: etree._Element) -> None:
    """Accents by one character each; what stands on an arrow without the padding that stretches it."""
    for mark in list(node)[1:]:
        if str(mark.tag) in ("mover", "munder") and str(mark[1].tag) == "mspace":
            content = mark[0]
            for space in content.findall("mspace"):
                content.remove(space)
            _replace(mark, content[0] if len(content) == 1 else content)
    mark = node[1]
    if mark.text == "\u0332":
        mark.text = "¯" if node.tag == "mover" else "_"
    elif mark.text in _ACCENTS and node.get("accent"):
        mark.text = _ACCENTS[mark.text]


def _join_dots(node: etree._Element) -> None:
    """Three full stops in a row are one ellipsis; `:` before `=` is `≔`."""
    texts = [child.text if child.tag == "mo" else None for child in node]
    for at in range(len(texts) - 1, -1, -1):
        for pattern, joined in _JOINED:
            if tuple(texts[at : at + len(pattern)]) == pattern:
                for extra in list(node)[at + 1 : at + len(pattern)]:
                    node.remove(extra)
                node[at].text = joined
                node[at].attrib.clear()
                texts[at : at + len(pattern)] = [joined]
