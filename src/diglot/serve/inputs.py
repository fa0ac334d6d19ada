"""What the last build read, as places on the disk: whether a change there is one that a build would see."""

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from diglot.engine import ENTRY, FILE, FOLDER, LISTING, Key
from diglot.engine.globs import base_of, gives, is_scratch
from diglot.serve.changes import Change

_KINDS = tuple(one.kind for one in (FILE, FOLDER, ENTRY, LISTING))


class BuildInputs:
    """The inputs that the last build rested on, kept up to date from build to build.

    One thread builds, another one asks.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._lock = threading.RLock()
        self._read: frozenset[Key] = frozenset()
        """Of the last build and of what was looked at beside it."""
        self._built_from: frozenset[Key] = frozenset()
        self._beside: frozenset[Key] = frozenset()
        self._places: dict[Key, tuple[str, ...]] = {}
        """Where a file or folder was when it was first used: links may be turned since."""
        self._files: dict[str, set[Key]] = {}
        """What stands at absolute paths; at a file behind a link under both its names."""
        self._folders: dict[str, set[Key]] = {}
        """Those whose names were listed."""
        self._patterns: dict[str, tuple[str, Key]] = {}
        """Absolute, of listings; each with the folder that all it names is in, a slash at its end."""
        self._behind: dict[str, str] = {}
        """What folders are behind links."""

    def update(self, inputs: Iterable[Key]) -> None:
        """Take over what a build rested on."""
        with self._lock:
            self._built_from = _of_the_disk(inputs)
            self._take_over()

    def look_at(self, inputs: Iterable[Key]) -> None:
        """Have changes of these noticed too, as well as a build can: what somebody looks at rests on them."""
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
        """Whether a build would see a change at an absolute path: of content, or of which names there are."""
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
                path.startswith(base) and gives(one, path) for one, (base, _) in self._patterns.items()
            )
        below = f"{path}/"
        return (
            any(one.startswith(below) for one in self._files)
            or any(one.startswith(below) for one in self._folders)
            or any(
                base.startswith(below) or (path.startswith(base) and not is_scratch(os.path.basename(path)))
                for base, _ in self._patterns.values()
            )
        )

    def at(self, changes: Iterable[Change]) -> frozenset[Key] | None:
        """The inputs that these changes can have changed; None where that may be any."""
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
                        for pattern, (base, key) in self._patterns.items()
                        if path.startswith(base) and gives(pattern, path)
                    )
        return frozenset(found)

    def folders(self) -> frozenset[str]:
        """Every folder in which a change can matter, some of which may not be there."""
        found = {path.rpartition(os.sep)[0] for path in self._files}
        return frozenset(found | self._folders.keys() | {base[:-1] for base, _ in self._patterns.values()})

    def changed_since(self, moment_ns: int, folders: Iterable[str]) -> bool:
        """Whether a file or a folder of inputs directly in these folders changed after a moment."""
        within = set(folders)
        paths = [*within, *(path for path in self._files if os.path.dirname(path) in within)]
        return any(_changed_at_ns(path) >= moment_ns for path in paths)

    def looks(self) -> list[tuple[int, ...] | None]:
        """How all inputs look now, as far as that can be told without reading any: not much work.

        Of listings, only the uppermost folders are looked at.
        """
        with self._lock:
            paths = [*self._files, *self._folders, *(base for base, _ in self._patterns.values())]
        return [_look_of(path) for path in paths]

    def _place(self, key: Key) -> None:
        path = os.path.join(self._root, key.name)
        if key.kind == LISTING.kind and (base := base_of(path)) is not None:
            self._patterns[path] = f"{base}/", key
            return
        self._places[key] = places = self._names(path)
        for name in places:
            self._of(key).setdefault(name, set()).add(key)

    def _take_away(self, key: Key) -> None:
        path = os.path.join(self._root, key.name)
        if key.kind == LISTING.kind and path in self._patterns:
            del self._patterns[path]
            return
        for name in self._places.pop(key):
            keys = self._of(key)[name]
            keys.discard(key)
            if not keys:
                del self._of(key)[name]

    def _of(self, key: Key) -> dict[str, set[Key]]:
        return self._folders if key.kind == FOLDER.kind else self._files

    def _names(self, path: str) -> tuple[str, ...]:
        """A path and, where it leads through a link, the path behind it."""
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
