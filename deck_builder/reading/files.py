"""Which files make a lesson, and their text with a place for every line."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from pathlib import Path

from deck_builder.errors import DeckError
from deck_builder.model import Source
from deck_builder.reading.log import Log
from deck_builder.values import dataclass

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_INCLUDE = re.compile(r"^[ \t]*\{\{<\s*include\s+(?P<path>\S.*?)\s*>\}\}[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown whose lines end in a line feed, and where its lines come from: included files keep their own numbers."""

    content: str
    origins: tuple[tuple[int, Source], ...]
    """Index of a first line → its place; the lines below count on from there."""

    def place(self, index: int) -> Source:
        """The source of a line, counted from 0."""
        start, source = self.origins[bisect_right(self.origins, index, key=lambda origin: origin[0]) - 1]
        return Source(source.path, source.line + index - start)

    def part(self, content: str, index: int) -> Text:
        """A piece of this text that begins at line `index`."""
        return Text(content, ((0, self.place(index)),))


def lesson_files(path: Path, log: Log) -> tuple[Path, ...]:
    """The Markdown files of a lesson in name order: the file itself, or those directly in the folder.

    Raises:
        DeckError: There is nothing to read.
    """
    here = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links, and messages show other paths
    if path.is_file():
        return (here,)
    if not path.is_dir():
        raise DeckError(f"{path} is neither a file nor a folder; give a folder of Markdown files or one of them")
    files: list[Path] = []
    for file in sorted(here.glob("*.md")):
        if file.name.startswith(".") or not file.is_file():
            continue
        if file.name.startswith("_") or file.name.lower().startswith("readme"):
            log.notice("passed over: `README*` and `_*` are not part of the lesson", Source(shown(file), 1))
        else:
            files.append(file)
    if not files:
        raise DeckError(f"no Markdown file in {path}; put `*.md` files directly into the folder")
    return tuple(files)


def shown(path: Path) -> str:
    """A path as messages show it: relative to the current directory where possible, with forward slashes."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return f"{path.parent.name}/{path.name}"


def load(path: Path, log: Log) -> Text:
    """The text of a file: UTF-8, with or without byte order mark, any line ends.

    Raises:
        DeckError: The file cannot be read, or is not UTF-8.
    """
    name = shown(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DeckError(f"cannot be read: {error.strerror}", Source(name, 1)) from error
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DeckError("is not UTF-8 here; save the file as UTF-8", Source(name, line)) from error
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    if not content.endswith("\n"):
        content += "\n"
    for match in _ILLEGAL.finditer(content):
        line = content.count("\n", 0, match.start()) + 1
        log.notice(f"control character U+{ord(match[0]):04X} left out", Source(name, line))
    return Text(_ILLEGAL.sub("", content), ((0, Source(name, 1)),))


def include(text: Text, folder: Path, log: Log, seen: tuple[Path, ...] = ()) -> Text:
    """`text` with each `{{< include file >}}` replaced by the lines of that file, looked for in `folder`."""
    if "{{<" not in text.content:
        return text
    pieces: list[str] = []
    origins: list[tuple[int, Source]] = []
    count = 0

    def add(content: str, part: tuple[tuple[int, Source], ...]) -> None:
        nonlocal count
        origins.extend((count + index, source) for index, source in part)
        pieces.append(content)
        count += content.count("\n")

    position = 0
    for match in _INCLUDE.finditer(text.content):
        line = text.content.count("\n", 0, match.start())
        start = text.content.count("\n", 0, position)
        add(text.content[position : match.start()], _clip(text, start, line))
        included = _included(folder / match["path"].strip("\"'"), text.place(line), folder, log, seen)
        add(included.content, included.origins)
        position = match.end() + 1
    start = text.content.count("\n", 0, position)
    add(text.content[position:], _clip(text, start, start + text.content.count("\n", position) + 1))
    return Text("".join(pieces), tuple(origins))


def _clip(text: Text, start: int, end: int) -> tuple[tuple[int, Source], ...]:
    """The origins of lines `start` to `end`, counted from `start`."""
    return ((0, text.place(start)), *((i - start, source) for i, source in text.origins if start < i < end))


def _included(path: Path, source: Source, folder: Path, log: Log, seen: tuple[Path, ...]) -> Text:
    if path in seen:
        log.error(f"{path.name} includes itself; break the circle", source)
    elif not path.is_file():
        log.error(f"included file {path.name} is not there; the path counts from {folder.name}/", source)
    else:
        loaded = load(path, log)
        body = re.sub(
            r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\n", lambda m: "\n" * m[0].count("\n"), loaded.content
        )
        return include(Text(body, loaded.origins), folder, log, (*seen, path))
    return Text("\n", ((0, source),))
