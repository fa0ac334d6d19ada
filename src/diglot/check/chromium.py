"""Chromium without a window: prints pages, and measures what only a browser knows."""

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_SETTLED_MS = 10_000
"""Time that pages have to come to rest, as scripts see it: it passes faster than on the wall."""
_TIMEOUT_S = 120


class ChromiumFailed(Exception):
    """Chromium could not be started, or did not do what it was asked; the message says why."""


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine; None if there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return found or next((path for path in _ELSEWHERE if Path(path).exists()), None)


def print_pdf(executable: str, html: str, file: Path) -> None:
    """Write a page as a PDF file. Raises ChromiumFailed."""
    file.write_bytes(made_of(executable, html, "--no-pdf-header-footer", writes="print-to-pdf=page.pdf"))


def page_after_scripts(executable: str, html: str) -> str:
    """The HTML of a page once its scripts have run, in a window of 1,280 × 720. Raises ChromiumFailed."""
    return made_of(executable, html, "--dump-dom").decode("utf-8", "replace")


def picture_of_page(executable: str, html: str, *, width: int, height: int, scale: float) -> bytes:
    """A PNG picture of a page without a ground, in a window of this size, with `scale` dots to a pixel.

    Raises ChromiumFailed.
    """
    window = (f"--window-size={width},{height}", f"--force-device-scale-factor={scale:g}")
    return made_of(
        executable, html, *window, "--default-background-color=00000000", writes="screenshot=page.png"
    )


def chromium_version(executable: str) -> str:
    """What the program says of itself; empty where it says nothing."""
    with suppress(OSError):
        return _version(executable, os.stat(executable).st_mtime_ns)
    return ""


@lru_cache(maxsize=2)
def _version(executable: str, _changed_ns: int) -> str:
    """A preview asks for it at each change of a file, and starting the program takes 0.2 s."""
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def made_of(
    executable: str,
    html: str,
    *arguments: str,
    writes: str = "",
    address: str = "",
    seconds: int = _TIMEOUT_S,
) -> bytes:
    """What Chromium writes of a page: with the option `writes` into a file, otherwise as its output.

    The page is at the address, if one is given.
    """
    option, _, name = writes.partition("=")
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder) / "page.html", Path(folder) / name
        page.write_text(html, "utf-8")
        command = [
            executable,
            *("--headless", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
            *("--window-size=1280,720", f"--virtual-time-budget={_SETTLED_MS}"),
            f"--user-data-dir={folder}/profile",
            *(("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()),  # it refuses root
            *arguments,
            *((f"--{option}={made}",) if writes else ()),
            address or page.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ChromiumFailed(str(error)) from error
        if done.returncode:
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise ChromiumFailed(told[-1] if told else f"it ended with exit code {done.returncode}")
        if not writes:
            return done.stdout
        if not made.exists():
            raise ChromiumFailed(done.stdout.decode("utf-8", "replace") or "it wrote no file")
        return made.read_bytes()
