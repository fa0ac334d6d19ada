"""What an exported picture says about itself in its metadata."""

import re
import struct
import zlib
from contextlib import suppress
from typing import Literal
from xml.etree import ElementTree

import msgspec

from diglot.figures.picture_key import PictureKey, picture_key

PictureFormat = Literal["svg", "png", "pdf", "jpeg", "other"]

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_FRAMES = (0xC0, 0xC1, 0xC2)
_LONGEST_TEXT = 2**20
_PIECE = 2**14


class PictureMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """A picture's format and texts."""

    format: PictureFormat
    key: PictureKey | None = None
    title: str = ""
    description: str = ""
    width_px: int = 0
    """Size of a PNG or JPEG file; 0 for other formats."""
    height_px: int = 0


def picture_metadata(content: bytes) -> PictureMetadata:
    """The metadata of a picture, whatever its name; that of a damaged file has no key."""
    if content.startswith(_PNG):
        return _of_png(content)
    if content.startswith(b"%PDF-"):
        return _of_pdf(content)
    if content.startswith(b"\xff\xd8\xff"):
        width, height = _jpeg_size(content)
        return PictureMetadata(format="jpeg", width_px=width, height_px=height)
    if b"<svg" in content[:4096]:
        return _of_svg(content)
    return PictureMetadata(format="other")


def _of_png(content: bytes) -> PictureMetadata:
    texts: dict[str, str] = {}
    at, width, height = len(_PNG), 0, 0
    while at + 12 <= len(content):
        length, kind = struct.unpack_from(">L4s", content, at)
        data = content[at + 8 : at + 8 + length]
        if kind == b"IHDR" and len(data) >= 8:
            width, height = struct.unpack_from(">2L", data)
        elif kind in (b"tEXt", b"zTXt", b"iTXt"):
            with suppress(ValueError, zlib.error):
                name, text = _png_text(kind, data)
                texts[name] = text
        elif kind in (b"IDAT", b"IEND") and "Source" in texts:
            break
        at += 12 + length
    return PictureMetadata(
        format="png",
        key=picture_key(texts.get("Source", "")),
        title=texts.get("Title", ""),
        description=texts.get("Description", ""),
        width_px=width,
        height_px=height,
    )


def _png_text(kind: bytes, data: bytes) -> tuple[str, str]:
    name, _, rest = data.partition(b"\0")
    if kind == b"tEXt":
        return name.decode("latin-1"), rest.decode("latin-1")
    if kind == b"zTXt":
        return name.decode("latin-1"), _inflated(rest[1:]).decode("latin-1")
    packed, (_, _, text) = rest[:1] == b"\1", rest[2:].split(b"\0", 2)  # language, translated name, text
    return name.decode("latin-1"), (_inflated(text) if packed else text).decode("utf-8")


def _inflated(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _LONGEST_TEXT)


def _of_pdf(content: bytes) -> PictureMetadata:
    """The texts of its information, which matplotlib writes uncompressed."""
    texts = {name.decode(): _pdf_text(text) for name, text in _PDF_TEXT.findall(content)}
    return PictureMetadata(
        format="pdf",
        key=picture_key(texts.get("Keywords", "")),
        title=texts.get("Title", ""),
        description=texts.get("Subject", ""),
    )


_PDF_TEXT = re.compile(rb"/(Keywords|Title|Subject) \(((?:[^()\\]|\\.)*)\)", re.DOTALL)


def _pdf_text(text: bytes) -> str:
    plain = re.sub(rb"(?s)\\([nrtbf]|[0-7]{1,3}|.)", _pdf_escape, text)
    return (
        plain[2:].decode("utf-16-be", "replace") if plain.startswith(b"\xfe\xff") else plain.decode("latin-1")
    )


def _pdf_escape(found: re.Match[bytes]) -> bytes:
    named = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
    if found[1][:1].isdigit():
        return bytes([int(found[1], 8) & 255])
    return named.get(found[1], found[1])


def _of_svg(content: bytes) -> PictureMetadata:
    found = _SvgTexts()
    parser = ElementTree.XMLParser(target=found)
    with suppress(ElementTree.ParseError):
        for at in range(
            0, len(content), _PIECE
        ):  # the texts are before the drawing, which is most of the file
            parser.feed(content[at : at + _PIECE])
            if "metadata" in found.texts:
                break
    texts = found.texts
    return PictureMetadata(
        format="svg",
        key=picture_key(texts.get("metadata", "")),
        title=texts.get("title", ""),
        description=texts.get("desc", ""),
    )


class _SvgTexts:
    """The target of an XML parser that collects the first title, description and metadata."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._pieces: list[str] = []

    def start(self, _tag: str, _attributes: object) -> None:
        """Begin an element."""
        self._pieces = []

    def data(self, text: str) -> None:
        """Go on with its text."""
        self._pieces.append(text)

    def end(self, tag: str) -> None:
        """End it."""
        self.texts.setdefault(tag.rpartition("}")[2], "".join(self._pieces))


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        kind, length = struct.unpack_from(">xBH", content, at)
        if kind in _JPEG_FRAMES:
            height, width = struct.unpack_from(">2H", content, at + 5)
            return width, height
        at += 2 + length
    return 0, 0
