"""Reads and writes files below `.diglot`: a file is read whole or not at all.

Other programs copy, restore, synchronise and edit a cache, and disks fail. So content is only used if its
digest matches. Pipes are not waited for, links are not followed out of the cache, and anything that is in
the way of a file or folder is removed, because it can be made again.
"""

import os
import shutil
import stat
from pathlib import Path

from diglot.digests import digest_of

SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags that refuse to open a link and do not block on a pipe. Windows has only the last flag."""

_READING = os.O_RDONLY | SAFELY
_MAKING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY


def read_file(path: str | Path) -> bytes | None:
    """The content of an ordinary file; None if there is none or it cannot be read."""
    try:
        number = os.open(path, _READING)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None
        with open(number, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(number)


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file, replacing anything at that path. A kill may leave a partial file: seal the content.

    It is not written under another name first, because a kill would leave that file behind. The existing file
    is not overwritten, because it may be hard-linked to another name.
    """
    make_folder(os.path.dirname(path))
    remove(path)
    with open(os.open(path, _MAKING, 0o666), "wb") as file:
        file.write(content)


def sealed(content: bytes, purpose: str) -> bytes:
    """The content with its digest in front; `purpose` names its use and the circumstances it is valid in."""
    return _seal(content, purpose) + content


def unsealed(content: bytes | None, purpose: str) -> bytes | None:
    """The content that was sealed for this purpose; None if the digest does not match."""
    if content is None:
        return None
    inner = content[_SEAL_BYTES:]
    return inner if content[:_SEAL_BYTES] == _seal(inner, purpose) else None


def _seal(content: bytes, purpose: str) -> bytes:
    return digest_of(f"{digest_of(content)} {purpose}".encode("utf-8", "surrogateescape")).encode() + b"\n"


_SEAL_BYTES = len(_seal(b"", ""))


def remove(path: str | Path) -> None:
    """Remove a file, a folder with its contents, or a link (but not what it points to)."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise
        shutil.rmtree(path)


def make_folder(path: str | Path) -> None:
    """Make a folder if it does not exist; a file or broken link in its place is removed."""
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        remove(path)
        os.makedirs(path, exist_ok=True)


def make_way_for_file(path: str | Path) -> None:
    """Remove a pipe, link or folder that has a file's name: opening it might block or lead elsewhere."""
    try:
        is_file = stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return
    if not is_file:
        remove(path)
