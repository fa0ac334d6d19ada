"""A browser, and a preview whose output the test writes itself, so that nothing has to be built."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from diglot.diagnostics import Diagnostic
from diglot.engine import Progress
from diglot.serve.app import make_app
from diglot.serve.command import address, listen
from diglot.serve.hub import Hub
from diglot.serve.listening import Server
from tests.browser import pages_of
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(browser: Any) -> Iterator["Page"]:
    """A page as high as a laptop's window, which waits long enough for a slow machine."""
    pages = pages_of(browser)
    page = pages.take()
    page.set_viewport_size({"width": 1280, "height": 900})
    yield page
    pages.give_back()


@dataclass
class Silent:
    """A terminal that only collects what is printed."""

    said: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.said.append(text)

    def told(self, progress: Progress) -> None:
        pass

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...], /) -> None:
        self.said += map(str, diagnostics)


class Published:
    """A served output folder that tells browsers what a test writes, as the preview does after a build."""

    def __init__(
        self,
        output: Path,
        *,
        port: int = 0,
        begin: bool = True,
        hub: Hub | None = None,
        writers: Callable[[str], bytes | None] = lambda _: None,
    ) -> None:
        self.output = output
        self.hub = hub or Hub()
        self._listener = listen("127.0.0.1", port)
        self.address = address("127.0.0.1", self._listener, "/")
        self.port = int(self._listener.getsockname()[1])
        self._server = Server(make_app(output=output, hub=self.hub, writers=writers), leaving=self.hub.close)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        if begin:
            self.begin()

    def begin(self) -> None:
        """Serve."""
        self._thread.start()
        wait_until(lambda: self._server.started)

    def write(self, files: dict[str, str]) -> None:
        """Write files without telling browsers."""
        for path, text in files.items():
            target = self.output / path
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(".new")
            beside.write_text(text, "utf-8")
            beside.replace(target)

    def publish(self, files: dict[str, str]) -> None:
        """Write files, and tell browsers."""
        self.write(files)
        self.hub.tell_built(tuple(files))

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._server.server_state.connections)

    def end(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        self._thread.join(10)
        self._listener.close()


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Published]:
    one = Published(tmp_path / "public")
    yield one
    one.end()
