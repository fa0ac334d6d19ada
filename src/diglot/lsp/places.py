"""Places in texts: characters, lines, and the units in which editors count columns."""

from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from lsprotocol.types import Location, Position, PositionEncodingKind, Range

_UNIT_BYTES = {PositionEncodingKind.Utf8: 1, PositionEncodingKind.Utf16: 2, PositionEncodingKind.Utf32: 4}
_CODECS = {
    PositionEncodingKind.Utf8: "utf-8",
    PositionEncodingKind.Utf16: "utf-16-le",
    PositionEncodingKind.Utf32: "utf-32-le",
}


class Text:
    """A text with its lines, which end as editors say: at `\\n`, `\\r\\n` or `\\r`, and nowhere else."""

    def __init__(self, text: str, encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16) -> None:
        """`encoding` is what columns are counted in; UTF-16 unless an editor can do better."""
        self.text = text
        self.encoding = PositionEncodingKind(encoding)
        self._codec, self._unit_bytes = _CODECS[self.encoding], _UNIT_BYTES[self.encoding]

    @cached_property
    def _starts(self) -> list[int]:
        """The offset of the beginning of each line."""
        starts = [0]
        for at, character in enumerate(self.text):
            if character == "\n" or (character == "\r" and self.text[at + 1 : at + 2] != "\n"):
                starts.append(at + 1)
        return starts

    @property
    def line_count(self) -> int:
        """How many lines there are; an empty text has one."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """A line without its end, counted from 0; empty behind the last one."""
        if not 0 <= number < len(self._starts):
            return ""
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[number] : end].rstrip("\r\n")

    def start_of(self, number: int) -> int:
        """The offset of the beginning of a line; the end of the text behind the last one."""
        return self._starts[number] if number < len(self._starts) else len(self.text)

    def offset(self, position: Position) -> int:
        """The character at a position; the end of its line for one behind that."""
        line = self.line(position.line)
        encoded = line.encode(self._codec, "surrogatepass")[: position.character * self._unit_bytes]
        return self.start_of(position.line) + len(encoded.decode(self._codec, "ignore"))

    def position(self, offset: int) -> Position:
        """The position of a character."""
        number = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[number] : offset]
        units = len(before.encode(self._codec, "surrogatepass")) // self._unit_bytes
        return Position(line=number, character=units)

    def range(self, start: int, end: int) -> Range:
        """The range between two characters."""
        return Range(start=self.position(start), end=self.position(end))

    def whole_line(self, number: int) -> Range:
        """A line without the space around it, counted from 0."""
        line, start = self.line(number), self.start_of(number)
        blank = len(line) - len(line.lstrip())
        return self.range(start + blank, start + max(blank, len(line.rstrip())))


def path_of(uri: str) -> Path | None:
    """The path of a file or folder; None for what is no file."""
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def path_in(root: Path, uri: str) -> str | None:
    """The path of a file in the project, with forward slashes; None for what is elsewhere, or no file."""
    path = path_of(uri)
    if path is None:
        return None
    for one in (path, path.resolve()):
        if one.is_relative_to(root):
            return one.relative_to(root).as_posix()
    return None


def uri_of(root: Path, path: str) -> str:
    """The address of a file of the project."""
    return f"file://{quote((root / path).as_posix())}"


def location(root: Path, path: str, line: int = 1) -> Location:
    """The beginning of a line of a file, counted from 1."""
    start = Position(line=max(0, line - 1), character=0)
    return Location(uri=uri_of(root, path), range=Range(start=start, end=start))
