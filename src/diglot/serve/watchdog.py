"""That a preview ends when it is told to, whatever a build is doing.

Python sees to signals between two steps of its own. A step may take minutes, a power of large numbers for
example, and no other thread runs meanwhile. The system tells a second process of each signal at once, and
that one ends the first where it does not end by itself.
"""

import os
import select
import signal
import threading
import time
from contextlib import suppress
from typing import NoReturn, Self

from diglot.serve.listening import CLEAR_LINE, shutdown_signals

PATIENCE_S = 4.0
"""How long after the first signal the preview may take to end."""
_AT_ONCE_S = 0.3
"""The same after the second."""
_SAID = b"diglot: a build did not stop in time; the preview was ended all the same\n"


class Watchdog:
    """The second process. To be begun before there are threads, and before other processes are."""

    def __init__(self) -> None:
        self._pid = 0
        self._told = -1

    def __enter__(self) -> Self:
        if hasattr(os, "fork") and threading.active_count() == 1:
            heard, self._told = os.pipe()
            os.set_blocking(self._told, False)
            parent = os.getpid()
            self._pid = os.fork()
            if self._pid == 0:
                _watch(heard, parent)
            os.close(heard)
        return self

    def arm(self) -> None:
        """From now on, have it told of signals; on the main thread."""
        if self._told >= 0:
            signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)

    def __exit__(self, *_: object) -> None:
        if self._pid:
            with suppress(ValueError):  # not on the main thread, where it was not armed either
                signal.set_wakeup_fd(-1)
            os.close(self._told)
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
            self._pid, self._told = 0, -1


def _watch(heard: int, parent: int) -> NoReturn:
    """What the second process does: nothing of what the first one was about to do."""
    try:
        for number in (*shutdown_signals(), signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)  # a terminal tells them to all its processes
        os.dup2(heard, 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.closerange(3, _descriptors())
        _end_late(parent)
    finally:
        os._exit(0)


def _end_late(parent: int) -> None:
    deadline: float | None = None
    while deadline is None or (left_s := deadline - time.monotonic()) > 0:
        if not select.select([0], [], [], None if deadline is None else left_s)[0]:
            continue
        told = os.read(0, 64)
        if not told:  # the first process is gone
            return
        for number in told:
            if number in shutdown_signals():
                deadline = time.monotonic() + (PATIENCE_S if deadline is None else _AT_ONCE_S)
    if os.getppid() == parent:
        os.kill(parent, signal.SIGKILL)
        os.write(2, (CLEAR_LINE if os.isatty(2) else b"") + _SAID)


def _descriptors() -> int:
    """One more than the highest descriptor in use, as far as that is worth looking."""
    with suppress(OSError, ValueError):
        return max(map(int, os.listdir("/dev/fd"))) + 1
    return 4096
