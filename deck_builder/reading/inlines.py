"""What stands inside a line → runs, formulas, values and references."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from deck_builder.model import PLAIN, Equation, Image, Inlines, Math, Reference, Run, Source, Style, Value
from deck_builder.reading import html, pictures
from deck_builder.reading.attributes import NONE, Attributes, report_unknown
from deck_builder.reading.context import Context
from deck_builder.reading.emphasis import is_cjk
from deck_builder.reading.inline_rules import is_command, is_plain
from deck_builder.reading.labels import Use
from deck_builder.reading.macros import definitions
from deck_builder.reading.pieces import Comment, FootnoteMark, Picture, Piece, flat

_VALUE = re.compile(r"\{value\}\s*(?P<label>[\w-]*)\.(?P<name>[^\W\d]\w*)(?:\[(?P<index>-?\d+)\])?(?::(?P<format>.*))?")
_INLINE_CODE = re.compile(r"\{(?:python|r|julia|ojs)\}|r\s+[A-Za-z_.][\w.:$]*\s*\(")
_RAW_MARKUP = re.compile(r":{3,}|\$\$|\{[.#][\w-]+|\{=|\[\^[\w-]+\]|^\. \. \.$|^\+[-=+]{3,}\+$")

STYLES: dict[str, dict[str, bool | int | str]] = {
    "em": {"italic": True},
    "strong": {"bold": True},
    "s": {"strike": True},
    "sub": {"baseline": -1},
    "sup": {"baseline": 1},
    "mark": {"role": "mark"},
}


def pieces(markdown: str, line: int, context: Context) -> list[Piece]:
    """The pieces of a text that begins at `line` of the context's text."""
    tokens: list[Token] = []
    if is_plain(markdown):
        token = Token("text", "", 0)
        token.content = markdown
        return _walk([token], line, context)
    context.parser.inline.parse(markdown, context.parser, context.environment, tokens)
    return _walk(tokens, line, context)


def _walk(tokens: Sequence[Token], line: int, context: Context) -> list[Piece]:
    builder = _Builder(context, line, tokens)
    builder.run()
    return builder.pieces


def inlines(markdown: str, line: int, context: Context, where: str) -> Inlines:
    """The runs of a text that cannot hold blocks, `where` it stands: a caption, a title, a cell.

    A picture in it is reported and replaced by its words, a display formula is set inside the line.
    """
    return flat(pieces(markdown, line, context), context, where)


@dataclass(slots=True)
class _Builder:
    """Walks over the tokens of one text."""

    context: Context
    first_line: int
    tokens: Sequence[Token]
    pieces: list[Piece] = field(default_factory=list)
    style: Style = PLAIN
    stack: list[tuple[str, Style]] = field(default_factory=list)
    soft: Style | None = None
    """A line of the source ended in this style; whether that is a space depends on what follows."""
    gap: bool = False
    """Something was left out behind a space."""
    line: int = 0

    def run(self) -> None:
        for index, token in enumerate(self.tokens):
            if token.meta and "line" in token.meta:
                self.line = self.first_line + token.meta["line"]
            elif index == 0:
                self.line = self.first_line
            if token.nesting == 1:
                self.open(token)
            elif token.nesting == -1:
                self.close(token.type.removesuffix("_close"), token)
            else:
                _HANDLERS[token.type](self, token, index)

    def source(self) -> Source:
        return self.context.place(self.line)

    def notice(self, message: str) -> None:
        self.context.log.notice(message, self.source())

    # ------------------------------------------------------------ styles

    def open(self, token: Token) -> None:
        kind = token.type.removesuffix("_open")
        self.stack.append((kind, self.style))
        if kind in STYLES:
            self.style = replace(self.style, **STYLES[kind])  # type: ignore[arg-type]
        elif kind == "link":
            target = str(token.attrs.get("href", ""))
            self.style = replace(self.style, link=target)
            if target.startswith("#"):
                self.context.labels.uses.append(Use("link", target[1:], self.source()))
        elif kind == "span":
            self.style = self.span(token.meta["attributes"])

    def span(self, found: Attributes) -> Style:
        style = self.style
        for name in found.classes:
            if name in html.ROLES:
                style = replace(style, role=name)
            elif name in ("underline", "ul"):
                style = replace(style, underline=True)
            elif name == "strike":
                style = replace(style, strike=True)
        known = (*sorted(html.ROLES), "underline", "ul", "strike")
        report_unknown(found, "a span; its text is kept", self.context.log, self.source(), classes=known)
        return style

    def close(self, kind: str, token: Token) -> None:
        attributes: Attributes = (token.meta or {}).get("attributes", NONE)
        report_unknown(attributes, "a link", self.context.log, self.source(), keys=("target", "rel"))
        if self.stack and self.stack[-1][0] == kind:
            self.style = self.stack.pop()[1]

    # ------------------------------------------------------------ text

    def add(self, piece: Piece) -> None:
        if isinstance(piece, (Picture, Equation, Comment)):
            self.drop("")  # as text it takes no room
        else:
            self.end_line()
            self.gap = False
        self.soft = None
        self.pieces.append(piece)

    def drop(self, message: str) -> None:
        """Say why something is left out; the space before it then also stands for the one behind it."""
        if message:
            self.notice(message)
        last = self.pieces[-1] if self.pieces else None
        self.gap = isinstance(last, Run) and last.text.endswith(" ")

    def add_text(self, text: str) -> None:
        if not text:
            return
        if self.gap:
            self.gap, text = False, text.lstrip(" ")
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, Run) and last.text.endswith("\n") and not self.style.code:
            self.soft, text = None, text.lstrip(" ")
        if self.soft is not None and not (isinstance(last, Run) and is_cjk(last.text[-1]) and is_cjk(text[0])):
            self.end_line()
            last = self.pieces[-1] if self.pieces else None
        self.soft = None
        if isinstance(last, Run) and last.style == self.style:
            self.pieces[-1] = Run(last.text + text, self.style)
        else:
            self.pieces.append(Run(text, self.style))

    def end_line(self) -> None:
        """Set the space that a line end of the source stands for, in the style it was written in."""
        last = self.pieces[-1] if self.pieces else None
        if self.soft is None or last is None or isinstance(last, (Picture, Equation)):
            return
        if isinstance(last, Run) and last.style == self.soft:
            self.pieces[-1] = Run(last.text + " ", last.style)
        else:
            self.pieces.append(Run(" ", self.soft))

    def text(self, token: Token, index: int) -> None:
        content = token.content
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, Picture) and content.strip() == "\\" and index == len(self.tokens) - 1:
            self.pieces[-1] = replace(last, image=replace(last.image, caption=()))  # pandoc: a picture without caption
            return
        found = _RAW_MARKUP.search(content)
        if found is not None:
            self.notice(f"`{found[0]}` is not understood here; the text is shown as written")
        self.add_text(content)

    def soft_break(self, _token: Token, _index: int) -> None:
        self.soft = self.style

    def hard_break(self, _token: Token, _index: int) -> None:
        if self.pieces and isinstance(last := self.pieces[-1], Run) and not last.style.code:
            self.pieces[-1] = Run(last.text.rstrip(" "), last.style)
        self.soft = None
        self.add_text("\n")

    def code(self, token: Token, _index: int) -> None:
        content = token.content
        found: Attributes = (token.meta or {}).get("attributes", NONE)
        if content.startswith("{value}") and content != "{value}":
            self.value(content)
            return
        if found.raw in ("latex", "tex", "beamer") and is_command(content):
            self.drop(f"raw LaTeX `{content}` has no effect; left out")
            return
        if found.raw:
            self.notice(f"raw {found.raw} is not read; its text is shown as code")
        elif _INLINE_CODE.match(content):
            self.notice(f"code inside a line is not run; `{content}` is shown as written")
        before, self.style = self.style, replace(self.style, code=True)
        self.add_text(content)
        self.style = before

    def value(self, content: str) -> None:
        match = _VALUE.fullmatch(content.strip())
        if match is None:
            self.context.log.error(
                f"`{content}` is no quotation of a value; write `{{value}} fig-label.name[index]:format`", self.source()
            )
            return
        if match["label"]:
            self.context.labels.uses.append(Use("value", match["label"], self.source()))
        elif not self.context.own_figure:
            self.context.log.error(
                f"`.{match['name']}` quotes a figure's own value, which only its caption can; name the figure",
                self.source(),
            )
        index = int(match["index"]) if match["index"] else None
        self.add(Value(match["label"], match["name"], index, match["format"] or "", self.style, source=self.source()))

    # ------------------------------------------------------------ formulas and references

    def formula(self, token: Token, _index: int) -> None:
        tex = self.without_macros(token.content)
        if tex:
            self.add(Math(tex, self.style))

    def display(self, token: Token, _index: int) -> None:
        tex = self.without_macros(token.content)
        if tex:
            label = token.meta["label"]
            if label:
                self.context.labels.claim(label, self.source(), self.context.log)
            self.add(Equation(tex, label, source=self.source()))

    def without_macros(self, tex: str) -> str:
        found = definitions(tex) if "\\" in tex else None
        if found is None or not found.macros:
            return tex.strip()
        self.context.macros.update(found.macros)
        for problem in found.problems:
            self.notice(problem)
        return found.rest.strip()

    def reference(self, token: Token, _index: int) -> None:
        target = token.content
        if target in self.context.labels.unchecked:
            self.notice(f"`@{target}` quotes a cell that is not run; the text is shown as written")
            self.add_text(f"@{target}")
            return
        self.add(Reference(target, self.style, source=self.source()))

    def citation(self, token: Token, _index: int) -> None:
        self.notice(f"citation `@{token.content}` is not set yet; the text is shown as written")
        self.add_text(f"@{token.content}")

    def footnote(self, token: Token, _index: int) -> None:
        self.add(FootnoteMark(token.content, None, self.line))

    def inline_footnote(self, token: Token, _index: int) -> None:
        self.add(FootnoteMark("", token.content, self.line))

    def latex(self, token: Token, _index: int) -> None:
        if is_command(token.content):
            self.drop(f"raw LaTeX `{token.content}` has no effect; left out")
        else:
            self.notice(f"raw LaTeX `{token.content}` is not read; it is shown as written")
            self.add_text(token.content)

    def macro(self, token: Token, _index: int) -> None:
        self.without_macros(token.content)
        self.drop("")

    # ------------------------------------------------------------ pictures and HTML

    def picture(self, token: Token, index: int) -> None:
        source = self.source()
        caption = flat(_walk(token.children or (), self.line, self.context), self.context, "a caption")
        attributes: Attributes = (token.meta or {}).get("attributes", NONE)
        written = pictures.Written(str(token.attrs["src"]), caption, str(token.attrs.get("title", "")), self.style.link)
        self.add_picture(pictures.image(written, attributes, source, self.context), index)

    def add_picture(self, image: Image, index: int) -> None:
        self.add(Picture(image, self.at_edge(index, -1) and self.at_edge(index, 1)))

    def at_edge(self, index: int, step: int) -> bool:
        """Whether a line of the source begins (or ends) beside the token, links around a picture aside."""
        index += step
        while 0 <= index < len(self.tokens):
            token = self.tokens[index]
            if token.type in ("softbreak", "hardbreak"):
                return True
            blank = token.type == "text" and token.content.strip() in ("", "\\")
            if token.type not in ("link_open", "link_close") and not blank:
                return False
            index += step
        return True

    def html(self, token: Token, index: int) -> None:
        markup = token.content
        if markup.startswith("<!--"):
            text = markup[4:-3].strip()
            if text.lower().startswith("notes:"):
                self.add(Comment(text[6:].strip(), self.line))
            else:
                self.drop("")
            return
        tag = html.parse_tag(markup)
        if tag is None:
            self.notice(f"`{markup}` is no HTML element; it is shown as written")
            self.add_text(markup)
            return
        name, closing, attributes = tag
        if name == "br":
            if not closing:
                self.hard_break(self.tokens[index], index)
        elif name == "img" and not closing:
            self.add_picture(pictures.html_image(attributes, self.style.link, self.source(), self.context), index)
        elif closing:
            self.close_tag(name)
        else:
            self.open_tag(name, attributes, markup)

    def open_tag(self, name: str, attributes: Mapping[str, str], markup: str) -> None:
        style = html.styled(self.style, name, attributes)
        if style is None:
            self.notice(f"HTML `{markup.splitlines()[0]}` is not read; the text in it is kept")
        if name not in html.STANDALONE:
            self.stack.append((f"<{name}>", self.style))
        self.style = style or self.style

    def close_tag(self, name: str) -> None:
        for position in range(len(self.stack) - 1, -1, -1):
            kind, style = self.stack[position]
            if kind == f"<{name}>":
                self.style = style
                del self.stack[position:]
                return
            if not kind.startswith("<"):
                return


_HANDLERS: dict[str, Callable[[_Builder, Token, int], None]] = {
    "text": _Builder.text,
    "text_special": _Builder.text,
    "softbreak": _Builder.soft_break,
    "hardbreak": _Builder.hard_break,
    "code_inline": _Builder.code,
    "math_inline": _Builder.formula,
    "math_display": _Builder.display,
    "reference": _Builder.reference,
    "citation": _Builder.citation,
    "footnote_reference": _Builder.footnote,
    "footnote_inline": _Builder.inline_footnote,
    "latex": _Builder.latex,
    "macro": _Builder.macro,
    "image": _Builder.picture,
    "html_inline": _Builder.html,
}
