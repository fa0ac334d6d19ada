"""Digests of content, shared by the engine, the workers and published file names."""

import hashlib
import os
import stat
from collections.abc import Iterable

ABSENT = "absent"
"""The digest of a missing file, so that creating it counts as a change."""

BYTECODE = "__pycache__"
"""The folder in which Python keeps compiled modules; no part of a listing."""


def digest_of(content: bytes) -> str:
    """128 bits of SHA-256 in hex. Most processors have instructions for SHA-256."""
    return hashlib.sha256(content).hexdigest()[:32]


def digest_of_names(names: Iterable[str]) -> str:
    """The digest of a folder's listing, independent of the order of names.

    Without `BYTECODE`: Python creates it when anything else imports a module from the folder.
    """
    return digest_of("\n".join(sorted(name for name in names if name != BYTECODE)).encode())


def digest_of_entry(path: str) -> str:
    """The digest of what is at a path: its kind (file, folder, link and its target) and its permissions.

    Content, times, owner and size are not included.
    """
    try:
        found = _kind_of(os.lstat(path))
        if found.startswith("link"):
            found = f"link to {os.readlink(path)}, {_kind_behind(path)}"
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        found = "out of reach"
    return digest_of(found.encode("utf-8", "surrogateescape"))


def _kind_behind(link: str) -> str:
    try:
        return _kind_of(os.stat(link))
    except OSError:
        return "nothing"


def _kind_of(status: os.stat_result) -> str:
    mode = status.st_mode
    if stat.S_ISLNK(mode):
        return "link"
    kind = "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "something else"
    return f"{kind} {stat.S_IMODE(mode):o}"
