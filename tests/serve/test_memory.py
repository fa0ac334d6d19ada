"""A preview that is kept open all day does not grow.

DIGLOT_LONG_TESTS=1 makes it a thousand builds and the bound 10%.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from tests.cli.sites import LINE, article, pair, write
from tests.serve.test_serving import Serving, serve, site
from tests.waiting import HANG_S, wait_until

__all__ = ["serve", "site"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

LONG = bool(os.environ.get("DIGLOT_LONG_TESTS"))
WARM, BUILDS, GROWTH = (100, 1000, 0.10) if LONG else (20, 50, 0.20)


def _resident_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError(f"nobody says how large {pid} is")


def test_memory_does_not_grow_from_build_to_build(site: Path, serve: Callable[..., Serving]) -> None:
    write(site, {"figures/line.py": LINE, **pair("drawn", "```{figure} line\nA caption.\n```")})
    serving = serve(site)
    client = httpx2.Client(base_url=serving.address, timeout=HANG_S)

    def save(number: int) -> None:
        words = f"Edit {number}, with a paragraph that is another each time: {hash(str(number))}."
        write(site, {"content/posts/hello/en.md": article(words)})
        if number % 25 == 0:
            write(site, {"figures/line.py": LINE.replace("A line", f"A line, {number}")})
        if number % 10 == 0:
            write(site, pair(f"come-and-go-{number}"))
        if number % 10 == 5:
            for path in site.glob("content/posts/come-and-go-*/*.md"):
                path.unlink()
        shown = words.partition(",")[0] + ","
        wait_until(lambda: shown in client.get("en/posts/hello/").text, told=lambda: serving.said)

    with client:
        for number in range(WARM):
            save(number)
        before = _resident_kib(serving.process.pid)
        sizes = []
        for number in range(WARM, WARM + BUILDS):
            save(number)
            if number % 50 == 0:
                sizes.append(_resident_kib(serving.process.pid))
        after = _resident_kib(serving.process.pid)
    print(f"resident KiB after {WARM} builds: {before}; after {BUILDS} more: {after} ({sizes})")
    assert after < before * (1 + GROWTH), f"from {before} to {after} KiB: {sizes}"
