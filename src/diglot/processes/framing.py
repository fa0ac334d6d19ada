"""Messages over a stream socket: eight bytes of length, then the content, which the caller encodes."""

import socket
import struct
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

_LENGTH = struct.Struct("!Q")
_CHUNK_BYTES = 1 << 18
T = TypeVar("T")


def framed(content: bytes) -> bytes:
    """The content with its length in front."""
    return _LENGTH.pack(len(content)) + content


class Inbox:
    """Buffers the bytes of a socket and splits them into messages."""

    def __init__(self, source: socket.socket) -> None:
        self._source = source
        self._content = bytearray()

    def take_in(self, flags: int = 0) -> None:
        """Receive once. Raises EOFError if the other side has closed the socket."""
        content = self._source.recv(_CHUNK_BYTES, flags)
        if not content:
            raise EOFError
        self._content += content

    def next(self, decode: Callable[[memoryview], T]) -> T | None:
        """The next message, decoded, or None if it is not complete yet. `decode` must not keep the view."""
        if len(self._content) < _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack_from(self._content)
        end = _LENGTH.size + size
        if len(self._content) < end:
            return None
        with memoryview(self._content) as whole, whole[_LENGTH.size : end] as content:
            message = decode(content)
        del self._content[:end]
        return message


def send(to: socket.socket, value: Any) -> None:
    """Send one value, encoded as msgpack."""
    to.sendall(framed(msgspec.msgpack.encode(value)))


def receive(source: socket.socket, value_type: type[T]) -> T | None:
    """Receive one value, encoded as msgpack. None if the other side closes before the value is complete."""
    inbox = Inbox(source)
    decoder = msgspec.msgpack.Decoder(value_type)
    while (value := inbox.next(decoder.decode)) is None:
        try:
            inbox.take_in()
        except (EOFError, ConnectionError):
            return None
    return value
