"""Watching the project for saved changes: bursts become one call, a change during a call makes one more."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from watchdog.events import DirCreatedEvent, DirMovedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

QUIET_S = 0.08
"""Editors save in bursts (write beside, rename, touch): wait until they are done."""
PATIENCE_S = 1.0
"""But no longer than this: something may be written all the time."""
_CHANGES = {"created", "modified", "moved", "deleted"}  # not `opened`: a build reads what it watches
_IGNORED_FOLDERS = {"__pycache__", "node_modules"}


class Watcher:
    """Calls back, on a thread of its own: once at the start, then after files of the project changed."""

    def __init__(
        self, folders: tuple[Path, ...], *, ignored: tuple[Path, ...], changed: Callable[[], object]
    ) -> None:
        """`changed` must not raise. Changes below `ignored` and in hidden folders are none."""
        self._folders = tuple(folder.resolve() for folder in folders if folder.is_dir())
        self._ignored = tuple(path.resolve() for path in ignored)
        self._changed = changed
        self._dirty = threading.Event()
        self._stopping = False
        self._observer = Observer()
        self._handler = _Handler(self)
        self._watches: dict[Path, ObservedWatch] = {}
        self._thread = threading.Thread(target=self._run, name="rebuild", daemon=True)

    def start(self) -> None:
        """Begin to watch. Raises OSError where the system has no watches left."""
        for folder in self._folders:
            # Not all of it recursively: environments and caches beside the sources have thousands of folders,
            # and the system's watches are counted.
            self._observer.schedule(self._handler, str(folder), recursive=False)
            for child in folder.iterdir():
                self.watch_folder(child)
        self._observer.start()
        self._dirty.set()
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """Stop watching, and wait a while for a call that is under way."""
        self._stopping = True
        self._dirty.set()
        self._observer.stop()
        self._thread.join(timeout_s)

    def watch_folder(self, folder: Path) -> None:
        """Watch a folder right below a watched one with all that is in it, if a build may depend on it."""
        if folder.parent not in self._folders or not folder.is_dir() or self._is_ignored(folder):
            return
        if (folder / "pyvenv.cfg").exists():
            return
        if (old := self._watches.pop(folder, None)) is not None:  # the folder that had this name is gone
            self._observer.unschedule(old)
        with suppress(FileNotFoundError):  # this one, too, as folders of a burst are
            self._watches[folder] = self._observer.schedule(self._handler, str(folder), recursive=True)

    def notice(self, path: Path) -> None:
        """A file changed; ignored where no build can depend on it."""
        if not self._is_ignored(path):
            self._dirty.set()

    def _is_ignored(self, path: Path) -> bool:
        if any(path.is_relative_to(ignored) for ignored in self._ignored):
            return True
        inside = next((path.relative_to(f) for f in self._folders if path.is_relative_to(f)), path)
        return any(part in _IGNORED_FOLDERS or part.startswith(".") for part in inside.parts)

    def _run(self) -> None:
        while True:
            self._dirty.wait()
            since = time.monotonic()
            while True:  # until nothing happened for a while
                self._dirty.clear()
                if self._stopping:
                    return
                if not self._dirty.wait(QUIET_S) or time.monotonic() - since > PATIENCE_S:
                    break
            self._dirty.clear()
            if not self._stopping:
                self._changed()


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES or (event.is_directory and event.event_type == "modified"):
            return
        if isinstance(event, DirCreatedEvent | DirMovedEvent):
            self._watcher.watch_folder(Path(str(event.dest_path or event.src_path)))
        for path in (event.src_path, event.dest_path):
            if path:
                self._watcher.notice(Path(str(path)))
