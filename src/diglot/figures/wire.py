"""Values over a socket: a length, then msgpack."""

import socket
import struct
from typing import Any, TypeVar

import msgspec

_LENGTH = struct.Struct("!Q")
T = TypeVar("T")


def send(to: socket.socket, value: Any) -> None:
    """Send one value."""
    content = msgspec.msgpack.encode(value)
    to.sendall(_LENGTH.pack(len(content)) + content)


def receive(source: socket.socket, value_type: type[T]) -> T | None:
    """The next value; None where the other side closed before it was complete."""
    head = _exactly(source, _LENGTH.size)
    content = _exactly(source, _LENGTH.unpack(head)[0]) if head is not None else None
    return msgspec.msgpack.decode(content, type=value_type) if content is not None else None


def _exactly(source: socket.socket, count: int) -> bytes | None:
    got = bytearray()
    while len(got) < count:
        try:
            more = source.recv(min(count - len(got), 1 << 20))
        except ConnectionError:
            return None
        if not more:
            return None
        got += more
    return bytes(got)
