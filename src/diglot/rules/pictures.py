"""Pictures of authors as tasks: measured, and made again in the widths that screens ask for."""

import io
import posixpath
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import FILE, BlobReference, Packs
from diglot.render.assets import FOLDER, hashed_name
from diglot.render.picture_files import ORIENTATION, PictureFacts, read_picture
from diglot.rules.options import CONFIGURATION
from diglot.rules.projects import read_site_settings
from diglot.rules.tasks import Fetch, in_worker, task

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTHS_PX = (400, 800, 1360)
"""A phone's screen; the column of text, or a sharp phone; the column on a sharp screen."""

_LOSSLESS_BYTES = 200_000
"""Up to this size, what was saved without loss stays so: lines and letters in it are sharp."""


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
    chosen = (await fetch(read_site_settings)).pictures
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
    """The size of a picture, so that browsers reserve the space, and what else its head says.

    Warns of one that browsers do not show.
    """
    content = await fetch(FILE, path)
    if content is None:
        return PictureFacts()
    facts = read_picture(path, content)
    if facts.damage is not None:
        fetch.report(_damaged(path, facts.damage.what, facts.damage.fix))
    return facts


def _damaged(path: str, what: str, fix: str) -> Diagnostic:
    return Diagnostic(
        rule="picture-damaged",
        message=f'"{path}" {what}',
        severity="warning",
        location=Location(path=path),
        fix=fix,
    )


@task("picture", bytes)
async def scale_picture(fetch: Fetch, name: PictureId) -> BlobReference:
    """A picture in another width or format, upright and without metadata; the same bytes everywhere.

    Warns of one that cannot be decoded, which is published as it is.
    """
    content = await fetch(FILE, name.path)
    blob, is_whole = await in_worker(fetch, _pack_scaled, content or b"", name.width_px, name.format)
    if not is_whole:
        what = "is damaged: it cannot be decoded, and is published as it is"
        fetch.report(_damaged(name.path, what, "save it again in the program that it comes from."))
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
            # A profile of printing inks means nothing for the colours of a screen.
            profile = whole.info.get("icc_profile") if whole.mode != "CMYK" else None
            turned = whole.getexif().get(ORIENTATION, 1) >= 5
            side = round(width_px * whole.width / whole.height) if turned else width_px
            whole.draft("RGB", (side, side))  # a JPEG is decoded at about the width that is needed
            picture = _in_full_colour(ImageOps.exif_transpose(whole))
            if picture.width != width_px:
                height = max(1, round(width_px * picture.height / picture.width))
                picture = picture.resize((width_px, height), Image.Resampling.LANCZOS, reducing_gap=3)
            return _saved(picture, kind, profile, is_lossless=is_lossless)
    except Exception:  # damaged files raise different errors in each format; the task reports it
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
