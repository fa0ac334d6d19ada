"""The store: traces and small values in one SQLite file, large values in packs next to it.

Everything in it can be made again, so a store that is damaged or of another version is thrown away. It makes
three promises. A trace is written together with its value or after it, so a killed build leaves no trace
without a value. A value is checked against its digest whenever it is read, and a row against its checksum. If
the store turns out to be damaged while a build relies on it, StoreDiscarded is raised.
"""

import marshal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from diglot.databases import RowDamaged, check_of
from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of
from diglot.engine.database import Database, Row
from diglot.engine.inputs import Stamp
from diglot.engine.keys import Key
from diglot.engine.lock import locked
from diglot.engine.packs import BlobReference, ObjectMissing, Packs
from diglot.engine.reasons import Reason, ReasonKind
from diglot.engine.traces import Trace

INLINE_BYTES = 16_384
"""Larger values are kept in packs, not in SQLite (docs/decisions/040-large-values-lie-in-packs.md)."""

COMMIT_EVERY_S = 0.5
"""Time between commits: a killed build loses at most the tasks that finished since the last one."""

MOST_SNAPSHOTS = 6
"""How many snapshots are kept: of builds, of the parts of a check, and of what else was asked for last."""

MOST_OVERTAKEN_BYTES = 1 << 20
"""A snapshot goes if the keys of the traces that were written since take more: it saves little then."""

_INSERT_OBJECT = "INSERT OR REPLACE INTO objects VALUES (?, ?)"
_INSERT_BLOB = "INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?, ?)"
_INSERT_STAMP = "INSERT OR REPLACE INTO stamps VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_TRACE = f"INSERT OR REPLACE INTO traces VALUES ({','.join('?' * 15)})"
_TRACE = "SELECT kind, name, code, dependencies, digest, diagnostics, whole FROM traces"
_BLOB = "SELECT * FROM blobs"

_Result = TypeVar("_Result")


class LastRun(NamedTuple):
    """When and why a task last ran."""

    reason: Reason
    seconds: float
    """The task's own time, without that of the tasks it fetched."""
    finished_at: float
    """Seconds since 1970, UTC."""


class Memory(NamedTuple):
    """What a build needs to know about earlier builds."""

    traces: dict[Key, Trace]
    stamps: dict[str, Stamp]
    stored: set[str]
    """Digests of the values in the store."""
    blobs: dict[str, BlobReference]
    """Where the large values are, by digest."""


class Store:
    """Traces and values of one project, in a folder of its own."""

    def __init__(self, path: Path) -> None:
        """Open the store in the folder `path` (`.diglot`), or create it."""
        self._path = path
        self.packs = Packs.of(path)
        self._since_s: float | None = None
        """When the oldest uncommitted change was made."""
        self._new_objects: dict[str, bytes] = {}
        self._new_blobs: dict[str, BlobReference] = {}
        self._new_traces: dict[Key, tuple[Trace, LastRun]] = {}
        """These three hold what SQLite has not been handed yet, because many rows at once cost a third."""
        self._memory: Memory | None = None
        """What `memory` last read. Its values are kept up to date; a trace is removed when it is replaced."""
        self._written: set[Key] = set()
        """Tasks whose trace was replaced since then. The new one is not kept here: it is rarely needed."""
        self._saved_snapshots: set[str] = set()
        """Names of the snapshots that were saved since the last trace was written."""
        self.overwritten = 0
        """How many traces were (or may have been) replaced, so that their older values may be unneeded."""
        self._later: list[Callable[[], None]] = []
        self._database = Database(path, discarded=self._start_anew)

    def lock(self, *, waiting: Callable[[int | None], None] = lambda _: None) -> AbstractContextManager[None]:
        """Lock other builds of the project out. `waiting` is called once if this has to wait for one.

        Its argument is the id of the process that holds the lock, if known.
        """
        return locked(self._path / "lock", waiting=waiting)

    def take_notices(self) -> tuple[Diagnostic, ...]:
        """A warning if the store had to be thrown away since the last call."""
        return self._database.take_notices()

    @property
    def was_discarded(self) -> bool:
        """Whether `take_notices` would return a warning."""
        return self._database.was_discarded

    def relied_on(self) -> AbstractContextManager[None]:
        """A context in which a build relies on the content: damage raises StoreDiscarded."""
        return self._database.relied_on()

    def discard(self) -> None:
        """Throw everything away and continue with an empty store."""
        self._database.discard()

    def unusable(self, trouble: str) -> OSError:
        """The error for a store that cannot be used."""
        return self._database.unusable(trouble)

    def _start_anew(self) -> None:
        self.forget_memory()
        self._new_objects.clear()
        self._new_blobs.clear()
        self._new_traces.clear()
        self._written.clear()
        self._later.clear()
        self._saved_snapshots.clear()
        self.packs.keep_only(())  # no row says any more what is in them

    def later(self, work: Callable[[], None]) -> None:
        """Queue work that no caller waits for; `catch_up` does it, at the latest when the store is closed."""
        self._later.append(work)

    def catch_up(self) -> None:
        """Do the work that `later` queued."""
        while self._later:
            self._later.pop(0)()

    def close(self) -> None:
        """Do the queued work, commit, and close."""
        self.catch_up()
        self.commit()
        self._database.close()

    def snapshot(self, name: str) -> list[bytes]:
        """The parts of the snapshot saved under a name; empty if there is none.

        It says what was stored when it was saved. `overtaken` says which tasks have another trace by now.
        """
        query = "SELECT content FROM snapshots WHERE name = ? ORDER BY part"

        def parts() -> list[bytes]:
            found = [content for (content,) in self._database.rows(query, (name,))]
            if not all(type(content) is bytes for content in found):
                raise RowDamaged("a snapshot is not what was written")
            return found

        return self._read(parts)

    def largest_snapshot(self, beginning: str) -> str:
        """The name of the largest snapshot whose name begins in this way; empty if there is none."""
        query = (
            "SELECT name FROM snapshots WHERE substr(name, 1, ?) = ?"
            " GROUP BY name ORDER BY sum(length(content)) DESC, name LIMIT 1"
        )
        names = self._read(lambda: self._database.rows(query, (len(beginning), beginning)))
        return str(names[0][0]) if names else ""

    def overtaken(self, name: str) -> set[Key]:
        """The tasks whose traces were written since the snapshot with this name was saved."""
        # All rows are read, because one whose name is damaged would not be found by its name.
        rows = self._read(lambda: self._database.checked_rows("SELECT * FROM overtaken"))
        return {Key._make(key) for row in rows if row[0] == name for key in marshal.loads(row[2])}

    def save_snapshot(self, name: str, parts: Iterable[bytes]) -> None:
        """Save a snapshot of what is stored now. Its parts may be made one at a time, to save memory."""
        self._hand_over()  # what was stored before does not overtake it
        self._drop_snapshots([name])
        for number, content in enumerate(parts):
            self.write("INSERT INTO snapshots VALUES (?, ?, ?)", (name, number, content))
        self._saved_snapshots.add(name)
        self._drop_snapshots(self._names_of_snapshots()[MOST_SNAPSHOTS:])

    def _names_of_snapshots(self) -> list[str]:
        """The names of all snapshots; the one that was saved last comes first."""
        query = "SELECT name FROM snapshots GROUP BY name ORDER BY max(rowid) DESC"
        return [name for (name,) in self._database.guarded(lambda: self._database.rows(query))]

    def _drop_snapshots(self, names: Collection[str]) -> None:
        for statement in ("DELETE FROM snapshots WHERE name = ?", "DELETE FROM overtaken WHERE snapshot = ?"):
            self._database.write(statement, [(name,) for name in names])
        self._saved_snapshots.difference_update(names)

    def stamps(self) -> dict[str, Stamp]:
        """Times, sizes and digests of files when they were last read."""
        return self._read(self._read_stamps)

    def all_traces(self) -> dict[Key, Trace]:
        """The last trace of every task."""
        return self._read(self._read_traces)

    def blobs(self) -> list[BlobReference]:
        """Where all large values are."""
        return self._read(self._read_blobs)

    def rows(self, query: str, values: Row = ()) -> list[Any]:
        """The rows of a query on the tables in `database`."""
        return self._read(lambda: self._database.rows(query, values))

    @property
    def has_memory(self) -> bool:
        """Whether `memory` was read and has been kept up to date since."""
        return self._memory is not None

    def forget_memory(self) -> None:
        """Make the next call of `memory` read everything again."""
        self._memory = None

    def memory(self) -> Memory:
        """Everything a build starts from, read at once."""
        return self._read(self._read_memory)

    def _read_memory(self) -> Memory:
        traces, stamps = self._read_traces(), self._read_stamps()
        stored = {digest for (digest,) in self._database.rows("SELECT digest FROM objects")}
        sizes_bytes = self.packs.sizes_bytes()
        blobs = {
            blob.digest: blob
            for blob in self._read_blobs()
            if blob.offset + blob.size <= sizes_bytes.get(blob.pack, 0)
        }
        stored.update(blobs)
        self._memory = Memory(traces, stamps, stored, blobs)
        self._written.clear()
        return self._memory

    def _read_traces(self) -> dict[Key, Trace]:
        return {Key(row[0], row[1]): Trace._make(row[2:-1]) for row in self._database.checked_rows(_TRACE)}

    def _read_stamps(self) -> dict[str, Stamp]:
        rows = self._database.checked_rows("SELECT * FROM stamps")
        return {row[0]: Stamp._make(row[1:-1]) for row in rows}

    def _read_blobs(self, where: str = "", values: Row = ()) -> list[BlobReference]:
        rows = self._database.checked_rows(f"{_BLOB} {where}", values)
        return [BlobReference._make(row[:-1]) for row in rows]

    def trace(self, key: Key) -> Trace | None:
        """The last trace of a task; None if it never ran."""
        if (new := self._new_traces.get(key)) is not None:
            return new[0]
        if self._memory is not None and key not in self._written:
            return self._memory.traces.get(key)
        rows = self._database.guarded(
            lambda: self._database.checked_rows(f"{_TRACE} WHERE kind = ? AND name = ?", key)
        )
        return Trace._make(rows[0][2:-1]) if rows else None

    def save_value(self, content: bytes) -> str:
        """Store a value unless it is stored already, and return its digest."""
        digest = digest_of(content)
        if self._memory is not None and digest in self._memory.stored:
            return digest
        if len(content) > INLINE_BYTES:
            known = self.blob(digest)
            if known is None or not self._is_whole(known):
                self.save_blob(self.packs.add(content))
            return digest
        self._new_objects[digest] = content
        if self._memory is not None:
            self._memory.stored.add(digest)
        self._commit_in_time()
        return digest

    def _is_whole(self, blob: BlobReference) -> bool:
        try:
            self.packs.read(blob)
        except ObjectMissing:
            return False
        return True

    def save_blob(self, blob: BlobReference) -> str:
        """Record a value that is in a pack already, and return its digest."""
        blob = blob._replace(pack=sys.intern(blob.pack))  # a hundred thousand blobs share a few packs
        self._new_blobs[blob.digest] = blob
        if self._memory is not None:
            self._memory.stored.add(blob.digest)
            self._memory.blobs[blob.digest] = blob
        self._commit_in_time()
        return blob.digest

    def save_trace(self, key: Key, trace: Trace, run: LastRun) -> None:
        """Store a trace in place of the key's last one. Its value must be stored already."""
        if self._memory is None or key in self._memory.traces or key in self._written:
            self.overwritten += 1
        self._saved_snapshots.clear()
        self._new_traces[key] = trace, run
        if self._memory is not None:
            self._memory.traces.pop(key, None)
            self._written.add(key)
        self._commit_in_time()

    def save_stamps(self, stamps: Mapping[str, Stamp]) -> None:
        """Store stamps of files, in place of older ones."""
        if stamps:
            self._database.write(_INSERT_STAMP, [_checked(path, *stamp) for path, stamp in stamps.items()])

    def commit(self) -> None:
        """Write everything that was saved to disk, so that it survives this process."""
        self._hand_over()
        self._since_s = None
        self._database.commit()

    def last_run(self, key: Key) -> LastRun | None:
        """When and why a task last ran; None if it never ran."""
        columns = "kind, name, reason, reason_kind, reason_name, old, new, seconds, finished_at, whole_run"
        query = f"SELECT {columns} FROM traces WHERE kind = ? AND name = ?"
        rows = self._read(lambda: self._database.checked_rows(query, key))
        if not rows:
            return None
        kind, dependency_kind, dependency_name, old, new, seconds, finished_at = rows[0][2:-1]
        reason_kind: ReasonKind = kind
        dependency = None if dependency_kind is None else Key(dependency_kind, dependency_name)
        reason = Reason(kind=reason_kind, dependency=dependency, old=old, new=new)
        return LastRun(reason=reason, seconds=seconds, finished_at=finished_at)

    def digests(self, kind: str) -> dict[str, str]:
        """The digests in the last traces of all tasks of a kind, by name."""
        rows = self._read(lambda: self._database.checked_rows(f"{_TRACE} WHERE kind = ?", (kind,)))
        return {row[1]: row[4] for row in rows}

    def object(self, digest: str) -> bytes:
        """The stored value with this digest. Raises ObjectMissing if it is missing or damaged."""
        if (new := self._new_objects.get(digest)) is not None:
            return new
        query = "SELECT content FROM objects WHERE digest = ?"
        rows = self._database.guarded(lambda: self._database.rows(query, (digest,)))
        if not rows:
            blob = self.blob(digest)
            if blob is None:
                raise ObjectMissing(digest)
            return self.packs.read(blob)
        content: bytes = rows[0][0]
        if not _is_value(content, digest):
            raise ObjectMissing(digest)
        return content

    def objects(self, digests: Sequence[str]) -> dict[str, bytes]:
        """Those of a few hundred stored values that lie in the database and are whole, read at once."""
        query = f"SELECT digest, content FROM objects WHERE digest IN ({','.join('?' * len(digests))})"
        rows = self._database.guarded(lambda: self._database.rows(query, digests))
        return {digest: content for digest, content in rows if _is_value(content, digest)}

    def blob(self, digest: str) -> BlobReference | None:
        """Where a large value is; None if the value is small or not stored."""
        if self._memory is not None:
            return self._memory.blobs.get(digest)
        if (new := self._new_blobs.get(digest)) is not None:
            return new
        blobs = self._database.guarded(lambda: self._read_blobs("WHERE digest = ?", (digest,)))
        return blobs[0] if blobs else None

    def has(self, digest: str) -> bool:
        """Whether a value is stored; it may still be damaged."""
        if self._memory is not None:
            return digest in self._memory.stored
        if digest in self._new_objects:
            return True
        query = "SELECT 1 FROM objects WHERE digest = ?"
        rows = self._database.guarded(lambda: self._database.rows(query, (digest,)))
        return bool(rows) or ((blob := self.blob(digest)) is not None and self.packs.has(blob))

    def drop_damaged(self) -> None:
        """Remove values that do not match their digest, as a failing disk may leave them."""
        for digest, content in self.rows("SELECT digest, content FROM objects"):
            if not _is_value(content, digest):
                self.write("DELETE FROM objects WHERE digest = ?", (digest,))
        for blob in self.blobs():
            try:
                self.packs.read(blob)
            except ObjectMissing:
                self.drop_blob(blob.digest)
        self._drop_snapshots(self._names_of_snapshots())
        self._later.clear()  # it relies on what was removed
        self.commit()
        self.forget_memory()

    def drop_value(self, digest: str) -> None:
        """Remove a value, small or large."""
        self.write("DELETE FROM objects WHERE digest = ?", (digest,))
        self.drop_blob(digest)

    def drop_older_snapshots(self) -> None:
        """Remove the snapshots that the last build did not save."""
        self._drop_snapshots(set(self._names_of_snapshots()) - self._saved_snapshots)

    def shrink(self) -> None:
        """Give unused space in SQLite's file back to the file system."""
        self._database.shrink()

    def drop_blob(self, digest: str) -> None:
        """Remove a large value; its pack keeps the space until packs are put in order."""
        self.write("DELETE FROM blobs WHERE digest = ?", (digest,))
        if self._memory is not None:
            self._memory.blobs.pop(digest, None)

    def write(self, statement: str, values: Row = ()) -> None:
        """Change a row of the tables in `database`."""
        self._hand_over()
        self._database.write(statement, [values])
        self._commit_in_time()

    def _hand_over(self) -> None:
        """Hand what was saved to SQLite, values before the traces that refer to them."""
        if self._new_objects:
            self._database.write(_INSERT_OBJECT, [*self._new_objects.items()])
            self._new_objects.clear()
        if self._new_blobs:
            self._database.write(_INSERT_BLOB, [_checked(*blob) for blob in self._new_blobs.values()])
            self._new_blobs.clear()
        if self._new_traces:
            # Sorted, so that neighbouring rows share a page, which is then written once.
            news = sorted(self._new_traces.items())
            self._overtake([key for key, _ in news])
            self._database.write(_INSERT_TRACE, [_row(key, *new) for key, new in news])
            self._new_traces.clear()

    def _overtake(self, keys: Sequence[Key]) -> None:
        """Note at every snapshot that traces are written now, in the same transaction as these."""
        query = "SELECT snapshot, max(number), sum(length(keys)) FROM overtaken GROUP BY snapshot"
        noted = self._database.guarded(lambda: self._database.rows(query))
        self._drop_snapshots([name for name, _, size in noted if size > MOST_OVERTAKEN_BYTES])
        if names := self._names_of_snapshots():
            last = {name: number for name, number, _ in noted}
            encoded = marshal.dumps([*map(tuple, keys)])
            rows = [_checked(name, last.get(name, 0) + 1, encoded) for name in names]
            self._database.write("INSERT INTO overtaken VALUES (?, ?, ?, ?)", rows)

    def _commit_in_time(self) -> None:
        now_s = time.monotonic()
        if self._since_s is None:
            self._since_s = now_s
        elif now_s - self._since_s > COMMIT_EVERY_S:
            self.commit()

    def _read(self, query: Callable[[], _Result]) -> _Result:
        self._hand_over()
        return self._database.guarded(query)


def _row(key: Key, trace: Trace, run: LastRun) -> Row:
    reason = run.reason
    because = (reason.kind, *(reason.dependency or (None, None)), reason.old, reason.new)
    ran = (*because, float(run.seconds), float(run.finished_at))
    return (*_checked(*key, *trace), *ran, check_of(*key, *ran))


def _checked(*columns: str | bytes | float | None) -> Row:
    """A row: the columns, followed by their checksum."""
    return (*columns, check_of(*columns))


def _is_value(content: Any, digest: str) -> bool:
    """Whether something read from the store is the value with a digest."""
    return type(content) is bytes and digest_of(content) == digest
