"""Files that are published unchanged, and the sizes of pictures."""

import io
import warnings

from diglot.engine import FILE
from diglot.invariants import certain
from diglot.rules.tasks import Fetch, task

STATIC = "site/static"
"""Folder of the files that are published unchanged, at the site's root."""


@task("copy")
async def copy_file(fetch: Fetch, path: str) -> bytes:
    """The content of a project's file, to be published unchanged."""
    content = await fetch(FILE, path)
    return certain(content, f"{path} was asked for and is not there")


@task("no-jekyll")
async def write_no_jekyll(_fetch: Fetch, _name: None) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""


@task("picture-size")
async def measure_picture(fetch: Fetch, path: str) -> tuple[int, int]:
    """Width and height in pixels, so that browsers reserve the space; (0, 0) if they are unknown."""
    content = await fetch(FILE, path)
    if content is None or path.endswith(".svg"):
        return 0, 0
    from PIL import Image  # noqa: PLC0415  (only pictures need it)

    Image.MAX_IMAGE_PIXELS = None  # no limit, because pixels are never decoded
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
            return picture.size
    except Exception:  # damaged files raise different errors in each format: OSError, SyntaxError …
        return 0, 0
