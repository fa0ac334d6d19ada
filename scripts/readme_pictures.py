"""Takes the pictures and the film of README.md from the project's own site, in Chromium, as small WebP files.

    python build.py && python scripts/readme_pictures.py

Needs Playwright and Chromium (`pip install -e '.[test]'`). Each picture is at most 60 kB, the film 900 kB.
"""

import argparse
import io
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
MOST_BYTES = 60_000
MOST_FILM_BYTES = 900_000


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
    Shot("value", "en/posts/gpu-vs-tpu/", _CENTRE.format(_VALUE), asked=_VALUE),
    Shot("change", "en/when-a-bandwidth-changes/", _CENTRE.format("figure svg")),
    Shot("chip", "en/hardware/h200-sxm/", "scrollTo(0, 150)"),
    Shot("talk", "en/talks/gpu-vs-tpu/", "0"),
)


FILM_PAGE = "en/posts/gpu-vs-tpu/"
_SLIDER = "input[id='fig-systolic-flow.cycle']"
_TURN = """(slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""
_TURNING_MS, _READING_MS = 160, 2200


def film(page: "Page") -> Iterator[tuple[bytes, int]]:
    """What happens in the film: each picture of the window, with how long it stays, in milliseconds.

    A figure is turned; the page changes its language in place; a number says where it comes from.
    """

    def turn(cycles: range) -> Iterator[tuple[bytes, int]]:
        for cycle in cycles:
            page.eval_on_selector(_SLIDER, _TURN, cycle)
            page.wait_for_timeout(150)
            yield page.screenshot(), _TURNING_MS

    page.evaluate(_CENTRE.format("figure:has([id='fig-systolic-flow.cycle'])"))
    page.evaluate("scrollBy(0, -30)")  # from below the bar
    page.wait_for_timeout(1000)
    yield page.screenshot(), _READING_MS
    yield from turn(range(8, 18))
    page.click('[data-word="zh"]')
    page.wait_for_selector("html[lang='zh-Hans']")
    page.wait_for_timeout(800)
    yield page.screenshot(), _READING_MS
    yield from turn(range(17, 4, -2))
    page.evaluate(_CENTRE.format(_VALUE))
    page.wait_for_timeout(800)
    yield page.screenshot(), _READING_MS // 2
    page.hover(_VALUE)
    page.wait_for_timeout(1000)
    page.click(_VALUE)
    page.wait_for_timeout(1000)
    yield page.screenshot(), 2 * _READING_MS


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
        page = browser.new_page(viewport={"width": 900, "height": 560}, reduced_motion="reduce")
        page.goto(f"http://127.0.0.1:{server.server_port}/{FILM_PAGE}")
        page.evaluate("document.fonts.ready")
        (folder / "film.webp").write_bytes(_animated([*film(page)]))
        browser.close()
    server.shutdown()


def _small(png: bytes) -> bytes:
    picture = _opened(png)
    return _best(lambda stream, quality: picture.save(stream, "WEBP", quality=quality, method=6), MOST_BYTES)


def _animated(shown: list[tuple[bytes, int]]) -> bytes:
    """Pictures with their times as one file that begins again after the last."""
    first, *others = (_opened(png) for png, _ in shown)
    times_ms = [time_ms for _, time_ms in shown]
    return _best(
        lambda stream, quality: first.save(
            stream,
            "WEBP",
            save_all=True,
            append_images=others,
            duration=times_ms,
            loop=0,
            quality=quality,
            method=6,
        ),
        MOST_FILM_BYTES,
    )


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _best(save: Callable[[io.BytesIO, int], None], most_bytes: int) -> bytes:
    """What is saved in the best quality that is small enough."""
    for quality in range(85, 20, -10):
        stream = io.BytesIO()
        save(stream, quality)
        if stream.tell() <= most_bytes:
            return stream.getvalue()
    raise SystemExit(f"larger than {most_bytes:,} bytes in every quality: make the window smaller")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "public", help="the built site")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs/images")
    arguments = parser.parse_args()
    take(arguments.site, arguments.output)
