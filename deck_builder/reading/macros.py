r"""`\newcommand`, `\DeclareMathOperator` and their kin: a deck's own TeX macros.

A macro is carried as name → body, the name with its backslash: `\vect` → `\mathbf{#1}`. It takes as many arguments as
the highest `#n` in its body; `\DeclareMathOperator{\relu}{ReLU}` becomes `\relu` → `\operatorname{ReLU}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_DEFINITION = re.compile(
    r"\\(?:(?P<new>(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?|(?P<operator>DeclareMathOperator)(?P<star>\*)?"
    r"|(?P<let>let)|(?P<def>def))(?![a-zA-Z])\s*"
)
_NAME = re.compile(r"\{\s*(\\(?:[a-zA-Z]+|.))\s*\}|(\\(?:[a-zA-Z]+|.))")
_COUNT = re.compile(r"\s*\[(\d)\]")
_DEFAULT = re.compile(r"\s*\[[^\]]*\]")
_PARAMETERS = re.compile(r"\s*((?:#\d)*)")
_LET = re.compile(r"\s*=?\s*(\\(?:[a-zA-Z]+|.))")


class Definitions(NamedTuple):
    """Macros found in TeX, what is left of it, and what could not be carried."""

    macros: Mapping[str, str]
    rest: str
    problems: tuple[str, ...]


def starts_definition(tex: str) -> bool:
    """Whether `tex` begins with a macro definition."""
    return _DEFINITION.match(tex) is not None


def definitions(tex: str) -> Definitions:
    """Take every macro definition out of `tex`."""
    macros: dict[str, str] = {}
    problems: list[str] = []
    rest: list[str] = []
    position = 0
    for match in _DEFINITION.finditer(tex):
        if match.start() < position:
            continue
        name = _NAME.match(tex, match.end())
        if name is None:
            continue
        found = _body(tex, match, name.end())
        if found is None:
            continue
        body, end, problem = found
        rest.append(tex[position : match.start()])
        position = end
        macros[name[1] or name[2]] = body
        if problem:
            problems.append(f"macro `{name[1] or name[2]}` {problem}")
    rest.append(tex[position:])
    return Definitions(macros, "".join(rest), tuple(problems))


def definition_end(tex: str, start: int) -> int | None:
    """Where the definition at `start` ends; None when there is none."""
    match = _DEFINITION.match(tex, start)
    name = _NAME.match(tex, match.end()) if match else None
    found = _body(tex, match, name.end()) if match and name else None
    return found[1] if found else None


def _body(tex: str, match: re.Match[str], position: int) -> tuple[str, int, str] | None:
    """Body of a definition whose name ends at `position`, where it ends, and what is wrong with it."""
    if match["let"]:
        target = _LET.match(tex, position)
        return (target[1], target.end(), "") if target else None
    declared, problem = 0, ""
    if match["def"]:
        parameters = _PARAMETERS.match(tex, position)
        declared, position = (parameters[1].count("#"), parameters.end()) if parameters else (0, position)
    elif (count := _COUNT.match(tex, position)) is not None:
        declared, position = int(count[1]), count.end()
        if (default := _DEFAULT.match(tex, position)) is not None:
            position, problem = default.end(), "has an optional argument, which is not read; give it always"
    start = position + len(tex[position:]) - len(tex[position:].lstrip())
    end = closing_brace(tex, start)
    if end is None:
        return None
    body = tex[start + 1 : end - 1]
    if match["operator"]:
        return rf"\operatorname{match['star'] or ''}{{{body}}}", end, ""
    if declared > argument_count(body):
        problem = f"declares {declared} arguments but does not use the last; drop it"
    return body, end, problem


def argument_count(body: str) -> int:
    """The number of arguments a macro takes: the highest `#n` of its body."""
    return max((int(digit) for digit in re.findall(r"#(\d)", body)), default=0)


def closing_brace(tex: str, start: int) -> int | None:
    """The position after the brace that closes the one at `start`; None when there is none."""
    if not tex.startswith("{", start):
        return None
    depth, position = 0, start
    while position < len(tex):
        character = tex[position]
        if character == "\\":
            position += 1
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None
