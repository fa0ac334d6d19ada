"""Files that are published as they are."""

import io

from diglot.engine import Fetch


async def copy(fetch: Fetch, path: str) -> bytes:
    """A file of the project, for the output folder."""
    content: bytes | None = await fetch("file", path)
    assert content is not None, f"{path} was asked for and is not there"
    return content


async def nothing(_fetch: Fetch, _name: str) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""


async def measure_picture(fetch: Fetch, path: str) -> tuple[int, int]:
    """Width and height in pixels, for the browser to keep the place free; (0, 0) where they are not known."""
    content: bytes | None = await fetch("file", path)
    if content is None or path.endswith(".svg"):
        return 0, 0
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.size
    except UnidentifiedImageError:
        return 0, 0
