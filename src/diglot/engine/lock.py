"""A lock file: only one build runs at a time in one project."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from diglot.cache_files import make_folder, make_way_for_file, remove

try:
    import fcntl
except ImportError:  # Windows, where two builds can run at once
    fcntl = None  # type: ignore[assignment]  # a module's type does not include None


@contextmanager
def locked(path: Path, *, waiting: Callable[[int | None], None]) -> Iterator[None]:
    """Hold the lock file at `path`, which is created with its folder if needed.

    If another process holds it, `waiting` is called once, with that process's id if the file has it. The
    system releases the lock when the process ends, however it ends; the file's content is only for people.
    """
    number = _hold(path, waiting)
    try:
        yield
    finally:
        os.close(number)


def _hold(path: Path, waiting: Callable[[int | None], None]) -> int:
    told = False
    while True:
        make_folder(path.parent)
        make_way_for_file(path)
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            if fcntl is not None:
                try:
                    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if not told:
                        waiting(_holder(number))
                        told = True
                    fcntl.flock(number, fcntl.LOCK_EX)
            if os.fstat(number).st_nlink > 1:  # a hard link: writing would change another file
                remove(path)
            if not _is_still(number, path):  # the last holder removed the folder: others lock a new file
                os.close(number)
                continue
            os.ftruncate(number, 0)
            os.pwrite(number, f"{os.getpid()}\n".encode(), 0)
        except BaseException:
            os.close(number)
            raise
        return number


def _holder(number: int) -> int | None:
    text = os.pread(number, 32, 0)
    return int(text) if text.strip().isdigit() else None


def _is_still(number: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except FileNotFoundError:
        return False
