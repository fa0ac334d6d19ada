"""The mark of an output folder: it says that the folder is diglot's, and which files in it are.

It holds each published path as a digest. So diglot recognises its files even if the cache was deleted,
readers of the mark on a host do not learn of files that no page links to, and a manipulated mark cannot name
a file outside of the folder.
"""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec

from diglot.digests import digest_of
from diglot.output_paths import MARK

_HEAD = b"Made by diglot, which removes no files from this folder but those whose paths have a digest here.\n"
_DIGEST = re.compile(rb"^[0-9a-f]{20}$", re.MULTILINE)


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a mark."""

    digests: frozenset[bytes]
    is_listing: bool
    """False for the mark of an older diglot, which does not list files."""
    content: bytes
    names_all: bool = False
    """True for a folder in which everything is diglot's."""

    def names(self, path: str) -> bool:
        """Whether a path was published."""
        return self.names_all or _digest(path) in self.digests


def mark_of(paths: Iterable[str]) -> bytes:
    """The mark for a folder that holds these files; the same files always give the same bytes."""
    return _HEAD + b"\n".join([*sorted(map(_digest, paths)), b""])


def read_mark(output: Path) -> Mark | None:
    """The mark of a folder; None if it has none, or if the mark is a link."""
    try:
        file = os.open(f"{output}/{MARK}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        if os.path.islink(f"{output}/{MARK}"):
            return None
        raise
    with open(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return None
        content = opened.read()
    return Mark(
        digests=frozenset(_DIGEST.findall(content)),
        is_listing=content.startswith(_HEAD),
        content=content,
    )


def is_marked(output: Path) -> bool:
    """Whether a folder has a mark."""
    try:
        return stat.S_ISREG(os.lstat(f"{output}/{MARK}").st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _digest(path: str) -> bytes:
    return digest_of(os.fsencode(path))[:20].encode()
