"""From an address to a file of the output, and to nothing else on the disk."""

import mimetypes
import os
from pathlib import Path

# The standard library's own table, without what the machine it runs on adds to it: a preview must not
# depend on /etc/mime.types or a registry.
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
    """The file or folder of the output behind a path of an address, decoded and relative to the output.

    None where there is none, and for whatever lies outside of the output (links are followed to see) or is
    hidden, as the mark of the output and a `.git` folder are.
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
    except (OSError, ValueError, RuntimeError):  # too long a name, a loop of links
        return None
    return found if inside else None


def media_type(path: str | os.PathLike[str]) -> str:
    """What kind of content a file of this name holds."""
    guessed, encoding = _TYPES.guess_type(os.fspath(path), strict=True)
    return guessed if guessed and not encoding else "application/octet-stream"
