"""Files that are published as they are."""

import io
import warnings

from diglot.engine import FILE
from diglot.invariants import certain
from diglot.rules.tasks import Fetch, task


@task("copy")
async def copy_file(fetch: Fetch, path: str) -> bytes:
    """A file of the project, for the output folder."""
    content = await fetch(FILE, path)
    return certain(content, f"{path} was asked for and is not there")


@task("no-jekyll")
async def write_no_jekyll(_fetch: Fetch, _name: None) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""


@task("picture-size")
async def measure_picture(fetch: Fetch, path: str) -> tuple[int, int]:
    """Width and height in pixels, for the browser to keep the place free; (0, 0) where they are not known."""
    content = await fetch(FILE, path)
    if content is None or path.endswith(".svg"):
        return 0, 0
    from PIL import Image  # noqa: PLC0415  (only pictures need it)

    Image.MAX_IMAGE_PIXELS = None  # of the pixels none are read, however many there are
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(content)) as picture:
            return picture.size
    except Exception:  # damaged files have each of its formats raise something else: OSError, SyntaxError …
        return 0, 0
