"""Finds the file of the output for an address, and nothing else on the disk."""

import mimetypes
import os
from pathlib import Path

# The standard library's own table without the machine's additions: a preview must not depend on
# /etc/mime.types or a registry.
_TYPES = mimetypes.MimeTypes(filenames=())
for _ending, _type in {
    ".avif": "image/avif",
    ".csv": "text/csv",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}.items():
    _TYPES.add_type(_type, _ending)

_SHOWN_DOT_NAMES = {"", ".well-known"}


def find_file(output: Path, path: str) -> Path | None:
    """The file or folder of the output at a decoded path, relative to the output.

    None if there is none, if it lies outside of the output (links are resolved), or if it is hidden, like the
    output's mark and a `.git` folder.
    """
    names = path.split("/")
    if path.startswith("/") or any(c in path for c in "\\\0"):
        return None
    if any(name.startswith(".") and name not in _SHOWN_DOT_NAMES for name in names):
        return None
    try:
        top = output.resolve()
        found = (top / path).resolve()
        inside = found.is_relative_to(top) and found.exists()
    except (OSError, ValueError, RuntimeError):  # too long a name, or a loop of links
        return None
    return found if inside else None


def media_type(path: str | os.PathLike[str]) -> str:
    """The media type for a file name."""
    guessed, encoding = _TYPES.guess_type(os.fspath(path), strict=True)
    return guessed if guessed and not encoding else "application/octet-stream"
