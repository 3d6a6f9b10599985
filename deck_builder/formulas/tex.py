"""TeX as lessons write it → the TeX that the converter reads, keeping track of where each piece came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from types import MappingProxyType

from deck_builder.errors import DeckError
from deck_builder.values import dataclass, field

ROLES = ("q", "k", "v", "w", "warn", "muted")
r"""Colours by meaning: `\textcolor{q}{Q}` is set in the query colour of the theme."""

ROLE_SENTINELS = MappingProxyType({f"#01{number:02X}01": role for number, role in enumerate(ROLES)})
"""The converter knows no roles, so each travels as a colour that nobody writes by hand."""

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "LaTeX": r"\text{LaTeX}",
        "TeX": r"\text{TeX}",
        "dotsb": r"\cdots",
        "dotsc": r"\ldots",
        "dotsi": r"\cdots",
        "dotsm": r"\cdots",
        "dotso": r"\ldots",
        "hdots": r"\ldots",
        "mathclap": "#1",
        "mathllap": "#1",
        "mathrlap": "#1",
        "smash": "#1",
        "ensuremath": "#1",
        "mathds": r"\mathbb{#1}",
        "mathbbm": r"\mathbb{#1}",
        "pmb": r"\boldsymbol{#1}",
        "smallsetminus": r"\setminus",
        "strut": "",
        "xspace": "",
        "substack": r"\begin{subarray}{c}#1\end{subarray}",
    }
)
"""Commands of common packages that the converter lacks."""

_RENAMED = {"mbox": "text", "hbox": "text", "textup": "text", "hspace*": "hspace", "mathcolor": "textcolor"}
_ALIGNED = "align align* alignat alignat* alignedat flalign flalign* split aligned"
_GATHERED = "gather gather* multline multline* gathered"
_ENVIRONMENTS = {
    **dict.fromkeys(_ALIGNED.split(), "aligned"),
    **dict.fromkeys(_GATHERED.split(), "gathered"),
    **dict.fromkeys(("equation", "equation*", "displaymath", "math"), ""),
    **{f"{kind}matrix*": f"{kind}matrix" for kind in ("", "p", "b", "B", "v", "V")},
    "smallmatrix": "matrix",
    "eqnarray": "array",
    "eqnarray*": "array",
}
_COUNTED = ("alignat", "alignat*", "alignedat")
_DEFINITIONS = ("newcommand", "renewcommand", "providecommand", "newcommand*", "renewcommand*", "def")

_NEVER_CLOSED = "this { is never closed; a } is missing"
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|%[^\n]*\n?|[{}&]", re.DOTALL)
_ARGUMENT = re.compile(r"\s*(\\(?:[A-Za-z]+|.)|.)", re.DOTALL)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_OPTION = re.compile(r"\s*\[([^\]]*)\]")
_DEFINED = re.compile(r"\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[\d\]|(?:#\d)*)\s*")
_NAMED_OPERATOR = re.compile(r"\s*\{\s*\\(?:mathrm|operatorname|rm|text)\s*\{([\w\\, ]+)\}\s*\}(?:\s*\\limits)?")
_LENGTH = re.compile(r"\*?\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|mu|\\baselineskip)\s*\]")
_MATH_IN_TEXT = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])+)(?<!\\)\$", re.DOTALL)


@dataclass(slots=True)
class Rewritten:
    """TeX for the converter, the macros found in it, and the way back to the author's positions."""

    tex: str = ""
    macros: dict[str, str] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    """Where each piece begins in `tex`, ascending."""
    origins: list[tuple[int, bool]] = field(default_factory=list)
    """For each piece: its place in the author's text, and whether it is copied letter by letter."""

    def origin(self, position: int) -> int:
        """The author's position of a position in `tex`."""
        if not self.starts:
            return position
        piece = max(0, bisect_right(self.starts, position) - 1)
        origin, copied = self.origins[piece]
        return origin + (position - self.starts[piece] if copied else 0)


def rewrite(tex: str) -> Rewritten:
    """What the converter reads in place of `tex`: known environments, no labels, colours as numbers, macros apart.

    Raises `DeckError` on a group that is not closed and on a definition that cannot be read.
    """
    return _Rewriter(tex).run()


def problem(tex: str, position: int, message: str) -> DeckError:
    """An error that shows the place in the formula: its column, counted from 1, and the text from there."""
    rest = " ".join(tex[position : position + 24].split()) or "the end"
    return DeckError(f"formula, column {position + 1} ({rest}): {message}")


class _Rewriter:
    """One pass over the control sequences; `at` is the next character not yet dealt with."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.at = 0
        self.length = 0
        self.pieces: list[str] = []
        self.result = Rewritten()
        self.depth = 0
        self.open_braces: list[int] = []
        self.row_breaks = 0
        self.alignments = 0

    def run(self) -> Rewritten:
        while match := _TOKEN.search(self.tex, self.at):
            self._copy(match.start())
            self.at = match.end()
            self._token(match[0], match.start())
        self._copy(len(self.tex))
        if self.open_braces:
            raise problem(self.tex, self.open_braces[-1], _NEVER_CLOSED)
        tex = "".join(self.pieces)
        if self.row_breaks:
            tex = self._as_rows(tex)
        self.result.tex = tex
        return self.result

    def _as_rows(self, tex: str) -> str:
        environment = "aligned" if self.alignments else "gathered"
        opening = rf"\begin{{{environment}}}"
        self.result.starts = [0, *(start + len(opening) for start in self.result.starts)]
        self.result.origins = [(0, False), *self.result.origins]
        return rf"{opening}{tex}\end{{{environment}}}"

    def _piece(self, text: str, origin: int, *, copied: bool) -> None:
        if text:
            self.result.starts.append(self.length)
            self.result.origins.append((origin, copied))
            self.pieces.append(text)
            self.length += len(text)

    def _copy(self, end: int) -> None:
        self._piece(self.tex[self.at : end], self.at, copied=True)
        self.at = end

    def _put(self, text: str, origin: int) -> None:
        self._piece(text, origin, copied=False)

    def _token(self, token: str, start: int) -> None:
        if token[0] == "%":
            return
        if token in "{}&":
            self.depth += {"{": 1, "}": -1}.get(token, 0)
            if token == "{":
                self.open_braces.append(start)
            elif token == "}" and self.open_braces:
                self.open_braces.pop()
            self.alignments += token == "&" and self.depth == 0
            self._piece(token, start, copied=True)
            return
        name = token[1:]
        name = _RENAMED.get(name, name)
        if name == "mathop" and (match := _NAMED_OPERATOR.match(self.tex, self.at)):
            self.at = match.end()
            self._put(rf"\operatorname*{{{match[1]}}}", start)
        elif name == "\\":
            self._row_break(start)
        elif name in ("begin", "end"):
            self._environment(name, start)
        elif name == "label":
            self._group(start)
        elif name in ("tag", "tag*"):
            label = self._group(start)
            self._put(rf"\qquad\text{{{label if name == 'tag*' else f'({label})'}}}", start)
        elif name in ("text", "textrm", "textbf", "textit", "textnormal"):
            self._text(name, start)
        elif name in ("color", "textcolor"):
            self._colour(name, start)
        elif name in ("DeclareMathOperator", "DeclareMathOperator*"):
            command = self._group(start).strip().lstrip("\\")
            self.result.macros[command] = rf"\operatorname{name[19:]}{{{self._group(start)}}}"
        elif name in _DEFINITIONS:
            self._definition(start)
        elif name in ("ref", "eqref"):
            raise problem(self.tex, start, "a formula cannot refer to another; write @eq-id in the text beside it")
        elif "\\" + name != token:
            self._put("\\" + name, start)
        else:
            self._piece(token, start, copied=True)

    def _row_break(self, start: int) -> None:
        if match := _LENGTH.match(self.tex, self.at):
            self.at = match.end()
        if self.depth == 0 and not self.tex[self.at :].strip():
            return
        self.row_breaks += self.depth == 0
        self._put(r"\\", start)

    def _environment(self, command: str, start: int) -> None:
        name = self._group(start).strip()
        self.depth += 1 if command == "begin" else -1
        known = _ENVIRONMENTS.get(name, name)
        if known == "" and name in _ENVIRONMENTS:
            self.depth -= 1 if command == "begin" else -1
            return
        columns = ""
        if command == "begin":
            if name in _COUNTED:
                self._group(start)
            if known != name or name in ("aligned", "gathered"):
                self._option()
            if known == "array" and name != "array":
                columns = "{rcl}"
        self._put(rf"\{command}{{{known}}}{columns}", start)

    def _text(self, name: str, start: int) -> None:
        """Text; `$x$` within it is lifted out, since the converter knows no mathematics inside text."""
        begin, content = self._argument(start)
        at = 0
        for match in _MATH_IN_TEXT.finditer(content):
            self._put(rf"\{name}{{{content[at : match.start()]}}}", begin + at)
            inner = rewrite(match[1])
            self._put("{" + inner.tex + "}", begin + match.start(1))
            at = match.end()
        if at < len(content) or not at:
            rest = re.sub(r"(?<!\\)[&_^]", r"\\\g<0>", content[at:])
            self._put(rf"\{name}{{", start)
            self._piece(rest, begin + at, copied=rest == content[at:])
            self._put("}", start)

    def _colour(self, name: str, start: int) -> None:
        model = self._option()
        colour = self._group(start).strip()
        text = _colour_value(model, colour)
        if text is None:
            expected = f"a name such as red, one of {', '.join(ROLES)}, or [HTML]{{2A66CF}}"
            raise problem(self.tex, start, f"unknown colour {colour!r}; {expected} would do")
        if name == "color":
            self._put(rf"\color{text}", start)
            return
        begin, inner = self._argument(start)
        content = rewrite(inner)
        self.result.macros.update(content.macros)
        self._put(rf"{{\color{text}", start)
        shift = self.length
        self.pieces.append(content.tex)
        self.length += len(content.tex)
        self.result.starts.extend(shift + at for at in content.starts)
        self.result.origins.extend((begin + origin, copied) for origin, copied in content.origins)
        self._put("}", start)

    def _definition(self, start: int) -> None:
        match = _DEFINED.match(self.tex, self.at)
        if not match or self.tex[match.end() : match.end() + 1] != "{":
            message = (
                r"this definition cannot be read; \newcommand{\name}[1]{… #1 …} without optional arguments would do"
            )
            raise problem(self.tex, start, message)
        self.at = match.end()
        self.result.macros[match[1]] = self._group(start)

    def _option(self) -> str:
        match = _OPTION.match(self.tex, self.at)
        if match:
            self.at = match.end()
        return match[1] if match else ""

    def _group(self, start: int) -> str:
        """The content of the next argument."""
        return self._argument(start)[1]

    def _argument(self, start: int) -> tuple[int, str]:
        """Where the next `{…}` begins inside its braces and what it holds; without braces, one character or command."""
        match = _ARGUMENT.match(self.tex, self.at)
        if not match:
            raise problem(self.tex, start, "something in braces must follow this command")
        if match[1] != "{":
            self.at = match.end()
            return match.start(1), match[1]
        depth, position = 1, match.end()
        while brace := _BRACE.search(self.tex, position):
            position = brace.end()
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 0:
                self.at = position
                return match.end(), self.tex[match.end() : position - 1]
        raise problem(self.tex, match.start(1), _NEVER_CLOSED)


def _colour_value(model: str, colour: str) -> str | None:
    """The colour as the converter takes it, in its brackets and braces; None where nobody knows it."""
    if colour in ROLES:
        return f"[RGB]{{1,{ROLES.index(colour)},1}}"
    digits = colour.removeprefix("#")
    if (model == "HTML" or colour.startswith("#")) and re.fullmatch("[0-9A-Fa-f]{6}", digits):
        return "[RGB]{" + ",".join(str(int(digits[at : at + 2], 16)) for at in (0, 2, 4)) + "}"
    if model in ("RGB", "rgb"):
        return f"[{model}]{{{colour}}}"
    return f"{{{colour}}}" if not model and colour.isalnum() else None
