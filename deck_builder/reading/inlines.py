"""What stands inside a line → runs, formulas, values and references."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from markdown_it.token import Token

from deck_builder.model import Equation, Image, Inlines, Math, Reference, Style
from deck_builder.reading import html, pictures
from deck_builder.reading.attributes import NONE, Attributes, report_unknown
from deck_builder.reading.context import Context
from deck_builder.reading.inline_rules import is_command, is_plain
from deck_builder.reading.labels import Use
from deck_builder.reading.pieces import Comment, FootnoteMark, Picture, Piece, flat
from deck_builder.reading.runs import Runs
from deck_builder.reading.values import quoted_value, values_in
from deck_builder.values import replace

_INLINE_CODE = re.compile(r"\{(?:python|r|julia|ojs)\}|r\s+[A-Za-z_.][\w.:$]*\s*\(")
_RAW_MARKUP = re.compile(r":{3,}|\$\$|\{[.#][\w-]+|\{=|\[\^[\w-]+\]|^\. \. \.$|^\+[-=+]{3,}\+$")

_STYLES: Mapping[str, Mapping[str, bool | int | str]] = {
    "em": {"italic": True},
    "strong": {"bold": True},
    "s": {"strike": True},
    "sub": {"baseline": -1},
    "sup": {"baseline": 1},
    "mark": {"role": "mark"},
}
_SPAN_STYLES: Mapping[str, Mapping[str, bool | int | str]] = {
    **{role: {"role": role} for role in sorted(html.ROLES)},
    "underline": {"underline": True},
    "ul": {"underline": True},
    "strike": {"strike": True},
}


def pieces(markdown: str, line: int, context: Context) -> list[Piece]:
    """The pieces of a text that begins at `line` of the context's text."""
    tokens: list[Token] = []
    if is_plain(markdown):
        tokens.append(Token("text", "", 0, content=markdown))
    else:
        context.parser.inline.parse(markdown, context.parser, context.environment, tokens)
    return _walk(tokens, line, context)


def inlines(markdown: str, line: int, context: Context, where: str) -> Inlines:
    """The runs of a text that cannot hold blocks, `where` it stands: a caption, a title, a cell.

    A picture in it is reported and replaced by its words, a display formula is set inside the line.
    """
    return flat(pieces(markdown, line, context), context, where)


def _walk(tokens: Sequence[Token], line: int, context: Context) -> list[Piece]:
    runs = Runs(context, line)
    for index, token in enumerate(tokens):
        if token.meta and "line" in token.meta:
            runs.line = line + token.meta["line"]
        if token.nesting == 1:
            _open(runs, token)
        elif token.nesting == -1:
            _close(runs, token)
        else:
            _HANDLERS[token.type](runs, tokens, index)
    return runs.pieces


# ---------------------------------------------------------------- styles


def _open(runs: Runs, token: Token) -> None:
    kind = token.type.removesuffix("_open")
    if kind == "link":
        target = str(token.attrs.get("href", ""))
        if target.startswith("#"):
            runs.context.labels.uses.append(Use("link", target[1:], runs.source()))
        runs.open(kind, replace(runs.style, link=target))
    elif kind == "span":
        runs.open(kind, _span(runs, token.meta["attributes"]))
    else:
        runs.open(kind, replace(runs.style, **_STYLES[kind]))  # type: ignore[arg-type]


def _span(runs: Runs, found: Attributes) -> Style:
    style = runs.style
    for name in found.classes:
        style = replace(style, **_SPAN_STYLES.get(name, {}))  # type: ignore[arg-type]
    report_unknown(found, "a span; its text is kept", runs.context.log, runs.source(), classes=_SPAN_STYLES)
    return style


def _close(runs: Runs, token: Token) -> None:
    if token.meta:
        report_unknown(token.meta["attributes"], "a link", runs.context.log, runs.source(), keys=("target", "rel"))
    runs.close(token.type.removesuffix("_close"))


# ---------------------------------------------------------------- text


def _text(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    content = tokens[index].content
    last = runs.last()
    if isinstance(last, Picture) and content.strip() == "\\" and index == len(tokens) - 1:
        runs.pieces[-1] = replace(last, image=replace(last.image, caption=()))  # pandoc: a picture without caption
        return
    found = _RAW_MARKUP.search(content)
    if found is not None:
        runs.notice(f"`{found[0]}` is not understood here; the text is shown as written")
    runs.add_text(content)


def _soft_break(runs: Runs, _tokens: Sequence[Token], _index: int) -> None:
    runs.soft = runs.style


def _hard_break(runs: Runs, _tokens: Sequence[Token], _index: int) -> None:
    runs.break_line()


def _code(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    content = tokens[index].content
    found: Attributes = (tokens[index].meta or {}).get("attributes", NONE)
    if content.startswith("{value}") and content != "{value}":
        value = quoted_value(content, runs.style, runs.source(), runs.context)
        if value is not None:
            runs.add(value)
        return
    if found.raw in ("latex", "tex", "beamer") and is_command(content):
        runs.drop(f"raw LaTeX `{content}` has no effect; left out")
        return
    if found.raw:
        runs.notice(f"raw {found.raw} is not read; its text is shown as code")
    elif _INLINE_CODE.match(content):
        runs.notice(f"code inside a line is not run; `{content}` is shown as written")
    before, runs.style = runs.style, replace(runs.style, code=True)
    runs.add_text(content)
    runs.style = before


# ---------------------------------------------------------------- formulas and references


def _formula(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    tex = runs.context.take_macros(tokens[index].content, runs.source())
    if tex:
        runs.add(Math(tex, runs.style, values=values_in(tex, runs.line, runs.context)))


def _display(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    tex = runs.context.take_macros(tokens[index].content, runs.source())
    if not tex:
        return
    label = tokens[index].meta["label"]
    if label:
        runs.context.labels.claim(label, runs.source(), runs.context.log)
    values = values_in(tex, runs.line, runs.context)
    runs.add(Equation(tex, label, values=values, source=runs.source()))


def _macro(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    runs.context.take_macros(tokens[index].content, runs.source())
    runs.drop()


def _reference(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    target = tokens[index].content
    if target in runs.context.labels.unchecked:
        runs.notice(f"`@{target}` quotes a cell that is not run; the text is shown as written")
        runs.add_text(f"@{target}")
    else:
        runs.add(Reference(target, runs.style, source=runs.source()))


def _citation(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    key = tokens[index].content
    runs.notice(f"citation `@{key}` is not set yet; the text is shown as written")
    runs.add_text(f"@{key}")


def _footnote(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    token = tokens[index]
    quoted = token.type == "footnote_reference"
    runs.add(FootnoteMark(token.content if quoted else "", None if quoted else token.content, runs.line))


def _latex(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    tex = tokens[index].content
    if is_command(tex):
        runs.drop(f"raw LaTeX `{tex}` has no effect; left out")
    else:
        runs.notice(f"raw LaTeX `{tex}` is not read; it is shown as written")
        runs.add_text(tex)


# ---------------------------------------------------------------- pictures and HTML


def _picture(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    token, source, context = tokens[index], runs.source(), runs.context
    caption = flat(_walk(token.children or (), runs.line, context), context, "a caption")
    attributes: Attributes = (token.meta or {}).get("attributes", NONE)
    written = pictures.Written(str(token.attrs["src"]), caption, str(token.attrs.get("title", "")), runs.style.link)
    _add_picture(runs, pictures.image(written, attributes, source, context), tokens, index)


def _add_picture(runs: Runs, image: Image, tokens: Sequence[Token], index: int) -> None:
    runs.add(Picture(image, _at_edge(tokens, index, -1) and _at_edge(tokens, index, 1)))


def _at_edge(tokens: Sequence[Token], index: int, step: int) -> bool:
    """Whether a line of the source begins (or ends) beside the token, links around a picture aside."""
    index += step
    while 0 <= index < len(tokens):
        token = tokens[index]
        if token.type in ("softbreak", "hardbreak"):
            return True
        blank = token.type == "text" and token.content.strip() in ("", "\\")
        if token.type not in ("link_open", "link_close") and not blank:
            return False
        index += step
    return True


def _html(runs: Runs, tokens: Sequence[Token], index: int) -> None:
    markup = tokens[index].content
    if markup.startswith("<!--"):
        _comment(runs, markup[4:-3].strip())
        return
    tag = html.parse_tag(markup)
    if tag is None or _has_no_partner(runs, tokens, index, tag):
        reason = "is no HTML element" if tag is None else "has no partner in its paragraph"
        runs.notice(f"`{markup}` {reason}; it is shown as written")
        runs.add_text(markup)
        return
    name, closing, attributes = tag
    if closing:
        runs.close(f"<{name}>")
    elif name == "br":
        runs.break_line()
    elif name == "img":
        image = pictures.html_image(attributes, runs.style.link, runs.source(), runs.context)
        _add_picture(runs, image, tokens, index)
    else:
        style = html.styled(runs.style, name, attributes)
        if style is None:
            runs.notice(f"HTML `{markup.splitlines()[0]}` is not read; the text in it is kept")
        if name not in html.STANDALONE:
            runs.open(f"<{name}>", style or runs.style)


def _has_no_partner(runs: Runs, tokens: Sequence[Token], index: int, tag: html.Tag) -> bool:
    """Whether a tag of one letter stands alone: `<s>` is then a token of some vocabulary, not HTML."""
    if len(tag.name) > 1:
        return False
    if tag.closing:
        return not any(kind == f"<{tag.name}>" for kind, _style in runs.stack)
    partner = f"</{tag.name}"
    return not any(t.type == "html_inline" and t.content.lower().startswith(partner) for t in tokens[index + 1 :])


def _comment(runs: Runs, text: str) -> None:
    """A comment is dropped, unless it holds speaker notes."""
    if text.lower().startswith("notes:"):
        runs.add(Comment(text[6:].strip(), runs.line))
    else:
        runs.drop()


_HANDLERS: Mapping[str, Callable[[Runs, Sequence[Token], int], None]] = {
    "text": _text,
    "text_special": _text,
    "softbreak": _soft_break,
    "hardbreak": _hard_break,
    "code_inline": _code,
    "math_inline": _formula,
    "math_display": _display,
    "reference": _reference,
    "citation": _citation,
    "footnote_reference": _footnote,
    "footnote_inline": _footnote,
    "latex": _latex,
    "macro": _macro,
    "image": _picture,
    "html_inline": _html,
}
