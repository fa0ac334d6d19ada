"""Takes the pictures of README.md from the project's own site, in Chromium, as small WebP files.

    python build.py && python scripts/readme_pictures.py

Needs Playwright and Chromium (`pip install -e '.[test]'`). Each picture is at most 60 kB.
"""

import argparse
import io
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from PIL import Image

ROOT = Path(__file__).parents[1]
MOST_BYTES = 60_000


class Shot(NamedTuple):
    """A picture of a window."""

    name: str
    page: str
    script: str
    """JavaScript that brings what is shown into the window."""
    width: int = 1000
    height: int = 560
    asked: str = ""
    """A value whose origin is shown."""


_TO = "[...document.querySelectorAll({!r})].find(one => one.getBoundingClientRect().height > 9)"
_CENTRE = _TO + ".scrollIntoView({{block: 'center'}})"
_VALUE = "article .num[data-figure]"
SHOTS = (
    Shot("both", "en/posts/gpu-vs-tpu/both/", _CENTRE.format("figure svg"), 1200, 640),
    Shot("turned", "en/posts/systolic-array/", _CENTRE.format("figure:has([data-turns])")),
    Shot("value", "en/posts/gpu-vs-tpu/", _CENTRE.format(_VALUE), asked=_VALUE),
    Shot("change", "en/when-a-bandwidth-changes/", _CENTRE.format("figure svg")),
    Shot("chip", "en/hardware/h200-sxm/", "scrollTo(0, 150)"),
    Shot("talk", "en/talks/gpu-vs-tpu/", "0"),
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def take(site: Path, folder: Path) -> None:
    """Take all pictures of a built site."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for shot in SHOTS:
            page = browser.new_page(
                viewport={"width": shot.width, "height": shot.height}, reduced_motion="reduce"
            )
            page.goto(f"http://127.0.0.1:{server.server_port}/{shot.page}")
            page.evaluate("document.fonts.ready")
            page.evaluate(shot.script)
            if shot.asked:
                page.hover(shot.asked)
                page.wait_for_timeout(1000)
                page.click(shot.asked)
            page.wait_for_timeout(1000)  # figures come when they are near the window
            (folder / f"{shot.name}.webp").write_bytes(_small(page.screenshot()))
            page.close()
        browser.close()
    server.shutdown()


def _small(png: bytes) -> bytes:
    """The picture in the best quality that is small enough."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for quality in range(85, 20, -10):
        stream = io.BytesIO()
        picture.save(stream, "WEBP", quality=quality, method=6)
        if stream.tell() <= MOST_BYTES:
            return stream.getvalue()
    raise SystemExit("a picture is larger than 60 kB in every quality: make its window smaller")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "public", help="the built site")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs/images")
    arguments = parser.parse_args()
    take(arguments.site, arguments.output)
