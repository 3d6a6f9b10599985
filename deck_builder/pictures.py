"""Picture files of a lesson as PowerPoint can show them; what it cannot gets a stand-in and a notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from deck_builder.model import Block, Deck, Image, Notice
from deck_builder.values import dataclass, field
from deck_builder.walk import walk

KEPT = {"png": "PNG", "jpeg": "JPEG", "jpg": "JPEG", "gif": "GIF"}
CONVERTED = ("webp", "bmp", "tif", "tiff")
SVG_SCALE = 3
STAND_IN = (400, 300)
NO_ALT = "describe it in its brackets, or mark it {.decorative}"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's size in pixels and content; without `blob` a stand-in is shown that gives the reason."""

    width: int
    height: int
    blob: bytes | None = field(default=None, repr=False)
    svg: bytes | None = field(default=None, repr=False)
    """The original, beside its rendering in `blob`."""
    reason: str = ""


Pictures = Mapping[str, Picture]


def read_pictures(deck: Deck) -> tuple[dict[str, Picture], tuple[Notice, ...]]:
    """Every picture that the deck shows, by its path, and a notice for each that needs a stand-in."""
    pictures: dict[str, Picture] = {}
    notices = []
    for slide in deck.slides:
        for image in images(slide.blocks):
            if image.path not in pictures:
                pictures[image.path] = read_picture(image.path)
            if reason := pictures[image.path].reason:
                notices.append(Notice(reason, image.source))
            elif not (image.alt or image.decorative):
                name = Path(image.path).name
                notices.append(Notice(f"the picture {name} says nothing to a screen reader; {NO_ALT}", image.source))
    return pictures, tuple(notices)


def images(blocks: tuple[Block, ...]) -> Iterator[Image]:
    """All images among the blocks, nested ones too, in reading order."""
    return (block for block in walk(blocks) if isinstance(block, Image))


def read_picture(path: str) -> Picture:
    """One picture file. Its reason says what is wrong and what would be right, when it cannot be shown."""
    name = Path(path).name
    if "://" in path:
        return _missing(f"the picture {path} is on the network; save it beside the lesson and link to the file")
    file = Path(path)
    if not file.is_file():
        return _missing(f"the picture {name} does not exist; {_nearest(file)}")
    suffix = file.suffix.lower().lstrip(".")
    blob = file.read_bytes()
    if suffix == "svg" or b"<svg" in blob[:512]:
        return _vector(blob, name)
    if suffix in KEPT or suffix in CONVERTED:
        return _bitmap(blob, name)
    return _missing(f"the picture {name} is in a format that PowerPoint does not show; export it as SVG or PNG")


def _missing(reason: str) -> Picture:
    return Picture(*STAND_IN, reason=reason)


def _nearest(file: Path) -> str:
    from difflib import get_close_matches

    names = [entry.name for entry in file.parent.iterdir()] if file.parent.is_dir() else []
    close = get_close_matches(file.name, names, 1)
    return f"did you mean {close[0]}?" if close else "put the file there or correct the path"


def _bitmap(blob: bytes, name: str) -> Picture:
    from io import BytesIO

    from PIL import Image as Pillow

    try:
        with Pillow.open(BytesIO(blob)) as image:
            width, height = image.size
            if image.format in KEPT.values():
                return Picture(width, height, blob)
            out = BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return Picture(width, height, out.getvalue())
    except (OSError, ValueError) as error:
        return _missing(f"the picture {name} cannot be read ({error}); save it again as PNG")


def _vector(blob: bytes, name: str) -> Picture:
    from io import BytesIO

    import resvg_py
    from PIL import Image as Pillow

    try:
        png = bytes(resvg_py.svg_to_bytes(svg_string=blob.decode("utf-8"), zoom=SVG_SCALE))
        with Pillow.open(BytesIO(png)) as image:
            width, height = image.size
    except (ValueError, OSError, RuntimeError) as error:
        return _missing(f"the picture {name} is not an SVG that can be drawn ({error}); export it again or as PNG")
    return Picture(max(1, width // SVG_SCALE), max(1, height // SVG_SCALE), png, blob)
