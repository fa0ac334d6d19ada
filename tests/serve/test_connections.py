"""How many connections there may be, how long each may take, and that a preview ends when it is told to."""

import contextlib
import os
import re
import resource
import select
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
from tests.waiting import HANG_S, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for descriptors in /proc")

_EVENTS = b"GET /__diglot/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
_KEPT = b"GET /zh/ HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _read_to_the_end(one: socket.socket) -> bytes:
    """The bytes received until the server hangs up. Raises TimeoutError if it does not."""
    one.settimeout(HANG_S)
    got = b""
    with contextlib.suppress(ConnectionError):
        while piece := one.recv(65536):
            got += piece
    return got


def _until(one: socket.socket, words: bytes) -> None:
    """Read until these words were received."""
    one.settimeout(HANG_S)
    got = b""
    while words not in got:
        piece = one.recv(65536)
        assert piece, got
        got += piece


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Published]:
    """A server whose limits on time are short."""
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
def test_a_client_that_sends_no_whole_request_is_disconnected(hurried: Published, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        one.sendall(begun)
        _read_to_the_end(one)


def test_a_client_that_sends_its_request_too_slowly_gets_a_408(hurried: Published) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        one.sendall(_KEPT.removesuffix(b"\r\n") + b"X: ")
        while not select.select([one], [], [], 0.02)[0]:  # a letter now and then, until the server answers
            one.sendall(b"x")
        assert one.recv(12) == b"HTTP/1.1 408"


def test_a_client_that_reads_nothing_of_its_answer_is_disconnected(hurried: Published) -> None:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", hurried.port))
        one.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert one.recv(1, socket.MSG_PEEK)
        wait_until(lambda: not hurried.connections)
        got = _read_to_the_end(one)
    assert len(got) < 30_000_000


def test_an_event_stream_may_stay_open_for_long(hurried: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    ages_s: list[float] = []
    look = connections.Connection.look

    def note_age(self: connections.Connection, now: float) -> None:
        look(self, now)
        ages_s.append(now - self.began)

    monkeypatch.setattr(connections.Connection, "look", note_age)
    with socket.create_connection(("127.0.0.1", hurried.port)) as one:
        one.sendall(_EVENTS)
        wait_until(lambda: max(ages_s, default=0) > 4 * connections.REQUEST_S)
        hurried.publish({"zh/index.html": "<p>another</p>"})
        _until(one, b'"pages": ["zh/index.html"]')


def test_a_request_on_a_half_closed_connection_is_answered(published: Published) -> None:
    published.write({"zh/index.html": "<p>a page</p>"})
    with socket.create_connection(("127.0.0.1", published.port)) as one:
        one.sendall(_KEPT)
        one.shutdown(socket.SHUT_WR)
        assert b"<p>a page</p>" in _read_to_the_end(one)


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
            assert b"event: dismissed\nretry: 30000" in _read_to_the_end(one)
        published.publish({"a.html": "b"})
        _until(ones[-1], b'"pages": ["a.html"]')
        assert published.hub.listeners <= 11


def test_idle_connections_are_closed_before_event_streams(
    monkeypatch: pytest.MonkeyPatch, published: Published
) -> None:
    monkeypatch.setattr(connections, "MOST", 10)
    monkeypatch.setattr(connections, "_RESTING_S", 0)
    with contextlib.ExitStack() as stack:

        def connect(sent: bytes) -> socket.socket:
            one = stack.enter_context(socket.create_connection(("127.0.0.1", published.port)))
            one.sendall(sent)
            if sent:
                _until(one, b"data: ")
            return one

        listening = [connect(_EVENTS) for _ in range(5)]
        resting = [connect(b"") for _ in range(5)]
        newest = [connect(_EVENTS) for _ in range(5)]
        for one in resting:
            _read_to_the_end(one)
        published.publish({"a.html": "b"})
        for one in (*listening, *newest):
            _until(one, b'"pages": ["a.html"]')


class _Limited(Serving):
    """A preview with a limit on file descriptors."""

    def limit(self, most: int) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (most, most))

    @property
    def port(self) -> int:
        return int(re.search(r":(\d+)/", self.address)[1])  # type: ignore[index]  (an address has one)

    @property
    def cpu_s(self) -> float:
        return _cpu_s(self.process.pid)


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
            one = stack.enter_context(socket.create_connection(("127.0.0.1", limited.port), timeout=HANG_S))
            one.sendall((_EVENTS, _KEPT, b"")[number % 3])
        newest = stack.enter_context(socket.create_connection(("127.0.0.1", limited.port), timeout=HANG_S))
        newest.sendall(_EVENTS)
        _until(newest, b"data: ")
        wait_until(lambda: _is_idle(limited))
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


def _is_idle(one: _Limited) -> bool:
    """Whether a preview uses hardly any processor time, which takes a while to see."""
    used_s = one.cpu_s
    time.sleep(0.5)
    return one.cpu_s - used_s < 0.1


_DEAF = """
import sys
sys.setswitchinterval(1000)
from diglot.serve import preview, watchdog
{patience}
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
        (signal.SIGTERM, "sum(range(10 ** 18))"),
        (signal.SIGINT, "import re; re.match('(a*)*b', 'a' * 60)"),
        (signal.SIGHUP, "while True: pass"),
    ],
)
def test_it_ends_whatever_a_build_is_doing(tmp_path: Path, number: signal.Signals, work: str) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup, and so by the preview")
    with _deaf(tmp_path, work, patience_s=0.5) as process:
        _wait_until_busy(process.pid)
        process.send_signal(number)
        process.wait(60)
    wait_until(lambda: not processes_below(tmp_path))


def test_the_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """One signal alone would end it after an hour here."""
    with _deaf(tmp_path, "sum(range(10 ** 18))", patience_s=3600) as process:
        _wait_until_busy(process.pid)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: not _has_pending_signals(process.pid))  # two that are pending count as one
        process.send_signal(signal.SIGINT)
        process.wait(60)


def test_a_preview_that_is_killed_leaves_no_watchdog(tmp_path: Path) -> None:
    with _deaf(tmp_path, "self._stopping.wait(60)") as process:
        process.kill()
        process.wait()
    wait_until(lambda: not processes_below(tmp_path))


@contextlib.contextmanager
def _deaf(root: Path, work: str, *, patience_s: float | None = None) -> "Iterator[subprocess.Popen[str]]":
    """A preview whose builds do some work during which no other thread runs."""
    write_site(root)
    patience = "" if patience_s is None else f"watchdog.PATIENCE_S = {patience_s}"
    process = subprocess.Popen(
        [sys.executable, "-c", _DEAF.format(work=work, patience=patience)],
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
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _cpu_s(pid: int) -> float:
    """The processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait_until_busy(pid: int) -> None:
    """Wait until a process has used 0.2 s of processor time: its build is in the middle of its work then."""
    used_s = _cpu_s(pid)
    wait_until(lambda: _cpu_s(pid) - used_s > 0.2)


def _has_pending_signals(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return any(int(mask, 16) for mask in re.findall(r"^(?:Sig|Shd)Pnd:\s*(\w+)", status, re.MULTILINE))


def test_the_watchdog_tells_nothing_where_all_ends_well(limited: _Limited) -> None:
    limited.wait_for("built in")
    pid = limited.process.pid
    assert Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert limited.end(signal.SIGTERM) == 0
    limited.rest()
    assert "did not stop" not in "".join(limited.said)
