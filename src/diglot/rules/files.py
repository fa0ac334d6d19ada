"""Files that are published unchanged."""

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import FILE
from diglot.invariants import certain
from diglot.render.picture_files import is_pointer, may_be_picture
from diglot.rules.tasks import Fetch, task

STATIC = "site/static"
"""Folder of the files that are published unchanged, at the site's root."""


@task("copy")
async def copy_file(fetch: Fetch, path: str) -> bytes:
    """The content of a project's file, to be published unchanged."""
    content = certain(await fetch(FILE, path), f"{path} was asked for and is not there")
    if is_pointer(content) and not may_be_picture(path):
        message = f'"{path}" is a pointer of Git LFS or git-annex, not the file'
        fix = "run `git lfs pull` or `git annex get`, then build again."
        fetch.report(
            Diagnostic(
                rule="file-pointer",
                message=message,
                severity="warning",
                location=Location(path=path),
                fix=fix,
            )
        )
    return content


@task("no-jekyll")
async def write_no_jekyll(_fetch: Fetch, _name: None) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""
