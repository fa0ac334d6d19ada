"""Files that are published as they are."""

import io
import warnings
from collections.abc import Mapping

from diglot.engine import Fetch
from diglot.invariants import certain
from diglot.rules.tasks import Setting, Task


def tasks(_setting: Setting) -> Mapping[str, Task]:
    """Files that are published as they are, and what is known of them."""
    return {
        "copy": Task(copy, bytes),
        "picture-size": Task(measure_picture, tuple[int, int]),
        "no-jekyll": Task(nothing, bytes),
    }


async def copy(fetch: Fetch, path: str) -> bytes:
    """A file of the project, for the output folder."""
    content: bytes | None = await fetch("file", path)
    return certain(content, f"{path} was asked for and is not there")


async def nothing(_fetch: Fetch, _name: str) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""


async def measure_picture(fetch: Fetch, path: str) -> tuple[int, int]:
    """Width and height in pixels, for the browser to keep the place free; (0, 0) where they are not known."""
    content: bytes | None = await fetch("file", path)
    if content is None or path.endswith(".svg"):
        return 0, 0
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # of the pixels none are read, however many there are
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
            return picture.size
    except Exception:  # damaged files have each of its formats raise something else: OSError, SyntaxError …
        return 0, 0
