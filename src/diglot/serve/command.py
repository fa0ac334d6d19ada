"""`diglot serve`: prints the address of the site, then builds and serves it.

The address comes first, because loading what builds and serves takes most of a second.
"""

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from diglot.diagnostics import Refusal
from diglot.rules.configuration import read_configuration
from diglot.rules.options import SiteOptions
from diglot.serve.sockets import DEFAULT_PORT, LOOPBACK, address, listen

if TYPE_CHECKING:
    from diglot.serve.reports import Speaker


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
