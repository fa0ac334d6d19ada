"""The SQLite file of a store: opens it, detects damage, and throws it away if it is damaged."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from diglot.cache_files import SAFELY, make_folder
from diglot.databases import RowDamaged, check_of, is_damage, make_way, throw_away
from diglot.diagnostics import Diagnostic
from diglot.engine.lock import locked

VERSION = 11
"""Increased whenever the tables or the format of their content change."""

APPLICATION_ID = 0x6469676C  # "digl"

CACHE_KIB = 4_096
CHECKPOINT_PAGES = 8_192
"""SQLite's page cache (default 2 MiB), and after how many 4 KiB pages in its log it updates the file (default
1,000). Both are above the default because a clean build writes to most pages again and again."""

# Rows of traces have up to 1 KB: without row ids, many would take a page of their own, and each would dirty
# pages all over the file. With row ids, new rows are side by side at its end.
_SCHEMA = f"""
CREATE TABLE traces (
  kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, dependencies TEXT NOT NULL,
  digest TEXT NOT NULL, diagnostics TEXT, whole INTEGER NOT NULL,
  reason TEXT NOT NULL, reason_kind TEXT, reason_name TEXT, old TEXT, new TEXT,
  seconds REAL NOT NULL, finished_at REAL NOT NULL, whole_run INTEGER NOT NULL,
  PRIMARY KEY (kind, name));
CREATE TABLE objects (digest TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE blobs (
  digest TEXT PRIMARY KEY, pack TEXT NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL,
  whole INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE stamps (
  path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
  inode INTEGER NOT NULL, digest TEXT NOT NULL, whole INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE snapshots (
  name TEXT NOT NULL, part INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (name, part));
CREATE TABLE overtaken (
  snapshot TEXT NOT NULL, number INTEGER NOT NULL, keys BLOB NOT NULL, whole INTEGER NOT NULL,
  PRIMARY KEY (snapshot, number)) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

_TUNING = f"""
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = {-CACHE_KIB};
PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
"""

_HEAD_BYTES = 100
"""Size of the header of an SQLite database; the version is at byte 60, the application at 68."""

Row: TypeAlias = Sequence[str | bytes | float | None]
_Result = TypeVar("_Result")


class StoreDiscarded(BaseException):
    """The store was thrown away while a build relied on it; the build has to start again.

    Not an Exception, because code that treats any Exception as a failure of a task would catch it.
    """


class Database:
    """The tables of a store. Their content can be made again, so damage costs only time."""

    def __init__(self, folder: Path, *, discarded: Callable[[], None]) -> None:
        """Open the database in a folder, or create it. `discarded` is called after it is thrown away."""
        self._folder = folder
        self._file = folder / "store.sqlite"
        self._discarded = discarded
        self._notices: tuple[Diagnostic, ...] = ()
        self._is_relied_on = False
        make_folder(folder)
        self._connection = self._open()

    def close(self) -> None:
        """Close the file; uncommitted changes are lost."""
        self._connection.close()

    def take_notices(self) -> tuple[Diagnostic, ...]:
        """A warning if the database had to be thrown away since the last call."""
        notices, self._notices = self._notices, ()
        return notices

    @property
    def was_discarded(self) -> bool:
        """Whether `take_notices` would return a warning."""
        return bool(self._notices)

    @contextmanager
    def relied_on(self) -> Iterator[None]:
        """A context in which a build relies on the content: damage raises StoreDiscarded."""
        self._is_relied_on = True
        try:
            yield
        finally:
            self._is_relied_on = False

    def rows(self, query: str, values: Row = ()) -> list[Any]:
        """The rows of a query. Call this and `checked_rows` only from work given to `guarded`."""
        return self._connection.execute(query, values).fetchall()

    def checked_rows(self, query: str, values: Row = ()) -> list[Any]:
        """The rows of a query whose last column is a checksum of the others. Raises RowDamaged."""
        rows = self.rows(query, values)
        for row in rows:
            if check_of(*row[:-1]) != row[-1]:
                raise RowDamaged(f"a row of {query} is not what was written")
        return rows

    def write(self, statement: str, rows: Sequence[Row]) -> None:
        """Execute a statement for each row, in the current transaction or a new one."""

        def write() -> None:
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)

        self.guarded(write)

    def commit(self) -> None:
        """Commit the current transaction, if there is one."""

        def commit() -> None:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

        self.guarded(commit)

    def shrink(self) -> None:
        """Give unused space back to the file system."""
        self.guarded(lambda: self._connection.execute("VACUUM"))
        self.guarded(lambda: self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"))

    def guarded(self, work: Callable[[], _Result]) -> _Result:
        """Do some work; if it finds the database damaged, throw the database away and do the work again.

        While a build relies on the database, damage raises StoreDiscarded instead. Raises OSError if the
        database cannot be used for another reason.
        """
        try:
            return work()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise self.unusable(error) from error
            if self._is_relied_on:
                self.discard()
                raise StoreDiscarded from error
        self.discard()
        try:
            return work()
        except sqlite3.DatabaseError as error:
            raise self.unusable(error) from error

    def discard(self, trouble: str = "is damaged") -> None:
        """Throw everything away and continue with empty tables."""
        self._connection.close()
        with locked(self._folder / "store.lock", waiting=lambda _: None):
            self._throw_away(trouble)
        self._connection = self._open()

    def unusable(self, error: Exception | str) -> OSError:
        """The error for a problem of the machine, such as a full disk or a folder that is not writable."""
        return OSError(errno.EIO, f"the cache cannot be used ({error})", str(self._file))

    def _open(self) -> sqlite3.Connection:
        """A connection to the store in the folder, which is created if there is none that can be used."""
        # Without the lock, only a finished store is opened: opening an empty database would delete the
        # journal of another process that is just creating the store.
        if self._is_made():
            connection, _ = self._look()
            if connection is not None:
                return connection
        with locked(self._folder / "store.lock", waiting=lambda _: None):
            connection, trouble = self._look()  # again: another process may have created it meanwhile
            if connection is not None:
                return connection
            if trouble:
                self._throw_away(trouble)
            throw_away(self._file)  # a half-created file, or the log of a removed one, may be left
            self._create()
        return self._open()

    def _is_made(self) -> bool:
        """Whether the file has the header of a store of this version, which is written last."""
        try:
            number = os.open(self._file, os.O_RDONLY | SAFELY)
        except OSError:
            return False
        try:
            head = os.read(number, _HEAD_BYTES)
        except OSError:
            return False
        finally:
            os.close(number)
        return (head[68:72], head[60:64]) == (APPLICATION_ID.to_bytes(4), VERSION.to_bytes(4))

    def _look(self) -> tuple[sqlite3.Connection | None, str]:
        """A connection to the existing store, or what is wrong with it: an empty text if there is none."""
        make_way(self._file)
        connection = None
        try:
            # This class begins and ends transactions itself; a preview uses the store from another thread.
            connection = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False)
            application, version, tables = _identity(connection)
            if (application, version) == (APPLICATION_ID, VERSION):
                connection.executescript(_TUNING)
                return connection, ""
        except sqlite3.DatabaseError as error:
            if connection is not None:
                connection.close()
            if not is_damage(error):
                raise self.unusable(error) from error
            return None, "is damaged"
        connection.close()
        return None, "was written by another version of diglot" if tables else ""

    def _create(self) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        connection.executescript(f"PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        connection.close()

    def _throw_away(self, trouble: str) -> None:
        throw_away(self._file)
        self._discarded()
        self._notices = (
            Diagnostic(
                rule="store-discarded",
                severity="warning",
                message=f"the cache {self._file} {trouble}; everything is built again",
            ),
        )


def _identity(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Application, version, and how often the schema was changed, which is 0 for a new file."""
    names = ("application_id", "user_version", "schema_version")
    connection.execute("BEGIN")  # else another process may create the tables between two of the queries
    application, version, tables = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    connection.execute("COMMIT")
    return application, version, tables
