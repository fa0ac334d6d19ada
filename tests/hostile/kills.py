"""Ways to kill a command: at a system call, or at a random moment."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from diglot.publishing.publisher import Publisher

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
"""Functions of `os` that change a folder, or that run between such changes."""

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Countdown:
    """Kills this process at the n-th counted call, before or after the call is made."""

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
    """Wrap work so that it is killed at its n-th counted call during publishing."""

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

        Publisher.publish = counted
        return work()

    return run


def throughout(work: Callable[[], int], calls: int, *, afterwards: bool) -> Callable[[], int]:
    """Wrap work so that it is killed at its n-th counted call."""

    def run() -> int:
        countdown = Countdown(calls, afterwards=afterwards)
        countdown.watch()
        countdown.counts = True
        return work()

    return run


def descendants(pid: int) -> Iterator[int]:
    """The ids of all descendants of a process, without zombies."""
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
    """Kill a random descendant of a process. Returns False if none appears within `within_s`."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := sorted(descendants(pid)):
            time.sleep(chance.random() * within_s / 4)  # at a random moment
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            return True
        time.sleep(0.005)
    return False
