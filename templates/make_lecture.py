"""Make `templates/lecture.pptx`: theme, master and named layouts of a lecture, with no slide of its own.

    python templates/make_lecture.py [FILE]

Run by maintainers; the result is committed. Lengths are inches, sizes points.
"""

from __future__ import annotations

import sys
from pathlib import Path

from drawingml import (
    HEAD,
    NAMESPACES,
    NUMBER,
    OFFICE,
    PACKAGE,
    A,
    Box,
    Part,
    bar,
    level,
    only,
    placeholder,
    sheet,
    solid,
    theme_part,
    write_package,
)

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
LATIN = "Calibri"
SCRIPTS = {
    "Hans": "Microsoft YaHei",
    "Hant": "Microsoft JhengHei",
    "Jpan": "Yu Gothic",
    "Hang": "Malgun Gothic",
    "Arab": "Arial",
    "Hebr": "Arial",
}
NO_START = "!%),.:;&gt;?]}¢¨°·ˇˉ―‖’”…‰′″›℃∶、。〃〉》」』】〕〗〞︶︺︾﹀﹄﹚﹜﹞！＂％＇），．：；？］｀｜｝～￠"
NO_END = "$([{£¥·‘“‹〈《「『【〔〖〝﹙﹛﹝＄（．［｛￡￥"
"""Characters that no Chinese line begins or ends with, for `p:kinsoku`."""

WIDTH, MARGIN, GAP = 13.333, 0.7, 0.4
TEXT_WIDTH = 11.933
TITLE = Box(MARGIN, 0.22, TEXT_WIDTH, 0.9)
"""One line stands at 0.42 to 1.12, at the foot of its box; a second line grows upwards."""
BODY = Box(MARGIN, 1.45, TEXT_WIDTH, 5.4)
HALF = (TEXT_WIDTH - GAP) / 2
BESIDE = round(0.4 * (TEXT_WIDTH - GAP), 3)
"""Width of the text beside a figure."""
FIGURE = Box(MARGIN + BESIDE + GAP, BODY.top, TEXT_WIDTH - GAP - BESIDE, 5.0)
FURNITURE = (
    ("Date", 'type="dt" sz="half"', 10, " ", Box(8.5, 7.03, 2.6, 0.27), "r"),
    ("Footer", 'type="ftr" sz="quarter"', 11, " ", Box(MARGIN, 7.03, 7.5, 0.27), "l"),
    ("Slide Number", 'type="sldNum" sz="quarter"', 12, NUMBER, Box(WIDTH - MARGIN - 1.0, 7.03, 1.0, 0.27), "r"),
)
"""Name, `p:ph`, `idx` in layouts, prompt, place, alignment. LibreOffice gives a footer its style only where the layout
has a run of text in it, hence the space; and no placeholder at the foot inherits its padding there."""
NO_PADDING = ' vert="horz" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="0"'


def furniture(number: int) -> str:
    """Date, footer and slide number as a layout offers them."""
    return "".join(
        placeholder(number + i, name, f'{kind} idx="{index}"', prompt, body=NO_PADDING, shrinks=False)
        for i, (name, kind, index, prompt, _, _) in enumerate(FURNITURE)
    )


def master_furniture(number: int) -> str:
    """The same on the master, where they get their places and their style."""
    return "".join(
        placeholder(
            number + i,
            name,
            f'{kind} idx="{i + 2}"',
            prompt,
            box=box,
            style=only(11, "tx2", align=align),
            body=NO_PADDING,
            shrinks=False,
        )
        for i, (name, kind, _, prompt, box, align) in enumerate(FURNITURE)
    )


def strip(number: int, top: float, tint: int = 0) -> str:
    """The signature of cover and sections: three short bars in the first three accents."""
    return "".join(
        bar(number + i, f"Strip {i + 1}", Box(MARGIN + 0.5 * i, top, 0.5, 0.07), solid(f"accent{i + 1}", tint))
        for i in range(3)
    )


# ---------------------------------------------------------------- layouts


def layout(name: str, kind: str, shapes: str, background: str = "") -> str:
    """A layout part; `kind` is what PowerPoint calls it."""
    return (
        f'{HEAD}<p:sldLayout {NAMESPACES} type="{kind}" preserve="1">{sheet(shapes, background, name)}'
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def title() -> str:
    """The title of an ordinary slide."""
    return placeholder(2, "Title", 'type="title"', "Title")


def content(number: int, name: str, reference: str, box: Box | None = None) -> str:
    """A place for text, a table or a figure."""
    return placeholder(number, name, reference, "Text", box=box, levels=5)


def lead(prompt: str, kind: str, size: float, colour: str, width: float) -> str:
    """The large title of cover and sections: it stands on the strip and grows upwards."""
    style = level(1, size, colour, bold=True, spacing=95, major=True)
    box = Box(MARGIN, 1.55, width, 1.75)
    return placeholder(2, "Title", f'type="{kind}"', prompt, box=box, style=style, body=' anchor="b"')


def cover() -> str:
    """Dark: the title and what it is about in the middle, who and when at the foot."""
    below = Box(MARGIN, 3.82, 11.0, 1.2)
    foot = Box(MARGIN, 6.25, 11.0, 0.6)
    return (
        lead("Title", "ctrTitle", 44, "bg1", 11.5)
        + placeholder(3, "Subtitle", 'type="subTitle" idx="1"', "Subtitle", box=below, style=only(22, "bg2"))
        + placeholder(
            4,
            "Author and Date",
            'type="body" sz="quarter" idx="13"',
            "Author · Institute · Date",
            box=foot,
            style=only(14, "bg2"),
            body=' anchor="b"',
        )
        + strip(5, 3.5, tint=25)
    )


def section() -> str:
    """Calm: the section's name, with its number large at the right, on the same line."""
    below = Box(MARGIN, 3.82, 8.6, 2.4)
    number = Box(9.9, 1.55, WIDTH - MARGIN - 9.9, 1.95)
    return (
        lead("Section", "title", 36, "tx1", 8.6)
        + placeholder(3, "Text", 'type="body" sz="half" idx="1"', "Text", box=below, style=only(20, "tx2", spacing=115))
        + placeholder(
            4,
            "Section Number",
            'type="body" sz="quarter" idx="13"',
            "1",
            box=number,
            style=only(96, "accent1", bold=True, align="r", spacing=90),
            body=' anchor="b"',
        )
        + strip(5, 3.5)
        + furniture(8)
    )


def two_contents() -> str:
    """Two places of equal width."""
    left = Box(MARGIN, BODY.top, HALF, BODY.height)
    right = Box(MARGIN + HALF + GAP, BODY.top, HALF, BODY.height)
    return (
        title()
        + content(3, "Left Content", 'sz="half" idx="1"', left)
        + content(4, "Right Content", 'sz="half" idx="2"', right)
        + furniture(5)
    )


def figure() -> str:
    """Text left, a figure and its caption right."""
    caption = Box(FIGURE.left, 6.53, FIGURE.width, 0.32)
    return (
        title()
        + content(3, "Text", 'type="body" sz="half" idx="1"', Box(MARGIN, BODY.top, BESIDE, BODY.height))
        + placeholder(4, "Figure", 'sz="half" idx="2"', "Figure", box=FIGURE)
        + placeholder(
            5,
            "Caption",
            'type="body" sz="quarter" idx="13"',
            "Caption",
            box=caption,
            style=only(12, "tx2", align="ctr"),
        )
        + furniture(6)
    )


def layouts() -> tuple[str, ...]:
    """All layouts, in the order in which PowerPoint offers them."""
    return (
        layout("Cover", "title", cover(), "tx1"),
        layout("Section", "secHead", section(), "bg2"),
        layout("Title and Content", "obj", title() + content(3, "Content", 'idx="1"') + furniture(4)),
        layout("Two Contents", "twoObj", two_contents()),
        layout("Figure", "txAndObj", figure()),
        layout("Title Only", "titleOnly", title() + furniture(3)),
    )


# ---------------------------------------------------------------- master, notes, presentation


COLOUR_MAP = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" '
    'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
)


def master(count: int) -> str:
    """The slide master: where things stand and how text looks unless a layout says otherwise."""
    shapes = (
        placeholder(2, "Title", 'type="title"', "Title", box=TITLE, body=NO_PADDING + ' anchor="b"')
        + placeholder(3, "Text", 'type="body" idx="1"', "Text", box=BODY, body=NO_PADDING + ' anchor="t"', levels=5)
        + master_furniture(4)
    )
    identifiers = "".join(f'<p:sldLayoutId id="{2147483649 + i}" r:id="rId{i + 1}"/>' for i in range(count))
    heading = level(1, 30, bold=True, spacing=90, major=True)
    body = "".join(level(i, size, after=8 if i == 1 else 4) for i, size in enumerate((20, 18, 16, 16, 16), 1))
    return (
        f'{HEAD}<p:sldMaster {NAMESPACES} preserve="1">{sheet(shapes, "bg1")}{COLOUR_MAP}'
        f"<p:sldLayoutIdLst>{identifiers}</p:sldLayoutIdLst><p:txStyles><p:titleStyle>{heading}</p:titleStyle>"
        f"<p:bodyStyle>{body}</p:bodyStyle><p:otherStyle>{level(1, 18, spacing=100)}</p:otherStyle></p:txStyles>"
        "</p:sldMaster>"
    )


def notes_master() -> str:
    """The notes page: the slide above, the notes below."""
    picture = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" '
        'noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr>'
        f"<p:spPr>{Box(0.75, 0.9, 6.0, 3.375).geometry()}<a:noFill/>"
        f'<a:ln w="9525">{solid("tx2")}</a:ln></p:spPr></p:sp>'
    )
    notes = placeholder(
        3, "Notes", 'type="body" sz="quarter" idx="3"', "Notes", box=Box(0.75, 4.55, 6.0, 4.6), levels=5
    )
    number = placeholder(
        4,
        "Slide Number",
        'type="sldNum" sz="quarter" idx="5"',
        NUMBER,
        box=Box(4.25, 9.4, 2.5, 0.3),
        style=only(11, "tx2", align="r"),
    )
    style = "".join(level(i, 12, after=4) for i in range(1, 6))
    return (
        f"{HEAD}<p:notesMaster {NAMESPACES}>{sheet(picture + notes + number, 'bg1')}{COLOUR_MAP}"
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
        f'<p:kinsoku lang="zh-CN" invalStChars="{NO_START}" invalEndChars="{NO_END}"/><p:defaultTextStyle>'
        f'<a:defPPr><a:defRPr lang="zh-CN" altLang="en-US"/></a:defPPr>{default}</p:defaultTextStyle></p:presentation>'
    )


# ---------------------------------------------------------------- parts


SLIDE = "openxmlformats-officedocument.presentationml."
PROPERTIES = (
    Part(
        "docProps/core.xml",
        "openxmlformats-package.core-properties",
        f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Lecture</dc:title></cp:coreProperties>',
    ),
    Part(
        "docProps/app.xml",
        "openxmlformats-officedocument.extended-properties",
        f'{HEAD}<Properties xmlns="{OFFICE}/extended-properties"><Application>Microsoft Office PowerPoint</Application>'
        "</Properties>",
    ),
    Part("ppt/presProps.xml", SLIDE + "presProps", f"{HEAD}<p:presentationPr {NAMESPACES}/>"),
    Part("ppt/viewProps.xml", SLIDE + "viewProps", f"{HEAD}<p:viewPr {NAMESPACES}/>"),
    Part(
        "ppt/tableStyles.xml",
        SLIDE + "tableStyles",
        f'{HEAD}<a:tblStyleLst xmlns:a="{A}" def="{{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}}"/>',
    ),
)


def parts() -> tuple[Part, ...]:
    """Every part of the template."""
    pages = layouts()
    to_layouts = tuple(("slideLayout", f"../slideLayouts/slideLayout{i}.xml") for i in range(1, len(pages) + 1))
    to_presentation = (
        ("slideMaster", "slideMasters/slideMaster1.xml"),
        ("notesMaster", "notesMasters/notesMaster1.xml"),
        ("presProps", "presProps.xml"),
        ("viewProps", "viewProps.xml"),
        ("theme", "theme/theme1.xml"),
        ("tableStyles", "tableStyles.xml"),
    )
    to_theme = ("theme", "../theme/theme1.xml")
    return (
        Part("ppt/presentation.xml", SLIDE + "presentation.main", presentation(), to_presentation),
        Part("ppt/slideMasters/slideMaster1.xml", SLIDE + "slideMaster", master(len(pages)), (*to_layouts, to_theme)),
        *(
            Part(
                f"ppt/slideLayouts/slideLayout{i}.xml",
                SLIDE + "slideLayout",
                page,
                (("slideMaster", "../slideMasters/slideMaster1.xml"),),
            )
            for i, page in enumerate(pages, 1)
        ),
        Part(
            "ppt/notesMasters/notesMaster1.xml",
            SLIDE + "notesMaster",
            notes_master(),
            (("theme", "../theme/theme2.xml"),),
        ),
        *(
            Part(
                f"ppt/theme/theme{i}.xml",
                "openxmlformats-officedocument.theme",
                theme_part(name, COLOURS, LATIN, SCRIPTS),
            )
            for i, name in enumerate(("Lecture", "Lecture Notes"), 1)
        ),
        *PROPERTIES,
    )


def main(target: str = str(Path(__file__).with_name("lecture.pptx"))) -> None:
    """Write the template."""
    related = (
        ("officeDocument", "ppt/presentation.xml"),
        (f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ("extended-properties", "docProps/app.xml"),
    )
    write_package(Path(target), parts(), related)


if __name__ == "__main__":
    main(*sys.argv[1:])
