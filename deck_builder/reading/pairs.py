"""Text between two markers: `[text]{.role}`, `~~text~~`, `==text==`, `~x~`, `^x^`."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.rules_inline import StateInline

from deck_builder.reading import attributes

Rule = Callable[[StateInline, bool], bool]


def span(state: StateInline, silent: bool) -> bool:
    """`[text]{.role}` (pandoc, "bracketed_spans")."""
    end = state.md.helpers.parseLinkLabel(state, state.pos)
    if end < 0 or not state.src.startswith("{", end + 1):
        return False
    found = attributes.scan(state.src, end + 1)
    if found is None:
        return False
    return _wrap(state, silent, "span", (state.pos + 1, end, found[1]), found[0])


def _wrap(
    state: StateInline,
    silent: bool,
    kind: str,
    bounds: tuple[int, int, int],
    found: attributes.Attributes | None = None,
) -> bool:
    """Emit `kind`_open, what stands between the first two bounds, `kind`_close, and go on at the third."""
    start, end, after = bounds
    if not silent:
        opening = state.push(f"{kind}_open", "", 1)
        opening.meta = {"attributes": found, "line": state.src.count("\n", 0, start)}
        maximum = state.posMax
        state.pos, state.posMax = start, end
        state.md.inline.tokenize(state)
        state.posMax = maximum
        state.push(f"{kind}_close", "", -1)
    state.pos = after
    return True


def pair(marker: str, kind: str, *, spaces: bool, words: bool = True) -> Rule:
    """Rule for text between two `marker`s.

    Args:
        marker: What opens and closes.
        kind: Name of the tokens.
        spaces: Whether spaces may stand inside.
        words: Whether letters and digits may touch the markers from outside.
    """
    size = len(marker)

    def rule(state: StateInline, silent: bool) -> bool:
        start, source = state.pos + size, state.src
        if not source.startswith(marker, state.pos) or start >= state.posMax or source[start].isspace():
            return False
        if source.startswith(marker[0], start) or source.find(marker, start, state.posMax) < 0:
            return False
        if not words and state.pos > 0 and source[state.pos - 1].isascii() and source[state.pos - 1].isalnum():
            return False
        end = _closing(state, marker, start, spaces)
        if end is None:
            return False
        after = source[end + size : end + size + 1]
        if not words and after.isascii() and after.isalnum():
            return False
        return _wrap(state, silent, kind, (start, end, end + size))

    return rule


def _closing(state: StateInline, marker: str, start: int, spaces: bool) -> int | None:
    """Where the closing marker stands, passing over code, formulas and links."""
    before, state.pos, found = state.pos, start, None
    while state.pos < state.posMax:
        character = state.src[state.pos]
        if state.src.startswith(marker, state.pos) and state.pos > start and not state.src[state.pos - 1].isspace():
            found = state.pos
            break
        if not spaces and character.isspace():
            break
        if not spaces and character not in "\\`$[<":
            state.pos += 1  # text is taken letter by letter: a space in it ends the attempt
        else:
            state.md.inline.skipToken(state)
    state.pos = before
    return found
