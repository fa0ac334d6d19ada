"""One build at a time in one project."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where two builds at once are not kept apart
    fcntl = None  # type: ignore[assignment]  # a module cannot be typed as absent


@contextmanager
def locked(path: Path, *, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file at `path`; `waiting` is called once if another process has it.

    The system lets go of the lock when the process ends, however it ends.
    """
    with path.open("ab") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
