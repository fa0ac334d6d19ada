"""Stores computed points of sweeps in a SQLite file, with one transaction for about a second of work.

Points that were computed in one process share their dependencies, because a file that the first point opened
may have been in memory for the others. They are stored as a batch, which is valid or invalid as a whole. One
checksum covers it all, so that damage to any of its rows is detected.
"""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from diglot.cache_files import make_folder
from diglot.databases import RowDamaged, check_of, is_damage, make_way, throw_away
from diglot.diagnostics import Diagnostic
from diglot.figures.records import Observed

FILE = "points.db"
"""File name, in the cache folder."""
MOST_BYTES = 256 * 2**20
KEPT_S = 90 * 86400.0
_VERSION = 2
_SCHEMA = """
CREATE TABLE batches (id INTEGER PRIMARY KEY, code TEXT NOT NULL, observed BLOB NOT NULL,
    warnings BLOB NOT NULL, bytes INTEGER NOT NULL, used_s INTEGER NOT NULL, whole INTEGER NOT NULL);
CREATE INDEX batches_by_code ON batches (code);
CREATE TABLE points (batch INTEGER NOT NULL, arguments BLOB NOT NULL, result BLOB NOT NULL,
    PRIMARY KEY (batch, arguments)) WITHOUT ROWID;
"""
_NOTED_S = 86400
"""Resolution of the time of last use, in seconds, so that not every use writes to the file."""
_POINTS = "SELECT arguments, result FROM points WHERE batch = ? ORDER BY arguments"
T = TypeVar("T")


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Points that were computed in one process."""

    results: Mapping[bytes, bytes]
    """Arguments to result, both as JSON."""
    observed: tuple[Observed, ...]
    warnings: tuple[Diagnostic, ...]


class PointStore:
    """The points of a project. A file that is damaged or of another version is removed and made again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._grown = False

    def find(self, code: str, holds: Callable[[tuple[Observed, ...]], bool]) -> tuple[Batch, ...]:
        """The batches of a function whose dependencies are unchanged according to `holds`, newest first."""

        def look(connection: sqlite3.Connection) -> tuple[Batch, ...]:
            rows = connection.execute(
                "SELECT id, observed, warnings, used_s, whole FROM batches WHERE code = ? ORDER BY id DESC",
                (code,),
            ).fetchall()
            found = []
            now = int(time.time())
            for number, observed_bytes, warnings_bytes, used_s, whole in rows:
                points = connection.execute(_POINTS, (number,)).fetchall()
                if _check(code, observed_bytes, warnings_bytes, points) != whole or type(used_s) is not int:
                    raise RowDamaged(f"batch {number} is not what was written")
                observed = msgspec.msgpack.decode(observed_bytes, type=tuple[Observed, ...])
                if not holds(observed):
                    continue
                found.append(
                    Batch(
                        results=dict(points),
                        observed=observed,
                        warnings=msgspec.msgpack.decode(warnings_bytes, type=tuple[Diagnostic, ...]),
                    )
                )
                if abs(now - used_s) > _NOTED_S:
                    connection.execute("UPDATE batches SET used_s = ? WHERE id = ?", (now, number))
            return tuple(found)

        return self._guarded(look, ())

    def add(self, code: str, batch: Batch) -> None:
        """Store a batch of a function's points in one transaction, or not at all if the file is unusable."""

        def write(connection: sqlite3.Connection) -> None:
            observed = msgspec.msgpack.encode(batch.observed)
            warnings = msgspec.msgpack.encode(batch.warnings)
            size = len(observed) + len(warnings) + sum(len(a) + len(r) for a, r in batch.results.items())
            whole = _check(code, observed, warnings, sorted(batch.results.items()))
            connection.execute("BEGIN IMMEDIATE")
            number = connection.execute(
                "INSERT INTO batches (code, observed, warnings, bytes, used_s, whole)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (code, observed, warnings, size, int(time.time()), whole),
            ).lastrowid
            connection.executemany(
                "INSERT INTO points VALUES (?, ?, ?)", ((number, a, r) for a, r in batch.results.items())
            )
            connection.execute("COMMIT")

        self._guarded(write, None)
        self._grown = True

    def prune(self, *, kept_s: float = KEPT_S, most_bytes: int = MOST_BYTES) -> None:
        """Remove batches not used for `kept_s` seconds, and the least recently used beyond `most_bytes`."""

        def drop(connection: sqlite3.Connection) -> None:
            rows = connection.execute(
                "SELECT id, CAST(bytes AS INTEGER), CAST(used_s AS INTEGER) FROM batches"
                " ORDER BY used_s DESC, id DESC"
            ).fetchall()
            oldest_s, total = time.time() - kept_s, 0
            dropped = []
            for number, size, used_s in rows:
                total += size
                if used_s < oldest_s or total > most_bytes:
                    dropped.append((number,))
            if dropped:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("DELETE FROM points WHERE batch = ?", dropped)
                connection.executemany("DELETE FROM batches WHERE id = ?", dropped)
                connection.execute("COMMIT")
                connection.execute("VACUUM")

        self._guarded(drop, None)

    def close(self) -> None:
        """Close the file. If points were added, remove old ones first."""
        if self._grown:
            self.prune()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _guarded(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run `work`, once more with a new file if the present one is damaged. `otherwise` if both fail."""
        with self._lock:
            for fresh in (False, True):
                try:
                    if self._connection is None:
                        self._connection = _opened(self._path, fresh=fresh)
                    return work(self._connection)
                except OSError:  # no space, or no permission to write
                    self._give_up()
                    return otherwise
                except sqlite3.DatabaseError as error:
                    self._give_up()
                    if not is_damage(error):  # no space, or another process has locked it for long
                        return otherwise
                except msgspec.DecodeError:
                    self._give_up()
            return otherwise

    def _give_up(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def prune(path: Path, *, kept_s: float = KEPT_S, most_bytes: int = MOST_BYTES) -> None:
    """Remove old points from a file, as `PointStore.prune` does. Does nothing if there is no file."""
    if path.exists():
        store = PointStore(path)
        store.prune(kept_s=kept_s, most_bytes=most_bytes)
        store.close()


def _opened(path: Path, *, fresh: bool) -> sqlite3.Connection:
    if fresh:
        throw_away(path)
    make_folder(path.parent)
    make_way(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
        # After a power cut the last seconds of work may be missing, but the rest is intact.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == 0 and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
        elif version != _VERSION:
            raise sqlite3.DatabaseError("of another version")
    except BaseException:
        connection.close()
        raise
    return connection


def _check(code: str, observed: bytes, warnings: bytes, points: Sequence[tuple[bytes, bytes]]) -> int:
    """The checksum of a batch, with its points in the order of their arguments."""
    return check_of(code, observed, warnings, *(part for point in points for part in point))
