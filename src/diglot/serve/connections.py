"""Limits on connections to the preview: how many, how long each may take, and which are closed first.

An idle connection costs a file descriptor, and builds need some too. When they run short, idle connections
are closed first, then the oldest event streams, so that a page that is opened now is served.
"""

import asyncio
import errno
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from diglot.serve.hub import Listener

MOST = 512
"""Connections held at once, however many descriptors there are."""
REQUEST_S = 10.0
"""Seconds that a client has for a request, after it connected or got its last answer."""
READING_S = 30.0
"""Seconds after which a client that reads none of its answer is disconnected."""
CLOSING_S = 5.0
"""Seconds that the last bytes sent may take to arrive."""
MOST_RECEIVED = 128 * 1024
"""Bytes accepted before a request is answered; a real request needs a few hundred."""

_RESERVED = 48
"""Descriptors left for builds; a third of them if the limit is low."""
_SPARE = 4
"""Connections allowed beyond the limit for a moment, while dismissed ones close."""
_RESTING_S = 1.0
"""Seconds after which an idle connection is closed in preference to an event stream, however old that is."""
_LOOK_S = 0.5
_PAUSE_S = 0.1
"""Seconds without new connections after one could not be accepted."""
_SLICE = 16 * 1024
_SCARCE = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Connection(H11Protocol):
    """One connection, which knows what it is waiting for and since when."""

    transport: asyncio.Transport

    def __init__(self, config: Config, state: ServerState, table: "Connections") -> None:
        super().__init__(config, state, {"connection": self}, asyncio.get_running_loop())
        self._table = table
        self.began = time.monotonic()
        self.waits_since: float | None = self.began
        """Since when a request is awaited; None while one is being answered."""
        self.listener: Listener | None = None
        """The listener for build events at the other end, if any."""
        self.received = 0
        """Bytes received since the last request was checked."""
        self._paused_since: float | None = None
        self._closing_since: float | None = None
        self.left_at: float | None = None
        """When it was asked to close."""
        self._is_half_closed = False

    @contextmanager
    def answering(self) -> Iterator[None]:
        """A context for making and sending an answer."""
        self.waits_since, self.received = None, 0
        try:
            yield
        finally:
            self.waits_since, self.listener = time.monotonic(), None
            if self._is_half_closed or self.left_at is not None:
                self.transport.close()

    def let_go(self, *, at_once: bool) -> None:
        """End the connection; a listener is told not to reconnect soon, if there is time for that."""
        self.left_at = time.monotonic()
        if self.listener is not None and self._paused_since is None and not at_once:
            self.listener.dismiss()
        else:
            self.transport.abort()

    def look(self, now: float) -> None:
        """End the connection if something has taken too long."""
        if self.transport.is_closing():
            self._closing_since = self._closing_since or now
        late_since = self._closing_since or self.left_at
        if late_since is not None:
            if now - late_since > CLOSING_S:
                self.transport.abort()
        elif self._paused_since is not None:
            if now - self._paused_since > READING_S:
                self.transport.abort()
        elif self.waits_since is not None and now - self.waits_since > REQUEST_S:
            if self.received:
                self.transport.write(_TOO_SLOW)
            self.transport.close()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Add it to the table."""
        self._table.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove it from the table."""
        self._table.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle incoming data in slices, so that no head or body ever becomes large."""
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            piece = data[start : start + _SLICE]
            self.received += len(piece)
            if self.received > MOST_RECEIVED:
                self.transport.abort()
                return
            super().data_received(piece)

    def handle_events(self) -> None:
        """End the connection on invalid data after an answer has begun: it cannot be answered any more."""
        try:
            super().handle_events()
        except Exception:  # h11 would send a 400 in the middle of another answer
            self.transport.abort()

    def eof_received(self) -> bool | None:  # type: ignore[override]  # uvicorn returns None
        """Keep a half-closed connection open for its answer; a listener that half-closes has left."""
        self._is_half_closed = self.waits_since is None and self.listener is None
        return self._is_half_closed

    def pause_writing(self) -> None:
        """Note since when the client does not read."""
        self._paused_since = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        """The client reads again."""
        self._paused_since = None
        super().resume_writing()


class Connections:
    """All connections. Lives on the server's event loop."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._all: dict[Connection, None] = {}
        """Oldest first."""
        self._has_said = False

    def add(self, one: Connection) -> None:
        """Add a connection."""
        self._all[one] = None

    def remove(self, one: Connection) -> None:
        """Remove a connection that has ended."""
        self._all.pop(one, None)

    async def accept(self, listener: socket.socket, make: Callable[[], Connection]) -> None:
        """Accept connections until cancelled.

        It accepts one at a time. asyncio's own server accepts all that wait, and when descriptors run out it
        retries without a pause.
        """
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        while True:
            try:
                taken, _ = await loop.sock_accept(listener)
            except OSError as error:  # or the client has left already
                if error.errno in _SCARCE:
                    self._make_room(at_once=True)
                    await asyncio.sleep(_PAUSE_S)
                continue
            room = self._room()
            if room <= 0:
                self._make_room(at_once=room < -_SPARE)
            try:
                await loop.connect_accepted_socket(make, taken)
            except OSError:
                taken.close()
            await asyncio.sleep(0)

    async def look(self) -> None:
        """End connections that take too long, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_S)
            now = time.monotonic()
            for one in list(self._all):
                one.look(now)

    def _room(self) -> int:
        """The number of further connections there is room for."""
        room = MOST - sum(one.left_at is None for one in self._all)
        most = _most_descriptors()
        if most is None:
            return room
        leaving = sum(one.left_at is not None for one in self._all)
        return min(room, most - min(_RESERVED, most // 3) - _descriptors(otherwise=most) + leaving)

    def _make_room(self, *, at_once: bool) -> None:
        here = [one for one in self._all if one.left_at is None and not one.transport.is_closing()]
        if not here:
            return
        now = time.monotonic()
        min(here, key=lambda one: _rank(one, now)).let_go(at_once=at_once)
        if not self._has_said:
            self._has_said = True
            text = (
                f"{len(here)} connections are open, and there is no room for more: "
                "the oldest are closed for new ones"
            )
            # On a thread, because a slow terminal must not block other connections.
            threading.Thread(target=self._say, args=[text], daemon=True).start()


def _rank(one: Connection, now: float) -> tuple[int, float]:
    """The lowest is closed first: idle, listening or just connected, being answered; of each, the oldest."""
    if one.waits_since is not None:
        return (0 if now - one.waits_since > _RESTING_S else 1), one.waits_since
    return (1 if one.listener is not None else 2), one.began


def _most_descriptors() -> int | None:
    """The limit on this process's descriptors; None if there is none. The limit may change."""
    try:
        import resource  # noqa: PLC0415  (few builds need it)
    except ImportError:  # not on Windows
        return None
    most: Any = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if most == resource.RLIM_INFINITY else int(most)


def _descriptors(*, otherwise: int) -> int:
    """The number of open descriptors; `otherwise` if none is left to count them with."""
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return otherwise
