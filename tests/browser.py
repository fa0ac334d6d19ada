"""A real browser for the tests that need one, and a server for the static files it opens.

`tests/conftest.py` has the fixtures. Tests that use them are skipped with a reason where there is no
Chromium.
"""

import asyncio
import functools
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

CHROMIUM_NAMES = (
    "chromium-headless-shell",  # the same engine without a browser around it, for half the processor time
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
)
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none")
_PATIENCE_MS = 300_000
"""How long a page waits for something, unless a test says otherwise."""


class _Files(SimpleHTTPRequestHandler):
    """Serves a folder as static hosts do: `404.html` for what is not there, nothing on the terminal."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        missing = min(Path(self.directory).rglob("404.html"), key=lambda path: len(path.parts), default=None)
        if code != 404 or missing is None:
            return super().send_error(code, message, explain)
        body = missing.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address, without a slash at its end, that a folder's files are served at."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _playwright() -> Any:
    return pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Any, Any]]:
    """Chromium, and Playwright's event loop. A process starts it once, which takes as long as many tests."""
    playwright = _playwright()
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if executable is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=executable, args=list(_ARGUMENTS))
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield started, loop
        asyncio._set_running_loop(loop)
        started.close()


@pytest.fixture(scope="module")
def browser(chromium: tuple[Any, Any]) -> Iterator[Any]:
    """Chromium, for the tests of a module.

    Playwright leaves its event loop marked as the one that runs in the main thread. The mark is taken off
    between such modules, because other tests run event loops of their own.
    """
    started, loop = chromium
    asyncio._set_running_loop(loop)
    yield started
    if started in _PAGES:
        _PAGES[started].end_module()
    asyncio._set_running_loop(None)


class Pages:
    """Pages that are used again by later tests.

    An address in a new profile takes the processor a second more than in one that was used.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}
        self._used: list[tuple[str, Any]] = []
        self.complaints: list[str] = []

    def take(self, **context_options: Any) -> Any:
        """A page without memory, in a profile with these options."""
        kind = repr(sorted(context_options.items()))
        if self._free.get(kind):
            page = self._free[kind].pop()
        else:
            page = self._browser.new_context(**context_options).new_page()
            page.on("console", self._listen)
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(_PATIENCE_MS)
        self._used.append((kind, page))
        return page

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def give_back(self) -> None:
        """Make the pages of a test forget all, for the next one; close those that cannot."""
        for kind, page in self._used:
            try:
                page.unroute_all(behavior="ignoreErrors")
                if page.url.startswith("http"):
                    page.evaluate("localStorage.clear(); sessionStorage.clear()")
                page.goto("about:blank")
                page.mouse.move(-1, -1)
                page.context.clear_cookies()
                for other in page.context.pages:
                    if other != page:
                        other.close()
            except _playwright().Error:
                page.context.close()  # which does nothing where the test has closed it
            else:
                self._free.setdefault(kind, []).append(page)
        self._used.clear()

    def end_module(self) -> None:
        """Make the pages forget all addresses: a later server may get the port of an earlier one."""
        for page in (page for pages in self._free.values() for page in pages):
            tools = page.context.new_cdp_session(page)
            tools.send("Network.clearBrowserCache")
            tools.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
            tools.detach()


_PAGES: dict[Any, Pages] = {}


def pages_of(browser: Any) -> Pages:
    """The pages of the browser."""
    return _PAGES.setdefault(browser, Pages(browser))


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens an address in a profile without memory: `open_page(url, width=360, color_scheme="dark", …)`.

    A test fails at its end if the console has shown an error or warning, or a script has thrown.
    """
    pages = pages_of(browser)
    complaints = pages.complaints
    complaints.clear()

    def open_it(
        url: str,
        *,
        width: int = 1280,
        height: int = 900,
        color_scheme: str = "light",
        reduced_motion: str = "no-preference",
        **context_options: Any,
    ) -> Any:
        page = pages.take(**context_options)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.goto(url)
        wait_until_started(page)
        return page

    open_it.complaints = complaints  # type: ignore[attr-defined]  # a test may clear what it expects
    open_it.leave = pages.give_back  # type: ignore[attr-defined]  # before a test ends what serves the pages
    yield open_it
    told = [*complaints]
    pages.give_back()
    assert not told, f"the browser complained: {told}"


def wait_until_started(page: Any) -> None:
    """Wait until the scripts of a page have begun and its faces have come, both after the first paint."""
    page.evaluate(
        """async () => {
          const root = document.documentElement;
          if (root.dataset.script !== undefined) {
            const scripts = document.getElementById("_scripts")?.content;
            while (scripts?.childElementCount || root.dataset.faces) await new Promise(requestAnimationFrame);
            // Scripts that are added begin in their order.
            const last = document.createElement("script");
            Object.assign(last, { src: "data:text/javascript,", async: false });
            await new Promise(done => { last.onload = done; document.head.append(last); });
            last.remove();
          }
          await document.fonts.ready;
        }"""
    )


def wait_until_loaded(page: Any, family: str) -> None:
    """Wait until a face of a family has come; `document.fonts.check` also passes where no style names it."""
    page.wait_for_function(
        "family => [...document.fonts].some(face =>"
        " face.family.replace(/[\"']/g, '') === family && face.status === 'loaded')",
        arg=family,
    )


def wait_until_settled(page: Any) -> None:
    """Wait until fonts are loaded and nothing has moved for ten frames, however long a frame takes."""
    page.evaluate(
        """async () => {
          await document.fonts.ready;
          const look = () => JSON.stringify([scrollY, document.documentElement.scrollHeight]);
          for (let before = look(), same = 0; same < 10; ) {
            await new Promise(requestAnimationFrame);
            const now = look();
            same = now === before ? same + 1 : 0;
            before = now;
          }
        }"""
    )


def axe_violations(page: Any) -> list[str]:
    """What axe finds wrong with a page, one line each with the element; empty where all is well.

    `DIGLOT_AXE=0` looks at nothing: none of its rules depends on the faces that texts are set in, for which
    CI runs tests of layout a second time.
    """
    if os.environ.get("DIGLOT_AXE") == "0":
        return []
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    # Passed checks are not needed, and describing them takes as long as finding violations.
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found
        for node in violation["nodes"]
    ]


def has_no_horizontal_scroll(page: Any) -> bool:
    """Whether a page fits its window's width."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
