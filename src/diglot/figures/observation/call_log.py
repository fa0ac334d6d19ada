"""The log of a worker's system calls, in memory that it shares with the process that watches it.

A call is in the log before the worker goes on with it. So the worker reads all that it did so far without
asking. The first page says which of its threads are not to be watched at the moment.
"""

import mmap
import os
import struct
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from diglot.figures.observation.system_calls import Action

_SLOT = struct.Struct("=I")
_SLOTS = 1024
_HEADER_BYTES = _SLOT.size * _SLOTS
_LENGTH = struct.Struct("=I")

Stamp: TypeAlias = tuple[int, int, int, int]
"""Kind and permissions, size, inode and modification time of a file."""


class LoggedCall(msgspec.Struct, frozen=True, array_like=True):
    """A call about a file, as it was just before it happened."""

    action: Action
    path: bytes | None
    """Absolute; None if it could not be read."""
    flags: int
    """Those of `open`."""
    stamp: Stamp | None
    """None if there was nothing."""


def stamp_of(path: bytes) -> Stamp | None:
    """The stamp of what is at a path, behind links; None if there is nothing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mode, status.st_size, status.st_ino, status.st_mtime_ns


class CallLog:
    """One log, as either process has it open."""

    def __init__(self, descriptor: int) -> None:
        """Take over the descriptor of memory that `create_memory` made."""
        self._descriptor = descriptor
        self._header = mmap.mmap(descriptor, _HEADER_BYTES)
        self._end = _HEADER_BYTES

    def close(self) -> None:
        """Let go of the memory."""
        self._header.close()
        os.close(self._descriptor)

    @property
    def section(self) -> int:
        """Number of the part of the worker's run in which it is: the same call is logged once in each."""
        return int(_SLOT.unpack_from(self._header, 0)[0])

    def begin_section(self) -> None:
        """Begin another part."""
        _SLOT.pack_into(self._header, 0, self.section + 1 & 0xFFFFFFFF)

    def pass_over(self, slot: int, thread: int) -> None:
        """Let calls of this thread pass unwatched; none of those that have this slot, if it is 0."""
        _SLOT.pack_into(self._header, _SLOT.size * (1 + slot % (_SLOTS - 1)), thread)

    def passes_over(self, thread: int) -> bool:
        """Whether calls of a thread are not logged at the moment."""
        wanted, place = _SLOT.pack(thread), _SLOT.size - 1
        while (place := self._header.find(wanted, place + 1)) >= 0:
            if place % _SLOT.size == 0:
                return True
        return False

    def append(self, call: LoggedCall) -> None:
        """Add a call."""
        content = msgspec.msgpack.encode(call)
        record = _LENGTH.pack(len(content)) + content
        os.pwrite(self._descriptor, record, self._end)
        self._end += len(record)

    def new_calls(self) -> Iterator[LoggedCall]:
        """The calls that were added since the last time."""
        size = os.fstat(self._descriptor).st_size - self._end
        content = os.pread(self._descriptor, size, self._end) if size > 0 else b""
        place = 0
        while place + _LENGTH.size <= len(content):
            (length,) = _LENGTH.unpack_from(content, place)
            record = content[place + _LENGTH.size : place + _LENGTH.size + length]
            if len(record) < length:  # another thread's, which is being written
                break
            place += _LENGTH.size + length
            yield msgspec.msgpack.decode(record, type=LoggedCall)
        self._end += place


def create_memory() -> int:
    """The descriptor of memory for a log. Raises OSError."""
    descriptor = os.memfd_create("diglot-calls", os.MFD_CLOEXEC)
    os.ftruncate(descriptor, _HEADER_BYTES)
    return descriptor
