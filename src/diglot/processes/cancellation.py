"""Cancellation: one thread stops a call for which another thread waits."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager


class Cancellation:
    """Stops all processes of one call. A sweep runs several, both in parallel and one after another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._exit_sockets: set[socket.socket] = set()
        self._cancelled = False

    @contextmanager
    def covers(self, exit_socket: socket.socket) -> Iterator[None]:
        """Register the process that reports its exit over `exit_socket`, for the length of a block.

        Raises CancelledError if the call has already been cancelled.
        """
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
        """Stop the processes: shutting down the sockets for writing makes the fork server kill them."""
        with self._lock:
            self._cancelled = True
            for exit_socket in self._exit_sockets:
                exit_socket.shutdown(socket.SHUT_WR)
