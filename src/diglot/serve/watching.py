"""Watching what builds read: bursts become one call, a change during a call makes one more.

The system is asked to watch whole folders, those that hold inputs; of what it tells, only changes that a
build would see count. During a call nobody knows yet what it reads, so that all changes are kept until then.
"""

import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from watchdog import events
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

from diglot.serve.changes import Change

WRITTEN_S = 0.015
"""Files that were closed or renamed are whole; others of the same save follow at once."""
QUIET_S = 0.08
"""A file that is open may be written to again: wait until nothing has happened for so long."""
PATIENCE_S = 1.0
"""But no longer than this: something may be written all the time."""
POLL_S = 0.5
"""How often folders are looked through where the system tells of no changes."""
LOOK_S = 3.0
"""How often all inputs are looked at: of some changes no system tells, as of those through another name of a
file that lies in a folder that is not watched."""
BURST = 1000
"""After so many changes at once the system may have dropped some: look once more."""

_NAMES = {"created", "moved", "deleted"}
_CONTENT = {"modified", "attrib", "closed"}  # not `opened`: a build reads what it watches
_WHOLE = {"moved", "deleted", "closed"}
_HEARD = [
    *(events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent),
    *(events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent, events.FileClosedEvent),
    *([events.FileAttribEvent] if hasattr(events, "FileAttribEvent") else []),
]


class Inputs(Protocol):
    """What builds read."""

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        """Whether a build would see a change at an absolute path."""

    def folders(self) -> Collection[str]:
        """The folders in which a change can matter, some of which may not be there."""

    def changed_since(self, moment_ns: int, folders: Collection[str]) -> bool:
        """Whether something directly in these folders changed after a moment."""


class Watcher:
    """Calls back, on a thread of its own: once at the start, then after inputs changed."""

    def __init__(
        self,
        root: Path,
        *,
        ignored: tuple[Path, ...],
        build: Callable[[frozenset[Change]], Inputs | None],
        hurry: Callable[[], None] = lambda: None,
        look: Callable[[], None] = lambda: None,
        poll: bool = False,
    ) -> None:
        """`build` is given what changed, and returns what it read, None where it does not know; it must not
        raise. `hurry` is called when something changes meanwhile, `look` every few seconds in which nothing
        does. Changes below `ignored` are none, but each of these folders is missed when it goes.
        """
        self._root = str(root.resolve())
        self._ignored = tuple(str(path.resolve()) for path in ignored)
        self._build = build
        self._hurry = hurry
        self._look = look
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._changes: dict[Change, None] = {}
        self._open: set[str] = set()
        """Files that somebody may still be writing to."""
        self._building = False
        self._again = True
        """Whether to build although nothing changed."""
        self._drawn = False
        """The same, but only to show a figure that is done."""
        self._inputs: Inputs | None = None
        self._stopping = False
        self._observer: BaseObserver = PollingObserver(timeout=POLL_S) if poll else Observer()
        self._handler = _Handler(self)
        self._watches: dict[str, ObservedWatch] = {}
        self._watched_for: frozenset[str] = frozenset()
        """The folders of inputs that the watches are there for."""
        self._thread = threading.Thread(target=self._run, name="rebuild", daemon=True)

    def start(self) -> None:
        """Begin to watch. Raises OSError where the system has no watches left."""
        self._watch(self._root, recursive=False)
        for path in self._worth_watching():
            self._watch(path, recursive=True)
        self._observer.start()
        self._woken.set()
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """Stop watching, and wait a while for a call that is under way."""
        self._stopping = True
        self._woken.set()
        self._observer.stop()
        self._thread.join(timeout_s)

    def wake(self) -> None:
        """Build once more, or soon if a build is under way; from any thread."""
        with self._lock:
            self._again = True
        self._woken.set()

    def wake_for_figure(self) -> None:
        """Build once more because a figure is done; from any thread."""
        with self._lock:
            self._drawn = True
        self._woken.set()

    def notice(self, change: Change, *, is_whole: bool) -> None:
        """Something happened; forgotten where no build can depend on it."""
        if any(_is_under(change.path, ignored) for ignored in self._ignored):
            if change.names_changed and change.path in self._ignored and not os.path.exists(change.path):
                self.wake()  # the cache or the output is gone, and both are wanted
            return
        with self._lock:
            concerns = self._concerns(change)
            if not concerns and not self._building:
                return
            self._changes[change] = None
            if is_whole or change.is_folder:
                self._open.discard(change.path)
            else:
                self._open.add(change.path)
            building = self._building
        if concerns and building:
            self._hurry()
        self._woken.set()

    def _concerns(self, change: Change) -> bool:
        if self._inputs is None:
            return not _is_hidden(change.path, self._root)
        return self._inputs.concerns(
            change.path, names_changed=change.names_changed, is_folder=change.is_folder
        )

    def _run(self) -> None:
        while True:
            if not self._woken.wait(LOOK_S):
                self._look()
                continue
            self._settle()
            if self._stopping:
                return
            changes = self._take()
            if changes is not None:
                self._build_after(changes)

    def _take(self) -> list[Change] | None:
        """What a build would see of all that changed; None where there is nothing to build for."""
        with self._lock:
            self._woken.clear()
            changes = [change for change in self._changes if self._concerns(change)]
            if len(self._changes) >= BURST:
                self._wake_later()
            self._changes.clear()
            self._open.clear()
            return changes if changes or self._again or self._drawn else None

    def _build_after(self, changes: list[Change]) -> None:
        """Build, and watch what was read."""
        with self._lock:
            self._building, self._again, self._drawn = True, False, False
        for change in changes:
            if change.is_folder:
                self._watch_again(change.path)
        began_ns = time.time_ns()
        inputs = self._build(frozenset(changes))
        with self._lock:
            self._building = False
            self._inputs = inputs
            if self._changes:
                self._woken.set()
        if inputs is not None and not self._stopping:
            self._watch_inputs(inputs, began_ns, are_new=any(change.is_folder for change in changes))

    def _settle(self) -> None:
        """Wait until nothing has happened for a while."""
        since = time.monotonic()
        while not self._stopping and self._changes and time.monotonic() - since < PATIENCE_S:
            self._woken.clear()
            with self._lock:
                quiet_s = QUIET_S if self._open else WRITTEN_S
            if not self._woken.wait(quiet_s):
                return

    def _watch_inputs(self, inputs: Inputs, began_ns: int, *, are_new: bool) -> None:
        """Watch all folders of inputs, and no others; look at what was not watched while it was read.

        `are_new` says that folders came or went.
        """
        folders = frozenset(inputs.folders())
        if folders == self._watched_for and not are_new:
            return
        self._watched_for = folders
        wanted = self._places(folders)
        for path in self._watches.keys() - wanted.keys() - {self._root}:
            self._forget(path)
        new = {path for path in wanted if path not in self._watches}
        for path in sorted(new):
            with suppress(OSError):
                self._watch(path, recursive=wanted[path])
        fresh = [one for one in folders if any(_is_under(one, path) for path in new)] if new else []
        if fresh and inputs.changed_since(began_ns, fresh):
            self.wake()

    def _places(self, folders: Collection[str]) -> dict[str, bool]:
        """What to have watched so that these folders are, each with whether all below it is.

        Of the project, the folders directly in it; elsewhere the folders themselves, or what is there.
        """
        found: dict[str, bool] = {}
        outside = set()
        for folder in folders:
            if folder == self._root:
                continue
            top = None
            if _is_under(folder, self._root):
                top = os.path.join(self._root, os.path.relpath(folder, self._root).split(os.sep)[0])
            if top is None or self._is_thicket(top):
                outside.add(folder)
            elif os.path.isdir(top):
                found[top] = True
        for folder in sorted(outside):
            if os.path.isdir(folder):
                above = next((one for one in found if _is_under(folder, one)), None)
                found[above or folder] = above is not None or found.get(folder, False)
        for folder in outside:  # last: what is above a missing folder is watched for its name alone
            there = next(one for one in (folder, *map(str, Path(folder).parents)) if os.path.isdir(one))
            if not any(there == one or (_is_under(there, one) and deep) for one, deep in found.items()):
                found[there] = False
        return found

    def _worth_watching(self) -> list[str]:
        """The folders of the project that a build may read, before one has told which."""
        folders = [entry.path for entry in os.scandir(self._root) if entry.is_dir()]
        return [path for path in folders if not self._is_thicket(path)]

    def _watch(self, path: str, *, recursive: bool) -> None:
        with suppress(FileNotFoundError):  # folders of a burst come and go
            self._watches[path] = self._observer.schedule(
                self._handler, path, recursive=recursive, event_filter=_HEARD
            )

    def _watch_again(self, path: str) -> None:
        """A folder directly in the project came or went, perhaps in place of one that had its name."""
        if os.path.dirname(path) != self._root or self._is_thicket(path):
            return
        self._forget(path)
        if os.path.isdir(path):
            with suppress(OSError):
                self._watch(path, recursive=True)

    def _forget(self, path: str) -> None:
        if (old := self._watches.pop(path, None)) is not None:
            with suppress(KeyError):  # it went away together with the folder
                self._observer.unschedule(old)

    def _is_thicket(self, path: str) -> bool:
        """Whether a folder of the project is one of thousands that no build reads, as a rule."""
        return (
            _is_hidden(path, self._root)
            or any(_is_under(path, ignored) for ignored in self._ignored)
            or os.path.exists(os.path.join(path, "pyvenv.cfg"))
        )

    def _wake_later(self) -> None:
        timer = threading.Timer(PATIENCE_S, self.wake)
        timer.daemon = True
        timer.start()


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        kind = event.event_type
        if kind not in _NAMES | _CONTENT or (event.is_directory and kind not in _NAMES):
            return
        for path in (event.src_path, event.dest_path):
            if path:
                change = Change(os.fsdecode(path), kind in _NAMES, event.is_directory)
                self._watcher.notice(change, is_whole=kind in _WHOLE)


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _is_hidden(path: str, root: str) -> bool:
    """Whether a path in the project is none that a build may read, as far as one can tell by its name."""
    inside = os.path.relpath(path, root) if _is_under(path, root) else path
    parts = inside.split(os.sep)
    return any(
        part in ("__pycache__", "node_modules") or (part.startswith(".") and part != ".") for part in parts
    )
