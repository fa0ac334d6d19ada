"""Watches the system calls of workers, on behalf of the fork server that started them.

Only another process can do it: a thread of the worker would need Python's lock, which native code may hold
while it waits at a call.
"""

import os
import socket
import struct
import sys
import sysconfig
from collections.abc import Callable
from itertools import islice

import msgspec

from diglot.figures.observation.call_log import CallLog, LoggedCall, Stamp, stamp_of
from diglot.figures.observation.system_calls import Action, Listener

_MOST_AT_A_TIME = 200
"""How many calls of one worker are answered before the others, and time limits, get their turn."""
_PID = struct.Struct("=I")
_SYSTEM = tuple(
    f"/{folder}/".encode()
    for folder in ("usr", "lib", "lib32", "lib64", "bin", "etc", "proc", "sys", "dev", "run")
)
_OUTSIDE = (b"/usr/local/", b"/dev/shm/")


class _Watch(msgspec.Struct):
    """A worker that is watched."""

    listener: Listener
    log: CallLog
    logged: set[tuple[int, Action, bytes | None, int, Stamp | None]]
    """What is in the log, with the section."""


class CallWatcher:
    """Watches any number of workers, each from when it asks for it."""

    def __init__(self, root: str) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.requests, self.door = ours, theirs
        """Where requests arrive, and the end that workers send them to with `ask_to_watch`."""
        self._root = os.fsencode(os.path.realpath(root)) + b"/"
        self._unwatched = _folders_of_libraries()
        self._watches: dict[int, _Watch] = {}

    def accept(self, register: Callable[[int], object]) -> None:
        """Begin to watch a worker that has asked for it, and `register` its listener."""
        message, (listener, memory), _, _ = socket.recv_fds(self.requests, _PID.size, 2)
        (pid,) = _PID.unpack(message)
        self._watches[pid] = _Watch(Listener(listener), CallLog(memory), set())
        register(listener)

    def serve(self, listener: int) -> bool:
        """Log the calls that wait at a listener, and let them go on. Returns False for another descriptor."""
        watches = self._watches.values()
        watch = next((watch for watch in watches if watch.listener.descriptor == listener), None)
        if watch is None:
            return False
        for number, call in islice(watch.listener.waiting_calls(), _MOST_AT_A_TIME):
            if not self._is_unwatched(call.path) and not watch.log.passes_over(call.thread):
                stamp = None if call.path is None else stamp_of(call.path)
                logged = (watch.log.section, call.action, call.path, call.flags, stamp)
                if logged not in watch.logged:
                    watch.logged.add(logged)
                    watch.log.append(LoggedCall(call.action, call.path, call.flags, stamp))
            watch.listener.go_on(number)
        return True

    def end(self, pid: int, unregister: Callable[[int], object]) -> None:
        """Stop watching a worker, which has ended, if it was watched."""
        if (watch := self._watches.pop(pid, None)) is not None:
            unregister(watch.listener.descriptor)
            watch.listener.close()
            watch.log.close()

    def let_go(self) -> None:
        """In a new worker: close what belongs to other workers."""
        self.requests.close()
        for watch in self._watches.values():
            watch.listener.close()
            watch.log.close()

    def _is_unwatched(self, path: bytes | None) -> bool:
        """Whether a path is a part of the machine, whose version counts instead, or of no importance."""
        if path is None:
            return False
        if path.startswith(self._unwatched):
            return True
        return path.startswith(_SYSTEM) and not path.startswith((self._root, *_OUTSIDE))


def _folders_of_libraries() -> tuple[bytes, ...]:
    """The folders of Python and of installed packages, with a slash at the end."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)}
    folders |= {os.path.realpath(folder) for folder in folders}
    return tuple(os.fsencode(folder) + b"/" for folder in folders)


def ask_to_watch(door: socket.socket, listener: int, memory: int) -> None:
    """In a worker: have its calls watched. They wait until that has begun."""
    socket.send_fds(door, [_PID.pack(os.getpid())], [listener, memory])
