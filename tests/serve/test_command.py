"""What keeps a preview from starting, and where it looks for changes."""

import socket
from pathlib import Path

import pytest

from diglot.diagnostics import Diagnostic, Refusal
from diglot.engine import Progress
from diglot.rules.options import SiteOptions
from diglot.serve.command import DEFAULT_PORT, address, listen, serve_command
from diglot.serve.watching import Watcher
from tests.cli.sites import write_site


class Notes:
    """A terminal that collects what is printed."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def told(self, progress: Progress) -> None:
        pass

    def diagnostics(self, diagnostics: tuple[Diagnostic, ...], /) -> None:
        self.said += map(str, diagnostics)


def test_a_machine_without_watches_left_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Watcher) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(Watcher, "start", refuse)
    root = write_site(tmp_path)
    with pytest.raises(Refusal) as refusal:
        serve_command(
            SiteOptions(root=root, output=root / "public"),
            host="127.0.0.1",
            port=0,
            open_browser=False,
            poll=False,
            reload=True,
            follow=False,
            terminal=Notes(),
        )
    assert refusal.value.message == f"cannot watch {root}: inotify watch limit reached"
    assert "fs.inotify.max_user_watches" in refusal.value.fix


def test_a_busy_port_is_passed_over_only_where_none_was_asked_for() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        assert DEFAULT_PORT <= first.getsockname()[1] < second.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            listen("127.0.0.1", first.getsockname()[1])


def test_a_socket_answers_this_machine_alone() -> None:
    with listen("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_the_address_is_what_a_browser_takes() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert address("127.0.0.1", listener, "/blog/") == f"http://127.0.0.1:{port}/blog/"
        assert address("::1", listener, "/") == f"http://[::1]:{port}/"
        with socket.create_connection(("127.0.0.1", port)) as connected:
            assert connected.getpeername()[1] == port
