"""Watching the project for saved changes: bursts become one call, a change during a call makes one more."""

import threading
from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

QUIET_S = 0.08
"""Editors save in bursts (write beside, rename, touch): wait until they are done."""
_CHANGES = {"created", "modified", "moved", "deleted"}  # not `opened`: a build reads what it watches
_IGNORED_FOLDERS = {"__pycache__", "node_modules", "venv"}


class Watcher:
    """Calls back, on a thread of its own, after files of the project changed."""

    def __init__(
        self, folders: tuple[Path, ...], *, ignored: tuple[Path, ...], changed: Callable[[], object]
    ) -> None:
        self._folders = folders
        self._ignored = tuple(path.resolve() for path in ignored)
        self._changed = changed
        self._dirty = threading.Event()
        self._stopping = False
        self._observer = Observer()
        self._thread = threading.Thread(target=self._run, name="rebuild", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        handler = _Handler(self)
        for folder in self._folders:
            if folder.is_dir():
                self._observer.schedule(handler, str(folder), recursive=True)
        self._observer.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop; a call that is under way ends by itself."""
        self._stopping = True
        self._dirty.set()
        self._observer.stop()

    def notice(self, path: str) -> None:
        """A file changed; ignored where no build can depend on it."""
        found = Path(path)
        if any(found.is_relative_to(ignored) for ignored in self._ignored):
            return
        inside = next((found.relative_to(f) for f in self._folders if found.is_relative_to(f)), found)
        if any(part in _IGNORED_FOLDERS or part.startswith(".") for part in inside.parts):
            return
        self._dirty.set()

    def _run(self) -> None:
        while True:
            self._dirty.wait()
            while True:  # until nothing happened for a while
                self._dirty.clear()
                if self._stopping:
                    return
                if not self._dirty.wait(QUIET_S):
                    break
            self._changed()


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES or (event.is_directory and event.event_type == "modified"):
            return
        for path in (event.src_path, event.dest_path):
            if path:
                self._watcher.notice(str(path))
