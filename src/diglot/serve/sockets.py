"""The listening socket and its address: all that is needed to say where the site will be."""

import os
import socket

DEFAULT_PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_TRIES = 50


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on the given port, or on the first free one from 8000.

    Raises OSError if there is none.
    """
    tries = range(DEFAULT_PORT, DEFAULT_PORT + _TRIES) if port is None else [port]
    for one in tries:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # on Windows the option would share a port that another program uses
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
    """The URL to open in a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}{base_path}"
