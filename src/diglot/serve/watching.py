"""Watches what builds read. A burst of changes causes one build; a change during a build causes another.

The system is asked to watch whole folders that hold inputs; of its reports, only changes that a build would
see count. During a build it is not yet known what it reads, so all changes are kept until it ends.
"""

import os
import threading
import time
import warnings
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
"""Seconds to wait for more changes if all files of a burst were closed or renamed, and so are complete."""
QUIET_S = 0.08
"""Seconds without changes to wait for if a file is open, because it may be written to again."""
PATIENCE_S = 1.0
"""Longest wait in seconds, as something may be written all the time."""
POLL_S = 0.5
"""Seconds between scans of folders where the system reports no changes."""
LOOK_S = 3.0
"""Seconds between checks of all inputs. No system reports some changes, such as those made through a hard
link in a folder that is not watched."""
BURST = 1000
"""Changes at once after which the system may have dropped some, so that one more build is due."""

_NAMES = {"created", "moved", "deleted"}
_CONTENT = {"modified", "attrib", "closed"}  # not `opened`: builds open what they watch
_WHOLE = {"moved", "deleted", "closed"}
_HEARD = [
    *(events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent),
    *(events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent, events.FileClosedEvent),
    *([events.FileAttribEvent] if hasattr(events, "FileAttribEvent") else []),
]


class WatchedInputs(Protocol):
    """What a build reads."""

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        """Whether a build would see a change at an absolute path."""

    def folders(self) -> Collection[str]:
        """The folders in which a change can matter; some may not exist."""

    def changed_since(self, moment_ns: int, folders: Collection[str]) -> bool:
        """Whether something directly in these folders changed after a moment."""


class Watcher:
    """Calls `build` on its own thread: once at the start, then after inputs changed."""

    def __init__(
        self,
        root: Path,
        *,
        ignored: tuple[Path, ...],
        build: Callable[[frozenset[Change]], WatchedInputs | None],
        hurry: Callable[[], None] = lambda: None,
        look: Callable[[], None] = lambda: None,
        poll: bool = False,
    ) -> None:
        """`build` gets what changed and returns what it read (None if unknown); it must not raise.

        `hurry` is called when something changes during a build, `look` every few seconds in which nothing
        changes. Changes below `ignored` do not count, but the removal of one of these folders does.
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
        """Files that may still be written to."""
        self._building = False
        self._again = True
        """Whether to build although nothing changed."""
        self._drawn = False
        """Whether to build only to show a figure that is done."""
        self._inputs: WatchedInputs | None = None
        self._stopping = False
        self._observer: BaseObserver = PollingObserver(timeout=POLL_S) if poll else Observer()
        self._handler = _Handler(self)
        self._watches: dict[str, ObservedWatch] = {}
        self._watched_for: frozenset[str] = frozenset()
        """The folders of inputs that the watches were set for."""
        self._thread = threading.Thread(target=self._run, name="rebuild", daemon=True)

    def start(self) -> None:
        """Start watching. Raises OSError if the system has no watches left."""
        # Where folders go and come while they are watched, as when a package is removed, watchdog warns at
        # great length of each that it watches anew.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._watch(self._root, recursive=False)
        for path in self._worth_watching():
            self._watch(path, recursive=True)
        self._observer.start()
        self._woken.set()
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """Stop watching, and wait up to `timeout_s` seconds for a build in progress."""
        self._stopping = True
        self._woken.set()
        self._observer.stop()
        self._thread.join(timeout_s)

    def wake(self) -> None:
        """Build once more, after a build in progress if there is one. From any thread."""
        with self._lock:
            self._again = True
        self._woken.set()

    def wake_for_figure(self) -> None:
        """Build once more because a figure is done. From any thread."""
        with self._lock:
            self._drawn = True
        self._woken.set()

    def notice(self, change: Change, *, is_whole: bool) -> None:
        """Take note of a change; it is dropped if no build can depend on it."""
        if any(_is_under(change.path, ignored) for ignored in self._ignored):
            if change.names_changed and change.path in self._ignored and not os.path.exists(change.path):
                self.wake()  # the cache or the output was removed, and both are needed
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
        """The noted changes that a build would see; None if there is no reason to build."""
        with self._lock:
            self._woken.clear()
            changes = [change for change in self._changes if self._concerns(change)]
            if len(self._changes) >= BURST:
                self._wake_later()
            self._changes.clear()
            self._open.clear()
            return changes if changes or self._again or self._drawn else None

    def _build_after(self, changes: list[Change]) -> None:
        """Build, then watch what was read."""
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
        """Wait until nothing has changed for a while."""
        since = time.monotonic()
        while not self._stopping and self._changes and time.monotonic() - since < PATIENCE_S:
            self._woken.clear()
            with self._lock:
                quiet_s = QUIET_S if self._open else WRITTEN_S
            if not self._woken.wait(quiet_s):
                return

    def _watch_inputs(self, inputs: WatchedInputs, began_ns: int, *, are_new: bool) -> None:
        """Watch all folders of inputs and no others, and check what was not watched while it was read.

        `are_new` says that folders were created or removed.
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
        """The folders to watch so that `folders` are covered, each with whether recursively.

        Within the project these are folders directly in it; elsewhere the folders themselves, or their
        nearest existing parent.
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
        for folder in outside:  # last: the parent of a missing folder is watched only for that name
            there = next(one for one in (folder, *map(str, Path(folder).parents)) if os.path.isdir(one))
            if not any(there == one or (_is_under(there, one) and deep) for one, deep in found.items()):
                found[there] = False
        return found

    def _worth_watching(self) -> list[str]:
        """Folders of the project that a build may read; used until a build has reported what it reads."""
        folders = [entry.path for entry in os.scandir(self._root) if entry.is_dir()]
        return [path for path in folders if not self._is_thicket(path)]

    def _watch(self, path: str, *, recursive: bool) -> None:
        with suppress(FileNotFoundError):  # folders of a burst come and go
            self._watches[path] = self._observer.schedule(
                self._handler, path, recursive=recursive, event_filter=_HEARD
            )

    def _watch_again(self, path: str) -> None:
        """A folder directly in the project was created or removed, perhaps replacing one of the same name."""
        if os.path.dirname(path) != self._root or self._is_thicket(path):
            return
        self._forget(path)
        if os.path.isdir(path):
            with suppress(OSError):
                self._watch(path, recursive=True)

    def _forget(self, path: str) -> None:
        if (old := self._watches.pop(path, None)) is not None:
            with suppress(KeyError):  # it disappeared with the folder
                self._observer.unschedule(old)

    def _is_thicket(self, path: str) -> bool:
        """Whether a folder of the project holds thousands of folders that builds do not usually read."""
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
    """Whether the name of a path in the project says that no build reads it."""
    inside = os.path.relpath(path, root) if _is_under(path, root) else path
    parts = inside.split(os.sep)
    return any(
        part in ("__pycache__", "node_modules") or (part.startswith(".") and part != ".") for part in parts
    )
