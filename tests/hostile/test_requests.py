"""A running preview under hostile requests."""

import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.cli.sites import article, write, write_site
from tests.hostile.conftest import Counted
from tests.hostile.profile import draws, tries
from tests.hostile.requests import KINDS, LARGE, PAGE, SECRET, Attack, request
from tests.serve.test_serving import Serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for descriptors in /proc")

_PATIENCE_S = 8.0
"""Timeout for the answer to a complete request. The preview's own limits for slow clients are longer."""
_MOST_MORE_BYTES = 60_000_000
_STATUS = re.compile(rb"HTTP/1\.[01] (\d\d\d)[ \r]")


def _site(root: Path) -> Path:
    write_site(root)
    write(
        root, {"secret.txt": SECRET, "site/static/small.txt": "abcdefghij" * 9, "site/static/empty.txt": ""}
    )
    with (root / "site/site.yaml").open("a") as file:
        file.write(f"# {SECRET}\n")
    with (root / "site/static/large.bin").open("wb") as file:
        file.truncate(3_000_000)
    return root


def _set_traps(root: Path) -> None:
    """Put files into the output that must not be served: links that lead out of it, and hidden files."""
    output = root / ".diglot/preview"
    (output / "leak.txt").symlink_to(root / "secret.txt")
    (output / "link").symlink_to(root)
    (output / "loop").symlink_to(output / "loop")
    write(output, {".hidden": SECRET, "zh/.hidden": SECRET, ".git/config": SECRET})


def _answer(port: int, attack: Attack) -> bytes | None:
    """The whole answer; None after a timeout."""
    end = time.monotonic() + (_PATIENCE_S if attack.whole else 0.02)
    got = bytearray()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S) as one:
            one.sendall(attack.sent)
            while True:
                one.settimeout(max(0.001, end - time.monotonic()))
                piece = one.recv(1 << 20)
                if not piece:
                    return bytes(got)
                got += piece
    except TimeoutError:
        return None if attack.whole else bytes(got)
    except OSError:  # the server closed the connection
        return bytes(got)


def _trouble(attack: Attack, answer: bytes | None) -> str | None:
    if answer is None:
        return "no answer, and no end"
    statuses = [int(one) for one in _STATUS.findall(answer)]
    if any(status >= 500 for status in statuses):
        return f"answered {statuses}"
    if SECRET.encode() in answer or b"root:x:" in answer or b"SQLite format" in answer:
        return "what lies outside was served"
    if len(statuses) > attack.most_answers:
        return f"answered {len(statuses)} times"
    if attack.refused and any(200 <= status < 400 for status in statuses):
        return f"answered {statuses}, not refused"
    return None


def _descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def _resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_no_request_gets_through_to_a_running_preview(tmp_path: Path, tally: Counted) -> None:
    count, draw = tally("requests"), draws("requests")
    root = _site(tmp_path / "site")
    serving = Serving(root, "--port", "0")
    port = int(re.search(r":(\d+)/", serving.address)[1])  # type: ignore[index]  (an address has one)
    pid = serving.process.pid
    try:
        serving.wait_for("built in")
        _set_traps(root)
        for target in (PAGE, LARGE, "/__diglot/"):  # loads what is loaded only once, which is not a leak
            _answer(port, Attack(kind="good", sent=request(target)))
        descriptors, resident = _descriptors(pid), _resident_bytes(pid)
        for number in range(tries(300, long=5000)):
            attack = KINDS[number % len(KINDS)](draw)
            count.tried += 1
            if trouble := _trouble(attack, _answer(port, attack)):
                count.through.append(f"{attack.kind}: {trouble}: {attack.sent[:300]!r}")
        for what, is_so in {
            "pages": b"A paragraph." in (_answer(port, Attack(kind="good", sent=request())) or b""),
            "a save": _is_built(serving, root),
            "memory": _resident_bytes(pid) - resident < _MOST_MORE_BYTES,
            "descriptors": _come_back(pid, descriptors + 12),
        }.items():
            if not is_so:
                count.lost.append(what)
        code = serving.end(signal.SIGTERM)
        serving.rest()
        if code != 0:
            count.lost.append(f"its end: {code}")
        said = "".join(serving.said)
        if re.search(r"Traceback|Exception|the preview failed|Invalid HTTP", said):
            count.through.append(f"said: {said[-2000:]}")
    finally:
        if serving.process.poll() is None:
            serving.process.kill()
            serving.process.wait()


def _is_built(serving: Serving, root: Path) -> bool:
    write(root, {"content/posts/hello/zh.md": article("After all that.")})
    try:
        serving.until("zh/posts/hello/", "After all that.")
    except AssertionError:
        return False
    return True


def _come_back(pid: int, most: int) -> bool:
    end = time.monotonic() + 60
    while _descriptors(pid) > most:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
