"""SQLite files of a cache: damage is detected, and a damaged file is removed as a whole.

SQLite notices broken trees but not a changed byte in a row. So each row has a checksum column of its own:
`check_of` of all its other columns.
"""

import marshal
import os
import shutil
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

from diglot.cache_files import make_way_for_file, remove

_BESIDE = ("", "-journal", "-wal", "-shm")
"""Suffixes of the files that belong to a database."""

_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_ERROR,  # for example, no such table
        sqlite3.SQLITE_INTERNAL,
        sqlite3.SQLITE_READONLY,  # if it cannot be removed either, that is reported then
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_NOTADB,
    }
)


class RowDamaged(sqlite3.DatabaseError):
    """A row differs from what was written."""


def check_of(*columns: str | bytes | float | None) -> int:
    """A checksum of a row's columns: changing any single bit changes it."""
    # The oldest format of marshal, because newer ones may write the same value in several ways.
    return zlib.crc32(marshal.dumps(columns, 0))


def make_way(path: Path) -> None:
    """Remove anything that is no ordinary file under the names of a database and its side files.

    A file that has another hard link, for example in a backup, is replaced by a copy, because SQLite would
    write into both.
    """
    for ending in _BESIDE:
        name = f"{path}{ending}"
        make_way_for_file(name)
        with suppress(FileNotFoundError):
            if os.lstat(name).st_nlink > 1:
                shutil.copyfile(name, f"{name}-copy")
                os.replace(f"{name}-copy", name)


def throw_away(path: Path) -> None:
    """Remove a database with its side files."""
    for ending in _BESIDE:
        remove(f"{path}{ending}")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file's content is at fault, and not the machine (full disk, file in use)."""
    # Errors that Python itself raises, for example for text that is not UTF-8, have no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGE
