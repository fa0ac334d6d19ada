"""How many connections there may be, how long each may take, and that a preview ends when it is told to."""

import contextlib
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.serve import connections
from tests.cli.sites import article, environment, processes_below, write, write_site
from tests.serve.conftest import Published
from tests.serve.test_serving import Serving
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for descriptors in /proc")

_EVENTS = b"GET /__diglot/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
_KEPT = b"GET /zh/ HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _ended(one: socket.socket, seconds: float = 5) -> bytes | None:
    """What came until the other end hung up; None where it did not."""
    one.settimeout(seconds)
    got = b""
    try:
        while piece := one.recv(65536):
            got += piece
    except TimeoutError:
        return None
    except ConnectionError:
        pass
    return got


def _until(one: socket.socket, words: bytes) -> None:
    """Read until these words have come."""
    one.settimeout(20)
    got = b""
    while words not in got:
        piece = one.recv(65536)
        assert piece, got
        got += piece


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Published]:
    """A server without much patience."""
    for name in ("REQUEST_S", "READING_S", "CLOSING_S"):
        monkeypatch.setattr(connections, name, 0.2)
    monkeypatch.setattr(connections, "_LOOK_S", 0.02)
    published = Published(tmp_path / "public")
    published.write({"zh/index.html": "<p>a page</p>", "large.bin": "x" * 30_000_000})
    yield published
    published.end()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: loc",
        _KEPT,
        _KEPT + b"GET /zh",
        _KEPT[:-2] + b"Content-Length: 9\r\n\r\nab",
    ],
)
def test_who_does_not_say_what_it_wants_is_let_go(hurried: Published, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        one.sendall(begun)
        assert _ended(one) is not None


def test_who_says_it_ever_so_slowly_is_let_go_with_a_word(hurried: Published) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        since = time.monotonic()
        with contextlib.suppress(ConnectionError):
            for letter in _KEPT * 3:
                one.sendall(bytes([letter]))
                time.sleep(0.05)
                if time.monotonic() - since > 1.5:
                    break
        assert (_ended(one) or b"HTTP/1.1 408").startswith(b"HTTP/1.1 408")


def test_who_reads_nothing_of_an_answer_is_let_go(hurried: Published) -> None:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", hurried.port))
        one.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: hurried.connections)
        wait_until(lambda: not hurried.connections)
        got = _ended(one)
    assert got is not None
    assert len(got) < 30_000_000


def test_who_listens_may_do_so_for_long(hurried: Published) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        one.sendall(_EVENTS)
        time.sleep(0.8)
        hurried.publish({"zh/index.html": "<p>another</p>"})
        _until(one, b'"pages": ["zh/index.html"]')


def test_a_request_is_answered_though_nothing_more_will_be_asked(published: Published) -> None:
    published.write({"zh/index.html": "<p>a page</p>"})
    with socket.create_connection(("127.0.0.1", published.port)) as one:
        one.sendall(_KEPT)
        one.shutdown(socket.SHUT_WR)
        assert b"<p>a page</p>" in (_ended(one) or b"")


def test_the_oldest_streams_make_way_and_are_told_not_to_come_back_at_once(
    monkeypatch: pytest.MonkeyPatch, published: Published
) -> None:
    monkeypatch.setattr(connections, "MOST", 10)
    with contextlib.ExitStack() as stack:
        ones = []
        for _ in range(25):
            ones.append(stack.enter_context(socket.create_connection(("127.0.0.1", published.port))))
            ones[-1].sendall(_EVENTS)
            _until(ones[-1], b"data: ")
        for one in ones[:10]:
            assert b"event: dismissed\nretry: 30000" in (_ended(one) or b"")
        published.publish({"a.html": "b"})
        _until(ones[-1], b'"pages": ["a.html"]')
        assert published.hub.listeners <= 11


def test_who_rests_makes_way_before_who_listens(
    monkeypatch: pytest.MonkeyPatch, published: Published
) -> None:
    monkeypatch.setattr(connections, "MOST", 10)
    monkeypatch.setattr(connections, "_RESTING_S", 0.2)
    with contextlib.ExitStack() as stack:

        def connect(sent: bytes) -> socket.socket:
            one = stack.enter_context(socket.create_connection(("127.0.0.1", published.port)))
            one.sendall(sent)
            if sent:
                _until(one, b"data: ")
            return one

        listening = [connect(_EVENTS) for _ in range(5)]
        resting = [connect(b"") for _ in range(5)]
        time.sleep(0.5)
        newest = [connect(_EVENTS) for _ in range(5)]
        time.sleep(0.3)
        assert all(_ended(one, 1) is not None for one in resting)
        published.publish({"a.html": "b"})
        for one in (*listening, *newest):
            _until(one, b'"pages": ["a.html"]')


class _Limited(Serving):
    """A preview that may not have many descriptors."""

    def limit(self, most: int) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (most, most))

    @property
    def port(self) -> int:
        return int(re.search(r":(\d+)/", self.address)[1])  # type: ignore[index]  (an address has one)

    @property
    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[_Limited]:
    serving = _Limited(write_site(tmp_path / "site", figure=True), "--port", "0")
    yield serving
    if serving.process.poll() is None:
        serving.process.kill()
        serving.process.wait()


def test_a_preview_goes_on_where_descriptors_run_out(limited: _Limited) -> None:
    limited.limit(64)
    limited.until("zh/posts/hello/", "<svg")
    with contextlib.ExitStack() as stack:
        for number in range(300):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", limited.port), timeout=20))
            one.sendall((_EVENTS, _KEPT, b"")[number % 3])
        newest = stack.enter_context(socket.create_connection(("127.0.0.1", limited.port), timeout=20))
        newest.sendall(_EVENTS)
        _until(newest, b"data: ")
        used = limited.cpu_s
        time.sleep(1)
        assert limited.cpu_s - used < 0.5
        write(
            limited.root,
            {"content/posts/hello/zh.md": article("Among three hundred.\n\n```{figure} line\nA.\n```")},
        )
        limited.until("zh/posts/hello/", "Among three hundred.")
        _until(newest, b"zh/posts/hello/index.html")
        assert limited.end(signal.SIGTERM) == 0
    limited.rest()
    said = "".join(limited.said)
    assert said.count("connections are open") == 1
    assert not re.search(r"Too many open files|unable to open|Traceback|failed|accept", said)


_DEAF = """
import sys
sys.setswitchinterval(1000)
from diglot.serve import preview
build = preview.Preview.build
def deaf(self, changes=frozenset()):
    sys.stderr.write("deaf\\n")
    sys.stderr.flush()
    {work}
preview.Preview.build = deaf
from diglot.cli.main import run
sys.argv = ["diglot", "serve", "--port", "0"]
run()
"""


@pytest.mark.parametrize(
    ("number", "work"),
    [
        (signal.SIGTERM, "len(str(7 ** 99999999))"),
        (signal.SIGINT, "import re; re.match('(a*)*b', 'a' * 60)"),
        (signal.SIGHUP, "while True: pass"),
    ],
)
def test_it_ends_whatever_a_build_is_doing(tmp_path: Path, number: signal.Signals, work: str) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by the preview")
    with _deaf(tmp_path, work) as process:
        process.send_signal(number)
        process.wait(15)
    wait_until(lambda: not processes_below(tmp_path))


def test_the_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with _deaf(tmp_path, "len(str(7 ** 99999999))") as process:
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        since = time.monotonic()
        process.wait(10)
        assert time.monotonic() - since < 2.5  # a third of a second, and what a busy machine adds


def test_a_preview_that_is_killed_leaves_no_watchdog(tmp_path: Path) -> None:
    with _deaf(tmp_path, "self._stopping.wait(60)") as process:
        process.kill()
        process.wait(5)
    wait_until(lambda: not processes_below(tmp_path))


@contextlib.contextmanager
def _deaf(root: Path, work: str) -> "Iterator[subprocess.Popen[str]]":
    """A preview whose builds do some work in which nobody else gets a turn."""
    write_site(root)
    process = subprocess.Popen(
        [sys.executable, "-c", _DEAF.format(work=work)],
        cwd=root,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_AS, (3 << 30, 3 << 30))
    try:
        assert process.stderr is not None
        while "deaf" not in (line := process.stderr.readline()):
            assert line, "it ended"
        time.sleep(0.5)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_the_watchdog_tells_nothing_where_all_ends_well(limited: _Limited) -> None:
    limited.wait_for("built in")
    pid = limited.process.pid
    assert Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert limited.end(signal.SIGTERM) == 0
    limited.rest()
    assert "did not stop" not in "".join(limited.said)
