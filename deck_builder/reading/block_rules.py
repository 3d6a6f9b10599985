r"""Rules for whole blocks, beside markdown-it's own.

Tokens: `div_open` and `div_close` (flat: `reading.tree` pairs them), `math_block` (content: TeX), `latex_block`,
`comment`, `dropped` (`<style>` and `<script>`), `unclosed`, `caption` and `line_block` (content: Markdown); details are
in `meta`.
"""

from __future__ import annotations

import re
from typing import Any

from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, hr
from markdown_it.rules_block import code as indented_code

from deck_builder.reading import attributes
from deck_builder.reading.macros import closing_brace, starts_definition

INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
"""What a block of ours may end without a blank line."""

MATH_ENVIRONMENTS = frozenset(
    f"{name}{star}"
    for name in ("equation", "align", "alignat", "flalign", "gather", "multline", "eqnarray", "math", "displaymath")
    for star in ("", "*")
) | {"aligned", "gathered", "split", "cases", "array", "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix"}

_DIV = re.compile(r"(:{3,})[ \t]*(?:(?P<name>[^\s{}:]+)[ \t]*)?(?P<braces>\{.*\})?[ \t]*:*[ \t]*$")
_CLOSE = re.compile(r":{3,}[ \t]*$")
_DISPLAY = re.compile(r"\$\$(?P<tex>(?:\\.|\$(?!\$)|[^$\\])+?)\$\$(?P<rest>[^\n]*)", re.DOTALL)
_BEGIN = re.compile(r"\\begin\{([A-Za-z]+\*?)\}")
_CAPTION = re.compile(r"(?:Table)?:[ \t]+(?P<text>\S.*)")
_SETEXT = re.compile(r"=+[ \t]*$")
_STARTS = frozenset("0123456789|+:$\\<`~>#-*_[=T ")
"""First characters of everything but prose; `T` begins `Table:`."""
_TAG = re.compile(r"</?[A-Za-z]")


def line_text(state: StateBlock, line: int) -> str:
    """A line without its indentation."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push(state: StateBlock, kind: str, start: int, end: int, content: str = "", **meta: Any) -> bool:
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.content = content
    token.meta = meta
    state.line = end
    return True


def _starts(state: StateBlock, line: int, characters: str) -> bool:
    position = state.bMarks[line] + state.tShift[line]
    return position < state.eMarks[line] and state.src[position] in characters and not state.is_code_block(line)


def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A row of dashes, stars or underscores; the token keeps it as written."""
    if not hr(state, start, end, silent):
        return False
    if not silent:
        state.tokens[-1].content = line_text(state, start)
    return True


def div(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """`::: name`, `::: {.class key=value}` and `:::`; any number of colons from three closes the innermost div."""
    if not _starts(state, start, ":"):
        return False
    text = line_text(state, start)
    if _CLOSE.match(text):
        return silent or _push(state, "div_close", start, start + 1)
    match = _DIV.match(text)
    if match is None:
        return False
    if silent:
        return True
    found = attributes.parse(match["braces"]) if match["braces"] else attributes.NONE
    problem = f'attributes {match["braces"]} cannot be read; write {{#id .class key="value"}}' if found is None else ""
    found = found or attributes.NONE
    if match["name"]:
        classes = (match["name"].removeprefix("."), *found.classes)
        found = attributes.Attributes(found.identifier, classes, found.pairs)
    return _push(state, "div_open", start, start + 1, attributes=found, problem=problem)


def math(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """`$$…$$ {#eq-id}` on lines of its own, no blank line inside."""
    if not _starts(state, start, "$") or not line_text(state, start).startswith("$$"):
        return False
    match = _display(state, start)
    if match is None:
        return False
    found = attributes.parse(match["rest"]) if match["rest"].strip() else attributes.NONE
    if found is None:
        return False  # text follows: the formula stands inside a paragraph
    end = start + match[0].count("\n") + 1
    return silent or _push(state, "math_block", start, end, match["tex"], label=found.identifier)


def _display(state: StateBlock, start: int) -> re.Match[str] | None:
    """The formula that begins on a line, up to the first line that closes it."""
    text = ""
    for line in range(start, _blank_line(state, start)):
        text += line_text(state, line) + "\n"
        if "$$" in text[-len(line_text(state, line)) - 1 :] and (match := _DISPLAY.match(text)) is not None:
            return match
    return None


def _blank_line(state: StateBlock, line: int) -> int:
    """The first line after `line` that is blank or belongs to something outside."""
    line += 1
    while line < state.lineMax and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        line += 1
    return line


def latex(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    r"""`\begin{…}…\end{…}` and macro definitions at the beginning of a line."""
    if not _starts(state, start, "\\"):
        return False
    text = line_text(state, start)
    begin = _BEGIN.match(text)
    if begin is not None:
        end = _environment_end(state, start, begin[1])
    elif starts_definition(text):
        end = _definition_end(state, start)
    else:
        return False
    if end is None:
        return False
    if not silent:
        content = state.getLines(start, end, state.blkIndent, False)
        is_math = begin is not None and begin[1] in MATH_ENVIRONMENTS
        _push(state, "math_block" if is_math else "latex_block", start, end, content, label=None)
    return True


def _environment_end(state: StateBlock, start: int, name: str) -> int | None:
    depth = 0
    for line in range(start, state.lineMax):
        text = line_text(state, line)
        depth += text.count(f"\\begin{{{name}}}") - text.count(f"\\end{{{name}}}")
        if depth <= 0:
            return line + 1 if text.rstrip().endswith(f"\\end{{{name}}}") else None
    return None


def _definition_end(state: StateBlock, start: int) -> int | None:
    """The line after a definition: that on which its last brace closes."""
    text = ""
    for line in range(start, _blank_line(state, start)):
        text += line_text(state, line) + "\n"
        braces = [index for index, character in enumerate(text) if character == "{"]
        if all(closing_brace(text, index) is not None for index in braces):
            return line + 1
    return None


def comment(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """`<!-- … -->` on lines of its own, and `<style>` and `<script>` with all they hold."""
    if not _starts(state, start, "<"):
        return False
    text = line_text(state, start)
    tag = re.match(r"<(style|script)\b", text, re.IGNORECASE)
    if not text.startswith("<!--") and tag is None:
        return False
    closing = f"</{tag[1].lower()}>" if tag else "-->"
    for line in range(start, state.lineMax):
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        position = text.lower().find(closing)
        if position < 0:
            continue
        if text[position + len(closing) :].strip():
            return False  # text follows: it is left to the rules inside a line
        if not silent:
            content = state.getLines(start, line + 1, state.blkIndent, False)
            _push(state, "dropped" if tag else "comment", start, line + 1, content, tag=tag[1].lower() if tag else "")
        return True
    return silent or _push(state, "unclosed", start, state.lineMax, closing=closing)


def caption(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`: text {#tbl-id}` below a table or above one (pandoc, "table_captions")."""
    if not _starts(state, start, ":T"):
        return False
    match = _CAPTION.match(line_text(state, start))
    if match is None:
        return False
    if silent:
        return state.parentType == "table"
    follows = bool(state.tokens) and state.tokens[-1].type == "table"
    if not follows and not _table_below(state, start + 1, end):
        return False
    last = _blank_line(state, start)
    text = " ".join([match["text"], *(line_text(state, line).strip() for line in range(start + 1, last))])
    return _push(state, "caption", start, last, text.strip())


def _table_below(state: StateBlock, line: int, end: int) -> bool:
    line = state.skipEmptyLines(line)
    return (
        line + 1 < end
        and "|" in line_text(state, line)
        and re.match(r"[|:+-]+[ |:+-]*$", line_text(state, line + 1)) is not None
    )


def line_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`| line` by `| line`, breaks and leading spaces kept (pandoc, "line_blocks")."""
    if not _starts(state, start, "|") or line_text(state, start)[1:2] not in ("", " "):
        return False
    if silent:
        return False
    lines: list[str] = []
    line = start
    while line < end and not state.isEmpty(line):
        text = line_text(state, line)
        if text.startswith("|") and text[1:2] in ("", " "):
            content = text[2:].rstrip()
            bare = content.lstrip(" ")
            lines.append("\u00a0" * (len(content) - len(bare)) + bare)
        elif lines and state.sCount[line] > state.blkIndent:
            lines[-1] += f" {text.strip()}"
        else:
            break
        line += 1
    return _push(state, "line_block", start, line, "\\\n".join(lines))


def code(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An indented code block, unless it is indented HTML."""
    if state.is_code_block(start) and _TAG.match(line_text(state, start)):
        return False
    return indented_code(state, start, end, silent)


def prose(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph that by its first character can be nothing else: spares it all other rules."""
    if silent or not _is_prose(state, start) or state.is_code_block(start):
        return False
    below = state.skipEmptyLines(start + 1) if start + 1 < end else end
    if below < end and state.src[state.bMarks[below] + state.tShift[below]] in ":~":
        return False  # perhaps the term of a definition
    return paragraph(state, start, end, silent)


def _is_prose(state: StateBlock, line: int) -> bool:
    position = state.bMarks[line] + state.tShift[line]
    return state.src[position] not in _STARTS and state.src.find("|", position, state.eMarks[line]) < 0


def paragraph(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:
    """Lines up to a blank one or one that begins something else; a display formula in it is not torn apart.

    A row of `=` below makes it a heading of the first level; `-` never makes one, it begins a slide.
    """
    terminators = state.md.block.ruler.getRules("paragraph")
    before, state.parentType = state.parentType, "paragraph"
    line = start
    in_formula, level = False, 0
    while True:
        in_formula ^= line_text(state, line).count("$$") % 2 == 1
        line += 1
        if line >= state.lineMax or state.isEmpty(line):
            break
        if in_formula or state.sCount[line] - state.blkIndent > 3 or state.sCount[line] < 0:
            continue
        if state.sCount[line] >= state.blkIndent and _SETEXT.match(line_text(state, line)):
            level = 1
            break
        if not _is_prose(state, line) and any(rule(state, line, state.lineMax, True) for rule in terminators):
            break
    content = state.getLines(start, line, state.blkIndent, False).strip()
    kind, tag = ("heading", "h1") if level else ("paragraph", "p")
    state.line = line + level
    opening = state.push(f"{kind}_open", tag, 1)
    opening.map = [start, state.line]
    inline = state.push("inline", "", 0)
    inline.content = content
    inline.map = [start, line]
    inline.children = []
    state.push(f"{kind}_close", tag, -1)
    state.parentType = before
    return True
