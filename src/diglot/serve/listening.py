"""The socket, and the server that lets go of it quickly."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

DEFAULT_PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_TRIES = 50
_ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the port asked for, else on the first free one from 8000.

    Raises OSError where there is none.
    """
    tries = range(DEFAULT_PORT, DEFAULT_PORT + _TRIES) if port is None else [port]
    for one in tries:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere the option would share a port that another program listens on
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, one))
            listener.listen(128)
        except OSError:
            listener.close()
            if one == tries[-1]:
                raise
        else:
            return listener
    raise AssertionError("the last try returns or raises")


def address(host: str, listener: socket.socket, base_path: str) -> str:
    """What to type into a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}{base_path}"


class Server(uvicorn.Server):
    """Runs until a signal ends it; listening browsers are let go before connections are waited for."""

    def __init__(self, app: Any, *, leaving: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
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

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, listeners first."""
        self._leaving()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on Ctrl-C, on SIGTERM, and when the terminal closes; to be ended is how a preview succeeds.

        Unlike uvicorn's own, this does not raise the signal again afterwards, and what the parent process
        wants ignored (`nohup`) stays ignored.
        """
        before: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for name in _ENDING_SIGNALS:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._end)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, _signal: int, _frame: FrameType | None) -> None:
        self.force_exit = self.should_exit  # the second time
        self.should_exit = True
