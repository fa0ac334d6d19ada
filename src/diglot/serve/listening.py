"""A server that stops quickly."""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from diglot.serve.connections import Connection, Connections

CLEAR_LINE = b"\r\x1b[2K"
"""Clears a terminal line, which may hold part of a progress line."""


def shutdown_signals() -> tuple[signal.Signals, ...]:
    """The signals that end a preview."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


class Server(uvicorn.Server):
    """Runs until a signal ends it; event streams are closed before it waits for connections."""

    def __init__(
        self,
        app: Any,
        *,
        leaving: Callable[[], None],
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`leaving` is called before the server waits for connections to end."""
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",  # about invalid requests; the application reports faults of the preview
            access_log=False,
            lifespan="on",
            loop="asyncio",
            http="h11",
            ws="none",
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        super().__init__(config)
        self._leaving = leaving
        self._connections = Connections(say)
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, from these sockets only."""
        # Connections break all the time; asyncio's messages about that do not interest an author.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        await super().startup(sockets=[])
        accepting = [self._connections.accept(one, self._connection) for one in sockets or ()]
        self._tasks = [asyncio.create_task(work) for work in (*accepting, self._connections.look())]

    def _connection(self) -> Connection:
        return Connection(self.config, self.server_state, self._connections)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, event streams first."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._leaving()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End with success on Ctrl-C, on SIGTERM, and when the terminal closes.

        Unlike uvicorn's method, this does not raise the signal again afterwards, and signals that the parent
        process ignores (`nohup`) stay ignored. A second signal ends the process at once.
        """
        before: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in shutdown_signals():
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._end)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        if self.should_exit:
            if os.isatty(2):
                os.write(2, CLEAR_LINE)
            os._exit(128 + number)  # builds and caches survive a kill; child processes end with us
        self.should_exit = True
