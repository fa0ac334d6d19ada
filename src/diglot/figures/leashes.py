"""What a call is stopped by, from another thread than the one that waits for it."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager


class Leash:
    """Holds the processes of one call: of a sweep there are several at a time, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._endings: set[socket.socket] = set()
        self._pulled = False

    @contextmanager
    def on(self, ending: socket.socket) -> Iterator[None]:
        """While a process is at work; `ending` is where its end is told. Raises CancelledError if pulled."""
        with self._lock:
            if self._pulled:
                raise CancelledError
            self._endings.add(ending)
        try:
            yield
        finally:
            with self._lock:
                self._endings.discard(ending)

    def pull(self) -> None:
        """Have the processes killed: the other side sees that nobody will speak to it any more."""
        with self._lock:
            self._pulled = True
            for ending in self._endings:
                ending.shutdown(socket.SHUT_WR)
