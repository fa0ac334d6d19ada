"""The library's YAML files and their reader: line numbers, typed access, collected errors."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent
"""Folder of the YAML files."""
DATA_EDITION = "2026-11-28"
"""Day on which the measured data sets, or what is fitted to them, last changed; answers name it."""
_kept: dict[Path, tuple[tuple[int, ...], str]] = {}
"""The last text of each of them, and how its file could be told from a changed one."""


def read_text(path: Path) -> str:
    """A file in UTF-8 with plain line ends. As bytes: Python reads text files several times as slowly.

    The file is opened at every call, so that an observer of file access sees it as a dependency. One of the
    library's own is read again only if it has changed: models ask for a chip by its name thousands of times,
    and to decode and to compare 100 KB took a third of their time.
    """
    with open(path, "rb") as file:
        if path.parent != FOLDER:
            return _text_in(file.read())
        status = os.fstat(file.fileno())
        stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        if path not in _kept or _kept[path][0] != stamp:
            _kept[path] = stamp, _text_in(file.read())
        return _kept[path][1]


def _text_in(content: bytes) -> str:
    text = content.decode()
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
