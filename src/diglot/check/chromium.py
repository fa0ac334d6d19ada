"""Chromium without a window: prints pages, and measures what only a browser knows."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_SETTLED_MS = 10_000
"""Time that pages have to come to rest, as scripts see it: it passes faster than on the wall."""


class ChromiumFailed(Exception):
    """Chromium could not be started, or did not do what it was asked; the message says why."""


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine; None if there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return found or next((path for path in _ELSEWHERE if Path(path).exists()), None)


def print_pdf(executable: str, html: str, file: Path, *, timeout_s: float = 120) -> None:
    """Write a page as a PDF file. Raises ChromiumFailed."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, "utf-8")
        made = Path(folder) / "page.pdf"
        arguments = ("--no-pdf-header-footer", f"--print-to-pdf={made}", page.as_uri())
        said = _run(executable, folder, arguments, timeout_s)
        if not made.exists():
            raise ChromiumFailed(said or "it wrote no file")
        shutil.copyfile(made, file)


def page_after_scripts(executable: str, html: str, *, timeout_s: float = 120) -> str:
    """The HTML of a page once its scripts have run, in a window of 1,280 × 720. Raises ChromiumFailed."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, "utf-8")
        return _run(executable, folder, ("--dump-dom", page.as_uri()), timeout_s)


def picture_of_page(executable: str, html: str, *, width: int, height: int, scale: float) -> bytes:
    """A PNG picture of a page without a ground, in a window of this size, with `scale` dots to a pixel.

    Raises ChromiumFailed.
    """
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder) / "page.html", Path(folder) / "page.png"
        page.write_text(html, "utf-8")
        arguments = (
            *(f"--window-size={width},{height}", f"--force-device-scale-factor={scale:g}"),
            *("--default-background-color=00000000", f"--screenshot={made}", page.as_uri()),
        )
        said = _run(executable, folder, arguments, timeout_s=60)
        if not made.exists():
            raise ChromiumFailed(said or "it wrote no file")
        return made.read_bytes()


def _run(executable: str, folder: str, arguments: tuple[str, ...], timeout_s: float) -> str:
    command = [
        executable,
        *("--headless", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
        *("--window-size=1280,720", f"--virtual-time-budget={_SETTLED_MS}"),
        f"--user-data-dir={folder}/profile",
        *(("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()),  # it refuses to run as root
        *arguments,
    ]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout_s, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ChromiumFailed(str(error)) from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ChromiumFailed(told[-1] if told else f"it ended with exit code {done.returncode}")
    return done.stdout.decode("utf-8", "replace")
