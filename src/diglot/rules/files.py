"""Files that are published unchanged."""

from collections.abc import Mapping

from diglot.diagnostics import Diagnostic, Location, shortened
from diglot.engine import FILE
from diglot.invariants import certain
from diglot.render.picture_files import is_pointer, may_be_picture
from diglot.rules.tasks import Fetch, task

STATIC = "site/static"
"""Folder of the files that are published unchanged, at the site's root."""


_BEGINNINGS: Mapping[str, tuple[bytes, ...]] = {
    "pdf": (b"%PDF", b"\xef\xbb\xbf%PDF"),
    **dict.fromkeys(("zip", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub"), (b"PK",)),
    **dict.fromkeys(("gz", "tgz"), (b"\x1f\x8b",)),
    "woff": (b"wOFF",),
    "woff2": (b"wOF2",),
    "webm": (b"\x1aE\xdf\xa3",),
    "ico": (b"\0\0\1\0", b"\x89PNG"),
}
"""How files with these endings begin."""


@task("copy")
async def copy_file(fetch: Fetch, path: str) -> bytes:
    """The content of a project's file, to be published unchanged; warns where it is not what it is called."""
    content = certain(await fetch(FILE, path), f"{path} was asked for and is not there")
    ending = path.rpartition(".")[2].lower()
    begins = _BEGINNINGS.get(ending)
    if is_pointer(content) and not may_be_picture(path):
        message = f'"{path}" is a pointer of Git LFS or git-annex, not the file'
        fix = "run `git lfs pull` or `git annex get`, then build again."
        fetch.report(_warning("file-pointer", path, message, fix))
    elif begins is not None and not content.lstrip(b" \r\n\t").startswith(begins):
        first = shortened(content[:200].decode("utf-8", "replace").strip().partition("\n")[0], 40)
        what = f'begins with "{first}"' if first.isprintable() and first else "begins otherwise, or is empty"
        message = f'"{path}" is not in the format of .{ending} files: it {what}'
        fetch.report(_warning("file-format", path, message, "download it again, or save it again."))
    return content


def _warning(rule: str, path: str, message: str, fix: str) -> Diagnostic:
    return Diagnostic(rule=rule, message=message, severity="warning", location=Location(path=path), fix=fix)


@task("no-jekyll")
async def write_no_jekyll(_fetch: Fetch, _name: None) -> bytes:
    """An empty file: `.nojekyll` keeps GitHub Pages from running its own generator over the site."""
    return b""
