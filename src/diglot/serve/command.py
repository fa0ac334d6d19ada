"""`diglot serve`: prints the address of the site, then builds and serves it.

The address comes first, because loading what builds and serves takes most of a second.
"""

import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from diglot.diagnostics import Refusal
from diglot.rules.configuration import read_configuration
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.serve.reports import Speaker


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


def serve_command(
    options: SiteOptions,
    *,
    host: str,
    port: int | None,
    open_browser: bool,
    poll: bool,
    reload: bool,
    follow: bool,
    terminal: "Speaker",
) -> None:
    """Serve until interrupted. Raises Refusal if that is not possible."""
    if host not in LOOPBACK:
        raise Refusal(
            f'"{host}" is not a loopback address',
            f"use one of {', '.join(LOOPBACK)}; to show the site to others, publish the output.",
        )
    try:
        listener = listen(host, port)
    except OSError as error:
        raise Refusal(
            f"cannot listen on {host}:{DEFAULT_PORT if port is None else port}: {error.strerror}",
            "choose another port with --port, or leave it out to use the first free one.",
        ) from error
    with suppress(KeyboardInterrupt), listener:
        project = read_configuration(options)
        where = address(host, listener, quote(unquote(project.base_path)) if project else "/")
        is_usual = port is not None or listener.getsockname()[1] == DEFAULT_PORT
        taken = "" if is_usual else f"port {DEFAULT_PORT} is taken; "
        terminal.say(f"serving {where} ({taken}press Ctrl-C to stop)")
        from diglot.serve.running import run_preview  # noqa: PLC0415  (slow to import, so after the address)

        run_preview(
            options,
            listener,
            where,
            open_browser=open_browser,
            poll=poll,
            reload=reload,
            follow=follow,
            terminal=terminal,
        )
