"""Connections to the preview: how many there may be, how long each may take, and which go first.

A connection that gives nothing and takes nothing costs a descriptor, of which builds need some too. Where
they run short, connections that nobody uses are closed, then the event streams of those who listened
longest: whoever opens a page now is served.
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
"""So many connections are held at once, however many descriptors there are."""
REQUEST_S = 10.0
"""Within this time after the last answer, or after it connected, who connects has to say what it wants."""
READING_S = 30.0
"""Who reads none of an answer for so long is let go."""
CLOSING_S = 5.0
"""So long what was sent last may take to arrive."""
MOST_RECEIVED = 128 * 1024
"""So many bytes are taken before a request is answered: what is asked for fits in a few hundred."""

_RESERVED = 48
"""So many descriptors are left to builds; a third where there are few."""
_SPARE = 4
"""So many more may be there for a moment, while those that were told to go do so."""
_RESTING_S = 1.0
"""Who has asked for nothing for so long is let go before those who listen."""
_LOOK_S = 0.5
_PAUSE_S = 0.1
"""After a connection could not be taken, how long no other is tried."""
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
        """Since when a request is waited for; None while one is answered."""
        self.listener: Listener | None = None
        """Who hears of builds at its other end."""
        self.received = 0
        """Bytes since the last request was looked at."""
        self._paused_since: float | None = None
        self._closing_since: float | None = None
        self.left_at: float | None = None
        """When it was asked to go."""
        self._is_half_closed = False

    @contextmanager
    def answering(self) -> Iterator[None]:
        """While an answer is made and sent."""
        self.waits_since, self.received = None, 0
        try:
            yield
        finally:
            self.waits_since, self.listener = time.monotonic(), None
            if self._is_half_closed or self.left_at is not None:
                self.transport.close()

    def let_go(self, *, at_once: bool) -> None:
        """End it: who listens is told not to come back soon, where there is time for that."""
        self.left_at = time.monotonic()
        if self.listener is not None and self._paused_since is None and not at_once:
            self.listener.dismiss()
        else:
            self.transport.abort()

    def look(self, now: float) -> None:
        """End it where something has taken too long."""
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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Count it."""
        self._table.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._table.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came in pieces, so that neither a head nor a body is ever large."""
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
        """What makes no sense after an answer has begun cannot be answered: the connection ends."""
        try:
            super().handle_events()
        except Exception:  # h11's errors of this end: an answer of 400 into the middle of another
            self.transport.abort()

    def eof_received(self) -> bool | None:  # type: ignore[override]  # uvicorn says None
        """Who has nothing more to ask may still wait for the answer, but a listener has left."""
        self._is_half_closed = self.waits_since is None and self.listener is None
        return self._is_half_closed

    def pause_writing(self) -> None:
        """Note since when nobody reads."""
        self._paused_since = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Somebody reads."""
        self._paused_since = None
        super().resume_writing()


class Connections:
    """All there are. Lives on the server's event loop."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._all: dict[Connection, None] = {}
        """In the order in which they came."""
        self._has_said = False

    def add(self, one: Connection) -> None:
        """There is one more."""
        self._all[one] = None

    def remove(self, one: Connection) -> None:
        """It has ended."""
        self._all.pop(one, None)

    async def accept(self, listener: socket.socket, make: Callable[[], Connection]) -> None:
        """Take whoever connects, until cancelled.

        One at a time, unlike asyncio's own server: that takes as many as wait, and where descriptors run out
        it tries again and again without a pause.
        """
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        while True:
            try:
                taken, _ = await loop.sock_accept(listener)
            except OSError as error:  # who connected may also have left already
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
        """End what takes too long, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_S)
            now = time.monotonic()
            for one in list(self._all):
                one.look(now)

    def _room(self) -> int:
        """For how many more there is room."""
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
            # Who reads the terminal may be slow, and nobody else is to wait for that.
            threading.Thread(target=self._say, args=[text], daemon=True).start()


def _rank(one: Connection, now: float) -> tuple[int, float]:
    """The least goes first: who rests, then who listens longest, then who has just come."""
    if one.waits_since is not None:
        return (0 if now - one.waits_since > _RESTING_S else 2), one.waits_since
    return (1 if one.listener is not None else 3), one.began


def _most_descriptors() -> int | None:
    """How many descriptors this process may have, None where there is no such limit; it may change."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    most: Any = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if most == resource.RLIM_INFINITY else int(most)


def _descriptors(*, otherwise: int) -> int:
    """How many descriptors this process has; `otherwise` where there is none left to look by."""
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return otherwise
