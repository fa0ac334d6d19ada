"""Files that are published unchanged."""

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
