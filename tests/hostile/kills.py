"""Ways to kill a command: at a call into the system, or at a moment."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from diglot.publish import Publisher

_CALLS = (
    "replace",
    "rename",
    "link",
    "unlink",
    "rmdir",
    "mkdir",
    "fsync",
    "sync",
    "utime",
    "open",
    "scandir",
)
"""What changes a folder, and what comes between: by these names in the module `os`."""

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Countdown:
    """Ends this process at the n-th of the calls that are counted, before or after it is done."""

    def __init__(self, calls: int, *, afterwards: bool) -> None:
        self._left = calls
        self._afterwards = afterwards
        self._process = os.getpid()
        self.counts = False

    def watch(self, names: tuple[str, ...] = _CALLS) -> None:
        """Count calls of these functions."""
        for name in names:
            setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            if not self._afterwards:
                self._count()
            result = function(*arguments, **named)
            if self._afterwards:
                self._count()
            return result

        return counted

    def _count(self) -> None:
        if not self.counts or os.getpid() != self._process:
            return
        self._left -= 1
        if self._left <= 0:
            os.kill(self._process, signal.SIGKILL)


def while_publishing(work: Callable[[], int], calls: int, *, afterwards: bool) -> Callable[[], int]:
    """Work that is killed at a call that is made while it publishes."""

    def run() -> int:
        countdown = Countdown(calls, afterwards=afterwards)
        countdown.watch()
        publish = Publisher.publish

        def counted(*arguments: Any, **named: Any) -> Any:
            countdown.counts = True
            try:
                return publish(*arguments, **named)
            finally:
                countdown.counts = False

        Publisher.publish = counted  # type: ignore[method-assign]
        return work()

    return run


def throughout(work: Callable[[], int], calls: int, *, afterwards: bool) -> Callable[[], int]:
    """Work that is killed at a call, wherever that is made."""

    def run() -> int:
        countdown = Countdown(calls, afterwards=afterwards)
        countdown.watch()
        countdown.counts = True
        return work()

    return run


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process started, and those that they started."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue
        fields = text.rpartition(")")[2].split()
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    todo = [pid]
    for one in todo:
        todo += children.get(one, [])
        yield from children.get(one, [])


def kill_some_descendant(pid: int, chance: random.Random, within_s: float) -> bool:
    """Kill a process that another one started, as soon as there is one; whether there was."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := sorted(descendants(pid)):
            time.sleep(chance.random() * within_s / 4)  # at any moment of its work
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            return True
        time.sleep(0.005)
    return False
