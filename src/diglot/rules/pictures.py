"""Pictures of authors as tasks: measured, and made again in the widths that screens ask for."""

import io
import posixpath
import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import FILE, BlobReference, Packs
from diglot.render.assets import FOLDER, hashed_name
from diglot.rules.options import CONFIGURATION
from diglot.rules.projects import read_project
from diglot.rules.tasks import Fetch, in_worker, task

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTHS_PX = (400, 800, 1360)
"""A phone's screen; the column of text, or a sharp phone; the column on a sharp screen."""

_MOST_PIXELS = 200_000_000
"""Larger pictures are published as they are: to decode them takes a gigabyte."""

_FORMATS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}
_LOSSLESS_BYTES = 200_000
"""Up to this size, what was saved without loss stays so: lines and letters in it are sharp."""


class PictureFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a picture without decoding it."""

    width_px: int = 0
    """As it is shown: cameras store some pictures lying on their side. 0 if it is not known."""
    height_px: int = 0
    format: Literal["", "jpg", "png", "webp"] = ""
    """Empty for one that stays as it is: a drawing, a moving one, one of another kind."""
    has_metadata: bool = False
    """Whether it holds what only its photographer should know, such as the place."""


class PictureId(NamedTuple):
    """A picture in another width or format: `800 webp content/posts/x/a.jpg`."""

    width_px: int
    format: str
    path: str

    def __str__(self) -> str:
        return f"{self.width_px} {self.format} {self.path}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        width, kind, path = text.split(" ", 2)
        return cls(int(width), kind, path)

    def published(self, digest: str) -> str:
        """Its path from the site's root; the digest is that of the whole picture."""
        stem = posixpath.splitext(self.path.removeprefix("content/").removeprefix("site/"))[0]
        ending = posixpath.splitext(self.path)[1].removeprefix(".")  # of a.jpg and a.png, as of two pictures
        name = f"{stem}-{ending}-{self.width_px}.{self.format}"
        return f"{FOLDER}/{hashed_name(name, digest)}"


@task("picture-format")
async def read_picture_format(fetch: Fetch, _name: None) -> str:
    """The format of pictures in several widths: a slice of the configuration. Empty where there are none."""
    chosen = (await fetch(read_project)).pictures
    if chosen == "none":
        return ""
    from PIL import features  # noqa: PLC0415  (only pictures need it)

    if not features.check(chosen):
        raise DiagnosticError(
            Diagnostic(
                rule="pictures-extra",
                message=f'this machine cannot write "{chosen}" pictures',
                location=Location(path=await fetch(CONFIGURATION)),
                fix="pip install 'diglot[pictures]', or choose another format with `pictures:`.",
            )
        )
    return chosen


@task("picture-size")
async def measure_picture(fetch: Fetch, path: str) -> PictureFacts:
    """The size of a picture, so that browsers reserve the space, and what else its head says."""
    content = await fetch(FILE, path)
    if content is None or path.endswith(".svg"):
        return PictureFacts()
    from PIL import Image  # noqa: PLC0415  (only pictures need it)

    Image.MAX_IMAGE_PIXELS = None  # no limit, because pixels are not decoded here
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
            return _facts(picture)
    except Exception:  # damaged files raise different errors in each format: OSError, SyntaxError …
        return PictureFacts()


def _facts(picture: "Image") -> PictureFacts:
    width, height = picture.size
    found = _FORMATS.get(picture.format or "", "")
    is_plain = picture.mode in ("RGB", "RGBA", "L", "LA", "P", "CMYK") and width * height <= _MOST_PIXELS
    if not found or not is_plain or getattr(picture, "n_frames", 1) > 1:
        return PictureFacts(width_px=width, height_px=height)
    exif = picture.getexif()
    if exif.get(_ORIENTATION, 1) >= 5:
        width, height = height, width
    return PictureFacts(
        width_px=width,
        height_px=height,
        format="jpg" if found == "jpg" else "png" if found == "png" else "webp",
        has_metadata=bool(exif) or any(key in picture.info for key in _METADATA),
    )


_ORIENTATION = 0x0112
_METADATA = ("exif", "xmp", "XML:com.adobe.xmp", "photoshop", "comment")


@task("picture", bytes)
async def scale_picture(fetch: Fetch, name: PictureId) -> BlobReference:
    """A picture in another width or format, upright and without metadata; the same bytes everywhere.

    Warns of one that cannot be decoded, which is published as it is.
    """
    content = await fetch(FILE, name.path)
    blob, is_whole = await in_worker(fetch, _pack_scaled, content or b"", name.width_px, name.format)
    if not is_whole:
        fetch.report(
            Diagnostic(
                rule="picture-damaged",
                message=f'"{name.path}" is damaged, and published as it is',
                severity="warning",
                location=Location(path=name.path),
                fix="save it again in the program that it comes from.",
            )
        )
    return blob


def _pack_scaled(packs: Packs, content: bytes, width_px: int, kind: str) -> tuple[BlobReference, bool]:
    scaled = scaled_picture(content, width_px, kind)
    return packs.add(content if scaled is None else scaled), scaled is not None


def scaled_picture(content: bytes, width_px: int, kind: str) -> bytes | None:
    """The picture as a file of this kind and width, the same bytes each time; `None` where it is broken."""
    from PIL import Image, ImageOps  # noqa: PLC0415  (only pictures need it)

    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as whole:
            is_lossless = whole.format == "PNG"
            profile = whole.info.get("icc_profile")
            turned = whole.getexif().get(_ORIENTATION, 1) >= 5
            side = round(width_px * whole.width / whole.height) if turned else width_px
            whole.draft("RGB", (side, side))  # a JPEG is decoded at about the width that is needed
            picture = _in_full_colour(ImageOps.exif_transpose(whole))
            if picture.width != width_px:
                height = max(1, round(width_px * picture.height / picture.width))
                picture = picture.resize((width_px, height), Image.Resampling.LANCZOS, reducing_gap=3)
            return _saved(picture, kind, profile, is_lossless=is_lossless)
    except Exception:  # as above
        return None


def _in_full_colour(picture: "Image") -> "Image":
    if picture.mode in ("P", "LA"):
        return picture.convert("RGBA" if picture.mode == "LA" or "transparency" in picture.info else "RGB")
    return picture.convert("RGB") if picture.mode == "CMYK" else picture


def _saved(picture: "Image", kind: str, profile: bytes | None, *, is_lossless: bool) -> bytes:
    """The picture as a file with nothing but its pixels and what their colours mean."""
    picture.info.clear()
    colours: dict[str, Any] = {"icc_profile": profile} if profile else {}

    def save(**settings: Any) -> bytes:
        file = io.BytesIO()
        picture.save(file, {"jpg": "JPEG"}.get(kind, kind.upper()), **colours, **settings)
        return file.getvalue()

    match kind:
        case "jpg":
            return save(quality=84, optimize=True, progressive=True)
        case "png":
            return save(optimize=True)
        case "avif":
            return save(quality=80 if is_lossless else 62, speed=8, max_threads=1)
    sharp = save(lossless=True, quality=60, method=3) if is_lossless else b""
    return sharp if sharp and len(sharp) <= _LOSSLESS_BYTES else save(quality=82, method=2)
