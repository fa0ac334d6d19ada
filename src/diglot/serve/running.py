"""The running preview: builds, serves, watches, and builds again."""

import gc
import os
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from diglot.diagnostics import Refusal
from diglot.editors import EDITOR_FIX, find_editor
from diglot.languages import Language
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.rules.unreferenced import UnreferencedFigures
from diglot.serve.app import make_app
from diglot.serve.changes import Change
from diglot.serve.hub import Hub
from diglot.serve.inputs import BuildInputs
from diglot.serve.listening import Server
from diglot.serve.preview import EDITOR_VARIABLE, Preview
from diglot.serve.reports import Speaker
from diglot.serve.searching import PreviewIndex
from diglot.serve.unreferenced import UnreferencedDrawing
from diglot.serve.watchdog import Watchdog
from diglot.serve.watching import Watcher
from diglot.serve.writers import Writers
from diglot.site_map import home_path, output_path

_LAST_BUILD_S = 0.8
"""Seconds to wait at the end for a build in progress; it ends with our process, and loses nothing."""


def run_preview(
    options: SiteOptions,
    listener: socket.socket,
    where: str,
    *,
    open_browser: bool,
    poll: bool,
    reload: bool,
    follow: bool,
    terminal: Speaker,
) -> None:
    """Serve at the address `where` until interrupted."""
    hub = Hub()
    # The garbage collector would scan all that is remembered while an author waits for a page. So it runs
    # rarely, and `Preview` tidies memory when nobody waits.
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
    # Ctrl-C ends a preview successfully, even before its server handles signals.
    with (
        suppress(KeyboardInterrupt),
        Watchdog() as watchdog,
        listener,
        LiveSite(options, progress=terminal.told) as site,
    ):
        site.workers.pool.start()  # before any other thread exists
        watchdog.arm()  # after the pool has forked, so that its workers do not report their signals
        preview = Preview(site, hub, terminal)
        unreferenced_figures = UnreferencedFigures(options)
        unreferenced = UnreferencedDrawing(unreferenced_figures, preview, hub)
        writers = Writers(site, preview, unreferenced)
        own_editor = os.environ.get(EDITOR_VARIABLE)
        if own_editor and find_editor(own_editor) is None:
            terminal.say(f'{EDITOR_VARIABLE}: "{own_editor}" is not a known editor\n  fix: {EDITOR_FIX}')
        app = make_app(
            output=options.output,
            hub=hub,
            base_path=lambda: preview.base_path,
            writers=writers.page,
            search=PreviewIndex(options.output, site.found_pages).file,
            reload=reload,
            follow=follow,
            say=terminal.say,
        )

        def build(changes: frozenset[Change]) -> BuildInputs | None:
            unreferenced.stop()  # a save comes first
            return preview.build(changes)

        # The watcher runs the first build, too, so that the last good site is served from the start.
        watcher = Watcher(
            options.root,
            ignored=(options.output, options.cache),
            build=build,
            hurry=preview.hurry,
            look=preview.look,
            poll=poll,
        )
        preview.look_again = watcher.wake
        preview.show_figure = watcher.wake_for_figure
        preview.notice = partial(watcher.notice, is_whole=True)
        site.calls.finished = preview.draw_again
        try:
            watcher.start()
        except OSError as error:
            raise Refusal(
                f"cannot watch {options.root}: {error.strerror}",
                "on Linux, raise fs.inotify.max_user_watches, or stop other programs that watch files.",
            ) from error
        if open_browser:
            open_home(
                where, options.output, lambda: preview.languages, is_built=lambda: preview.last is not None
            )
        try:
            Server(app, leaving=hub.close, say=terminal.say).run(sockets=[listener])
        finally:
            preview.stop()
            unreferenced.close(_LAST_BUILD_S)
            watcher.stop(_LAST_BUILD_S)


_LOOK_S = 0.2
"""Seconds between looks for a page."""


def open_home(
    address: str, output: Path, languages: Callable[[], Sequence[Language]], *, is_built: Callable[[], bool]
) -> None:
    """Open the home page of the first of the languages that has one, on a thread of its own.

    A site that was built before is opened at once, a new one after its first build. `address` is that of the
    landing page, which is opened if no language has a home page by then.
    """

    def wait_and_open() -> None:
        never = threading.Event()
        while (home := home_in(output, languages())) is None and not is_built():
            never.wait(_LOOK_S)
        home = home or home_in(output, languages())
        webbrowser.open(address + (home or ""))

    threading.Thread(target=wait_and_open, name="open", daemon=True).start()


def home_in(output: Path, languages: Sequence[Language]) -> str | None:
    """The path of the home page of the first language that has one."""
    paths = map(home_path, languages)
    return next((path for path in paths if (output / output_path(path)).is_file()), None)
