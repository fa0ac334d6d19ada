"""How one thread stops a call that another waits for."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager


class Cancellation:
    """The processes of one call: a sweep has several at a time, and one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._exit_sockets: set[socket.socket] = set()
        self._cancelled = False

    @contextmanager
    def covers(self, exit_socket: socket.socket) -> Iterator[None]:
        """While a process runs whose exit comes over `exit_socket`. Raises CancelledError once cancelled."""
        with self._lock:
            if self._cancelled:
                raise CancelledError
            self._exit_sockets.add(exit_socket)
        try:
            yield
        finally:
            with self._lock:
                self._exit_sockets.discard(exit_socket)

    def cancel(self) -> None:
        """Have the processes killed: the fork server sees that the sockets are shut down for writing."""
        with self._lock:
            self._cancelled = True
            for exit_socket in self._exit_sockets:
                exit_socket.shutdown(socket.SHUT_WR)
