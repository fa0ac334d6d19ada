"""Has Linux report a process's system calls about files to another process (seccomp user notification).

Native code raises no audit events in Python, but it has to ask the system for every file. The filter stops a
thread at such a call until the process that holds the listener has read the path and answers "go on". It
needs no privileges, covers all threads and later child processes, and cannot be removed.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import select
import struct
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

Action = Literal["open", "look", "entry", "list", "make"]
"""Opens a file; asks about a file's metadata; asks only about existence, kind or link target; lists a folder;
creates or replaces something."""


class _Call(NamedTuple):
    """Where a system call has its arguments."""

    action: Action
    path: int | None
    """Position of the path's address; None for a call about the open folder in `folder`."""
    folder: int | None = None
    """Position of the descriptor of the folder to which the path is relative; None for the current folder."""
    flags: int | None = None
    """Position of the flags: of `open`, or those with AT_EMPTY_PATH."""


_AT_EMPTY_PATH = 0x1000
_AT_FDCWD = -100
_OPENAT2_FLAGS = -1
"""Instead of a position: the flags are at the address in the third argument."""
_CREAT_FLAGS = -2
"""Instead of a position: those of `creat`."""

_CALLS: Mapping[str, _Call] = {
    "open": _Call("open", 0, flags=1),
    "creat": _Call("open", 0, flags=_CREAT_FLAGS),
    "openat": _Call("open", 1, folder=0, flags=2),
    "openat2": _Call("open", 1, folder=0, flags=_OPENAT2_FLAGS),
    "stat": _Call("look", 0),
    "lstat": _Call("look", 0),
    "newfstatat": _Call("look", 1, folder=0, flags=3),
    "statx": _Call("look", 1, folder=0, flags=2),
    "access": _Call("entry", 0),
    "faccessat": _Call("entry", 1, folder=0),
    "faccessat2": _Call("entry", 1, folder=0),
    "readlink": _Call("entry", 0),
    "readlinkat": _Call("entry", 1, folder=0),
    "getdents64": _Call("list", None, folder=0),
    "mkdir": _Call("make", 0),
    "mkdirat": _Call("make", 1, folder=0),
    "rename": _Call("make", 1),
    "renameat": _Call("make", 3, folder=2),
    "renameat2": _Call("make", 3, folder=2),
}


class _Machine(NamedTuple):
    """The system calls of a kind of processor."""

    audit_arch: int
    seccomp: int
    socket: int
    numbers: Mapping[str, int]


_IO_URING_SETUP = 425
_MACHINES: Mapping[str, _Machine] = {
    "x86_64": _Machine(
        0xC000003E,
        317,
        41,
        {
            **{"open": 2, "stat": 4, "lstat": 6, "access": 21, "rename": 82, "mkdir": 83, "creat": 85},
            **{"readlink": 89, "getdents64": 217, "openat": 257, "mkdirat": 258, "newfstatat": 262},
            **{"renameat": 264, "readlinkat": 267, "faccessat": 269, "renameat2": 316, "statx": 332},
            **{"openat2": 437, "faccessat2": 439},
        },
    ),
    "aarch64": _Machine(
        0xC00000B7,
        277,
        198,
        {
            **{"mkdirat": 34, "renameat": 38, "faccessat": 48, "openat": 56, "getdents64": 61},
            **{"readlinkat": 78, "newfstatat": 79, "renameat2": 276, "statx": 291},
            **{"openat2": 437, "faccessat2": 439},
        },
    ),
}

_NOTIFICATION = struct.Struct("=QIIiIQ6Q")
"""`seccomp_notif`: id, thread, flags, number of the call, architecture, address of the code, arguments."""
_ANSWER = struct.Struct("=QqiI")
_RECEIVE, _SEND, _SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082104
_SYNC_WAKE_UP = 1
_CONTINUE = 1
_PAGE = 4096
_LONGEST_PATH = 4096


class SystemCall(NamedTuple):
    """A call about a file that a thread is about to make."""

    action: Action
    path: bytes | None
    """Absolute; None if it could not be read."""
    flags: int
    thread: int


@cache
def _system() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def load() -> None:
    """Load what `filter_calls` needs: loading raises audit events, which are refused once a script runs."""
    if sys.platform == "linux":
        _ = _system().syscall, _system().prctl


def filter_calls() -> int:
    """Filter all threads of this process from now on, and return the listener's descriptor.

    Raises OSError if this system cannot do that, or does not allow it.
    """
    machine = _MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    if machine is None or struct.calcsize("P") != 8:
        raise OSError(errno.ENOSYS, "only for Linux on x86_64 and aarch64")
    program = ctypes.create_string_buffer(_program(machine))
    filter_ = ctypes.create_string_buffer(
        struct.pack("@HP", (len(program) - 1) // 8, ctypes.addressof(program))
    )
    system = _system()
    no_new_privileges, set_mode_filter = 38, 1
    tsync, spec_allow, new_listener, tsync_esrch = 1, 4, 8, 16
    if system.prctl(no_new_privileges, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    listener: int = system.syscall(
        ctypes.c_long(machine.seccomp),
        ctypes.c_ulong(set_mode_filter),
        ctypes.c_ulong(tsync | spec_allow | new_listener | tsync_esrch),
        filter_,
    )
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


def _program(machine: _Machine) -> bytes:
    """The filter as BPF: jumps count the instructions that are skipped."""
    load, jump_if_equal, jump_if_any_bit, give = 0x20, 0x15, 0x45, 0x06
    allow, ask, fail = 0x7FFF0000, 0x7FC00000, 0x00050000
    number_at, arch_at = 0, 4
    inet, inet6 = 2, 10

    def argument_at(position: int) -> int:
        return 16 + 8 * position

    steps: list[tuple[int, int, int, int]] = [
        (load, 0, 0, arch_at),
        (jump_if_equal, 1, 0, machine.audit_arch),
        (give, 0, 0, allow),
        (load, 0, 0, number_at),
    ]
    for name, number in machine.numbers.items():
        call = _CALLS[name]
        if call.action == "look" and call.flags is not None:  # of an open file, when its flags say so
            steps += [
                (jump_if_equal, 0, 4, number),
                (load, 0, 0, argument_at(call.flags)),
                (jump_if_any_bit, 0, 1, _AT_EMPTY_PATH),
                (give, 0, 0, allow),
                (give, 0, 0, ask),
            ]
        else:
            steps += [(jump_if_equal, 0, 1, number), (give, 0, 0, ask)]
    steps += [
        # Files that are opened by way of io_uring would pass no filter. Libraries do without it.
        (jump_if_equal, 0, 1, _IO_URING_SETUP),
        (give, 0, 0, fail | errno.ENOSYS),
        # The network, which is refused to Python code by an audit hook.
        (jump_if_equal, 0, 4, machine.socket),
        (load, 0, 0, argument_at(0)),
        (jump_if_equal, 1, 0, inet),
        (jump_if_equal, 0, 1, inet6),
        (give, 0, 0, fail | errno.EACCES),
        (give, 0, 0, allow),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class Listener:
    """The end at which another process hears of the calls of one that is filtered."""

    def __init__(self, descriptor: int) -> None:
        """Take over the descriptor that `filter_calls` returned."""
        self.descriptor = descriptor
        self._waits = select.poll()
        self._waits.register(descriptor, select.POLLIN)
        self._memories: dict[int, int] = {}
        """Descriptors of the memory of threads."""
        with contextlib.suppress(OSError):  # Linux 6.6: go on with the waiting thread on the same processor
            fcntl.ioctl(descriptor, _SET_FLAGS, _SYNC_WAKE_UP)

    def close(self) -> None:
        """Hear no more. Later calls of the filtered process fail."""
        for memory in self._memories.values():
            os.close(memory)
        os.close(self.descriptor)

    def waiting_calls(self) -> Iterator[tuple[int, SystemCall]]:
        """The calls that wait, each with an id for `go_on`. Ends when there was none for a millisecond.

        Calls come one after the other, and to be back here sooner halves what each of them costs.
        """
        patience_ms = 0
        while any(events & select.POLLIN for _, events in self._waits.poll(patience_ms)):
            patience_ms = 1
            notification = bytearray(_NOTIFICATION.size)
            try:
                fcntl.ioctl(self.descriptor, _RECEIVE, notification)
            except OSError:  # the thread was killed meanwhile, or a signal came
                return
            number_of_call, thread, _, number, _, _, *arguments = _NOTIFICATION.unpack(notification)
            try:
                yield number_of_call, self._call(number, arguments, thread)
            except FileNotFoundError:  # the thread is gone
                continue

    def go_on(self, number_of_call: int) -> None:
        """Let the thread make its call."""
        with contextlib.suppress(FileNotFoundError):  # it was killed or interrupted
            fcntl.ioctl(self.descriptor, _SEND, _ANSWER.pack(number_of_call, 0, 0, _CONTINUE))

    def _call(self, number: int, arguments: list[int], thread: int) -> SystemCall:
        """Raises FileNotFoundError if the thread is gone."""
        call = _by_number()[number]
        flags = 0
        try:
            match call.flags:
                case None:
                    pass
                case position if position == _CREAT_FLAGS:
                    flags = os.O_CREAT | os.O_WRONLY | os.O_TRUNC
                case position if position == _OPENAT2_FLAGS:
                    flags = int.from_bytes(self._memory(thread, arguments[2], 8), sys.byteorder)
                case position:
                    flags = arguments[position]
            path = b"" if call.path is None else self._text(thread, arguments[call.path])
            if not path.startswith(b"/"):
                path = os.path.join(_folder(call, arguments, thread), path)
        except FileNotFoundError:
            raise
        except OSError:
            return SystemCall(call.action, None, flags, thread)
        return SystemCall(call.action, path, flags, thread)

    def _text(self, thread: int, address: int) -> bytes:
        """The text that ends with a zero byte, read page by page: the next page may belong to nobody."""
        text = b""
        while len(text) < _LONGEST_PATH:
            part = self._memory(thread, address, _PAGE - address % _PAGE)
            before, zero, _ = part.partition(b"\0")
            text += before
            if zero:
                return text
            address += len(part)
        raise OSError(errno.ENAMETOOLONG, "a path without an end")

    def _memory(self, thread: int, address: int, size: int) -> bytes:
        if thread in self._memories:
            with contextlib.suppress(OSError):
                if content := os.pread(self._memories[thread], size, address):
                    return content
            os.close(self._memories.pop(thread))  # the thread runs another program by now
        self._memories[thread] = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
        if content := os.pread(self._memories[thread], size, address):
            return content
        raise OSError(errno.EFAULT, "no memory at this address")


def _folder(call: _Call, arguments: list[int], thread: int) -> bytes:
    descriptor = _AT_FDCWD if call.folder is None else _signed(arguments[call.folder])
    shown = "cwd" if descriptor == _AT_FDCWD else f"fd/{descriptor}"
    return os.fsencode(os.readlink(f"/proc/{thread}/{shown}"))


def _signed(argument: int) -> int:
    return (argument & 0xFFFFFFFF) - (1 << 32 if argument & 0x80000000 else 0)


@cache
def _by_number() -> Mapping[int, _Call]:
    machine = _MACHINES[platform.machine()]
    return {number: _CALLS[name] for name, number in machine.numbers.items()}
