"""Sites that can be opened from files: pages with relative addresses, and data as scripts."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from diglot.engine import BlobReference, Key, Packs, Target
from diglot.render import relative_pages
from diglot.render.relative_pages import SCRIPT_PATH, data_script, relative_page
from diglot.rules.figures import write_answers
from diglot.rules.files import copy_file
from diglot.rules.frames import make_following_values, make_frames, make_slide_frames
from diglot.rules.gallery import write_tables
from diglot.rules.hardware import write_chip_data
from diglot.rules.ids import FileId
from diglot.rules.manifest import OutputFile
from diglot.rules.pages import make_not_found_page
from diglot.rules.projects import read_site_settings
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.traditional import original_of
from diglot.rules.values import write_values

_FETCHED = frozenset(
    one.kind
    for one in (
        *(make_frames, make_slide_frames, make_following_values, write_answers, write_tables),
        *(write_chip_data, write_values),
    )
)
"""Kinds of files that scripts of pages fetch."""


def relative_files(outputs: Iterable[OutputFile]) -> Mapping[str, Key]:
    """What a site that can be opened from files has instead of its pages, and in addition, by output path.

    Pages for unknown addresses stay as they are: hosts show them at any depth. So do an author's own files.
    """
    wanted = {SCRIPT_PATH: write_files_script.key(None)}
    for one in outputs:
        kind = original_of(one.key).kind
        if kind in _FETCHED:
            wanted[f"{one.path}.js"] = make_data_script.key(FileId(quote(one.path), one.kind, one.name))
        elif one.path.endswith(".html") and kind not in (make_not_found_page.kind, copy_file.kind):
            wanted[one.path] = make_relative_page.key(FileId(quote(one.path), one.kind, one.name))
    return wanted


@task("relative-page", bytes)
async def make_relative_page(fetch: Fetch, page: FileId) -> BlobReference:
    """A page with relative addresses."""
    original: Target[str, bytes] = Target(page.kind)
    content = await fetch(original, page.name)
    base_url = (await fetch(read_site_settings)).base_url
    return await in_worker(fetch, _relative, content, page.path, base_url)


@task("data-script")
async def make_data_script(fetch: Fetch, data: FileId) -> bytes:
    """Data that a page fetches, as a script."""
    original: Target[str, bytes] = Target(data.kind)
    return data_script(await fetch(original, data.name))


@task("files-script")
async def write_files_script(_fetch: Fetch, _name: None) -> bytes:
    """The script with which pages that were opened from files read data."""
    return Path(relative_pages.__file__).with_name("files.js").read_bytes()


def _relative(packs: Packs, content: bytes, page: str, base_url: str) -> BlobReference:
    return packs.add(relative_page(content.decode(), page, base_url).encode())
