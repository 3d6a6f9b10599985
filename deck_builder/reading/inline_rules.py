"""Rules for what stands inside a line, tried by its first character.

Tokens beyond markdown-it's own: `math_inline`, `math_display` (content: TeX), `reference` (content: label), `citation`
(content: key), `footnote_reference`, `footnote_inline`, `latex`, and the pairs `span`, `mark`, `sub`, `sup`, `s`,
each with `_open` and `_close`. Pictures and code spans carry their attributes as `meta["attributes"]`, line breaks the
number of lines before them as `meta["line"]`.
"""

from __future__ import annotations

import re

from markdown_it.rules_inline import StateInline, autolink, backtick, entity, escape, html_inline, image, link, newline

from deck_builder.reading import attributes, pairs
from deck_builder.reading.emphasis import emphasis
from deck_builder.reading.macros import definition_end
from deck_builder.reading.pairs import Rule

_PLAIN = re.compile(r"[\n&$*<@\[\\\]^_`~]|!(?=\[)|==|https?://")
_MATH = re.compile(r"\$(?![\s$])((?:\\.|[^$\\])*?(?:\\.|[^$\\\s]))\$(?!\d)", re.DOTALL)
_DISPLAY = re.compile(r"\$\$((?:\\.|\$(?!\$)|[^$\\])+?)\$\$", re.DOTALL)
_PARENTHESES = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
_BRACKETS = re.compile(r"\\\[((?:(?!\\\]).)*?[\\^_=].*?)\\\]", re.DOTALL)
_IDENTIFIER = re.compile(r"[ \t]*(?=\{#)")
_COMMAND = re.compile(
    r"\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|center|centering|pause|newpage|clearpage"
    r"|noindent|bigskip|medskip|smallskip|hfill|vfill|newline|(?:[vh]space|vskip|hskip)\*?(?:\{[^{}]*\})?)(?![A-Za-z])"
)
_LATEX = re.compile(r"\\[A-Za-z]+(?:\[[^\]]*\])?(?:\{[^{}]*\})+")
_KEY = re.compile(r"@(?:\{([^{}\s]+)\}|(\w(?:[\w:.#$%&+?~/-]*\w)?))", re.ASCII)
_REFERENCE = re.compile(r"@((?:fig|tbl|eq)-\w(?:[\w-]*\w)?)", re.ASCII)  # 如@fig-align所示 needs no space
_REFERENCES = re.compile(r"\[[^\[\]@]*@(?:fig|tbl|eq)-[^\[\]]*\]")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
_URL = re.compile(r"https?://(?:(?![\s<>\"`\u2010-\u201f])[\0-\u2e7f\ufff0-\U0010ffff])+")
_TAIL = re.compile(r"[?!.,:;*_~'\"]+$")


def is_plain(markdown: str) -> bool:
    """Whether a text holds nothing that any rule here would read."""
    return _PLAIN.search(markdown) is None


def is_command(tex: str) -> bool:
    """Whether LaTeX is a command that only changes how things look."""
    return _COMMAND.fullmatch(tex.strip()) is not None


def text(state: StateInline, silent: bool) -> bool:
    """Rule for characters that mean nothing."""
    match = _PLAIN.search(state.src, state.pos, state.posMax)
    end = match.start() if match else state.posMax
    if end == state.pos:
        return False
    if not silent:
        state.pending += state.src[state.pos : end]
    state.pos = end
    return True


def special(state: StateInline, silent: bool) -> bool:
    """Rule for everything else: those that begin with this character, in order."""
    for rule in _RULES.get(state.src[state.pos], ()):  # noqa: SIM110 - a generator costs more than the rules here
        if rule(state, silent):
            return True
    return False


def _line_break(state: StateInline, silent: bool) -> bool:
    newline(state, silent)
    if not silent:
        state.tokens[-1].meta = {"line": state.src.count("\n", 0, state.pos)}
    return True


def _escape(state: StateInline, silent: bool) -> bool:
    r"""`\ ` is a space that does not break, `\` before a line end a line break, other escapes as in CommonMark."""
    if state.src.startswith("\\ ", state.pos):
        if not silent:
            state.pending += "\u00a0"
        state.pos += 2
        return True
    broken = state.src.startswith("\\\n", state.pos)
    if not escape(state, silent):
        return False
    if broken and not silent:
        state.tokens[-1].meta = {"line": state.src.count("\n", 0, state.pos)}
    return True


def _push(state: StateInline, silent: bool, kind: str, content: str, end: int) -> bool:
    if not silent:
        token = state.push(kind, "", 0)
        token.content = content
        token.meta = {"line": state.src.count("\n", 0, state.pos)}
    state.pos = end
    return True


def _math(state: StateInline, silent: bool) -> bool:
    """`$…$`: no space inside next to the dollars, no digit after the closing one (pandoc, "tex_math_dollars")."""
    match = _MATH.match(state.src, state.pos, state.posMax)
    return match is not None and _push(state, silent, "math_inline", match[1], match.end())


def _display(state: StateInline, silent: bool) -> bool:
    r"""`$$…$$ {#eq-id}`, also `\[…\]`."""
    pattern = _DISPLAY if state.src[state.pos] == "$" else _BRACKETS
    match = pattern.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    end, label = match.end(), None
    gap = _IDENTIFIER.match(state.src, end)
    if gap is not None and (found := attributes.scan(state.src, gap.end())) is not None:
        label, end = found[0].identifier, found[1]
    _push(state, silent, "math_display", match[1], end)
    if not silent:
        state.tokens[-1].meta["label"] = label
    return True


def _parentheses(state: StateInline, silent: bool) -> bool:
    match = _PARENTHESES.match(state.src, state.pos, state.posMax)
    return match is not None and _push(state, silent, "math_inline", match[1].strip(), match.end())


def _command(state: StateInline, silent: bool) -> bool:
    r"""`\small` and other commands without text; `\emph{…}` and its kin, whose text is kept."""
    end = definition_end(state.src[: state.posMax], state.pos)
    if end is not None:
        return _push(state, silent, "macro", state.src[state.pos : end], end)
    match = _COMMAND.match(state.src, state.pos, state.posMax) or _LATEX.match(state.src, state.pos, state.posMax)
    return match is not None and _push(state, silent, "latex", match[0], match.end())


def _with_attributes(rule: Rule) -> Rule:
    """`rule`, followed by optional attributes."""

    def attributed(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if not rule(state, silent):
            return False
        if not silent and (state.pending or not state.tokens):
            return True  # backticks without a partner are text
        found = None
        if state.pos < state.posMax and state.src[state.pos] == "{":
            found = attributes.scan(state.src, state.pos)
        if found is not None:
            state.pos = found[1]
        if not silent:
            line = state.src.count("\n", 0, start)
            state.tokens[-1].meta = {"attributes": found[0] if found else attributes.NONE, "line": line}
        return True

    return attributed


def _footnote(state: StateInline, silent: bool) -> bool:
    match = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if match is None or f":{match[1]}" not in state.env.get("footnotes", {}).get("refs", {}):
        return False
    return _push(state, silent, "footnote_reference", match[1], match.end())


def _inline_footnote(state: StateInline, silent: bool) -> bool:
    """`^[text]`."""
    if not state.src.startswith("^[", state.pos):
        return False
    end = state.md.helpers.parseLinkLabel(state, state.pos + 1)
    return end >= 0 and _push(state, silent, "footnote_inline", state.src[state.pos + 2 : end], end + 1)


def _references(state: StateInline, silent: bool) -> bool:
    """`[@fig-a]`, `[Fig. @fig-a; @fig-b]`: the same as the references alone."""
    match = _REFERENCES.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    labels = _REFERENCE.findall(match[0])
    if len(labels) != match[0].count("@"):
        return False
    if not silent:
        for index, label in enumerate(labels):
            if index:
                state.pending += ", "
            _push(state, silent, "reference", label, state.pos)
    state.pos = match.end()
    return True


def _at(state: StateInline, silent: bool) -> bool:
    """`@fig-id`, or a citation `@key`; not inside a word, as in an e-mail address."""
    if state.pos > 0 and (state.src[state.pos - 1].isalnum() and state.src[state.pos - 1].isascii()):
        return False
    match = _REFERENCE.match(state.src, state.pos, state.posMax)
    if match is not None:
        return _push(state, silent, "reference", match[1], match.end())
    match = _KEY.match(state.src, state.pos, state.posMax)
    return match is not None and _push(state, silent, "citation", match[1] or match[2], match.end())


def _bare_url(state: StateInline, silent: bool) -> bool:
    """An address written as such; punctuation after it does not belong to it, nor does Chinese text."""
    match = _URL.match(state.src, state.pos, state.posMax)
    if match is None or state.linkLevel > 0:
        return False
    address = _TAIL.sub("", match[0])
    while address.endswith(")") and address.count(")") > address.count("("):
        address = _TAIL.sub("", address[:-1])
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs = {"href": state.md.normalizeLink(address)}
        state.push("text", "", 0).content = address
        state.push("link_close", "a", -1)
    state.pos += len(address)
    return True


_RULES: dict[str, tuple[Rule, ...]] = {
    "\n": (_line_break,),
    "\\": (_parentheses, _display, _command, _escape),
    "`": (_with_attributes(backtick),),
    "$": (_display, _math),
    "*": (emphasis,),
    "_": (emphasis,),
    "=": (pairs.pair("==", "mark", spaces=True, words=False),),
    "~": (pairs.pair("~~", "s", spaces=True), pairs.pair("~", "sub", spaces=False)),
    "^": (_inline_footnote, pairs.pair("^", "sup", spaces=False)),
    "!": (_with_attributes(image),),
    "[": (_footnote, _references, pairs.span, _with_attributes(link)),
    "@": (_at,),
    "<": (autolink, html_inline),
    "&": (entity,),
    "h": (_bare_url,),
}
