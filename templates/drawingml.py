"""The XML that a template is made of: text styles, placeholders, shapes, themes, and the package that holds them.

Lengths are inches, sizes points. Used by the `make_…` scripts beside it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
NAMESPACES = f'xmlns:a="{A}" xmlns:r="{OFFICE}/relationships" xmlns:p="{P}"'
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
NUMBER_FIELD = '<a:fld id="{86CB4B4D-7CA3-9044-876B-883B54F8677D}" type="slidenum">'
NUMBER = "‹#›"
HANG = 0.25
"""How far each level stands in from the one above, and its mark out from its text."""


def emu(inches: float) -> int:
    """Inches in EMU."""
    return round(inches * 914_400)


@dataclass(frozen=True)
class Box:
    """A rectangle in inches."""

    left: float
    top: float
    width: float
    height: float

    def geometry(self) -> str:
        """Its place, and that it is a rectangle."""
        place = f'<a:off x="{emu(self.left)}" y="{emu(self.top)}"/>'
        place += f'<a:ext cx="{emu(self.width)}" cy="{emu(self.height)}"/>'
        return f'<a:xfrm>{place}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'


def solid(colour: str, tint: int = 0) -> str:
    """A fill of a theme colour, lightened by `tint` per cent."""
    change = f'<a:lumMod val="{100 - tint}000"/><a:lumOff val="{tint}000"/>' if tint else ""
    return f'<a:solidFill><a:schemeClr val="{colour}">{change}</a:schemeClr></a:solidFill>'


# ---------------------------------------------------------------- text


def level(
    number: int,
    size: float,
    colour: str = "tx1",
    *,
    bold: bool = False,
    align: str = "l",
    spacing: int = 115,
    after: float = 0,
    major: bool = False,
) -> str:
    """One level of a text style. The first has no mark; those below have a small one."""
    left = emu(HANG * (number - 1))
    mark = '<a:buFont typeface="Arial"/><a:buChar char="•"/>' if left else "<a:buNone/>"
    face = "mj" if major else "mn"
    return (
        f'<a:lvl{number}pPr marL="{left}" indent="{-emu(HANG) if left else 0}" algn="{align}" defTabSz="914400" '
        f'rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="0"><a:lnSpc><a:spcPct val="{spacing}000"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="0"/></a:spcBef><a:spcAft><a:spcPts val="{round(after * 100)}"/></a:spcAft>{mark}'
        f'<a:defRPr sz="{round(size * 100)}" b="{int(bold)}" kern="1200">{solid(colour)}'
        f'<a:latin typeface="+{face}-lt"/><a:ea typeface="+{face}-ea"/><a:cs typeface="+{face}-cs"/></a:defRPr>'
        f"</a:lvl{number}pPr>"
    )


def only(size: float, colour: str, *, bold: bool = False, align: str = "l", spacing: int = 100) -> str:
    """The own style of a placeholder that holds one level of text."""
    return level(1, size, colour, bold=bold, align=align, spacing=spacing)


def paragraphs(prompt: str, levels: int = 1) -> str:
    """The prompt of a placeholder, with the levels below it; the slide number is a field."""
    if prompt == NUMBER:
        return f'<a:p>{NUMBER_FIELD}<a:rPr lang="en-US"/><a:t>{NUMBER}</a:t></a:fld><a:endParaRPr lang="en-US"/></a:p>'
    lines = [prompt, *(f"Level {number}" for number in range(2, levels + 1))]
    return "".join(
        f'<a:p><a:pPr lvl="{index}"/><a:r><a:rPr lang="en-US"/><a:t>{line}</a:t></a:r></a:p>'
        for index, line in enumerate(lines)
    )


# ---------------------------------------------------------------- shapes


def placeholder(
    number: int,
    name: str,
    reference: str,
    prompt: str,
    *,
    box: Box | None = None,
    style: str = "",
    body: str = "",
    levels: int = 1,
    shrinks: bool = True,
) -> str:
    """A placeholder; what it does not say it inherits. `reference` and `body` are attributes (`p:ph`, `a:bodyPr`)."""
    fit = "<a:normAutofit/>" if shrinks else "<a:noAutofit/>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {reference}/></p:nvPr></p:nvSpPr><p:spPr>{box.geometry() if box else ''}</p:spPr>"
        f"<p:txBody><a:bodyPr{body}>{fit}</a:bodyPr><a:lstStyle>{style}</a:lstStyle>{paragraphs(prompt, levels)}"
        "</p:txBody></p:sp>"
    )


def bar(number: int, name: str, box: Box, fill: str) -> str:
    """A plain rectangle, there for the eye alone."""
    decorative = (
        '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
        'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}">{decorative}</p:cNvPr><p:cNvSpPr/>'
        f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{box.geometry()}{fill}<a:ln><a:noFill/></a:ln></p:spPr>'
        '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>'
    )


def sheet(shapes: str, background: str, name: str = "") -> str:
    """`p:cSld`: a background and the shapes, back to front."""
    zero = '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/>'
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
    fill = f"<p:bg><p:bgPr>{solid(background)}<a:effectLst/></p:bgPr></p:bg>" if background else ""
    label = f' name="{name}"' if name else ""
    tree = f"<p:spTree>{group}<p:grpSpPr><a:xfrm>{zero}</a:xfrm></p:grpSpPr>{shapes}</p:spTree>"
    return f"<p:cSld{label}>{fill}{tree}</p:cSld>"


# ---------------------------------------------------------------- theme


def theme_part(name: str, colours: Mapping[str, str], latin: str, scripts: Mapping[str, str]) -> str:
    """A theme: twelve colours, the faces, three entries in each list of formats (PowerPoint repairs fewer)."""
    slots = "".join(f'<a:{slot}><a:srgbClr val="{value}"/></a:{slot}>' for slot, value in colours.items())
    faces = f'<a:latin typeface="{latin}"/><a:ea typeface="{scripts["Hans"]}"/><a:cs typeface=""/>'
    faces += "".join(f'<a:font script="{script}" typeface="{face}"/>' for script, face in scripts.items())
    fills = solid("phClr") * 3
    lines = "".join(
        f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">{solid("phClr")}<a:prstDash val="solid"/></a:ln>'
        for width in (9525, 12700, 19050)
    )
    effects = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'{HEAD}<a:theme xmlns:a="{A}" name="{name}"><a:themeElements><a:clrScheme name="{name}">{slots}</a:clrScheme>'
        f'<a:fontScheme name="{name}"><a:majorFont>{faces}</a:majorFont><a:minorFont>{faces}</a:minorFont>'
        f'</a:fontScheme><a:fmtScheme name="{name}"><a:fillStyleLst>{fills}</a:fillStyleLst>'
        f"<a:lnStyleLst>{lines}</a:lnStyleLst><a:effectStyleLst>{effects}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{fills}</a:bgFillStyleLst></a:fmtScheme></a:themeElements><a:objectDefaults/>"
        "<a:extraClrSchemeLst/></a:theme>"
    )


# ---------------------------------------------------------------- package


@dataclass(frozen=True)
class Part:
    """A part of the package: its name, the end of its content type, its XML, what it is related to: (kind, target)."""

    name: str
    kind: str
    xml: str
    related: tuple[tuple[str, str], ...] = ()


def relationships(related: Iterable[tuple[str, str]]) -> str:
    """A relationships part; ids count from 1."""
    full = ((kind if ":" in kind else f"{OFFICE}/relationships/{kind}", target) for kind, target in related)
    rows = "".join(
        f'<Relationship Id="rId{i}" Type="{kind}" Target="{target}"/>' for i, (kind, target) in enumerate(full, 1)
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


def content_types(parts: Iterable[Part]) -> str:
    """`[Content_Types].xml`."""
    rows = "".join(
        f'<Override PartName="/{part.name}" ContentType="application/vnd.{part.kind}+xml"/>' for part in parts
    )
    defaults = (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
    )
    return f'{HEAD}<Types xmlns="{PACKAGE}/content-types">{defaults}{rows}</Types>'


def write_package(target: Path, parts: Iterable[Part], related: Iterable[tuple[str, str]]) -> None:
    """Write the package: the same parts give the same bytes."""
    parts = tuple(parts)
    files = {"[Content_Types].xml": content_types(parts), "_rels/.rels": relationships(related)}
    for part in parts:
        files[part.name] = part.xml
        if part.related:
            folder, _, name = part.name.rpartition("/")
            files[f"{folder}/_rels/{name}.rels"] = relationships(part.related)
    with zipfile.ZipFile(target, "w") as package:
        for name, xml in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 0
            package.writestr(entry, xml.encode("utf-8"), compresslevel=9)
