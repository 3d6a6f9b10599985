"""Close matches, so that an error says what would be right."""

from __future__ import annotations

from collections.abc import Iterable

FEW = 12


def hint(word: str, known: Iterable[str], what: str = "") -> str:
    """`; did you mean 'x'?`, else what there is (`what` names it), or nothing."""
    from difflib import get_close_matches

    names = sorted(set(known))
    close = get_close_matches(word, names, 3)
    if close:
        return f"; did you mean {listed(close)}?"
    if what and names:
        return f"; {what}: {', '.join([*names[:FEW], *(['…'] if len(names) > FEW else [])])}"
    return ""


def listed(words: Iterable[object]) -> str:
    """`'a', 'b' or 'c'`."""
    quoted = [repr(word) for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
