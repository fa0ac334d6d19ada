"""A real browser for the tests that need one, and a server for the static files it opens.

A folder of tests that look at pages imports the fixtures in its `conftest.py`
(`from tests.browser import browser, open_page`); the tests are skipped with a reason where there is no
Chromium.
"""

import functools
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none")


class _Pages(SimpleHTTPRequestHandler):
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
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Pages, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Its scope is a module, not the session: while Playwright runs, its event loop occupies the main thread,
# and other modules' tests could not use asyncio.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, started once a module."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if executable is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=executable, args=list(_ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens an address in a fresh profile: `open_page(url, width=360, color_scheme="dark", …)`.

    A test fails at its end if the console has shown an error or warning, or a script has thrown.
    """
    contexts, complaints = [], []

    def open_it(url: str, *, width: int = 1280, height: int = 900, **context_options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **context_options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        page.evaluate("document.fonts.ready.then(() => true)")
        return page

    open_it.complaints = complaints  # type: ignore[attr-defined]  # a test may clear what it expects
    yield open_it
    for context in contexts:
        context.close()
    assert not complaints, f"the browser complained: {complaints}"


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
    """What axe finds wrong with a page, one line each with the element; empty where all is well."""
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
