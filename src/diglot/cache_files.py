"""Files below `.diglot`: read whole or not at all, whatever may have become of them.

A cache is copied, restored, synchronised and edited by other programs, and disks fail. So nothing in it is
believed that is not under a digest; what is no file is not waited for (a pipe), and not followed out of the
cache (a link); and what stands in the way of a file or a folder is removed, for it can be made again.
"""

import os
import shutil
import stat
from pathlib import Path

from diglot.digests import digest_of

SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opens no link, and waits for nobody at the other end of a pipe. Windows has the last flag alone."""

_READING = os.O_RDONLY | SAFELY
_MAKING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY


def read_file(path: str | Path) -> bytes | None:
    """What an ordinary file holds; None where there is none, or it cannot be read."""
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
    """Put a file in place of whatever is there. A kill may leave a part of it: the content is to be sealed.

    Not written aside, which a kill would leave behind; nor into the file there, which may have another name.
    """
    make_folder(os.path.dirname(path))
    remove(path)
    with open(os.open(path, _MAKING, 0o666), "wb") as file:
        file.write(content)


def sealed(content: bytes, purpose: str) -> bytes:
    """The content with its digest in front; `purpose` says what it is for, and in which circumstances."""
    return _seal(content, purpose) + content


def unsealed(content: bytes | None, purpose: str) -> bytes | None:
    """What was sealed for this purpose; None for anything else."""
    if content is None:
        return None
    inner = content[_SEAL_BYTES:]
    return inner if content[:_SEAL_BYTES] == _seal(inner, purpose) else None


def _seal(content: bytes, purpose: str) -> bytes:
    return digest_of(f"{digest_of(content)} {purpose}".encode("utf-8", "surrogateescape")).encode() + b"\n"


_SEAL_BYTES = len(_seal(b"", ""))


def remove(path: str | Path) -> None:
    """Remove whatever has this name: of a link, not what it leads to."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise
        shutil.rmtree(path)


def make_folder(path: str | Path) -> None:
    """See to it that there is a folder, and no file or broken link in its place."""
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        remove(path)
        os.makedirs(path, exist_ok=True)


def make_way_for_file(path: str | Path) -> None:
    """Remove what has a file's name and is no ordinary file: to open it might wait, or lead elsewhere."""
    try:
        is_file = stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return
    if not is_file:
        remove(path)
