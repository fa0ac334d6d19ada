"""SQLite files of a cache: told when they are damaged, and then removed whole.

SQLite notices that its trees do not hang together, and nothing else: a changed letter in a row is read as it
stands. So each row that is believed has a check of its own, `check_of` all its other columns.
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
"""What belongs to a database, as endings of its name."""

_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_ERROR,  # no such table
        sqlite3.SQLITE_INTERNAL,
        sqlite3.SQLITE_READONLY,  # what keeps it from being removed, too, is told then
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_NOTADB,
    }
)


class RowDamaged(sqlite3.DatabaseError):
    """A row is not what was written."""


def check_of(*columns: str | bytes | float | None) -> int:
    """A number that tells whether a row is whole: any one changed bit makes another."""
    # The oldest format of marshal: the newer ones write the same value in several ways.
    return zlib.crc32(marshal.dumps(columns, 0))


def make_way(path: Path) -> None:
    """Remove what is no file where a database is to be opened, or what belongs to it.

    A file that has another name as well, for example in a backup made of hard links, is replaced by a copy:
    SQLite would write into both.
    """
    for ending in _BESIDE:
        name = f"{path}{ending}"
        make_way_for_file(name)
        with suppress(FileNotFoundError):
            if os.lstat(name).st_nlink > 1:
                shutil.copyfile(name, f"{name}-copy")
                os.replace(f"{name}-copy", name)


def throw_away(path: Path) -> None:
    """Remove a database."""
    for ending in _BESIDE:
        remove(f"{path}{ending}")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the trouble is with what is in the file, not with the machine (a full disk, a file in use)."""
    # Python's own complaints, such as of text that is no UTF-8, have no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGE
