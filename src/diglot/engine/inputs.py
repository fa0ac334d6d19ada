"""Inputs: what a build reads and no task makes. Content decides what changed; stamps only save reading it."""

import errno
import os
import stat
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.digests import ABSENT, digest_of, digest_of_entry, digest_of_names
from diglot.engine.globs import Folders
from diglot.engine.keys import Key
from diglot.engine.targets import ENTRY, ENVIRONMENT, FILE, FOLDER, LISTING, UNREADABLE_LISTING, Lazy

UNREADABLE = "unreadable"
"""Used in place of a digest for a file that exists but cannot be read."""

RACY_NS = 2_000_000_000
"""The longest tick of a file system's clock: two seconds on FAT, milliseconds elsewhere. A file may change
twice within one tick, so a stamp this fresh proves nothing: it is not kept, and the file is read again."""

CHANGE_TICK_NS = 50_000_000
"""The same for `ctime_ns`, which only file systems with fine clocks have."""


class Stamp(NamedTuple):
    """A file's metadata when its content was last read. While it is the same, the file is not read again."""

    mtime_ns: int
    ctime_ns: int
    """When the file last changed in any way. A program that restores a file's mtime cannot set this."""
    size: int
    inode: int
    digest: str


class FileUnsteady(DiagnosticError):
    """A file cannot be read, or it changed during the build. Another build may succeed."""

    retry = True


class Inputs:
    """The inputs of one build. The digest of each is taken once, so that all tasks see the same."""

    def __init__(
        self,
        root: str,
        *,
        given: Mapping[str, object],
        environment: Mapping[str, str],
        stamps: Mapping[str, Stamp],
        edited: Mapping[str, bytes] = MappingProxyType({}),
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`edited` is the content of files that is not on disk yet, by their names."""
        self._root = root
        self._given = given
        self._environment = environment
        self._stamps = stamps
        self._edited = edited
        self._clock_ns = clock_ns
        self._folders = Folders(root)
        self._looked: dict[Key, str] = {}
        self.new_stamps: dict[str, Stamp] = {}
        """Stamps of the files that had to be read, for the store."""

    def digest(self, key: Key) -> str:
        """The digest of an input; "absent" if it does not exist."""
        if (digest := self._looked.get(key)) is None:
            digest = self._looked[key] = self._digest(key)
        return digest

    def _digest(self, key: Key) -> str:
        match key.kind:
            case FILE.kind:
                return self._file_digest(key.name)
            case LISTING.kind:
                return digest_of_names(self._folders.find(key.name))
            case UNREADABLE_LISTING.kind:
                return _digest_of_given(self._folders.find_unreadable(key.name))
            case FOLDER.kind:
                names = self._names_in(key.name)
                return ABSENT if names is None else digest_of_names(names)
            case ENTRY.kind:
                return digest_of_entry(self._path(key.name))
            case ENVIRONMENT.kind:
                text = self._environment.get(key.name)
                return ABSENT if text is None else digest_of(text.encode("utf-8", "surrogateescape"))
            case _:
                return _digest_of_given(self._given_value(key)) if key.name in self._given else ABSENT

    def read(self, key: Key) -> tuple[Any, str]:
        """The value of an input and the digest of just this value.

        Raises KeyError if there is no given value with the name, FileUnsteady if a file cannot be read.
        """
        match key.kind:
            case FILE.kind:
                return self._read_file(key.name)
            case LISTING.kind:
                return self._folders.find(key.name), self.digest(key)
            case UNREADABLE_LISTING.kind:
                return self._folders.find_unreadable(key.name), self.digest(key)
            case FOLDER.kind:
                names = self._names_in(key.name)
                return names, ABSENT if names is None else digest_of_names(names)
            case ENTRY.kind:
                return None, self.digest(key)
            case ENVIRONMENT.kind:
                return self._environment.get(key.name), self.digest(key)
            case _:
                return self._given_value(key), self.digest(key)

    def _given_value(self, key: Key) -> object:
        value = self._given[key.name]
        return value.value if isinstance(value, Lazy) else value

    def _path(self, name: str) -> str:
        return name if name.startswith("/") else f"{self._root}/{name}"

    def _file_digest(self, name: str) -> str:
        if (content := self._edited.get(name)) is not None:
            return digest_of(content)
        try:
            status = os.stat(self._path(name))
        except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: the name contains a NUL
            return ABSENT
        except OSError as error:
            return ABSENT if error.errno == errno.ENAMETOOLONG else UNREADABLE
        known = self._stamps.get(name)
        if known is not None and known[:-1] == _look(status):
            return known.digest
        try:
            return self._read_file(name)[1]
        except FileUnsteady:
            return UNREADABLE

    def _read_file(self, name: str) -> tuple[bytes | None, str]:
        """The content and its digest, or (None, "absent") if there is no such file; keeps the stamp."""
        if (edited := self._edited.get(name)) is not None:
            return edited, digest_of(edited)
        now = self._clock_ns()
        try:
            # Only regular files are opened: opening a pipe would block until another process writes to it.
            if not stat.S_ISREG(os.stat(self._path(name)).st_mode):
                return None, ABSENT
            with open(self._path(name), "rb") as file:
                look = _look(os.fstat(file.fileno()))
                content = file.read()
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None, ABSENT
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return None, ABSENT
            raise _unsteady(
                name, f'"{name}" cannot be read: {error.strerror}', "check its permissions."
            ) from error
        digest = digest_of(content)
        if look[0] < now - RACY_NS and look[1] < now - CHANGE_TICK_NS:
            self.new_stamps[name] = Stamp(*look, digest)
        return content, digest

    def _names_in(self, name: str) -> tuple[str, ...] | None:
        try:
            return tuple(sorted(os.listdir(self._path(name))))
        except OSError:
            return None


def changed_meanwhile(key: Key) -> FileUnsteady:
    """The error for a file that changed after this build first looked at it."""
    return _unsteady(key.name, f'"{key.name}" changed while the site was being built', "build again.")


def _unsteady(name: str, message: str, fix: str) -> FileUnsteady:
    return FileUnsteady(
        Diagnostic(rule="file-unsteady", message=message, location=Location(path=name), fix=fix)
    )


def _look(status: os.stat_result) -> tuple[int, int, int, int]:
    # Inode numbers of some file systems have more than the 63 bits that SQLite can store.
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & (1 << 63) - 1


def _digest_of_given(value: object) -> str:
    """The digest of the `repr`, which is exact for text, numbers, dates, and tuples and records of these.

    Raises TypeError for a value with the default `repr`, which does not say what the value is.
    """
    if type(value).__repr__ is object.__repr__:
        raise TypeError(f"the repr of a given {type(value).__name__} does not say what it is")
    return digest_of(repr(value).encode("utf-8", "surrogateescape"))
