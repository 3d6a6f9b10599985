"""Make `templates/lecture.pptx`: theme, master and named layouts of a lecture, with no slide of its own.

    python templates/make_lecture.py [FILE]

Run by maintainers; the result is committed. The same code gives the same bytes. Lengths are inches, sizes points.
"""

from __future__ import annotations

import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

COLOURS = {
    "dk1": "1B2A41",  # ink: text
    "lt1": "FFFFFF",  # paper: background
    "dk2": "5C6B7F",  # muted: captions, axes
    "lt2": "F4F6FA",  # surface: code boxes, callouts
    "accent1": "2A66CF",  # Q, query
    "accent2": "AB5500",  # K, key
    "accent3": "247F57",  # V, value; right
    "accent4": "7A4FC9",  # weights, context
    "accent5": "C93C3C",  # warning; wrong
    "accent6": "147A8B",  # anything else
    "hlink": "2A66CF",
    "folHlink": "7A4FC9",
}
LATIN, EAST_ASIAN = "Calibri", "Microsoft YaHei"
SCRIPTS = {
    "Hans": EAST_ASIAN,
    "Hant": "Microsoft JhengHei",
    "Jpan": "Yu Gothic",
    "Hang": "Malgun Gothic",
    "Arab": "Arial",
    "Hebr": "Arial",
}
NO_START = "!%),.:;>?]}¢¨°·ˇˉ―‖’”…‰′″›℃∶、。〃〉》」』】〕〗〞︶︺︾﹀﹄﹚﹜﹞！＂％＇），．：；？］｀｜｝～￠"
NO_END = "$([{£¥·‘“‹〈《「『【〔〖〝﹙﹛﹝＄（．［｛￡￥"
"""Characters that no line may begin or end with (kinsoku), as GB/T 15834 has them."""

WIDTH, HEIGHT, MARGIN = 13.333, 7.5, 0.7
TEXT_WIDTH = 11.933
BODY_TOP, BODY_HEIGHT = 1.45, 5.4
GAP = 0.4
LEFT_WIDTH = 4.613
"""The text beside a figure: 40 % of what is left after the gap."""

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = f'xmlns:a="{A}" xmlns:r="{R}" xmlns:p="{P}"'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def emu(inches: float) -> int:
    """Inches in EMU."""
    return round(inches * 914_400)


def escaped(text: str) -> str:
    """Text for an attribute or element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


# ---------------------------------------------------------------- shapes


@dataclass(frozen=True)
class Box:
    """A rectangle in inches."""

    left: float
    top: float
    width: float
    height: float

    def transform(self) -> str:
        """Its `a:xfrm`."""
        place = f'<a:off x="{emu(self.left)}" y="{emu(self.top)}"/>'
        return f'<a:xfrm>{place}<a:ext cx="{emu(self.width)}" cy="{emu(self.height)}"/></a:xfrm>'


TITLE = Box(MARGIN, 0.22, TEXT_WIDTH, 0.9)
"""One line stands at 0.42 to 1.12 in, at the foot of its box; a second line grows upwards."""
BODY = Box(MARGIN, BODY_TOP, TEXT_WIDTH, BODY_HEIGHT)
FOOTER = Box(MARGIN, 7.03, 7.5, 0.27)
DATE = Box(8.5, 7.03, 2.6, 0.27)
NUMBER = Box(11.633, 7.03, 1.0, 0.27)


def solid(colour: str) -> str:
    """A fill of a theme colour."""
    return f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'


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
    """One level of a text style. The first has no mark; those below have a small one, 0.25 in further in each."""
    left = emu(0.25 * (number - 1))
    mark = '<a:buFont typeface="Arial"/><a:buChar char="•"/>' if left else "<a:buNone/>"
    face = "mj" if major else "mn"
    return (
        f'<a:lvl{number}pPr marL="{left}" indent="{-emu(0.25) if left else 0}" algn="{align}" defTabSz="914400" rtl="0" '
        f'eaLnBrk="1" latinLnBrk="0" hangingPunct="0"><a:lnSpc><a:spcPct val="{spacing}000"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="0"/></a:spcBef><a:spcAft><a:spcPts val="{round(after * 100)}"/></a:spcAft>{mark}'
        f'<a:defRPr sz="{round(size * 100)}" b="{int(bold)}" kern="1200">{solid(colour)}'
        f'<a:latin typeface="+{face}-lt"/><a:ea typeface="+{face}-ea"/><a:cs typeface="+{face}-cs"/></a:defRPr>'
        f"</a:lvl{number}pPr>"
    )


def only(size: float, colour: str, *, bold: bool = False, align: str = "l", spacing: int = 100) -> str:
    """The own style of a placeholder that holds one level of text."""
    return f"<a:lstStyle>{level(1, size, colour, bold=bold, align=align, spacing=spacing)}</a:lstStyle>"


def paragraphs(prompt: str, levels: int = 1) -> str:
    """The prompt of a placeholder, with the levels below it; the slide number is a field."""
    if prompt == "‹#›":
        field = '<a:fld id="{86CB4B4D-7CA3-9044-876B-883B54F8677D}" type="slidenum">'
        return f'<a:p>{field}<a:rPr lang="en-US"/><a:t>‹#›</a:t></a:fld><a:endParaRPr lang="en-US"/></a:p>'
    if not prompt:
        return '<a:p><a:endParaRPr lang="en-US"/></a:p>'
    lines = [prompt, *(f"Level {number}" for number in range(2, levels + 1))]
    return "".join(
        f'<a:p><a:pPr lvl="{index}"/><a:r><a:rPr lang="en-US"/><a:t>{line}</a:t></a:r></a:p>'
        for index, line in enumerate(lines)
    )


def placeholder(
    number: int,
    name: str,
    reference: str,
    prompt: str,
    *,
    box: Box | None = None,
    style: str = "<a:lstStyle/>",
    body: str = "",
    levels: int = 1,
) -> str:
    """A placeholder; what it does not say it inherits. `reference` and `body` are attributes of `p:ph` and `a:bodyPr`."""
    place = f'{box.transform()}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>' if box else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {reference}/></p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody><a:bodyPr{body}><a:normAutofit/></a:bodyPr>{style}{paragraphs(prompt, levels)}</p:txBody></p:sp>"
    )


def bar(number: int, name: str, box: Box, colour: str) -> str:
    """A plain coloured rectangle."""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{box.transform()}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>{solid(colour)}'
        "<a:ln><a:noFill/></a:ln></p:spPr>"
        '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>'
    )


def strip(number: int, left: float, top: float) -> str:
    """The signature: three short bars in the first three accents."""
    boxes = (Box(left + 0.5 * index, top, 0.5, 0.07) for index in range(3))
    return "".join(bar(number + i, f"Strip {i + 1}", box, f"accent{i + 1}") for i, box in enumerate(boxes))


FURNITURE = (
    ("Date", 'type="dt" sz="half"', 10, "", DATE, "r"),
    ("Footer", 'type="ftr" sz="quarter"', 11, "", FOOTER, "l"),
    ("Slide Number", 'type="sldNum" sz="quarter"', 12, "‹#›", NUMBER, "r"),
)


def furniture(number: int) -> str:
    """Date, footer and slide number as a layout offers them."""
    return "".join(
        placeholder(number + step, name, f'{kind} idx="{index}"', prompt)
        for step, (name, kind, index, prompt, _, _) in enumerate(FURNITURE)
    )


def master_furniture(number: int) -> str:
    """The same on the master, where they get their places and their style."""
    return "".join(
        placeholder(number + i, name, f'{kind} idx="{i + 2}"', prompt, box=box, style=only(11, "tx2", align=align))
        for i, (name, kind, _, prompt, box, align) in enumerate(FURNITURE)
    )


def tree(shapes: str, background: str = "") -> str:
    """`p:cSld`'s content: a background and the shape tree."""
    fill = f"<p:bg><p:bgPr>{solid(background)}<a:effectLst/></p:bgPr></p:bg>" if background else ""
    zero = '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/>'
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
    return f"{fill}<p:spTree>{group}<p:grpSpPr><a:xfrm>{zero}</a:xfrm></p:grpSpPr>{shapes}</p:spTree>"


# ---------------------------------------------------------------- layouts


@dataclass(frozen=True)
class Page:
    """A layout: its name, what PowerPoint calls its kind, its shapes and its own background."""

    name: str
    kind: str
    shapes: str
    background: str = ""

    def xml(self) -> str:
        """Its part."""
        return (
            f'{HEAD}<p:sldLayout {NAMESPACES} type="{self.kind}" preserve="1"><p:cSld name="{self.name}">'
            f"{tree(self.shapes, self.background)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
        )


def title(prompt: str = "Title") -> str:
    """The title of an ordinary slide."""
    return placeholder(2, "Title", 'type="title"', prompt)


def cover() -> Page:
    """Dark, with the title in the middle left and who and when at the foot."""
    left, width = MARGIN + 0.2, 11.0
    shapes = (
        placeholder(
            2,
            "Title",
            'type="ctrTitle"',
            "Title of the lecture",
            box=Box(left, 1.75, width, 1.6),
            style=only(40, "bg1", bold=True),
            body=' anchor="b"',
        )
        + placeholder(
            3, "Subtitle", 'type="subTitle" idx="1"', "Subtitle", box=Box(left, 3.85, width, 0.9), style=only(22, "bg2")
        )
        + placeholder(
            4,
            "Author and Date",
            'type="body" sz="quarter" idx="13"',
            "Author · Institute · Date",
            box=Box(left, 6.25, width, 0.5),
            style=only(14, "bg2"),
            body=' anchor="b"',
        )
        + strip(5, left, 3.55)
    )
    return Page("Cover", "title", shapes, "tx1")


def section() -> Page:
    """Calm, with a large number over the section's name."""
    left, width = MARGIN + 0.2, 11.0
    shapes = (
        placeholder(
            2,
            "Title",
            'type="title"',
            "Section",
            box=Box(left, 3.2, width, 1.3),
            style=only(36, "tx1", bold=True),
            body=' anchor="t"',
        )
        + placeholder(
            3,
            "Section Number",
            'type="body" sz="quarter" idx="13"',
            "1",
            box=Box(left, 1.75, 3.0, 1.2),
            style=only(60, "accent1", bold=True),
            body=' anchor="b"',
        )
        + placeholder(
            4,
            "Text",
            'type="body" sz="half" idx="1"',
            "What it is about",
            box=Box(left, 4.6, width, 1.9),
            style=only(20, "tx2", spacing=115),
        )
        + strip(5, left, 3.02)
        + furniture(8)
    )
    return Page("Section", "secHead", shapes, "bg2")


def layouts() -> tuple[Page, ...]:
    """All layouts, in the order in which PowerPoint offers them."""
    half = (TEXT_WIDTH - GAP) / 2
    right = MARGIN + LEFT_WIDTH + GAP
    figure = Box(right, BODY_TOP, TEXT_WIDTH - LEFT_WIDTH - GAP, 5.0)
    caption = Box(right, 6.53, figure.width, 0.32)
    return (
        cover(),
        section(),
        Page(
            "Title and Content", "obj", title() + placeholder(3, "Content", 'idx="1"', "Text", levels=5) + furniture(4)
        ),
        Page(
            "Two Contents",
            "twoObj",
            title()
            + placeholder(
                3, "Left Content", 'sz="half" idx="1"', "Text", levels=5, box=Box(MARGIN, BODY_TOP, half, BODY_HEIGHT)
            )
            + placeholder(
                4,
                "Right Content",
                'sz="half" idx="2"',
                "Text",
                levels=5,
                box=Box(MARGIN + half + GAP, BODY_TOP, half, BODY_HEIGHT),
            )
            + furniture(5),
        ),
        Page(
            "Figure",
            "txAndObj",
            title()
            + placeholder(
                3,
                "Text",
                'type="body" sz="half" idx="1"',
                "Text",
                levels=5,
                box=Box(MARGIN, BODY_TOP, LEFT_WIDTH, BODY_HEIGHT),
            )
            + placeholder(4, "Figure", 'sz="half" idx="2"', "Figure", box=figure)
            + placeholder(
                5,
                "Caption",
                'type="body" sz="quarter" idx="13"',
                "Caption",
                box=caption,
                style=only(12, "tx2", align="ctr"),
            )
            + furniture(6),
        ),
        Page("Title Only", "titleOnly", title() + furniture(3)),
    )


# ---------------------------------------------------------------- theme, master, presentation


def theme(name: str) -> str:
    """The theme: twelve colours, the faces, three entries in each list of formats (PowerPoint repairs fewer)."""
    colours = "".join(f'<a:{slot}><a:srgbClr val="{value}"/></a:{slot}>' for slot, value in COLOURS.items())
    faces = f'<a:latin typeface="{LATIN}"/><a:ea typeface="{EAST_ASIAN}"/><a:cs typeface=""/>'
    faces += "".join(f'<a:font script="{script}" typeface="{face}"/>' for script, face in SCRIPTS.items())
    fills = solid("phClr") * 3
    lines = "".join(
        f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">{solid("phClr")}<a:prstDash val="solid"/></a:ln>'
        for width in (9525, 12700, 19050)
    )
    effects = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'{HEAD}<a:theme xmlns:a="{A}" name="{name}"><a:themeElements><a:clrScheme name="{name}">{colours}</a:clrScheme>'
        f'<a:fontScheme name="{name}"><a:majorFont>{faces}</a:majorFont><a:minorFont>{faces}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="{name}"><a:fillStyleLst>{fills}</a:fillStyleLst><a:lnStyleLst>{lines}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effects}</a:effectStyleLst><a:bgFillStyleLst>{fills}</a:bgFillStyleLst></a:fmtScheme>"
        "</a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )


COLOUR_MAP = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
    'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
)
INSETS = ' vert="horz" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="0"'
LEVEL_SIZES = (20, 18, 16, 16, 16)


def master(count: int) -> str:
    """The slide master: where things stand and how text looks unless a layout says otherwise."""
    shapes = (
        placeholder(2, "Title", 'type="title"', "Title", box=TITLE, body=INSETS + ' anchor="b"')
        + placeholder(3, "Text", 'type="body" idx="1"', "Text", box=BODY, body=INSETS + ' anchor="t"', levels=5)
        + master_furniture(4)
    )
    identifiers = "".join(f'<p:sldLayoutId id="{2147483649 + i}" r:id="rId{i + 1}"/>' for i in range(count))
    heading = level(1, 30, bold=True, spacing=90, major=True)
    body = "".join(level(i + 1, size, after=8 if i == 0 else 4) for i, size in enumerate(LEVEL_SIZES))
    other = "".join(level(i, 18, spacing=100) for i in (1,))
    return (
        f'{HEAD}<p:sldMaster {NAMESPACES} preserve="1"><p:cSld>{tree(shapes, "bg1")}</p:cSld>{COLOUR_MAP}'
        f"<p:sldLayoutIdLst>{identifiers}</p:sldLayoutIdLst><p:txStyles><p:titleStyle>{heading}</p:titleStyle>"
        f"<p:bodyStyle>{body}</p:bodyStyle><p:otherStyle>{other}</p:otherStyle></p:txStyles></p:sldMaster>"
    )


def notes_master() -> str:
    """The notes page: the slide above, the notes below."""
    picture = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" '
        'noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr><p:spPr>'
        f'{Box(0.75, 0.9, 6.0, 3.375).transform()}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>'
        f'<a:ln w="9525">{solid("tx2")}</a:ln></p:spPr></p:sp>'
    )
    notes = placeholder(
        3, "Notes", 'type="body" sz="quarter" idx="3"', "Notes", box=Box(0.75, 4.55, 6.0, 4.6), levels=5
    )
    number = placeholder(
        4,
        "Slide Number",
        'type="sldNum" sz="quarter" idx="5"',
        "‹#›",
        box=Box(4.25, 9.4, 2.5, 0.3),
        style=only(11, "tx2", align="r"),
    )
    style = "".join(level(i, 12, spacing=115, after=4) for i in range(1, 6))
    return (
        f"{HEAD}<p:notesMaster {NAMESPACES}><p:cSld>{tree(picture + notes + number, 'bg1')}</p:cSld>{COLOUR_MAP}"
        f"<p:notesStyle>{style}</p:notesStyle></p:notesMaster>"
    )


def presentation() -> str:
    """The presentation part: 16:9, no slides, the rules of line breaking for Chinese."""
    default = "".join(level(i, 18, spacing=100) for i in range(1, 6))
    return (
        f'{HEAD}<p:presentation {NAMESPACES} saveSubsetFonts="1" autoCompressPictures="0">'
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
        '<p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst>'
        '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>'
        f'<p:kinsoku lang="zh-CN" invalStChars="{escaped(NO_START)}" invalEndChars="{escaped(NO_END)}"/>'
        f'<p:defaultTextStyle><a:defPPr><a:defRPr lang="zh-CN" altLang="en-US"/></a:defPPr>{default}</p:defaultTextStyle>'
        "</p:presentation>"
    )


# ---------------------------------------------------------------- package


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPE = "application/vnd.openxmlformats-officedocument."
SLIDE_TYPE = TYPE + "presentationml."


def relations(*targets: tuple[str, str]) -> str:
    """A relationships part: (kind, target) in the order of their ids."""
    rows = (
        f'<Relationship Id="rId{i}" Type="{kind if ":" in kind else f"{OFFICE}/{kind}"}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{"".join(rows)}</Relationships>'


def parts() -> dict[str, tuple[str, str]]:
    """Every part by name: its content type ("" for the default) and its XML."""
    pages = layouts()
    part: dict[str, tuple[str, str]] = {
        "_rels/.rels": (
            "",
            relations(
                ("officeDocument", "ppt/presentation.xml"),
                (f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
                ("extended-properties", "docProps/app.xml"),
            ),
        ),
        "docProps/core.xml": ("application/vnd.openxmlformats-package.core-properties+xml", core_properties()),
        "docProps/app.xml": (TYPE + "extended-properties+xml", application_properties()),
        "ppt/presentation.xml": (SLIDE_TYPE + "presentation.main+xml", presentation()),
        "ppt/_rels/presentation.xml.rels": (
            "",
            relations(
                ("slideMaster", "slideMasters/slideMaster1.xml"),
                ("notesMaster", "notesMasters/notesMaster1.xml"),
                ("presProps", "presProps.xml"),
                ("viewProps", "viewProps.xml"),
                ("theme", "theme/theme1.xml"),
                ("tableStyles", "tableStyles.xml"),
            ),
        ),
        "ppt/presProps.xml": (SLIDE_TYPE + "presProps+xml", f"{HEAD}<p:presentationPr {NAMESPACES}/>"),
        "ppt/viewProps.xml": (SLIDE_TYPE + "viewProps+xml", f"{HEAD}<p:viewPr {NAMESPACES}/>"),
        "ppt/tableStyles.xml": (
            SLIDE_TYPE + "tableStyles+xml",
            f'{HEAD}<a:tblStyleLst xmlns:a="{A}" def="{{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}}"/>',
        ),
        "ppt/theme/theme1.xml": (TYPE + "theme+xml", theme("Lecture")),
        "ppt/theme/theme2.xml": (TYPE + "theme+xml", theme("Lecture Notes")),
        "ppt/slideMasters/slideMaster1.xml": (SLIDE_TYPE + "slideMaster+xml", master(len(pages))),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": (
            "",
            relations(
                *(("slideLayout", f"../slideLayouts/slideLayout{i}.xml") for i in range(1, len(pages) + 1)),
                ("theme", "../theme/theme1.xml"),
            ),
        ),
        "ppt/notesMasters/notesMaster1.xml": (SLIDE_TYPE + "notesMaster+xml", notes_master()),
        "ppt/notesMasters/_rels/notesMaster1.xml.rels": ("", relations(("theme", "../theme/theme2.xml"))),
    }
    for i, page in enumerate(pages, 1):
        part[f"ppt/slideLayouts/slideLayout{i}.xml"] = (SLIDE_TYPE + "slideLayout+xml", page.xml())
        part[f"ppt/slideLayouts/_rels/slideLayout{i}.xml.rels"] = (
            "",
            relations(("slideMaster", "../slideMasters/slideMaster1.xml")),
        )
    return part


def core_properties() -> str:
    """Title only: no author, no clock."""
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Lecture</dc:title></cp:coreProperties>'
    )


def application_properties() -> str:
    """What PowerPoint shows as the program."""
    namespace = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    return f'{HEAD}<Properties xmlns="{namespace}"><Application>Microsoft Office PowerPoint</Application></Properties>'


def content_types(part: dict[str, tuple[str, str]]) -> str:
    """`[Content_Types].xml`."""
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, (kind, _) in part.items() if kind
    )
    return (
        f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.'
        f'openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f"{overrides}</Types>"
    )


def main(target: str = str(Path(__file__).with_name("lecture.pptx"))) -> None:
    """Write the template; its dates are fixed."""
    part = parts()
    files = {"[Content_Types].xml": content_types(part), **{name: xml for name, (_, xml) in part.items()}}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for name, xml in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            package.writestr(entry, xml.encode("utf-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
