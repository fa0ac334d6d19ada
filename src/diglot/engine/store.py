"""The store: traces and small values in one SQLite file, large values in packs beside it.

What is in it can be made again, so a store that is damaged or of another version is thrown away.
Three promises: a trace is written together with or after its value, so that a killed build leaves no trace
without one; a value is checked against its digest when it is read, and so is every row against its check;
and a build that had begun when the store turned out to be damaged is told, for it rests on what was there.
"""

import errno
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from diglot.cache_files import SAFELY, make_folder
from diglot.databases import RowDamaged, check_of, is_damage, make_way, throw_away
from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of
from diglot.engine.inputs import Stamp
from diglot.engine.keys import Key
from diglot.engine.lock import locked
from diglot.engine.packs import BlobReference, ObjectMissing, Packs
from diglot.engine.reasons import Reason, ReasonKind
from diglot.engine.targets import FILE
from diglot.engine.traces import Trace, read_dependencies

VERSION = 9
"""Counts up whenever the tables or what is written in them change."""

APPLICATION_ID = 0x6469676C  # "digl"

INLINE_BYTES = 16_384
"""Up to here a value lies in SQLite, beyond in a pack (docs/decisions/040-large-values-lie-in-packs.md)."""

COMMIT_EVERY_S = 0.5
"""A killed build loses the tasks that finished in this time, no more."""

CACHE_KIB = 4_096
CHECKPOINT_PAGES = 8_192
"""How much of the file SQLite has at hand (by itself 2 MiB), and after how many pages of 4 KiB in its log it
brings the file up to date (by itself 1,000): a clean build writes to most pages again and again."""

_SCHEMA = f"""
CREATE TABLE traces (
  kind TEXT NOT NULL, name TEXT NOT NULL, code TEXT NOT NULL, dependencies TEXT NOT NULL,
  digest TEXT NOT NULL, diagnostics TEXT, whole INTEGER NOT NULL,
  reason TEXT NOT NULL, reason_kind TEXT, reason_name TEXT, old TEXT, new TEXT,
  seconds REAL NOT NULL, finished_at REAL NOT NULL, whole_run INTEGER NOT NULL,
  PRIMARY KEY (kind, name)) WITHOUT ROWID;
CREATE TABLE objects (digest TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE blobs (
  digest TEXT PRIMARY KEY, pack TEXT NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL,
  whole INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE stamps (
  path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
  inode INTEGER NOT NULL, digest TEXT NOT NULL, whole INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE snapshots (
  name TEXT NOT NULL, part INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (name, part));
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

_TUNING = f"""
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = {-CACHE_KIB};
PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
"""

_INSERT_OBJECT = "INSERT OR REPLACE INTO objects VALUES (?, ?)"
_INSERT_BLOB = "INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?, ?)"
_INSERT_STAMP = "INSERT OR REPLACE INTO stamps VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_TRACE = f"INSERT OR REPLACE INTO traces VALUES ({','.join('?' * 15)})"
_TRACE = "SELECT kind, name, code, dependencies, digest, diagnostics, whole FROM traces"

_ALL_DIGESTS = "SELECT digest FROM objects UNION ALL SELECT digest FROM blobs"

_LITTLE = 50
"""A build that runs so small a part of the tasks that are tolerated does not count what is not needed. Every
fiftieth build does, for it reads everything (`engine.snapshot.MOST_STEPS`), or asks for it."""

_Row = Sequence[str | bytes | float | None]
_Result = TypeVar("_Result")


_HEAD_BYTES = 100
"""In front of every SQLite database; the version is at 60, the application at 68."""


class StoreDiscarded(BaseException):
    """The store was thrown away while a build was resting on it, which has to begin anew.

    No Exception: whoever takes whatever goes wrong in a task for the task's fault would catch it.
    """


class LastRun(NamedTuple):
    """When and why a task last ran."""

    reason: Reason
    seconds: float
    """Its own time, without that of the tasks it fetched."""
    finished_at: float
    """Seconds since 1970, UTC."""


class Memory(NamedTuple):
    """All that a build needs to know of the builds before it."""

    traces: dict[Key, Trace]
    stamps: dict[str, Stamp]
    stored: set[str]
    """Digests of the values in the store."""
    blobs: dict[str, BlobReference]
    """Where the large ones of them lie."""


class Store:
    """Traces and values of one project, in a folder of its own."""

    def __init__(self, path: Path) -> None:
        """Open the store in the folder `path` (`.diglot`), made where there is none."""
        self._path = path
        self._file = path / "store.sqlite"
        self._packs = Packs.of(path)
        self._since_s: float | None = None
        """Since when something waits to be committed."""
        self._new_objects: dict[str, bytes] = {}
        self._new_blobs: dict[str, BlobReference] = {}
        self._new_traces: dict[Key, tuple[Trace, LastRun]] = {}
        """What was saved and is not handed to SQLite yet: many rows at once cost a third."""
        self._memory: Memory | None = None
        """What was last read; which values there are is kept up to date."""
        self._written: set[Key] = set()
        """Tasks whose trace there is not their last one any more: nobody is likely to ask for it again."""
        self._has_snapshots = True
        """Whether there may be snapshots, which hold as long as no trace is written."""
        self._saved_snapshots: set[str] = set()
        """Those that were saved since then."""
        self._overwritten = 0
        """How many traces were saved, whose older values no trace may refer to any more."""
        self._later: list[Callable[[], None]] = []
        self._notices: tuple[Diagnostic, ...] = ()
        self._is_relied_on = False
        make_folder(path)
        self._connection = self._open()

    def lock(self, *, waiting: Callable[[int | None], None] = lambda _: None) -> AbstractContextManager[None]:
        """Keep other builds of the project out; `waiting` is told of one at work, once."""
        return locked(self._path / "lock", waiting=waiting)

    def take_notices(self) -> tuple[Diagnostic, ...]:
        """A warning where the store had to be thrown away since this was last asked."""
        notices, self._notices = self._notices, ()
        return notices

    @property
    def was_discarded(self) -> bool:
        """Whether `take_notices` would tell of that."""
        return bool(self._notices)

    @contextmanager
    def relied_on(self) -> Iterator[None]:
        """While a build goes by what is stored: should that be thrown away, StoreDiscarded is raised."""
        self._is_relied_on = True
        try:
            yield
        finally:
            self._is_relied_on = False

    def later(self, work: Callable[[], None]) -> None:
        """Have some work done before the store is closed: nobody has to wait for it."""
        self._later.append(work)

    def catch_up(self) -> None:
        """Do what was put off until later: there is time now."""
        while self._later:
            self._later.pop(0)()

    def close(self) -> None:
        """Save what is not saved yet, and close."""
        self.catch_up()
        self.commit()
        self._connection.close()

    def snapshot(self, name: str) -> list[bytes]:
        """The parts of a snapshot that was saved under a name; none where it does not hold any more."""
        query = "SELECT content FROM snapshots WHERE name = ? ORDER BY part"

        def parts() -> list[bytes]:
            found = [content for (content,) in self._connection.execute(query, (name,))]
            if not all(type(content) is bytes for content in found):
                raise RowDamaged("a snapshot is not what was written")
            return found

        return self._read(parts)

    def save_snapshot(self, name: str, parts: Iterable[bytes]) -> None:
        """Save a snapshot of what is stored now. Its parts need not be in memory at the same time."""
        self._write("DELETE FROM snapshots WHERE name = ?", (name,))
        for number, content in enumerate(parts):
            self._write("INSERT INTO snapshots VALUES (?, ?, ?)", (name, number, content))
        self._has_snapshots = True
        self._saved_snapshots.add(name)

    def _drop_snapshots(self) -> None:
        if self._has_snapshots:
            self._write("DELETE FROM snapshots")
            self._has_snapshots = False
            self._saved_snapshots.clear()

    def stamps(self) -> dict[str, Stamp]:
        """How files looked when they were last read."""
        rows = self._read(lambda: self._whole("SELECT * FROM stamps"))
        return {row[0]: Stamp._make(row[1:-1]) for row in rows}

    def memory(self) -> Memory:
        """Everything a build starts from, read in one go."""
        return self._read(self._read_memory)

    def _read_memory(self) -> Memory:
        traces = {Key(row[0], row[1]): Trace._make(row[2:-1]) for row in self._whole(_TRACE)}
        stamps = self.stamps()
        stored = {digest for (digest,) in self._connection.execute("SELECT digest FROM objects")}
        sizes_bytes = self._packs.sizes_bytes()
        blobs = {
            blob.digest: blob
            for blob in self._whole_blobs()
            if blob.offset + blob.size <= sizes_bytes.get(blob.pack, 0)
        }
        stored.update(blobs)
        self._memory = Memory(traces, stamps, stored, blobs)
        self._written.clear()
        return self._memory

    def trace(self, key: Key) -> Trace | None:
        """What a task did when it last ran; None for one that never did."""
        if (new := self._new_traces.get(key)) is not None:
            return new[0]
        if self._memory is not None and key not in self._written:
            return self._memory.traces.get(key)
        rows = self._guarded(lambda: self._whole(f"{_TRACE} WHERE kind = ? AND name = ?", key))
        return Trace._make(rows[0][2:-1]) if rows else None

    def save_value(self, content: bytes) -> str:
        """Store a value that is not stored yet; its digest."""
        digest = digest_of(content)
        if self._memory is not None and digest in self._memory.stored:
            return digest
        if len(content) > INLINE_BYTES:
            return self.save_blob(self._packs.add(content))
        self._new_objects[digest] = content
        if self._memory is not None:
            self._memory.stored.add(digest)
        self._commit_in_time()
        return digest

    def save_blob(self, blob: BlobReference) -> str:
        """Take in a value that lies in a pack already; its digest."""
        blob = blob._replace(pack=sys.intern(blob.pack))  # of a hundred thousand, a few are different
        self._new_blobs[blob.digest] = blob
        if self._memory is not None:
            self._memory.stored.add(blob.digest)
            self._memory.blobs[blob.digest] = blob
        self._commit_in_time()
        return blob.digest

    def save_trace(self, key: Key, trace: Trace, run: LastRun) -> None:
        """Store a trace in place of the key's last one. Its value has to be stored already."""
        if self._memory is None or key in self._memory.traces or key in self._written:
            self._overwritten += 1
        self._drop_snapshots()
        self._new_traces[key] = trace, run
        if self._memory is not None:
            self._memory.traces.pop(key, None)
            self._written.add(key)
        self._commit_in_time()

    def save_stamps(self, stamps: Mapping[str, Stamp]) -> None:
        """Store how files looked, in place of what was known of them."""
        if stamps:
            self._write_rows(_INSERT_STAMP, [_checked(path, *stamp) for path, stamp in stamps.items()])

    def commit(self) -> None:
        """Make sure that what was saved outlives this process."""
        self._hand_over()
        self._since_s = None

        def commit() -> None:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

        self._guarded(commit)

    def last_run(self, key: Key) -> LastRun | None:
        """When and why a task last ran; None for one that never did."""
        columns = "kind, name, reason, reason_kind, reason_name, old, new, seconds, finished_at, whole_run"
        query = f"SELECT {columns} FROM traces WHERE kind = ? AND name = ?"
        rows = self._read(lambda: self._whole(query, key))
        if not rows:
            return None
        kind, dependency_kind, dependency_name, old, new, seconds, finished_at = rows[0][2:-1]
        reason_kind: ReasonKind = kind
        dependency = None if dependency_kind is None else Key(dependency_kind, dependency_name)
        reason = Reason(kind=reason_kind, dependency=dependency, old=old, new=new)
        return LastRun(reason=reason, seconds=seconds, finished_at=finished_at)

    def digests(self, kind: str) -> dict[str, str]:
        """The digests that all tasks of a kind last had, by name."""
        rows = self._read(lambda: self._whole(f"{_TRACE} WHERE kind = ?", (kind,)))
        return {row[1]: row[4] for row in rows}

    def object(self, digest: str) -> bytes:
        """The stored value with this digest. Raises ObjectMissing where it is gone or damaged."""
        if (new := self._new_objects.get(digest)) is not None:
            return new
        query = "SELECT content FROM objects WHERE digest = ?"
        row = self._guarded(lambda: self._connection.execute(query, (digest,)).fetchone())
        if row is None:
            blob = self.blob(digest)
            if blob is None:
                raise ObjectMissing(digest)
            return self._packs.read(blob)
        content: bytes = row[0]
        if not _is_value(content, digest):
            raise ObjectMissing(digest)
        return content

    def blob(self, digest: str) -> BlobReference | None:
        """Where a large value lies; None for a small one, and for one that is not stored."""
        if self._memory is not None:
            return self._memory.blobs.get(digest)
        if (new := self._new_blobs.get(digest)) is not None:
            return new
        blobs = self._guarded(lambda: self._whole_blobs("WHERE digest = ?", (digest,)))
        return blobs[0] if blobs else None

    def has(self, digest: str) -> bool:
        """Whether a value is stored; not, whether it is whole."""
        if self._memory is not None:
            return digest in self._memory.stored
        if digest in self._new_objects:
            return True
        query = "SELECT 1 FROM objects WHERE digest = ?"
        row = self._guarded(lambda: self._connection.execute(query, (digest,)).fetchone())
        return row is not None or ((blob := self.blob(digest)) is not None and self._packs.has(blob))

    def drop_damaged(self) -> None:
        """Forget the values that are not what their digest says: a disk fails, the power fails."""
        rows = self._read(lambda: self._connection.execute("SELECT digest, content FROM objects").fetchall())
        for digest, content in rows:
            if not _is_value(content, digest):
                self._write("DELETE FROM objects WHERE digest = ?", (digest,))
        for blob in self._blobs():
            try:
                self._packs.read(blob)
            except ObjectMissing:
                self._drop_blob(blob.digest)
        self._drop_snapshots()
        self._later.clear()  # it rests on them
        self.commit()
        self._memory = None

    def prune(self, reachable: Collection[Key] | None, *, tolerated: int = 0, counting: bool = False) -> None:
        """Forget all tasks but the reachable ones, and the values and stamps that nobody refers to then.

        None for all tasks, whose older values are forgotten. Nothing is done as long as no more than so many
        `tolerated` tasks and values are not needed: to remove one costs nearly what it costs to remove all.
        After few changes they are not even counted, unless `counting` is asked for.
        """
        if tolerated and self._memory is None and reachable:
            if self._overwritten <= tolerated // _LITTLE and not counting:
                return
            if self._is_nearly(len(reachable), tolerated):
                return
        count = self._read(lambda: self._connection.execute("SELECT count(*) FROM traces").fetchone()[0])
        if not self._overwritten and (reachable is None or count == len(reachable)):
            return
        gone, unneeded = self._read(lambda: self._find_unneeded(reachable))
        if len(gone) + len(unneeded) <= tolerated:
            return
        for key in gone:
            self._write("DELETE FROM traces WHERE kind = ? AND name = ?", key)
        for digest in unneeded:
            self._write("DELETE FROM objects WHERE digest = ?", (digest,))
            self._drop_blob(digest)
        if gone:  # what was just built rests on none of them
            marks = ",".join("?" * len(self._saved_snapshots))
            self._write(f"DELETE FROM snapshots WHERE name NOT IN ({marks})", tuple(self._saved_snapshots))
            self._prune_stamps()
        self._memory = None
        self._put_packs_in_order(waste_fraction=0.5)
        self._overwritten = 0

    def _find_unneeded(self, reachable: Collection[Key] | None) -> tuple[list[Key], set[str]]:
        """The tasks that are not reachable, and the values that no other task refers to."""
        gone: list[Key] = []
        unneeded = {digest for (digest,) in self._connection.execute(_ALL_DIGESTS)}
        for kind, name, digest in self._connection.execute("SELECT kind, name, digest FROM traces"):
            if reachable is not None and (key := Key(kind, name)) not in reachable:
                gone.append(key)
            else:
                unneeded.discard(digest)
        return gone, unneeded

    def _is_nearly(self, count: int, tolerated: int) -> bool:
        """Whether hardly more is stored than so many tasks need."""
        unneeded = f"SELECT count(*) FROM ({_ALL_DIGESTS}) WHERE digest NOT IN (SELECT digest FROM traces)"
        query = f"SELECT (SELECT count(*) FROM traces), ({unneeded})"
        traces, values = self._read(lambda: self._connection.execute(query).fetchone())
        return bool(traces - count + values <= tolerated)

    def forget(self, reachable: Collection[Key] | None, *, before: float) -> int:
        """Forget unreachable tasks that last ran before a time (seconds since 1970), and shrink the files.

        How many tasks were forgotten; None for `reachable` keeps all of them.
        """
        rows = self._read(
            lambda: self._connection.execute(
                "SELECT kind, name FROM traces WHERE finished_at < ?", (before,)
            ).fetchall()
        )
        old = set() if reachable is None else {Key(*row) for row in rows} - set(reachable)
        self._overwritten += 1  # whoever built before may have left values
        self.prune(self.memory().traces.keys() - old)
        self._put_packs_in_order(waste_fraction=0)
        self._guarded(lambda: self._connection.execute("VACUUM"))
        self._guarded(lambda: self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        return len(old)

    def _drop_blob(self, digest: str) -> None:
        self._write("DELETE FROM blobs WHERE digest = ?", (digest,))
        if self._memory is not None:
            self._memory.blobs.pop(digest, None)

    def _blobs(self) -> Sequence[BlobReference]:
        return self._read(self._whole_blobs)

    def _whole(self, query: str, values: _Row = ()) -> Sequence[Any]:
        """Rows that end with a check of all that they hold. Raises RowDamaged for one that is not whole."""
        rows = self._connection.execute(query, values).fetchall()
        for row in rows:
            if check_of(*row[:-1]) != row[-1]:
                raise RowDamaged(f"a row of {query} is not what was written")
        return rows

    def _whole_blobs(self, where: str = "", values: _Row = ()) -> Sequence[BlobReference]:
        return [BlobReference._make(row[:-1]) for row in self._whole(f"SELECT * FROM blobs {where}", values)]

    def _put_packs_in_order(self, *, waste_fraction: float) -> None:
        """Remove packs that nothing is in, and move what is in those with more waste beside it than that."""
        self.commit()  # until here, a trace that is still on disk may refer to what is removed
        of_pack: dict[str, list[BlobReference]] = {}
        for blob in self._blobs():
            of_pack.setdefault(blob.pack, []).append(blob)
        sizes_bytes, fresh = self._packs.sizes_bytes(), self._packs.unused_name()
        kept = {fresh}
        for pack, blobs in of_pack.items():
            needed_bytes = sum(blob.size for blob in blobs)
            if sizes_bytes.get(pack, 0) - needed_bytes <= waste_fraction * needed_bytes:
                kept.add(pack)
                continue
            for blob in blobs:
                try:
                    moved = self._packs.add(self._packs.read(blob), pack=fresh)
                except ObjectMissing:
                    self._drop_blob(blob.digest)
                else:
                    self.save_blob(moved)
        self.commit()
        self._packs.keep_only(kept)

    def _prune_stamps(self) -> None:
        used = {
            dependency.key.name
            for trace in self._read(lambda: self._whole(_TRACE))
            for dependency in read_dependencies(trace[3])
            if dependency.key.kind == FILE.kind
        }
        for path in self.stamps().keys() - used:
            self._write("DELETE FROM stamps WHERE path = ?", (path,))

    def _write(self, statement: str, values: _Row = ()) -> None:
        self._hand_over()
        self._write_rows(statement, [values])
        self._commit_in_time()

    def _write_rows(self, statement: str, rows: Sequence[_Row]) -> None:
        def write() -> None:
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)

        self._guarded(write)

    def _hand_over(self) -> None:
        """Have SQLite know what was saved: values before the traces that refer to them."""
        if self._new_objects:
            self._write_rows(_INSERT_OBJECT, [*self._new_objects.items()])
            self._new_objects.clear()
        if self._new_blobs:
            self._write_rows(_INSERT_BLOB, [_checked(*blob) for blob in self._new_blobs.values()])
            self._new_blobs.clear()
        if self._new_traces:
            # In their order, so that neighbours come to lie in one page, which is written once.
            news = sorted(self._new_traces.items())
            self._write_rows(_INSERT_TRACE, [_row(key, *new) for key, new in news])
            self._new_traces.clear()

    def _commit_in_time(self) -> None:
        now_s = time.monotonic()
        if self._since_s is None:
            self._since_s = now_s
        elif now_s - self._since_s > COMMIT_EVERY_S:
            self.commit()

    def _read(self, query: Callable[[], _Result]) -> _Result:
        self._hand_over()
        return self._guarded(query)

    def _open(self) -> sqlite3.Connection:
        """The store of this folder, made where there is none that can be used."""
        # Without the lock, only what has been made is opened: who opens an empty database deletes the journal
        # of whoever is about to make one in its place.
        if self._is_made():
            connection, _ = self._look()
            if connection is not None:
                return connection
        with locked(self._path / "store.lock", waiting=lambda _: None):
            connection, trouble = self._look()  # once more: another process may have made it meanwhile
            if connection is not None:
                return connection
            if trouble:
                self._throw_away(trouble)
            throw_away(self._file)  # there may be the beginning of one, or the log of one that is gone
            self._create()
        return self._open()

    def _is_made(self) -> bool:
        """Whether there is the head of a store of this version, which is written last."""
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
        """A connection to the store that there is, or what is wrong with it: nothing where there is none."""
        make_way(self._file)
        connection = None
        try:
            # Transactions are ours to begin and end; a preview builds in another thread than this.
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

    def discard(self, trouble: str = "is damaged") -> None:
        """Throw everything away, and begin with an empty store."""
        self._connection.close()
        with locked(self._path / "store.lock", waiting=lambda _: None):
            self._throw_away(trouble)
        self._connection = self._open()

    def _throw_away(self, trouble: str) -> None:
        self._memory = None
        self._new_objects.clear()
        self._new_blobs.clear()
        self._new_traces.clear()
        self._written.clear()
        self._later.clear()
        self._saved_snapshots.clear()
        throw_away(self._file)
        self._packs.keep_only(())  # nobody knows any more what is in them
        self._notices = (
            Diagnostic(
                rule="store-discarded",
                severity="warning",
                message=f"the cache {self._file} {trouble}; everything is built again",
            ),
        )

    def _guarded(self, work: Callable[[], _Result]) -> _Result:
        """Do some work; if it finds the store damaged, throw that away and do it once more."""
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

    def unusable(self, error: Exception | str) -> OSError:
        """What the machine refuses: a full disk, a folder that may not be written to."""
        return OSError(errno.EIO, f"the cache cannot be used ({error})", str(self._file))


def _row(key: Key, trace: Trace, run: LastRun) -> _Row:
    reason = run.reason
    because = (reason.kind, *(reason.dependency or (None, None)), reason.old, reason.new)
    ran = (*because, float(run.seconds), float(run.finished_at))
    return (*_checked(*key, *trace), *ran, check_of(*key, *ran))


def _checked(*columns: str | bytes | float | None) -> _Row:
    """A row with what tells whether it is whole."""
    return (*columns, check_of(*columns))


def _is_value(content: Any, digest: str) -> bool:
    """Whether something read from the store is the value with a digest."""
    return type(content) is bytes and digest_of(content) == digest


def prune(
    store: Store, reachable: Collection[Key] | None, *, tolerated: int = 0, counting: bool = False
) -> None:
    """Forget all tasks but `reachable`: those that a build of all targets visited. See `Store.prune`."""
    with store.lock():
        store.prune(reachable, tolerated=tolerated, counting=counting)


def _identity(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Application, version, and how often tables were changed: 0 in a new file."""
    names = ("application_id", "user_version", "schema_version")
    connection.execute("BEGIN")  # else another process may make the tables between two of the questions
    application, version, tables = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    connection.execute("COMMIT")
    return application, version, tables
