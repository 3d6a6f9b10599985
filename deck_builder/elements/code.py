"""Listings: source text → one paragraph a line, coloured by what each word is. The only module that knows Pygments.

Colours keep their one meaning: names of queries, keys and values carry theirs, so strings and functions do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from lxml import etree

from deck_builder.elements.text import ROLE_COLOURS, Faces, language_of, solid, typefaces
from deck_builder.elements.xml import clean, element

TAB = 4
_PLAIN = frozenset({"", "text", "txt", "plain", "plaintext", "none", "output", "default"})
_MODULES = MappingProxyType(
    {
        **dict.fromkeys(("python", "py", "python3", "py3", "ipython", "sage"), ("python", "PythonLexer")),
        "pycon": ("python", "PythonConsoleLexer"),
        "pytb": ("python", "PythonTracebackLexer"),
        **dict.fromkeys(("bash", "sh", "shell", "zsh"), ("shell", "BashLexer")),
        **dict.fromkeys(("console", "shell-session", "shellsession"), ("shell", "BashSessionLexer")),
        **dict.fromkeys(("powershell", "ps1", "pwsh"), ("shell", "PowerShellLexer")),
        "json": ("data", "JsonLexer"),
        **dict.fromkeys(("yaml", "yml"), ("data", "YamlLexer")),
        "r": ("r", "SLexer"),
        "c": ("c_cpp", "CLexer"),
        **dict.fromkeys(("cpp", "c++"), ("c_cpp", "CppLexer")),
        "java": ("jvm", "JavaLexer"),
        **dict.fromkeys(("javascript", "js"), ("javascript", "JavascriptLexer")),
        **dict.fromkeys(("typescript", "ts"), ("javascript", "TypeScriptLexer")),
        **dict.fromkeys(("latex", "tex"), ("markup", "TexLexer")),
        **dict.fromkeys(("markdown", "md"), ("markup", "MarkdownLexer")),
    }
)
"""Common languages, found without loading the list of all."""

_FACES = Faces()
_INK = ("tx1", False)
_MUTED = ("tx2", False)
_LOOKS: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "Token.Comment": _MUTED,
        "Token.Literal.String.Doc": _MUTED,
        "Token.Keyword": ("accent4", False),
        "Token.Operator.Word": ("accent4", False),
        "Token.Name.Decorator": ("accent4", False),
        "Token.Name.Tag": ("accent4", False),
        "Token.Literal": ("accent6", False),
        "Token.Keyword.Constant": ("accent6", False),
        "Token.Name.Function": ("tx1", True),
        "Token.Name.Class": ("tx1", True),
        "Token.Generic.Heading": ("tx1", True),
        "Token.Generic.Prompt": _MUTED,
        "Token.Generic.Output": _MUTED,
        "Token.Generic.Deleted": ("accent5", False),
        "Token.Generic.Inserted": ("accent3", False),
        "Token.Generic.Error": ("accent5", False),
    }
)
"""Kind of token → theme slot and weight; what is not listed looks as what it is a kind of, else as ink."""

_ROLE_NAME = re.compile(r"(?:[wW]_?)?(?P<letter>[qkvQKV])(?:_?proj)?|(?P<word>quer(?:y|ies)|keys?|values?)", re.ASCII)


class Span(NamedTuple):
    """A stretch of one line in one look."""

    text: str
    colour: str
    bold: bool


def coloured(text: str, language: str) -> list[list[Span]]:
    """The lines of a listing, each in stretches of one look. An unknown language is plain ink."""
    return _lines(clean(text.replace("\r\n", "\n")).expandtabs(TAB), language.lower())


def paragraphs(
    lines: Sequence[Sequence[Span]],
    *,
    size_pt: float,
    highlight: frozenset[int] = frozenset(),
    numbers: Sequence[int | None] = (),
    line_spacing: float = 1.0,
    faces: Faces = _FACES,
) -> list[etree._Element]:
    """`a:p` of each coloured line. With `highlight` (1-based), the other lines step back to the muted colour.

    `numbers` stand before their lines, right-aligned, None leaving a blank.
    """
    gutter = max((len(str(number)) for number in numbers if number is not None), default=0)
    out = []
    for position, spans in enumerate(lines):
        if highlight and position + 1 not in highlight:
            spans = [Span(span.text, *_MUTED) for span in spans]
        if numbers:
            number = numbers[position] if position < len(numbers) else None
            mark = f"{'' if number is None else number:>{gutter}}  "
            spans = [Span(mark, *_MUTED), *spans]
        out.append(_paragraph(_merged(spans), size_pt, line_spacing, faces))
    return out


# ---------------------------------------------------------------- text → spans


def _lines(text: str, language: str) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    for span in _spans(text, language):
        first, *rest = span.text.split("\n")
        lines[-1].append(Span(first, span.colour, span.bold))
        lines.extend([Span(part, span.colour, span.bold)] for part in rest)
    return lines[: text.count("\n") + 1]


def _spans(text: str, language: str) -> Iterator[Span]:
    lexer = _lexer(language)
    if lexer is None:
        yield Span(text, *_INK)
        return
    tokens = list(lexer.get_tokens(text))
    roles = _roles([value for kind, value in tokens if str(kind).startswith("Token.Name")])
    before = ""
    for kind, value in tokens:
        name = str(kind)
        role = roles.get(value) if name.startswith("Token.Name") else None
        if role and not (before.endswith(".") and len(value) > 2 and value.isalpha()):
            yield Span(value, ROLE_COLOURS[role], True)
        else:
            yield Span(value, *_look(name))
        before = value


@lru_cache(maxsize=512)
def _look(kind: str) -> tuple[str, bool]:
    while kind and kind not in _LOOKS:
        kind = kind.rpartition(".")[0]
    return _LOOKS.get(kind, _INK)


def _roles(names: Iterable[str]) -> Mapping[str, str]:
    """Which names are queries, keys and values: only where a query meets one of the others, for `k` also counts."""
    roles = {
        name: (match["letter"] or match["word"])[0].lower()
        for name in set(names)
        if (match := _ROLE_NAME.fullmatch(name))
    }
    return roles if "q" in roles.values() and len(set(roles.values())) > 1 else {}


# ---------------------------------------------------------------- languages


@lru_cache(maxsize=64)
def _lexer(language: str) -> Any:
    """A lexer that keeps every character, or None for plain text. Pygments is loaded here, and only what it takes.

    It adds the line break at the end without which some lexers do not see a comment.
    """
    if language in _PLAIN:
        return None
    found = _class(language)
    return found(stripnl=False) if found else None


def _class(language: str) -> Any:
    from importlib import import_module

    if language in _MODULES:
        module, name = _MODULES[language]
        return getattr(import_module(f"pygments.lexers.{module}"), name)
    from pygments.lexers import find_lexer_class, get_all_lexers

    listed = (name for name, aliases, _, _ in get_all_lexers(plugins=False) if language in aliases)
    full_name = next(listed, None)
    return find_lexer_class(full_name) if full_name else None


# ---------------------------------------------------------------- spans → paragraphs


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Neighbours of one look joined; blanks take the look before them, for they show none."""
    out: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if out and (not span.text.strip() or (span.colour, span.bold) == (out[-1].colour, out[-1].bold)):
            out[-1] = Span(out[-1].text + span.text, out[-1].colour, out[-1].bold)
        elif out and not out[-1].text.strip():
            out[-1] = Span(out[-1].text + span.text, span.colour, span.bold)
        else:
            out.append(span)
    return out


def _paragraph(spans: Sequence[Span], size_pt: float, line_spacing: float, faces: Faces) -> etree._Element:
    paragraph = deepcopy(_empty_paragraph(line_spacing))
    for span in spans:
        run = deepcopy(_empty_run(span.colour, span.bold, language_of(span.text, "en-US"), size_pt, faces))
        run[-1].text = span.text
        paragraph.append(run)
    if not spans:  # an empty line is as high as its end mark
        paragraph.append(_properties("a:endParaRPr", "tx1", False, "en-US", size_pt, faces))
    return paragraph


# Copying an element takes a tenth of the time of building it, and a listing has hundreds of equal ones.


@lru_cache(maxsize=16)
def _empty_paragraph(line_spacing: float) -> etree._Element:
    spacing = element("a:lnSpc", None, element("a:spcPct", {"val": round(line_spacing * 100_000)}))
    none = (element(tag, None, element("a:spcPts", {"val": 0})) for tag in ("a:spcBef", "a:spcAft"))
    attributes = {"marL": 0, "indent": 0, "algn": "l"}
    return element("a:p", None, element("a:pPr", attributes, spacing, *none, element("a:buNone")))


@lru_cache(maxsize=256)
def _empty_run(colour: str, bold: bool, lang: str, size_pt: float, faces: Faces) -> etree._Element:
    return element("a:r", None, _properties("a:rPr", colour, bold, lang, size_pt, faces), element("a:t"))


def _properties(tag: str, colour: str, bold: bool, lang: str, size_pt: float, faces: Faces) -> etree._Element:
    attributes = {"lang": lang, "sz": round(size_pt * 100), "b": bold or None, "noProof": True, "dirty": False}
    return element(tag, attributes, solid(colour), *typefaces(faces.latin, faces.east_asian))
