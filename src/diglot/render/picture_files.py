"""Authors' picture files: their size, and what keeps browsers from showing them.

A file is judged by its bytes. Its name only says what a server will call it.
"""

import io
import posixpath
import re
import warnings
from typing import TYPE_CHECKING, Literal

import msgspec

from diglot.figures.svg_sizes import NotSvg, read_svg

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 200_000_000
"""Larger pictures are published as they are: to decode them takes a gigabyte, for readers, too."""

_FORMATS: dict[str, Literal["jpg", "png", "webp"]] = {
    "JPEG": "jpg",
    "MPO": "jpg",  # a JPEG file of a telephone, with a second picture behind the one that is shown
    "PNG": "png",
    "WEBP": "webp",
}
ORIENTATION = 0x0112
_METADATA = ("exif", "xmp", "XML:com.adobe.xmp", "photoshop", "comment")


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a picture."""

    what: str
    """A predicate to its name: `is empty`."""
    fix: str


class PictureFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a picture without decoding it."""

    width_px: int = 0
    """As it is shown: cameras store some pictures lying on their side. 0 if it is not known."""
    height_px: int = 0
    is_sized: bool = True
    """False for a drawing that only has proportions, and takes the room that there is."""
    format: Literal["", "jpg", "png", "webp"] = ""
    """Empty for one that stays as it is: a drawing, a moving one, one of another kind."""
    has_metadata: bool = False
    """Whether it holds what only its photographer should know, such as the place."""
    damage: Damage | None = None


_SAY_SIZE = 'give its <svg> a viewBox="0 0 WIDTH HEIGHT" with the numbers that its drawing takes.'
_DAMAGED = Damage(
    what="is damaged or cut off", fix="copy or download it again, or save it again in its program."
)
_BEGIN_SHOWN = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""How pictures begin that browsers show."""
_OTHER_FORMAT = "save it as PNG, JPEG, WebP or SVG."
_POINTER = b"version https://git-lfs.github.com/spec/"
_ANNEX = re.compile(rb"[./\\]*(?:\.git/)?/?annex/objects/")
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml\b|<!--|<!doctype\s+svg|<svg\b)", re.IGNORECASE)
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_NOT_SHOWN = {
    b"heic": "HEIC",
    b"heix": "HEIC",
    b"heim": "HEIC",
    b"heis": "HEIC",
    b"hevc": "HEIC",
    b"mif1": "HEIC",
    b"msf1": "HEIC",
    b"jxl ": "JPEG XL",
}
_BEGINNINGS = (
    (b"%PDF-", "PDF"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\0\0\0\x0cJXL ", "JPEG XL"),
    (b"\x1f\x8b", "compressed"),
    (b"PK\x03\x04", "ZIP"),
)
"""How files begin that most browsers do not show as pictures, and Pillow does not know."""
_SHOWN = frozenset(("PNG", "JPEG", "MPO", "GIF", "WEBP", "AVIF", "BMP", "ICO", "CUR"))
"""Formats that browsers show, as Pillow calls them."""
_ENDINGS = {
    "png": "PNG",
    "apng": "PNG",
    "jpg": "JPEG",
    "jpeg": "JPEG",
    "jpe": "JPEG",
    "jfif": "JPEG",
    "gif": "GIF",
    "webp": "WEBP",
    "avif": "AVIF",
    "bmp": "BMP",
    "ico": "ICO",
    "svg": "SVG",
}
"""What each ending of a name says that a file is."""
_USUAL_ENDINGS = {"PNG": "png", "JPEG": "jpg", "MPO": "jpg", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}


def read_picture(path: str, content: bytes) -> PictureFacts:
    """What is known of a picture file, with what is wrong with it."""
    if (damage := _damage_at_beginning(content)) is not None:
        return PictureFacts(damage=damage)
    if _MARKUP.match(content) or path.lower().endswith(".svg"):
        return _read_drawing(path, content)
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415  (only pictures need it)

    Image.MAX_IMAGE_PIXELS = None  # no limit, because large pictures are not decoded here
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
            facts = _facts(picture)
            if (damage := _damage_inside(content, picture)) is not None:
                width, height = picture.size
                return PictureFacts(width_px=width, height_px=height, damage=damage)
            damage = _damage_of_name(path, picture.format or "")
    except UnidentifiedImageError:
        Image.init()
        is_avif = _is_avif(content)
        if is_avif and "AVIF" not in Image.OPEN and not _is_cut_off("AVIF", content):  # browsers know it
            return PictureFacts()
        if is_avif or content.startswith(_BEGIN_SHOWN):
            return PictureFacts(damage=_DAMAGED)
        return PictureFacts(damage=Damage(what="is no picture that browsers know", fix=_OTHER_FORMAT))
    except Exception:  # damaged files raise different errors in each format: OSError, SyntaxError …
        return PictureFacts(damage=_DAMAGED)
    return facts if damage is None else msgspec.structs.replace(facts, damage=damage)


def _damage_at_beginning(content: bytes) -> Damage | None:
    """What the first bytes show of a file that browsers do not show as a picture."""
    if not content.strip(b"\0"):
        what = "holds only zeros" if content else "is empty"
        return Damage(what=what, fix="save it again, or take it from a copy.")
    if content.startswith(_POINTER):
        what = "is a pointer of Git LFS, not the picture"
        return Damage(what=what, fix="run `git lfs pull`, then build again.")
    if len(content) < _LONGEST_POINTER and _ANNEX.match(content):
        what = "is a pointer of git-annex, not the picture"
        return Damage(what=what, fix="run `git annex get` on it, then build again.")
    if _PAGE.match(content[:_LONGEST_POINTER]):
        return Damage(what="is a web page, not a picture", fix="download the picture itself again.")
    kind = next((name for begins, name in _BEGINNINGS if content.startswith(begins)), None)
    if kind is None and content[4:8] == b"ftyp":
        brand = content[8:12]
        kind = _NOT_SHOWN.get(brand) or (None if _is_avif(content) else "film")
    if kind is None:
        return None
    if kind == "film":
        what, fix = "is a film, not a picture", 'write <video src="…" controls></video>.'
        return Damage(what=what, fix=fix)
    if kind == "compressed":
        return Damage(what="is compressed, so that browsers do not show it", fix="unpack it.")
    return _other_format(kind)


def _other_format(kind: str) -> Damage:
    return Damage(what=f"is a {kind} file, which most browsers do not show", fix=_OTHER_FORMAT)


_LONGEST_POINTER = 1024


def is_pointer(content: bytes) -> bool:
    """Whether a file only says where its content is: to Git LFS, or to git-annex."""
    return len(content) < _LONGEST_POINTER and (
        content.startswith(_POINTER) or _ANNEX.match(content) is not None
    )


def may_be_picture(path: str) -> bool:
    """Whether a file is called like a picture, of which `read_picture` says what is wrong."""
    return posixpath.splitext(path)[1][1:].lower() in _ENDINGS


def _read_drawing(path: str, content: bytes) -> PictureFacts:
    try:
        size = read_svg(content)
    except NotSvg as fault:
        return PictureFacts(damage=Damage(what=f"{fault}", fix=fault.fix))
    sides = size.sides or size.box
    width, height = (max(1, round(side)) for side in sides) if sides else (0, 0)
    damage = None if path.lower().endswith(".svg") else _misnamed(path, "SVG", "svg")
    if damage is None and sides is None:
        damage = Damage(what="says no size, so that each browser chooses one", fix=_SAY_SIZE)
    return PictureFacts(width_px=width, height_px=height, is_sized=size.sides is not None, damage=damage)


def _misnamed(path: str, kind: str, ending: str) -> Damage:
    name = f"{posixpath.splitext(posixpath.basename(path))[0]}.{ending}"
    return Damage(
        what=f"holds a picture in the format {kind}", fix=f'rename it to "{name}", here and in articles.'
    )


def _facts(picture: "Image") -> PictureFacts:
    width, height = picture.size
    found = _FORMATS.get(picture.format or "")
    is_plain = picture.mode in ("RGB", "RGBA", "L", "LA", "P", "CMYK") and width * height <= MOST_PIXELS
    moves = picture.format != "MPO" and getattr(picture, "n_frames", 1) > 1
    if found is None or not is_plain or moves:
        return PictureFacts(width_px=width, height_px=height)
    exif = picture.getexif()
    if exif.get(ORIENTATION, 1) >= 5:
        width, height = height, width
    return PictureFacts(
        width_px=width,
        height_px=height,
        format=found,
        has_metadata=bool(exif) or picture.format == "MPO" or any(key in picture.info for key in _METADATA),
    )


def _damage_inside(content: bytes, picture: "Image") -> Damage | None:
    """What is wrong with a picture whose head can be read."""
    width, height = picture.size
    if picture.format not in _SHOWN:
        return _other_format(picture.format or "unknown")
    if width * height > MOST_PIXELS:
        what = f"has {width:,} × {height:,} pixels, more than browsers can show"
        return Damage(what=what, fix="save it smaller: pages show at most 1,360 pixels side by side.")
    if _is_cut_off(picture.format or "", content):
        return Damage(what="is cut off: its end is missing", fix="copy or download it again.")
    return None


def _damage_of_name(path: str, kind: str) -> Damage | None:
    """What is wrong with the name of a picture in this format."""
    ending = posixpath.splitext(path)[1][1:].lower()
    said = _ENDINGS.get(ending)
    actual = "JPEG" if kind == "MPO" else kind
    if kind in _USUAL_ENDINGS and said != actual:  # without an ending, hosts do not say that it is a picture
        return _misnamed(path, actual, _USUAL_ENDINGS[kind])
    return None


def _is_cut_off(kind: str, content: bytes) -> bool:
    """Whether the end of a file is missing, as far as its structure tells."""
    match kind:
        case "JPEG" | "MPO":
            return _is_jpeg_cut_off(content)
        case "PNG":
            return b"IEND" not in content
        case "GIF":
            return _is_gif_cut_off(content)
        case "WEBP":
            return len(content) < int.from_bytes(content[4:8], "little") + 8
        case "AVIF":
            return _is_avif_cut_off(content)
    return False


def _is_avif(content: bytes) -> bool:
    return content[4:8] == b"ftyp" and content[8:12] in (b"avif", b"avis")


def _is_avif_cut_off(content: bytes) -> bool:
    """Whether an AVIF file ends inside one of its boxes."""
    position = 0
    while position < len(content):
        size, of_head = int.from_bytes(content[position : position + 4], "big"), 8
        if size == 1:  # a longer number behind the name of the box
            size, of_head = int.from_bytes(content[position + 8 : position + 16], "big"), 16
        if size == 0:  # up to the end
            return False
        if size < of_head:
            return True
        position += size
    return position > len(content)


_GIF_HEAD, _GIF_COLOURS = 13, 3
_GIF_END, _GIF_EXTENSION, _GIF_IMAGE = 0x3B, 0x21, 0x2C


def _is_gif_cut_off(content: bytes) -> bool:
    """Whether a GIF file ends before its mark for the end, which its blocks may hold, too."""

    def colours(flags: int) -> int:
        return _GIF_COLOURS << (flags & 7) + 1 if flags & 0x80 else 0

    position = _GIF_HEAD + colours(content[_GIF_HEAD - 3])
    while position < len(content):
        match content[position]:
            case kind if kind == _GIF_EXTENSION:
                position += 2
            case kind if kind == _GIF_IMAGE:
                position += 11 + colours(content[position + 9] if position + 9 < len(content) else 0)
            case kind:
                return kind != _GIF_END and not content[position:].strip(b"\0")
        while position < len(content) and (length := content[position]):
            position += 1 + length
        position += 1
    return True


_JPEG_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)


def _is_jpeg_cut_off(content: bytes) -> bool:
    """Whether a JPEG file ends before its mark for the end.

    Its parts are walked: a preview in its head has such a mark, and a film behind it may have any bytes.
    """
    position = 2
    while (marker := _JPEG_MARKER.search(content, position)) is not None:
        if marker[1] == b"\xd9":
            return False
        position = marker.end() + int.from_bytes(content[marker.end() : marker.end() + 2], "big")
    return True
