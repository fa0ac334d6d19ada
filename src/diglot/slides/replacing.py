"""Puts a changed file into the place of the old one, in one step, with a copy of the old one next to it."""

import os
import shutil
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import BinaryIO

from diglot.slides.mistakes import changed_meanwhile, locked, read_only


def check_writable(path: Path) -> None:
    """Raise DiagnosticError if a file is read-only, or open in PowerPoint or LibreOffice."""
    for lock in (f"~${path.name}", f".~lock.{path.name}#"):
        if (path.parent / lock).exists():
            raise locked(path, lock)
    # For the sake of root and of folders that can be written, in which a read-only file could be replaced.
    if not path.stat().st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise read_only(path)


def stamp(path: Path) -> tuple[int, int, int]:
    """What differs if another program writes a file: its inode, size and time."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def replace_file(
    path: Path, write: Callable[[BinaryIO], None], *, read_at: tuple[int, int, int], backup: bool
) -> Path | None:
    """Write a file next to the old one, then exchange them. Returns the path of the backup.

    However this is interrupted, the old or the new file is there, whole. `read_at` is the stamp of the old
    file when it was read.
    """
    path = path.resolve()
    beside = path.with_name(f".diglot-{os.getpid()}.tmp")
    try:
        with beside.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, beside)
        check_writable(path)
        if stamp(path) != read_at:
            raise changed_meanwhile(path)
        saved = _back_up(path) if backup else None
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return saved


def _back_up(path: Path) -> Path:
    """Copy a file to the first free name: `talk.pptx.bak`, `talk.pptx.bak2`."""
    for number in count(1):
        saved = path.with_name(f"{path.name}.bak{'' if number == 1 else number}")
        try:
            with path.open("rb") as old, saved.open("xb") as new:
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
        except FileExistsError:
            continue
        shutil.copystat(path, saved)
        return saved
    raise AssertionError("numbers do not end")
