"""The places on disk that the last build read, to tell whether a change there matters to a build."""

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from diglot.engine import ENTRY, FILE, FOLDER, LISTING, UNREADABLE_LISTING, Key
from diglot.engine.globs import base_of, gives, reaches
from diglot.serve.changes import Change

_LISTINGS = (LISTING.kind, UNREADABLE_LISTING.kind)
_KINDS = (FILE.kind, FOLDER.kind, ENTRY.kind, *_LISTINGS)


class BuildInputs:
    """The inputs of the last build, updated after every build. One thread builds, another one asks."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._lock = threading.RLock()
        self._read: frozenset[Key] = frozenset()
        """Inputs of the last build, and of what is watched in addition."""
        self._built_from: frozenset[Key] = frozenset()
        self._beside: frozenset[Key] = frozenset()
        self._places: dict[Key, tuple[str, ...]] = {}
        """Paths of a file or folder when it was first used; links may have changed since."""
        self._files: dict[str, set[Key]] = {}
        """Inputs by absolute path; a file behind a link is found under both names."""
        self._folders: dict[str, set[Key]] = {}
        """Inputs whose folder was listed, by absolute path."""
        self._patterns: dict[Key, tuple[str, str]] = {}
        """The absolute patterns of listings, after the folder that contains all matches (with a trailing
        slash)."""
        self._behind: dict[str, str] = {}
        """The real path of each folder."""

    def update(self, inputs: Iterable[Key]) -> None:
        """Replace the inputs by those of a new build."""
        with self._lock:
            self._built_from = _of_the_disk(inputs)
            self._take_over()

    def look_at(self, inputs: Iterable[Key]) -> None:
        """Watch these too: what an author is looking at depends on them, though no build does."""
        with self._lock:
            self._beside = _of_the_disk(inputs)
            self._take_over()

    def _take_over(self) -> None:
        read = self._built_from | self._beside
        for key in self._read - read:
            self._take_away(key)
        for key in read - self._read:
            self._place(key)
        self._read = read

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        """Whether a build would see a change at an absolute path, of content or of names."""
        with self._lock:
            return self._concerns(path, names_changed=names_changed, is_folder=is_folder)

    def _concerns(self, path: str, *, names_changed: bool, is_folder: bool) -> bool:
        if path in self._files:
            return True
        if not names_changed:
            return False
        if os.path.dirname(path) in self._folders:
            return True
        if not is_folder:
            return any(
                path.startswith(base) and gives(pattern, path) for base, pattern in self._patterns.values()
            )
        below = f"{path}/"
        return (
            any(one.startswith(below) for one in self._files)
            or any(one.startswith(below) for one in self._folders)
            or any(
                base.startswith(below) or (path.startswith(base) and reaches(pattern, path))
                for base, pattern in self._patterns.values()
            )
        )

    def at(self, changes: Iterable[Change]) -> frozenset[Key] | None:
        """The inputs that these changes may have changed; None if that could be any."""
        found: set[Key] = set()
        with self._lock:
            for path, names_changed, is_folder in changes:
                if is_folder:
                    return None
                found |= self._files.get(path, set())
                if names_changed:
                    found |= self._folders.get(os.path.dirname(path), set())
                    found.update(
                        key
                        for key, (base, pattern) in self._patterns.items()
                        if path.startswith(base) and gives(pattern, path)
                    )
        return frozenset(found)

    def folders(self) -> frozenset[str]:
        """Every folder in which a change can matter; some may not exist."""
        found = {path.rpartition(os.sep)[0] for path in self._files}
        return frozenset(found | self._folders.keys() | {base[:-1] for base, _ in self._patterns.values()})

    def changed_since(self, moment_ns: int, folders: Iterable[str]) -> bool:
        """Whether an input directly in these folders, or one of the folders, has changed since a moment."""
        within = set(folders)
        paths = [*within, *(path for path in self._files if os.path.dirname(path) in within)]
        return any(_changed_at_ns(path) >= moment_ns for path in paths)

    def looks(self) -> list[tuple[int, ...] | None]:
        """The state of all inputs as far as `stat` tells it, which is quick.

        Of listings, only the topmost folder is checked.
        """
        with self._lock:
            paths = [*self._files, *self._folders, *(base for base, _ in self._patterns.values())]
        return [_look_of(path) for path in paths]

    def _place(self, key: Key) -> None:
        path = os.path.join(self._root, key.name)
        if key.kind in _LISTINGS and (base := base_of(path)) is not None:
            self._patterns[key] = f"{base}/", path
            return
        self._places[key] = places = self._names(path)
        for name in places:
            self._of(key).setdefault(name, set()).add(key)

    def _take_away(self, key: Key) -> None:
        if self._patterns.pop(key, None) is not None:
            return
        for name in self._places.pop(key):
            keys = self._of(key)[name]
            keys.discard(key)
            if not keys:
                del self._of(key)[name]

    def _of(self, key: Key) -> dict[str, set[Key]]:
        return self._folders if key.kind == FOLDER.kind else self._files

    def _names(self, path: str) -> tuple[str, ...]:
        """A path and, if it leads through a link, the real path."""
        folder, name = os.path.split(path)
        if folder not in self._behind:
            self._behind[folder] = os.path.realpath(folder)
        behind = os.path.join(self._behind[folder], name)
        if os.path.islink(behind):
            behind = os.path.realpath(behind)
        return (path,) if behind == path else (path, behind)


def _of_the_disk(inputs: Iterable[Key]) -> frozenset[Key]:
    return frozenset(key for key in inputs if key.kind in _KINDS)


def _look_of(path: str) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _changed_at_ns(path: str) -> int:
    try:
        status = os.stat(path)
    except OSError:
        return 0
    return max(status.st_mtime_ns, status.st_ctime_ns)
