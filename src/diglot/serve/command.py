"""`diglot serve`: build, serve, watch, build again."""

import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import uvicorn

from diglot.diagnostics import Diagnostic, DiagnosticError, format_diagnostic
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions
from diglot.serve.app import LOOPBACK, make_app
from diglot.serve.hub import Hub, State
from diglot.serve.watching import Watcher

DEFAULT_PORT = 8000
_TRIES = 50


class Speaker(Protocol):
    """What the preview needs of a terminal."""

    def say(self, text: str) -> None:
        """Say how things go."""

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Show what is wrong with the site."""

    def failure(self, message: str, fix: str) -> None:
        """Say why the preview cannot begin."""


class Preview:
    """Builds, and tells browser and terminal what came of it."""

    def __init__(self, site: Site, hub: Hub, terminal: Speaker) -> None:
        self._site = site
        self._hub = hub
        self._terminal = terminal

    def build(self) -> SiteBuild | None:
        """Build once; None where the build itself broke. The last good output keeps being served."""
        try:
            result = self._site.build()
        except DiagnosticError as error:
            self._failed(error.diagnostics)
            return None
        except Exception as error:  # a fault of ours must not take the preview down
            self._terminal.say(f"the build broke: {type(error).__name__}: {error}")
            self._hub.tell(State(build=self._hub.state.build, errors=f"{type(error).__name__}: {error}"))
            return None
        if result.failed(strict=self._site.options.strict):
            self._failed(result.diagnostics)
            return result
        self._terminal.diagnostics(result.diagnostics)
        published = result.published
        changed = bool(published and (published.written or published.removed))
        if changed or self._hub.state.errors:
            count = len(published.written) if published else 0
            self._terminal.say(f"built in {result.report.seconds:.2f} s, {count} files written")
            self._hub.tell(State(build=self._hub.state.build + int(changed)))
        return result

    def _failed(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self._terminal.diagnostics(diagnostics)
        self._terminal.say("the last good site is still served")
        text = "\n\n".join(format_diagnostic(one) for one in diagnostics)
        self._hub.tell(State(build=self._hub.state.build, errors=text))


def serve_command(
    options: SiteOptions, *, host: str, port: int | None, open_browser: bool, terminal: Speaker
) -> int:
    """Serve until interrupted; the exit code."""
    if host not in LOOPBACK:
        terminal.failure(
            f'"{host}" is not an address of this machine alone',
            f"the preview listens on one of {', '.join(LOOPBACK)}; to show it to others, publish the output.",
        )
        return 2
    try:
        listener = _listen(host, port)
    except OSError as error:
        terminal.failure(
            f"port {port or DEFAULT_PORT} cannot be had: {error.strerror}", "name another with --port."
        )
        return 2
    hub = Hub()
    with listener, Site(options) as site:
        preview = Preview(site, hub, terminal)
        preview.build()
        base_path = site.base_path()
        app = make_app(output=options.output, base_path=base_path, hub=hub)
        address = _address(host, listener.getsockname()[1], base_path)
        terminal.say(f"serving {address} (Ctrl-C ends it)")
        watcher = Watcher(
            watched_folders(options), ignored=(options.output, options.cache), changed=preview.build
        )
        watcher.start()
        if open_browser:
            threading.Timer(0.3, webbrowser.open, [address]).start()
        try:
            _run(app, listener, hub)
        finally:
            watcher.stop()
    return 0


def watched_folders(options: SiteOptions) -> tuple[Path, ...]:
    """Where changes are looked for: the project, and diglot's own folder where it lies elsewhere."""
    package = Path(__file__).resolve().parents[1]
    return (options.root,) if package.is_relative_to(options.root) else (options.root, package)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the port asked for, else on the first free one from the default."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + _TRIES)]
    for one in tries:
        listener = socket.socket(family, socket.SOCK_STREAM)
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


def _address(host: str, port: int, base_path: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{base_path}"


class _Server(uvicorn.Server):
    """Lets go of the listening browsers before it waits for its connections to end."""

    def __init__(self, config: uvicorn.Config, leaving: Callable[[], None]) -> None:
        super().__init__(config)
        self._leaving = leaving

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leaving()
        await super().shutdown(sockets)


def _run(app: object, listener: socket.socket, hub: Hub) -> None:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = _Server(config, hub.close)

    def leave(_signal: int, _frame: object) -> None:
        server.should_exit = True

    # uvicorn installs its own handlers for SIGINT and SIGTERM; a closed terminal sends SIGHUP.
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, leave)
    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again once it has stopped
        server.run(sockets=[listener])
