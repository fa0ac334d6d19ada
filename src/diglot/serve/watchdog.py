"""Ends the preview when a signal says so, whatever a build is doing.

Python handles signals between two bytecode instructions. One instruction may take minutes, for example a
power of large integers, and no other thread runs meanwhile. So the system reports each signal to a second
process at once, and that process kills the first one if it does not end by itself.
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
"""Seconds that the preview may take to end after the first signal."""
_AT_ONCE_S = 0.3
"""The same after the second signal."""
_SAID = b"diglot: a build did not stop in time; the preview was ended all the same\n"


class Watchdog:
    """The second process. Start it before there are threads or other child processes."""

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
        """From now on, report signals to the second process; call it on the main thread."""
        if self._told >= 0:
            signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)

    def __exit__(self, *_: object) -> None:
        if self._pid:
            with suppress(ValueError):  # not on the main thread, so it was not armed either
                signal.set_wakeup_fd(-1)
            os.close(self._told)
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
            self._pid, self._told = 0, -1


def _watch(heard: int, parent: int) -> NoReturn:
    """Run the second process; it must not return into the code of the first one."""
    try:
        for number in (*shutdown_signals(), signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)  # a terminal sends signals to all its processes
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
        if not told:  # the first process has ended
            return
        for number in told:
            if number in shutdown_signals():
                deadline = time.monotonic() + (PATIENCE_S if deadline is None else _AT_ONCE_S)
    if os.getppid() == parent:
        os.kill(parent, signal.SIGKILL)
        os.write(2, (CLEAR_LINE if os.isatty(2) else b"") + _SAID)


def _descriptors() -> int:
    """One more than the highest open descriptor; 4096 if that cannot be found out."""
    with suppress(OSError, ValueError):
        return max(map(int, os.listdir("/dev/fd"))) + 1
    return 4096
