"""Replaces functions that read the file system without an audit event by ones that report to the observer.

`SEEN_BY_WRAPPING` lists them. They are replaced once, in the fork server, before other modules import them
from `os` by name. Without an observer that listens, they behave like the originals.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from diglot.digests import BYTECODE
from diglot.figures.observation import databases
from diglot.figures.observation.ear import Ear, hearing, listening_ear
from diglot.figures.observation.replacing import replace_everywhere

IMPORTS = "<frozen importlib._bootstrap_external>"
"""File name of the import system's code. Its many queries are ignored: our finders record what matters."""

FIXED_TIME_S = 315_532_800
"""Time that files report, in seconds since 1970: 1 January 1980, the earliest that ZIP archives can hold."""

SEEN_BY_WRAPPING = (
    *("os.stat", "os.lstat", "os.fstat", "os.access", "os.readlink", "os.open", "os.listdir"),
    *(
        "os.scandir",
        "os.DirEntry.stat",
        "os.DirEntry.is_file",
        "os.DirEntry.is_dir",
        "os.DirEntry.is_symlink",
    ),
    *databases.OPENED_BY_WRAPPING,
)


def tell(ear: Ear) -> None:
    """Report to this observer from now on. Changes the process."""
    install()
    hearing.ear = ear


@cache
def install() -> None:
    """Install the replacements. Changes the process: later calls do nothing."""
    replaced = {name: wrapped(getattr(os, name)) for name, wrapped in _WRAPPED.items() if hasattr(os, name)}
    for name, look in replaced.items():
        real = getattr(os, name)
        # The standard library looks up functions in these sets to find out what they support.
        for able in (
            os.supports_fd,
            os.supports_dir_fd,
            os.supports_follow_symlinks,
            os.supports_effective_ids,
        ):
            if real in able:
                able.add(look)
        replace_everywhere(real, look)
    databases.install()


def path_of_fd(descriptor: int) -> str | None:
    """The path of an open file or folder, or None if the system does not provide it."""
    try:
        return _readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        pass
    try:
        import fcntl  # noqa: PLC0415  (not on every system)

        told = fcntl.fcntl(descriptor, getattr(fcntl, "F_GETPATH"), bytes(1024))  # noqa: B009  (not on Linux)
    except (OSError, AttributeError):
        return None
    return os.fsdecode(told.rstrip(b"\0"))


_readlink = os.readlink


def is_heard() -> bool:
    """Whether a script is running on this thread and is observed."""
    return listening_ear() is not None


def _place(path: Any, dir_fd: int | None = None) -> str:
    """The path of a function's argument: a path, a descriptor, or a path relative to an open folder."""
    if isinstance(path, int):
        return path_of_fd(path) or ""
    text = os.fsdecode(path)
    return text if dir_fd is None else os.path.join(path_of_fd(dir_fd) or "", text)


def _stat(real: Callable[..., os.stat_result]) -> Any:
    def stat(path: Any, *args: Any, **options: Any) -> os.stat_result:
        ear = listening_ear()
        if ear is None:
            return real(path, *args, **options)
        with ear.unheard():
            if sys._getframe(1).f_code.co_filename == IMPORTS:
                return real(path, *args, **options)
            place = _place(path, options.get("dir_fd"))
            return _answer(ear, place, lambda: real(path, *args, **options))

    return stat


def _answer(ear: Ear, place: str, look: Callable[[], os.stat_result]) -> os.stat_result:
    """Call `look`, record the query, and return its answer with times that are the same everywhere."""
    try:
        status = look()
    except (FileNotFoundError, NotADirectoryError):
        ear.missing(place)
        raise
    except OSError:
        ear.looked(place, content=False)
        raise
    ear.looked(place, content=True)
    return with_fixed_times(status) if ear.matters(place) else status


def with_fixed_times(status: os.stat_result) -> os.stat_result:
    """The status with all times replaced by `FIXED_TIME_S`."""
    made: Any = status.__reduce__()
    plain, named = made[1]
    fixed: dict[str, Any] = dict(named)
    for name in fixed:
        if name.startswith(("st_atime", "st_mtime", "st_ctime", "st_birthtime")):
            fixed[name] = FIXED_TIME_S * 10**9 if name.endswith("_ns") else float(FIXED_TIME_S)
    return os.stat_result((*plain[:7], FIXED_TIME_S, FIXED_TIME_S, FIXED_TIME_S), fixed)


def _fstat(real: Callable[[int], os.stat_result]) -> Any:
    def fstat(fd: int) -> os.stat_result:
        ear = listening_ear()
        if ear is None:
            return real(fd)
        with ear.unheard():
            place = path_of_fd(fd)
            status = real(fd)
            return with_fixed_times(status) if place and ear.matters(place) else status

    return fstat


def _access(real: Callable[..., bool]) -> Any:
    def access(path: Any, mode: int, **options: Any) -> bool:
        if (ear := listening_ear()) is None:
            return real(path, mode, **options)
        with ear.unheard():
            place = _place(path, options.get("dir_fd"))
            if not (allowed := real(path, mode, **options)):
                ear.missing(place)
            ear.looked(place, content=False)
            return allowed

    return access


def _read_link(real: Callable[..., Any]) -> Any:
    def readlink(path: Any, **options: Any) -> Any:
        if (ear := listening_ear()) is None:
            return real(path, **options)
        with ear.unheard():
            ear.looked(_place(path, options.get("dir_fd")), content=False)
            return real(path, **options)

    return readlink


def _open(real: Callable[..., int]) -> Any:
    """Reports files that are opened relative to an open folder, which the audit event does not name."""

    def open(path: Any, flags: int, *args: Any, **options: Any) -> int:
        ear = listening_ear()
        if ear is None or options.get("dir_fd") is None:
            return real(path, flags, *args, **options)
        with ear.unheard():
            ear.opened(_place(path, options["dir_fd"]), flags)
            return real(path, flags, *args, **options)

    return open


def _listdir(real: Callable[..., list[Any]]) -> Any:
    """Sorts the names, because their order differs between file systems, and hides compiled modules."""

    def listdir(*args: Any, **options: Any) -> list[Any]:
        ear = listening_ear()
        if ear is None:
            return real(*args, **options)
        if sys._getframe(1).f_code.co_filename == IMPORTS:
            # It lists whole folders to find one module; our finders record that module.
            with ear.unheard():
                return real(*args, **options)
        names = real(*args, **options)
        return sorted(name for name in names if os.fsdecode(name) != BYTECODE)

    return listdir


def _scandir(real: Callable[..., Any]) -> Any:
    def scandir(path: Any = ".") -> Any:
        ear = listening_ear()
        place = _place(path) if ear is not None else ""
        if ear is None or not ear.matters(place):
            return real(path)
        with real(path) as entries:
            shown = (entry for entry in entries if os.fsdecode(entry.name) != BYTECODE)
            found = sorted(shown, key=lambda entry: entry.name)
        return _Entries(_Entry(entry, os.path.join(place, os.fsdecode(entry.name)), ear) for entry in found)

    return scandir


class _Entries(Iterator[Any]):
    """The iterator that `os.scandir` returns."""

    def __init__(self, entries: Iterator["_Entry"]) -> None:
        self._entries = entries

    def __next__(self) -> "_Entry":
        return next(self._entries)

    def __enter__(self) -> "_Entries":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Yield no more entries."""
        self._entries = iter(())


class _Entry:
    """Wraps an `os.DirEntry`, which does not allow subclasses."""

    __slots__ = ("_ear", "_place", "_real")

    def __init__(self, real: Any, place: str, ear: Ear) -> None:
        self._real, self._place, self._ear = real, place, ear

    @property
    def name(self) -> Any:
        return self._real.name

    @property
    def path(self) -> Any:
        return self._real.path

    def inode(self) -> int:
        return int(self._real.inode())

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return bool(self._asked(self._real.is_dir)(follow_symlinks=follow_symlinks))

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return bool(self._asked(self._real.is_file)(follow_symlinks=follow_symlinks))

    def is_symlink(self) -> bool:
        return bool(self._asked(self._real.is_symlink)())

    def is_junction(self) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        if not self._ear.listens:
            found: os.stat_result = self._real.stat(follow_symlinks=follow_symlinks)
            return found
        with self._ear.unheard():
            return _answer(self._ear, self._place, lambda: self._real.stat(follow_symlinks=follow_symlinks))

    def __fspath__(self) -> Any:
        return self._real.__fspath__()

    def __repr__(self) -> str:
        return repr(self._real)

    def _asked(self, function: Callable[..., bool]) -> Callable[..., bool]:
        if self._ear.listens:
            with self._ear.unheard():
                self._ear.looked(self._place, content=False)
        return function


_WRAPPED: Mapping[str, Callable[[Any], Any]] = {
    "stat": _stat,
    "lstat": _stat,
    "fstat": _fstat,
    "access": _access,
    "readlink": _read_link,
    "open": _open,
    "listdir": _listdir,
    "scandir": _scandir,
}
