"""Raw HTML inside a line: what each tag does to the text it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple

from deck_builder.model import Style
from deck_builder.values import replace

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:-]*)(?P<attributes>[^>]*?)/?>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")

ROLES = frozenset({"q", "k", "v", "w", "warn", "muted", "mark", "small"})

_STYLES: Mapping[str, Mapping[str, bool | int | str]] = {
    "b": {"bold": True},
    "strong": {"bold": True},
    "i": {"italic": True},
    "em": {"italic": True},
    "cite": {"italic": True},
    "u": {"underline": True},
    "ins": {"underline": True},
    "s": {"strike": True},
    "del": {"strike": True},
    "strike": {"strike": True},
    "sub": {"baseline": -1},
    "sup": {"baseline": 1},
    "code": {"code": True},
    "kbd": {"code": True},
    "mark": {"role": "mark"},
    "small": {"role": "small"},
}

ELEMENTS = frozenset(
    re.findall(
        r"\w+",
        "a abbr address article aside audio b bdi bdo big blockquote br button canvas caption center cite "
        "code col colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font "
        "footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label legend li link main map "
        "mark math meta nav object ol option p param picture pre progress q rp rt ruby s samp script section "
        "select small source span strike strong style sub summary sup svg table tbody td template textarea "
        "tfoot th thead time tr track tt u ul var video wbr ",
    )
)
"""Names that HTML knows; `<MASK>`, `<EOS>` and the like are text."""

STANDALONE = frozenset({"br", "img", "hr", "wbr", "input", "source", "track", "embed", "col", "link", "meta", "param"})


class Tag(NamedTuple):
    """A tag: its name in lower case, whether it closes, its attributes."""

    name: str
    closing: bool
    attributes: Mapping[str, str]


def parse_tag(markup: str) -> Tag | None:
    """The tag that makes up `markup`; None for what is no tag of HTML."""
    match = _TAG.fullmatch(markup)
    if match is None or match["name"].lower() not in ELEMENTS:
        return None
    attributes = {
        found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(match["attributes"])
    }
    return Tag(match["name"].lower(), bool(match["close"]), attributes)


def styled(style: Style, name: str, attributes: Mapping[str, str]) -> Style | None:
    """The style of text inside a tag; None when the tag changes nothing that a slide can show."""
    if name in _STYLES:
        return replace(style, **_STYLES[name])  # type: ignore[arg-type]
    if name == "a" and attributes.get("href"):
        return replace(style, link=attributes["href"])
    if name == "span" and "style" not in attributes:
        roles = [name for name in attributes.get("class", "").split() if name in ROLES]
        return replace(style, role=roles[-1]) if roles else None
    return None
