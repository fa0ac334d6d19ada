"""Points of sweeps that were computed before: one SQLite file, a transaction for every second of work.

Points that were computed in one process share what they depend on, for what the first of them opened the
others may have found in memory. They are stored together, and hold or fall together: also where something in
the file changed that was not written so, for all of them are under one check.
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
"""The name of the file, in the cache folder."""
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
"""How exactly it is kept when points were last used."""
_POINTS = "SELECT arguments, result FROM points WHERE batch = ? ORDER BY arguments"
T = TypeVar("T")


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Points that were computed together."""

    results: Mapping[bytes, bytes]
    """By arguments, both as JSON."""
    observed: tuple[Observed, ...]
    warnings: tuple[Diagnostic, ...]


class PointStore:
    """The points of a project. A file that is damaged, or of another version, is thrown away."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._grown = False

    def find(self, code: str, holds: Callable[[tuple[Observed, ...]], bool]) -> tuple[Batch, ...]:
        """The points of a function whose dependencies `holds` finds unchanged, the newest first."""

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
        """Keep the points of a function; they are there, all of them, when this returns."""

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
        """Drop points not used for so many seconds, and the oldest where there are more bytes than that."""

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
        """Let go of the file; where points were added, the oldest make room for them."""
        if self._grown:
            self.prune()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _guarded(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """The work, with a fresh file where the one there is cannot be used, else what comes without one."""
        with self._lock:
            for fresh in (False, True):
                try:
                    if self._connection is None:
                        self._connection = _opened(self._path, fresh=fresh)
                    return work(self._connection)
                except OSError:  # no room, no right to write
                    self._give_up()
                    return otherwise
                except sqlite3.DatabaseError as error:
                    self._give_up()
                    if not is_damage(error):  # no room either, or somebody else is at work on it for long
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
    """Drop the points of a file as `PointStore.prune` does; nothing where there is no file."""
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
        # After a power cut the last seconds of work may be missing; what is there is whole.
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
    """What tells whether a batch is whole; the points in the order of their arguments."""
    return check_of(code, observed, warnings, *(part for point in points for part in point))
